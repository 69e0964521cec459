"""Whatever a phone calls a photo: small and plain for the model, or refused by what it is."""

from io import BytesIO

import pytest
from PIL import Image

from bot.conversation.attachments import UnfetchedError
from bot.conversation.shots import SIDE, shot
from tests.photos import photo


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "GIF"])
def test_each_kind_of_picture_becomes_a_small_jpeg(kind: str) -> None:
    seen = shot(photo((4_000, 3_000), kind))
    assert (seen.content_type, seen.width, seen.height) == ("image/jpeg", SIDE, SIDE * 3 // 4)
    with Image.open(BytesIO(seen.body)) as shown:
        assert (shown.format, shown.size) == ("JPEG", (seen.width, seen.height))


def test_a_small_one_is_not_made_larger() -> None:
    seen = shot(photo((300, 200)))
    assert (seen.width, seen.height) == (300, 200)


def test_it_stands_upright_and_says_nothing_of_where_it_was_taken() -> None:
    tags = Image.Exif()
    tags[0x0112] = 6  # turned by a quarter
    tags[0x010E] = "at home, 32.0853 N"
    seen = shot(photo((400, 300), exif=tags))
    assert (seen.width, seen.height) == (300, 400)
    assert b"32.0853" not in seen.body
    assert not Image.open(BytesIO(seen.body)).getexif()


def test_what_is_transparent_is_white() -> None:
    seen = shot(photo((100, 100), "PNG", "RGBA"))
    with Image.open(BytesIO(seen.body)) as shown:
        assert shown.getpixel((90, 5)) == (255, 255, 255)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"%PDF-1.7 a plan",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"\xff\xd8\xff\xe0" + b"\0" * 64,
        photo()[:2_000],
        photo(kind="BMP"),
        photo(kind="TIFF"),
    ],
)
def test_what_is_no_picture_is_none_whatever_it_is_called(body: bytes) -> None:
    with pytest.raises(UnfetchedError) as caught:
        shot(body)
    assert caught.value.why == "strange"


@pytest.mark.parametrize("side", [8_000, 20_000])
def test_a_small_file_with_a_huge_picture_is_not_decoded(side: int) -> None:
    body = photo((side, side), "PNG", "1")
    assert len(body) < 1_000_000
    with pytest.raises(UnfetchedError) as caught:
        shot(body)
    assert caught.value.why == "too_large"


def test_a_sticker_is_no_photo() -> None:
    moving = photo((300, 300), "WEBP", save_all=True, append_images=[Image.new("RGB", (300, 300))])
    for body in (photo((512, 512), "WEBP"), moving):
        with pytest.raises(UnfetchedError) as caught:
            shot(body)
        assert caught.value.why == "sticker"
