"""Segments as carriers bill them, and cuts that keep a reader's characters whole."""

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.text.graphemes import graphemes, utf16_units
from bot.render.text.segments import cut, encoding, segments, units

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
FLAGS = "\U0001f1ee\U0001f1f1\U0001f1f7\U0001f1fa"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("a" * 160, 1),
        ("a" * 161, 2),
        ("a" * 306, 2),
        ("a" * 307, 3),
        ("€" * 80, 1),
        ("€" * 81, 2),
        ("a" * 152 + "€" + "a" * 153, 3),
        ("ש" * 70, 1),
        ("ש" * 71, 2),
        ("ж" * 135, 3),
        ("ж" * 200, 3),
        ("ж" * 300, 5),
        ("ж" * 500, 8),
        ("ж" * 1600, 24),
        ("a" * 69 + "–", 1),
        ("a" * 70 + "–", 2),
        ("\U0001f44d" * 35, 1),
        ("\U0001f44d" * 67, 3),
    ],
)
def test_segments_are_counted_as_they_are_billed(text: str, expected: int) -> None:
    assert segments(text) == expected


def test_one_foreign_character_changes_the_encoding() -> None:
    assert encoding("Cancel Open gym? Reply 1 to approve, 2 to keep it [y]") == "gsm7"
    assert [encoding(f"NIS 380{mark}") for mark in "₪–·“…ש"] == ["ucs2"] * 6
    assert units("[a]") == 5
    assert units("[ש]") == 3


def test_a_cut_keeps_the_encoding() -> None:
    assert cut("Weightlifting basics", 12) == "Weightlift.."
    assert cut("Тяжёлая атлетика", 8) == "Тяжёлая…"
    assert cut("Open gym", 8) == "Open gym"
    assert cut("Open gym", 1) == "."
    assert cut("Open gym", 0) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"a{FAMILY}b", ["a", FAMILY, "b"]),
        (FLAGS, [FLAGS[:2], FLAGS[2:]]),
        ("\U0001f44d\U0001f3fd!", ["\U0001f44d\U0001f3fd", "!"]),
        ("1\ufe0f\u20e3", ["1\ufe0f\u20e3"]),
        ("שׁ\u05c1ל", ["שׁ\u05c1", "ל"]),
        ("и\u0306", ["и\u0306"]),
        ("a\r\nb", ["a", "\r\n", "b"]),
    ],
)
def test_a_reader_s_characters_stay_whole(text: str, expected: list[str]) -> None:
    assert list(graphemes(text)) == expected


@given(st.text(), st.integers(0, 40))
def test_a_cut_fits_and_begins_as_the_text_does(text: str, limit: int) -> None:
    short = cut(text, limit)

    assert utf16_units(short) <= limit
    assert short == text or text.startswith(short.rstrip("….").rstrip())


@given(st.text())
def test_graphemes_lose_nothing_and_never_begin_with_a_mark(text: str) -> None:
    clusters = list(graphemes(text))

    assert "".join(clusters) == text
    after_letters = [
        second
        for first, second in pairwise(clusters)
        if unicodedata.category(first[-1]) not in {"Cc", "Zl", "Zp"}
    ]
    assert not any(unicodedata.category(one[0]) in {"Mn", "Me"} for one in after_letters)
