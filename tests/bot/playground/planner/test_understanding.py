"""From sentences to wishes, from words to dates, from one script to another."""

from datetime import date, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.playground.planner import wishes as w
from bot.playground.planner.finding import spellings
from bot.playground.planner.fold import fold, language_of
from bot.playground.planner.names import best, grade
from bot.playground.planner.times import Clock, Day, marked
from bot.playground.planner.understand import LEXICONS, understand
from tests.bot.playground.planner.sentences import ENGLISH, HEBREW, RUSSIAN, TODAY


@pytest.mark.parametrize(("text", "wish"), [*ENGLISH, *HEBREW, *RUSSIAN])
def test_a_sentence_wishes_one_thing(text: str, wish: w.Wish) -> None:
    assert understand(text, language_of(text), TODAY) == wish


@pytest.mark.parametrize("rows", [ENGLISH, HEBREW, RUSSIAN])
def test_every_kind_of_wish_is_said_in_every_language(
    rows: tuple[tuple[str, w.Wish], ...],
) -> None:
    kinds = {type(wish) for _, wish in rows}
    assert kinds == {w.Several, *w.One.__args__}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", TODAY),
        ("monday", TODAY),
        ("tuesday", date(2026, 12, 1)),
        ("next sunday", date(2026, 12, 6)),
        ("sunday", date(2026, 12, 6)),
        ("next tuesday", date(2026, 12, 8)),
        ("3/12", date(2026, 12, 3)),
        ("2.1", date(2027, 1, 2)),
        ("2026-12-24", date(2026, 12, 24)),
        ("24.12.26", date(2026, 12, 24)),
        ("dec 4th", date(2026, 12, 4)),
        ("מחרתיים", date(2026, 12, 2)),
        ("בשבת", date(2026, 12, 5)),
        ("ביום ד׳", date(2026, 12, 2)),
        ("ראשון הבא", date(2026, 12, 6)),
        ("послезавтра", date(2026, 12, 2)),
        ("в субботу", date(2026, 12, 5)),
        ("4 декабря", date(2026, 12, 4)),
        ("в следующее воскресенье", date(2026, 12, 6)),
    ],
)
def test_a_day_is_reckoned_from_the_clock(text: str, day: date) -> None:
    assert marked(fold(text), TODAY).tokens == [Day(day)]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("13:00", Clock(time(13))),
        ("18.30", Clock(time(18, 30))),
        ("6pm", Clock(time(18))),
        ("12am", Clock(time(0))),
        ("at 6", Clock(time(6), vague=True)),
        ("at half past six", Clock(time(6, 30), vague=True)),
        ("6-7pm", Clock(time(18), time(19))),
        ("13-14", Clock(time(13), time(14))),
        ("from 9 to 10", Clock(time(9), time(10), vague=True)),
        ("בשש", Clock(time(6), vague=True)),
        ("בשבע וחצי", Clock(time(7, 30), vague=True)),
        ("ב-6 בערב", Clock(time(18))),
        ("в 6 вечера", Clock(time(18))),
        ("с 13 до 14", Clock(time(13), time(14))),
        ("в шесть", Clock(time(6), vague=True)),
    ],
)
def test_an_hour_is_read_in_any_of_its_forms(text: str, clock: Clock) -> None:
    assert marked(fold(text), TODAY).tokens == [clock]


@pytest.mark.parametrize("text", ["15 places", "25:00", "12:75", "31.2", "10 מקומות", "20 мест"])
def test_not_every_number_is_a_time(text: str) -> None:
    assert marked(fold(text), TODAY).tokens == []


def test_a_bare_hour_fits_both_halves_of_the_day_and_is_likely_the_later() -> None:
    six = Clock(time(6), vague=True)
    assert six.fits(time(6))
    assert six.fits(time(18))
    assert six.likely == time(18)
    assert Clock(time(9), vague=True).likely == time(9)
    assert Clock(time(6), time(7), vague=True).likely_end == time(19)


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("опен джим", "Open gym"),
        ("לאופן ג׳ים", "Open gym"),
        ("open gym", "אופן ג׳ים"),
        ("вод", "CrossFit WOD"),
        ("дана", "Dana Levi"),
        ("דנה לוי", "Dana Levi"),
        ("lior", "ליאור כהן"),
        ("Омер", "עומר כץ"),
        ("шира", "שירה"),
        ("силовая", "Strength"),
    ],
)
def test_a_name_is_known_in_another_script(wanted: str, name: str) -> None:
    assert grade(wanted, name)


@pytest.mark.parametrize(
    ("wanted", "name"), [("open gym", "Spinning"), ("dana", "Tom"), ("", "Tom"), ("tom", "Tamar")]
)
def test_other_names_are_other_names(wanted: str, name: str) -> None:
    assert not grade(wanted, name)


def test_the_closest_name_wins_over_what_only_sounds_like_it() -> None:
    people = [(name, name) for name in ("Anna Bar", "Noa Bar", "Noam Bar")]
    assert best("noa", people) == ["Noa Bar"]
    assert best("bar", people) == ["Anna Bar", "Noa Bar", "Noam Bar"]


def test_an_inflected_name_is_tried_as_it_may_stand_in_the_list() -> None:
    assert next(iter(spellings("дану"))) == "дана"
    assert "антон" in spellings("антона")
    assert "mike" in spellings("mikes")
    assert next(iter(spellings("даны леви"))) == "дана леви"
    assert list(spellings("dana levi")) == ["dana levi", "dana"]


@given(st.text(max_size=60), st.sampled_from(sorted(LEXICONS)))
def test_nothing_that_people_write_breaks_it(text: str, language: str) -> None:
    wish = understand(text, next(each for each in LEXICONS if each == language), TODAY)
    assert isinstance(wish, w.Wish)
