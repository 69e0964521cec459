"""Values put into words by their type: dates, times, money, names, lists."""

from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Literal, assert_never

from babel.dates import format_date, format_skeleton
from babel.numbers import (
    format_currency,
    format_decimal,
    format_percent,
    get_currency_precision,
)

from i18n.languages import Language
from i18n.marks import isolate, isolate_ltr, neutral
from i18n.phrases import Shown, phrase

_DAY = {Language.EN: "EEE d MMM", Language.HE: "EEE d.M", Language.RU: "EEE, d MMM"}
_DAY_AND_YEAR = {
    Language.EN: "EEE d MMM y",
    Language.HE: "EEE d.M.y",
    Language.RU: "EEE, d MMM y 'г'.",
}
_SHORT = {Language.EN: "d MMM", Language.HE: "d.M", Language.RU: "d.MM"}
_WEEK = 7
_GROUPED_FROM = 10_000


def name(text: str) -> Shown:
    """What people typed, on one line."""
    return Shown(neutral(text), "typed")


def code(text: str) -> Shown:
    """A phone, a code, a link."""
    return Shown(neutral(text), "ltr")


def number(n: int, language: Language) -> Shown:
    """A plain count; thousands are parted from ten thousand on."""
    digits = str(n) if 0 <= n < _GROUPED_FROM else format_decimal(n, locale=language.locale)
    return Shown(digits, "ltr" if n < 0 else "plain", n=n)


def day(on: date, language: Language, *, today: date) -> Shown:
    """A date with its weekday; the year only where it isn't this one. {x.short} has no weekday."""
    return Shown(_day(on, language, today), forms={"short": Shown(_short(on, language))})


def hours(start: time, end: time | None = None) -> Shown:
    return Shown(_span(start, end), "ltr")


def moment(on: date, start: time, end: time | None, language: Language, *, today: date) -> Shown:
    """A date with its hours. Forms: date; time, the start; hours; brief, where room is short."""
    begins, dated = Shown(_span(start, None), "ltr"), _day(on, language, today)
    forms = {
        "date": Shown(dated),
        "time": begins,
        "hours": hours(start, end),
        "start": Shown(_joined(dated, begins.text, language)),
        "brief": Shown(f"{_brief(on, language, today)} {isolate_ltr(begins.text, language)}"),
    }
    return Shown(_joined(dated, _span(start, end), language), forms=forms)


def instant(at: datetime, language: Language, *, now: datetime) -> Shown:
    """A local instant: its clock time, dated where that isn't today. {x.time} is never dated."""
    clock = Shown(f"{at:%H:%M}", "ltr")
    dated = _joined(_day(at.date(), language, now.date()), clock.text, language)
    shown = clock if at.date() == now.date() else Shown(dated)
    return Shown(shown.text, shown.kind, forms={"time": clock, "dated": Shown(dated)})


def money(minor: int, currency: str, language: Language) -> Shown:
    """Money as Babel writes it, with its own marks; no agorot when there are none."""
    precision = get_currency_precision(currency)
    amount = Decimal(minor).scaleb(-precision)
    pattern = language.locale.currency_formats["standard"].pattern
    if amount == amount.to_integral_value():
        pattern = pattern.replace(".00", "")
    return Shown(
        format_currency(
            amount, currency, format=pattern, locale=language.locale, currency_digits=False
        )
    )


def percent(share: float | None, language: Language) -> Shown:
    """A share, to the tenth where it isn't whole; too little to tell is said so."""
    if share is None:
        return Shown(phrase("value.not_enough", language))
    pattern = "#,##0%" if round(share, 1) == round(share) else "#,##0.0%"
    return Shown(format_percent(round(share, 1) / 100, pattern, locale=language.locale), "ltr")


def figure(value: float, digits: int, language: Language) -> Shown:
    """A figure with a point: 3.4 visits a week."""
    pattern = "#,##0." + "0" * digits if digits else "#,##0"
    return Shown(
        format_decimal(value, pattern, locale=language.locale), "ltr" if value < 0 else "plain"
    )


def weight(amount: float, unit: Literal["kg", "lb"], language: Language) -> Shown:
    """'62.5 kg' in each language's letters."""
    written = Shown(format_decimal(amount, "#,##0.##", locale=language.locale))
    return Shown(phrase(f"value.{unit}", language, {"n": written}))


def span(start: date, end: date, language: Language, *, today: date) -> Shown:
    """Days from and to, the last included; one day is that day."""
    first, last = day(start, language, today=today), day(end, language, today=today)
    if start == end:
        return first
    joined = phrase("value.span", language, {"start": first, "end": last})
    return Shown(joined, forms={"start": first, "end": last})


def month(year: int, number_: int, language: Language) -> Shown:
    """'November 2026'."""
    return Shown(format_skeleton("yMMMM", date(year, number_, 1), locale=language.locale))


def lines(texts: Sequence[str], language: Language) -> Shown:
    """What people typed, line by line, each isolated."""
    return Shown("\n".join(isolate(neutral(one), language) for one in texts))


def names(all_: Sequence[str], language: Language, *, at_most: int) -> Shown:
    """Several names, 'A, B and C'; a long list is cut: 'A, B and 3 more'."""
    kept = all_ if len(all_) <= at_most else all_[: max(1, at_most - 1)]
    written = [isolate(neutral(one), language) for one in kept]
    left = len(all_) - len(kept)
    if not written:
        return Shown(phrase("list.none", language))
    if left:
        more = {"list": Shown(", ".join(written)), "n": Shown(str(left))}
        return Shown(phrase("list.more", language, more))
    return Shown(_listed(written, language))


def _listed(written: Sequence[str], language: Language) -> str:
    *before, last = written
    return f"{', '.join(before)} {_and(language)} {last}" if before else last


def _and(language: Language) -> str:
    """By hand: Babel's Hebrew list puts ו on the last name, and a letter never touches a value."""
    match language:
        case Language.EN:
            return "and"
        case Language.HE:
            return "וגם"
        case Language.RU:
            return "и"
        case _:
            assert_never(language)


def _day(on: date, language: Language, today: date) -> str:
    patterns = _DAY if on.year == today.year else _DAY_AND_YEAR
    return format_date(on, patterns[language], locale=language.locale)


def _short(on: date, language: Language) -> str:
    return format_date(on, _SHORT[language], locale=language.locale)


def _brief(on: date, language: Language, today: date) -> str:
    """The weekday alone within a week from today, else the date alone."""
    if 0 <= (on - today).days < _WEEK:
        # In Hebrew the letter alone; its day word would take a third of a batch line.
        return format_date(on, "EEE", locale=language.locale).removeprefix("יום ")
    return _short(on, language)


def _span(start: time, end: time | None) -> str:
    return f"{start:%H:%M}" if end is None else f"{start:%H:%M}–{end:%H:%M}"


def _joined(dated: str, clock: str, language: Language) -> str:
    match language:
        case Language.RU:
            return f"{dated}, {clock}"
        case Language.EN | Language.HE:
            return f"{dated} {isolate_ltr(clock, language)}"
        case _:
            assert_never(language)
