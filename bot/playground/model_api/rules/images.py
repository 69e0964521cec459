"""Images: how many a request may hold, and how long their sides may be."""

import base64
import binascii
import struct
from collections.abc import Iterator

from bot.playground.model_api.blocks import ImageBlock, ToolResult
from bot.playground.model_api.errors import Refused
from bot.playground.model_api.request import Prompt, walk
from bot.playground.model_api.rules.rule import Case, Complaints

LONGEST_SIDE = 8_000
MANY = 20
LONGEST_OF_MANY = 2_000
MOST = 600
MOST_IN_A_SMALL_CONTEXT = 100
_SMALL_CONTEXT = 200_000
_PNG = b"\x89PNG\r\n\x1a\n"


def too_many_images(case: Case) -> Complaints:
    most = MOST if case.surface.context > _SMALL_CONTEXT else MOST_IN_A_SMALL_CONTEXT
    found = sum(1 for _ in _images(case.prompt))
    if found > most:
        yield f"messages: at most {most} images are allowed in a request. Found {found}."


def too_long_sides(case: Case) -> Complaints:
    """The real service names the first image in its words and all of them in the details."""
    images = list(_images(case.prompt))
    many = len(images) > MANY
    longest = LONGEST_OF_MANY if many else LONGEST_SIDE
    places = [place for place, image in images if max(_sides(image)) > longest]
    if places:
        kind = " for many-image requests" if many else ""
        yield Refused(
            400,
            f"{places[0]}.image.source.base64.data: At least one of the image dimensions exceed max"
            f" allowed size{kind}: {longest} pixels",
            "image_dimensions_too_large",
            headers={"x-should-retry": "false"},
            details={"max_side_length_pixels": longest, "paths": places},
        )


def _images(prompt: Prompt) -> Iterator[tuple[str, ImageBlock]]:
    for number, index, block in walk(prompt.messages):
        place = f"messages.{number}.content.{index}"
        if isinstance(block, ImageBlock):
            yield place, block
        if isinstance(block, ToolResult):
            for at, part in enumerate(block.content):
                if isinstance(part, ImageBlock):
                    yield f"{place}.content.{at}", part


def _sides(image: ImageBlock) -> tuple[int, int]:
    """Width and height of a PNG or GIF; of other kinds nothing is known here."""
    start = str(image.source.get("data", ""))[:64]
    try:
        head = base64.b64decode(start[: len(start) // 4 * 4])
    except binascii.Error:
        return 0, 0
    if head.startswith(_PNG) and len(head) >= 24:  # noqa: PLR2004 - where the size ends
        width, height = struct.unpack(">II", head[16:24])
    elif head.startswith(b"GIF8") and len(head) >= 10:  # noqa: PLR2004 - where the size ends
        width, height = struct.unpack("<HH", head[6:10])
    else:
        return 0, 0
    return width, height
