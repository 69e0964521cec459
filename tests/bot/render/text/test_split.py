"""Long texts as several messages: short enough, nothing lost, no mark or character torn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.text.graphemes import graphemes, utf16_units
from bot.render.text.marks import spans
from bot.render.text.split import LIMIT, split
from bot.render.text.whatsapp import to_whatsapp

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SENTENCE = "Dana Levi was booked for Open gym. "
MARKS = "*_~`\u2066\u2067\u2068\u2069\u200f"


def test_a_short_text_is_one_part() -> None:
    assert split("hello") == ("hello",)
    assert split("a" * LIMIT) == ("a" * LIMIT,)
    assert split(" \n ") == ()


def test_paragraphs_come_before_lines_and_sentences() -> None:
    first, second = "First. " + "a" * 40, "Second. " + "b" * 40

    assert split(f"{first}\n\n{second}", 64) == (first, second)


def test_list_items_stay_whole() -> None:
    items = [f"- {number} {SENTENCE.strip()}" for number in range(9)]

    parts = split("\n".join(items), 100)

    assert [line for part in parts for line in part.split("\n")] == items


def test_a_continued_item_is_cut_between_items_first() -> None:
    first, second = "- one\n  more of one", "- two\n  more of two " + "x" * 30

    assert split(f"{first}\n{second}", 64) == (first, second)


def test_sentences_come_before_words() -> None:
    parts = split(SENTENCE * 10, 100)

    assert all(part.endswith("Open gym.") for part in parts)


def test_a_mark_is_not_cut_where_there_is_a_word_before_it() -> None:
    text = "word " * 8 + "*bold words that stay whole together*"

    assert split(text, 64)[-1] == "*bold words that stay whole together*"


def test_a_mark_longer_than_a_part_is_closed_and_opened_again() -> None:
    parts = split(f"*{'bold ' * 40}end*", 100)

    assert len(parts) == 3
    assert all(part.startswith("*") and part.endswith("*") for part in parts)


def test_code_is_fenced_in_every_part_and_keeps_its_indentation() -> None:
    lines = [f"  line_{number} = *{number}*" for number in range(20)]

    parts = split("```\n" + "\n".join(lines) + "\n```", 100)

    assert all(part.startswith("```\n") and part.endswith("\n```") for part in parts)
    kept = [line for part in parts for line in part.removesuffix("\n```").split("\n")[1:]]
    assert kept == lines


def test_an_isolate_is_closed_and_opened_again() -> None:
    parts = split("\u2068" + "שם ארוך " * 20 + "סוף\u2069", 64)

    assert all(part[0] == "\u2068" and part[-1] == "\u2069" for part in parts)


def test_a_right_to_left_line_goes_on_as_one() -> None:
    parts = split("\u200f" + "שיעור AMRAP 12 " * 12 + "\n\u200fסוף", 64)

    assert all(line.startswith("\u200f") for part in parts for line in part.split("\n"))
    assert not any("\u200f\u200f" in part for part in parts)


def test_a_word_without_spaces_is_cut_between_graphemes() -> None:
    parts = split(FAMILY * 30, 64)

    assert "".join(parts) == FAMILY * 30
    assert all(set(graphemes(part)) == {FAMILY} for part in parts)


def test_a_grapheme_longer_than_a_message_is_cut_after_all() -> None:
    monster = "a" + "\u0301" * 200

    parts = split(monster, 64)

    assert "".join(parts) == monster
    assert all(utf16_units(part) <= 64 for part in parts)


def test_a_limit_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="10"):
        split("text", 10)


TEXTS = (
    st.text(max_size=400)
    | st.text(alphabet="ab1. \n*_~`-\u200f\u2066\u2068\u2069ש\u0301\U0001f44d", max_size=400)
    | st.text(alphabet="ab1. \n*_~`#>-|[](!)\\.:/\u2068\u2069ж", max_size=400).map(to_whatsapp)
)


def _words(text: str) -> str:
    return "".join(one for one in text if one not in MARKS and not one.isspace())


@given(TEXTS, st.integers(64, 120))
def test_parts_fit_and_nothing_is_lost(text: str, limit: int) -> None:
    parts = split(text, limit)

    assert all(0 < utf16_units(part) <= limit for part in parts)
    assert _words("".join(parts)) == _words(text)
    assert not any(part != part.strip(" \n") for part in parts)


@given(
    st.text(alphabet="ab1. \n*_~#>-[](!)\u2068\u2069ж", max_size=400).map(to_whatsapp),
    st.integers(64, 120),
)
def test_marks_are_balanced_in_every_part(text: str, limit: int) -> None:
    for part in split(text, limit):
        paired = [0] * len(part)
        for span in spans(part):
            for at in (span.start, span.end - 1):
                paired[at] += 1
        loose = [mark for at, mark in enumerate(part) if mark in "*~" and not paired[at]]
        assert not loose, (text, part)


@given(
    st.lists(st.sampled_from([FAMILY, "e\u0301", "\U0001f1ee\U0001f1f1", "a", " "]), min_size=40)
)
def test_graphemes_stay_whole(clusters: list[str]) -> None:
    whole = [one for one in graphemes("".join(clusters)) if one != " "]

    parted = [one for part in split("".join(clusters), 64) for one in graphemes(part)]

    assert [one for one in parted if one != " "] == whole
