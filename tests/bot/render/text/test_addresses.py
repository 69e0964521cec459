"""Which addresses of the model's words a phone may make links of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.text.addresses import not_followed

READ = '{"notes": "Watch https://video.example/abc?t=1 first", "site": "gym.example/plan"}'


@pytest.mark.parametrize(
    "text",
    [
        "See https://video.example/abc?t=1.",
        "(https://video.example/abc?t=1)",
        "*Film:* https://video.example/abc?t=1, then warm up",
        "It is at gym.example/plan",
        "3/4 of 12.5, 18:00/19:00, 1.12/2.12, and/or, Dr.Levi, v1.2/3",
        "Write to dana@gym.example",
    ],
)
def test_what_was_read_and_what_is_no_address_stay(text: str) -> None:
    assert not_followed(text, READ) == text


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        ("https://evil.example/?d=Dana+0521234567", "evil[.]example/?d=Dana+0521234567"),
        ("HTTPS://evil.example", "evil[.]example"),
        ("http://dana-levi.evil.example", "dana-levi[.]evil[.]example"),
        ("https://dana@evil.example/", "dana@evil[.]example/"),
        ("http://10.0.0.1:8000/dana", "10[.]0[.]0[.]1:8000/dana"),
        ("www.evil.example", "www[.]evil[.]example"),
        ("evil.example/dana", "evil[.]example/dana"),
        ("evil.example:8443?dana", "evil[.]example:8443?dana"),
        ("https://video.example/abc?t=1&d=Dana", "video[.]example/abc?t=1&d=Dana"),
        ("https://מכון.example/דנה", "מכון[.]example/דנה"),
    ],
)
def test_an_address_made_up_is_shown_and_no_link(made: str, shown: str) -> None:
    assert not_followed(f"Look: {made}, now", READ) == f"Look: {shown}, now"


@given(st.text())
def test_words_without_a_dot_are_left_alone(text: str) -> None:
    plain = text.replace(".", "").replace("://", "")
    assert not_followed(plain, "") == plain
