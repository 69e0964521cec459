"""Dates, times, money, counts and lists as each language writes them."""

from datetime import UTC, date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from i18n import Language, count, formats, phrase
from i18n.languages import language_of_text
from i18n.marks import balanced, bare, shown
from i18n.phrases import marked
from i18n.sms_english import plain_english

EN, HE, RU = Language.EN, Language.HE, Language.RU
TODAY = date(2026, 11, 30)
NB = "\u00a0"


@pytest.mark.parametrize(
    ("on", "language", "words"),
    [
        (date(2026, 12, 1), EN, "Tue 1 Dec"),
        (date(2026, 12, 1), HE, "יום ג׳ 1.12"),
        (date(2026, 12, 1), RU, "вт, 1 дек."),
        (date(2026, 12, 5), HE, "שבת 5.12"),
        (date(2027, 5, 9), EN, "Sun 9 May 2027"),
        (date(2027, 5, 9), HE, "יום א׳ 9.5.2027"),
        (date(2027, 5, 9), RU, "вс, 9 мая 2027 г."),
    ],
)
def test_a_date_has_its_weekday_and_a_year_only_if_it_is_another(
    on: date, language: Language, words: str
) -> None:
    assert formats.day(on, language, today=TODAY).text == words


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (EN, "Tue 1 Dec 13:00–14:00"),
        (HE, "יום ג׳ 1.12 ⟨LRI⟩13:00–14:00⟨PDI⟩"),
        (RU, "вт, 1 дек., 13:00–14:00"),
    ],
)
def test_a_moment_is_a_date_with_its_range(language: Language, words: str) -> None:
    moment = formats.moment(date(2026, 12, 1), time(13), time(14), language, today=TODAY)

    assert shown(moment.text) == words
    assert moment.forms["time"].text == "13:00"
    assert moment.forms["hours"].text == "13:00–14:00"


@pytest.mark.parametrize(
    ("on", "language", "words"),
    [
        (date(2026, 12, 1), EN, "Tue 13:00"),
        (date(2026, 12, 1), HE, "ג׳ 13:00"),
        (date(2026, 12, 1), RU, "вт 13:00"),
        (date(2026, 12, 7), EN, "7 Dec 13:00"),
        (date(2026, 12, 7), HE, "7.12 13:00"),
        (date(2026, 11, 29), RU, "29.11 13:00"),
    ],
)
def test_where_room_is_short_the_weekday_stands_for_the_coming_week(
    on: date, language: Language, words: str
) -> None:
    moment = formats.moment(on, time(13), None, language, today=TODAY)

    assert bare(moment.forms["brief"].text) == words


def test_an_instant_is_dated_only_on_another_day() -> None:
    now = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

    assert formats.instant(now, EN, now=now).text == "12:00"
    later = formats.instant(now.replace(month=12, day=1), EN, now=now)
    assert later.text == "Tue 1 Dec 12:00"
    assert later.forms["time"].text == "12:00"


@pytest.mark.parametrize(
    ("minor", "language", "words"),
    [
        (38000, EN, "₪380"),
        (123450, EN, "₪1,234.50"),
        (-500, EN, "-₪5"),
        (38000, RU, f"380{NB}₪"),
        (123450, RU, f"1{NB}234,50{NB}₪"),
        (38000, HE, f"⟨RLM⟩380{NB}⟨RLM⟩₪"),
        (123450, HE, f"⟨RLM⟩1,234.50{NB}⟨RLM⟩₪"),
    ],
)
def test_money_has_no_agorot_when_there_are_none(
    minor: int, language: Language, words: str
) -> None:
    assert shown(formats.money(minor, "ILS", language).text) == words


def test_money_in_an_english_sms_spells_the_currency() -> None:
    assert plain_english(formats.money(38000, "ILS", EN).text) == "NIS 380"
    assert plain_english("“13:00–14:00” · it’s") == '"13:00-14:00", it\'s'


