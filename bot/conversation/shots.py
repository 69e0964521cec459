"""Photos as the model is shown them: upright, small, without what a camera writes into them."""

from io import BytesIO
from typing import Final

from PIL import Image, ImageOps

from bot.conversation.attachments import Shot, UnfetchedError

SIDE: Final = 1_568
"""Pixels of the longer side: the vendor makes larger ones smaller itself."""
MOST_PIXELS: Final = 50_000_000
"""Of what is decoded at all: a small file may hold a huge picture."""
_FORMATS: Final = ("JPEG", "PNG", "WEBP", "GIF")
_QUALITY: Final = 85
_STICKER: Final = (512, 512)
"""WhatsApp's stickers are WebP of this size, and photos never come as WebP."""


def shot(body: bytes) -> Shot:
    """Raises UnfetchedError where the bytes are no picture, whatever they were called."""
    try:
        with Image.open(BytesIO(body), formats=_FORMATS) as picture:
            return _shot(picture)
    except UnfetchedError:
        raise
    except Image.DecompressionBombError as error:
        raise UnfetchedError("too_large") from error
    except Exception as error:  # decoders of foreign bytes fail in many ways
        raise UnfetchedError("strange") from error


def _shot(picture: Image.Image) -> Shot:
    if picture.width * picture.height > MOST_PIXELS:
        raise UnfetchedError("too_large")
    if picture.format == "WEBP" and (
        picture.size == _STICKER or getattr(picture, "n_frames", 1) > 1
    ):
        raise UnfetchedError("sticker")
    picture.draft("RGB", (SIDE, SIDE))
    small = _flat(ImageOps.exif_transpose(picture))
    small.thumbnail((SIDE, SIDE))
    written = BytesIO()
    small.save(written, "JPEG", quality=_QUALITY)
    return Shot("image/jpeg", small.width, small.height, written.getvalue())


def _flat(picture: Image.Image) -> Image.Image:
    """What was transparent is white, as on a board."""
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    clear = picture.convert("RGBA")
    ground = Image.new("RGB", clear.size, "white")
    ground.paste(clear, mask=clear)
    return ground
