"""Cards as SMS: two segments at most, and a link where that isn't enough or a sign-in is needed."""

from collections.abc import Sequence
from typing import Final, assert_never

from bot.render import wording
from bot.render.chat import batch_how, confirm_choices, joined, numbered, pick
from bot.render.reader import Choice, Look, Reader, Rendered
from bot.render.text.graphemes import graphemes, utf16_units
from bot.render.told import Told, ToldCard, more_line, told
from bot.render.voice import Voice
from i18n import Language, Shown, Variant, opened
from i18n.marks import FSI, LRI, PDI
from i18n.sms_english import plain_english
from tools.kit.cards import (
    AnyCard,
    Confirm,
    ConfirmBatch,
    Facts,
    Pick,
    Table,
    Typed,
    WorkoutCard,
)
from tools.kit.values import Code, Instant

BUDGET: Final = 134
"""UTF-16 units in two segments of UCS-2; one Hebrew name makes an English text UCS-2 too."""
_ITEM_UNITS: Final = {Language.EN: 27, Language.HE: 26, Language.RU: 27}
_NARROWEST: Final = 4
_NARROWER: Final = (15, 12)
_WHOLE: Final = 40


def sms(
    card: AnyCard,
    reader: Reader,
    look: Look = Look.SMS,
    *,
    until: Instant | None = None,
    link: str | None = None,
    start: int = 0,
) -> Rendered:
    """`link` opens the card on the dashboard, after a sign-in; without it long cards stay long."""
    voice = Voice(reader, _variant(look))
    match card:
        case Confirm(always=True):
            return _linked(wording.one_line(card, voice), voice, link)
        case Confirm():
            return _confirm(card, voice, until, link)
        case ConfirmBatch():
            return _batch(card, voice, until, link)
        case Pick():
            return _fitted(_told_apart(card, voice), voice.line(card.ask), voice, link)
        case Typed():
            named = f"{wording.asked(card, voice)} {wording.target(card, voice)}"
            return _linked(named, voice, link)
        case _:  # a kind that `told` doesn't know is no ToldCard, and mypy says so
            return _told(card, voice, link, start)


def _told_apart(card: Pick, voice: Voice) -> Rendered:
    """Whole names where there is room for them, as they are what tells options apart.

    Cut ones that read alike are no choice: then the whole ones are too long, and a link is sent.
    """
    whole, short = pick(card, voice.narrow(_WHOLE)), pick(card, voice)
    seen = {(one.label, one.sublabel) for one in short.choices}
    alike = len(seen) < len(short.choices)
    return whole if alike or _fits(_plain(whole.texts[0], voice)) else short


def _variant(look: Look) -> Variant:
    match look:
        case Look.FALLBACK:
            return "fallback"
        case Look.SMS | Look.CHAT:
            return "sms"
        case _:
            assert_never(look)


def _confirm(card: Confirm, voice: Voice, until: Instant | None, link: str | None) -> Rendered:
    """With the names cut a little more before it gives up and becomes a link."""
    drafts = [_drafted(card, voice.narrow(units), until) for units in (None, *_NARROWER)]
    fitting = next((draft for draft in drafts if _fits(draft.texts[0])), drafts[0])
    return _fitted(fitting, wording.one_line(card, voice), voice, link)


def _drafted(card: Confirm, voice: Voice, until: Instant | None) -> Rendered:
    choices = confirm_choices(card, voice)
    values = {
        "ask": Shown(wording.one_line(card, voice)),
        "approve": Shown(choices[0].label),
        "keep": Shown(choices[1].label),
    }
    closes = "" if until is None else voice.say("card.until", {"until": until})
    glue = " " if voice.reader.language is Language.EN else "\n"
    lines = filter(None, (voice.say("card.confirm", values), closes))
    return joined([glue.join(lines)], voice, choices)


def _batch(card: ConfirmBatch, voice: Voice, until: Instant | None, link: str | None) -> Rendered:
    ask = voice.say("batch.ask")
    if any(one.always for one in card.items):
        return _linked(ask, voice, link)
    choices = tuple(Choice(n, _item(one, voice)) for n, one in enumerate(card.items, 1))
    lines = [ask, *map(numbered, choices), batch_how(card, voice, until)]
    return _fitted(joined(lines, voice, choices), ask, voice, link)


def _item(card: Confirm, voice: Voice) -> str:
    """A batch line: its names are cut first, so that the date stays; then the line itself."""
    limit = _ITEM_UNITS[voice.reader.language]
    for units in range(limit, _NARROWEST, -1):
        line = wording.item(card, voice.narrow(units))
        if utf16_units(line) <= limit:
            return line
    return cut_marked(wording.item(card, voice.narrow(_NARROWEST)), limit)


def cut_marked(text: str, limit: int) -> str:
    """Cut to at most `limit` UTF-16 units; isolates that are open there are closed."""
    if utf16_units(text) <= limit:
        return text
    kept, open_marks = "", 0
    for one in graphemes(text):
        opening = open_marks + (one in {LRI, FSI}) - (one == PDI)
        if utf16_units(kept) + utf16_units(one) + opening > limit:
            break
        kept, open_marks = kept + one, opening
    return kept.rstrip() + PDI * open_marks


def _linked(ask: str, voice: Voice, link: str | None) -> Rendered:
    """What can't be answered by SMS: the question, and where to answer it."""
    where = Shown("") if link is None else voice.show(Code(text=link))
    key = "card.on_the_dashboard" if link is None else "card.sign_in"
    long = joined([ask, voice.say(key, {"link": where})], voice)
    return long if _fits(long.texts[0]) else joined([voice.say(key, {"link": where})], voice)


def _fitted(rendered: Rendered, ask: str, voice: Voice, link: str | None) -> Rendered:
    text = _plain(rendered.texts[0], voice)
    if _fits(text) or link is None:
        return Rendered((text,), rendered.choices)
    return _linked(ask, voice, link)


def _told(card: ToldCard, voice: Voice, link: str | None, start: int) -> Rendered:
    parts = told(card, voice, start=start)
    shown = len(parts.middle)
    while shown and not _fits(_text(parts, shown, card, voice, link)):
        shown -= 1
    end = start + shown
    rest = end if isinstance(card, Table) and end < len(card.rows) else None
    return Rendered((_text(parts, shown, card, voice, link),), rest=rest)


def _text(parts: Told, shown: int, card: ToldCard, voice: Voice, link: str | None) -> str:
    cut_off = len(parts.middle) - shown
    more: Sequence[str] = ()
    if isinstance(card, Table | Facts | WorkoutCard) and cut_off:
        more = (_more(cut_off, voice, link),)
    lines = (*parts.head, *parts.middle[:shown], *more, *parts.tail)
    return _plain(opened("\n".join(lines), voice.reader.language), voice)


def _more(left: int, voice: Voice, link: str | None) -> str:
    if link is None:
        return more_line(left, voice)
    return voice.say("card.rest", {"link": Code(text=link)})


def _plain(text: str, voice: Voice) -> str:
    """Rows are joined by hand, so English needs its plain typography here as well."""
    return plain_english(text) if voice.reader.language is Language.EN else text


def _fits(text: str) -> bool:
    return utf16_units(text) <= BUDGET
