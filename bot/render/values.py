"""The typed values of cards, put into words for one reader and one place."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, assert_never
from zoneinfo import ZoneInfo

from bot.render.reader import Reader
from bot.render.text.segments import cut
from i18n import Language, Shown, Variant, count, formats, phrase
from i18n.sms_english import plain_english
from tools.kit.registry import discover
from tools.kit.values import (
    Amount,
    Code,
    Count,
    Day,
    Deed,
    Hours,
    Instant,
    Moment,
    Month,
    Name,
    Names,
    Number,
    Percent,
    Quote,
    Span,
    Term,
    Terms,
    Value,
    Weight,
    pounds_or_kilos,
)

SMS_UNITS: Final[Mapping[str, int]] = {
    "class": 20,
    "class_from": 20,
    "class_type": 20,
    "name": 12,  # the first name that was asked about
    "sublabel": 14,
    "question": 60,
    "task": 40,
    "gym": 30,
    "reason": 40,
    "note": 40,
}
"""How much of a name an SMS shows, by its placeholder (spec 09); a person gets 18."""
_PERSON_UNITS: Final = 18
_NO_ZONE: Final = "UTC"
"""What rules without a studio at hand write; people are shown their studio's clock."""
_NAMES_SHOWN: Final[Mapping[Variant, int]] = {
    "": 10,
    "web": 10,
    "chat": 5,
    "sms": 2,
    "fallback": 2,
}
# WhatsApp has no escape, so what would open or close its markup is written with a look-alike.
_NO_MARKUP: Final = str.maketrans({"*": "\u2217", "_": "\u02cd", "~": "\u223c", "`": "\u02cb"})


def shown(  # noqa: C901, PLR0911, PLR0912 - one branch a type of value
    value: Value, reader: Reader, variant: Variant, *, place: str = "", units: int | None = None
) -> Shown:
    """A value in words. `place` is its placeholder; `units` the most an SMS has for a name."""
    language = reader.language
    match value:
        case bool():
            return Shown(phrase("value.yes" if value else "value.no", language))
        case int():
            return formats.number(value, language)
        case Name(text=text):
            return _name(text, language, variant, units or SMS_UNITS.get(place, _PERSON_UNITS))
        case Names(all=all_):
            kept = [_name(one, language, variant, _PERSON_UNITS).text for one in all_]
            return formats.names(kept, language, at_most=_NAMES_SHOWN[variant])
        case Day(date=on):
            return formats.day(on, language, today=reader.today)
        case Hours(start=start, end=end):
            return formats.hours(start, end)
        case Moment():
            return _moment(value, reader, variant)
        case Instant(at=at, zone=zone):
            zone = reader.zone if zone == _NO_ZONE else zone
            return formats.instant(_local(at, zone), language, now=_local(reader.now, zone))
        case Count(n=n, of=of):
            return count(of, n, language)
        case Amount(minor=minor, currency=currency):
            return formats.money(minor, currency, language)
        case Code(text=text):
            return formats.code(text)
        case Deed(tool=tool):
            return _deed(tool, language)
        case Quote(text=text):
            return _quote(text, language, variant)
        case Percent(value=share):
            return formats.percent(share, language)
        case Number(value=figure, digits=digits):
            return formats.figure(figure, digits, language)
        case Weight(unit=unit):
            return formats.weight(pounds_or_kilos(value), unit, language)
        case Span(start=start, end=end):
            return formats.span(start, end, language, today=reader.today)
        case Month(year=year, month=month):
            return formats.month(year, month, language)
        case Term(key=key):
            return Shown(phrase(key, language, variant=variant))
        case Terms(keys=keys):
            return Shown(", ".join(phrase(key, language, variant=variant) for key in keys))
        case _:
            assert_never(value)


def _deed(tool: str, language: Language) -> Shown:
    """A tool that is no more keeps its name."""
    known = discover("tools.catalog").get(tool)
    return formats.code(tool) if known is None else Shown(phrase(known.label, language))


def _quote(text: str, language: Language, variant: Variant) -> Shown:
    """Each line by itself, as their directions may differ; an SMS shows the beginning."""
    lines = [line for line in text.splitlines() if line.strip()]
    match variant:
        case "chat":
            return formats.lines([line.translate(_NO_MARKUP) for line in lines], language)
        case "sms" | "fallback":
            return _name(" ".join(lines), language, variant, SMS_UNITS["question"])
        case "" | "web":
            return formats.lines(lines, language)
        case _:
            assert_never(variant)


def _name(text: str, language: Language, variant: Variant, units: int) -> Shown:
    name = formats.name(text)
    match variant:
        case "chat":
            return Shown(name.text.translate(_NO_MARKUP), name.kind)
        case "sms" | "fallback":
            plain = name.text.replace("…", "...")
            plain = plain_english(plain) if language is Language.EN else name.text
            return Shown(cut(plain, units), name.kind)
        case "" | "web":
            return name
        case _:
            assert_never(variant)


def _moment(value: Moment, reader: Reader, variant: Variant) -> Shown:
    whole = formats.moment(value.date, value.start, value.end, reader.language, today=reader.today)
    return whole if variant in {"", "web", "chat"} else _only_the_start(whole)


def _only_the_start(whole: Shown) -> Shown:
    """An SMS has no room for when a class ends."""
    return Shown(whole.forms["start"].text, whole.kind, whole.forms)


def _local(at: datetime, zone: str) -> datetime:
    return at.astimezone(ZoneInfo(zone))