@pytest.mark.parametrize(
    ("key", "language", "words"),
    [
        ("credits", EN, {0: "0 credits", 1: "1 credit", 2: "2 credits", 21: "21 credits"}),
        ("credits", HE, {0: "0 ניקובים", 1: "ניקוב אחד", 2: "שני ניקובים", 3: "3 ניקובים"}),
        ("bookings", HE, {1: "הרשמה אחת", 2: "שתי הרשמות", 11: "11 הרשמות"}),
        ("days", HE, {1: "יום אחד", 2: "יומיים", 20: "20 ימים"}),
        (
            "classes",
            RU,
            {0: "0 занятий", 1: "1 занятие", 2: "2 занятия", 5: "5 занятий", 11: "11 занятий"}
            | {21: "21 занятие", 22: "22 занятия", 25: "25 занятий", 101: "101 занятие"}
            | {111: "111 занятий"},
        ),
    ],
)
def test_a_count_takes_the_form_of_its_number(
    key: str, language: Language, words: dict[int, str]
) -> None:
    assert {n: count(key, n, language).text for n in words} == words


def test_after_in_russian_counts_in_the_accusative() -> None:
    one = count("minutes", 1, RU)

    assert (one.text, one.forms["acc"].text) == ("1 минута", "1 минуту")
    assert count("minutes", 21, RU).forms["acc"].text == "21 минуту"
    assert count("minutes", 5, HE).forms["acc"].text == "5 דקות"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (EN, ("A", "A and B", "A, B and C", "A, B and 3 more")),
        (HE, ("⟨A⟩", "⟨A⟩ וגם ⟨B⟩", "⟨A⟩, ⟨B⟩ וגם ⟨C⟩", "⟨A⟩, ⟨B⟩ ועוד 3")),
        (RU, ("A", "A и B", "A, B и C", "A, B и ещё 3")),
    ],
)
def test_a_list_is_joined_by_a_word_and_cut(language: Language, words: tuple[str, ...]) -> None:
    for wanted, names in zip(words, ("A", "AB", "ABC", "ABCDE"), strict=True):
        got = shown(formats.names(list(names), language, at_most=3).text)
        assert got.replace("⟨FSI⟩", "⟨").replace("⟨PDI⟩", "⟩") == wanted


def test_a_sentence_that_ends_in_a_short_month_has_one_stop() -> None:
    day = formats.day(date(2026, 12, 9), RU, today=TODAY)

    assert "дек. Ничего" in phrase("error.no_membership", RU, {"date": day})


def test_no_names_are_none() -> None:
    assert [formats.names([], one, at_most=3).text for one in Language] == ["none", "אין", "нет"]


@given(st.lists(st.text(), max_size=8), st.integers(1, 9))
def test_every_listed_name_is_whole_in_hebrew(names: list[str], at_most: int) -> None:
    text = formats.names(names, HE, at_most=at_most).text

    assert balanced(text)
    assert text.count("\u2068") == min(len(names), max(1, at_most - 1)) or len(names) <= at_most


def test_a_negative_number_keeps_its_sign_on_its_side() -> None:
    assert shown(marked(formats.number(-12, HE), HE)) == "⟨LRI⟩-12⟨PDI⟩"
    assert shown(marked(formats.number(12, HE), HE)) == "12"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("put open gym tomorrow", EN),
        ("תבטל את ה-HIIT של מחר", HE),
        ("отмени open gym завтра", RU),
        ("13:00 +1", None),
        ("你好", None),
        ("WOD לסגור", HE),
    ],
)
def test_a_message_tells_its_language(text: str, language: Language | None) -> None:
    assert language_of_text(text) is language


@pytest.mark.parametrize(
    ("code", "language"), [("he-IL", HE), ("iw", HE), ("ru", RU), ("fr", EN), ("", EN), (None, EN)]
)
def test_a_code_is_a_language_or_english(code: str | None, language: Language) -> None:
    assert Language.of(code) is language
