"""Photos as phones send them: real bytes of real formats."""

import base64
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw


def photo(
    size: tuple[int, int] = (1_200, 900), kind: str = "JPEG", mode: str = "RGB", **more: object
) -> bytes:
    """A board with a line on it."""
    picture = Image.new(mode, size, "white" if mode == "RGB" else None)
    ImageDraw.Draw(picture).line((10, 10, size[0] // 2, size[1] // 2), fill=1, width=5)
    written = BytesIO()
    picture.save(written, kind, **more)
    return written.getvalue()


def medium(
    body: bytes = b"",
    content_type: str = "image/jpeg",
    **more: Any,  # noqa: ANN401 - as PhoneMedia
) -> dict[str, Any]:
    return {"content_type": content_type, "base64": base64.b64encode(body).decode(), **more}
