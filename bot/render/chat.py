"""Cards in a chat app: numbered options always, names in bold, long lists cut with 'MORE'."""

from dataclasses import replace
from typing import Final

from bot.render import wording
from bot.render.reader import Choice, Reader, Rendered
from bot.render.text.split import split
from bot.render.told import ToldCard, more_line, told
from bot.render.voice import Voice
from i18n import Shown, opened
from tools.kit.cards import (
    AnyCard,
    Confirm,
    ConfirmBatch,
    Pick,
    Table,
    Typed,
)
from tools.kit.values import Count, Instant

LIST_LINES: Final = 10


def chat(
    card: AnyCard, reader: Reader, *, until: Instant | None = None, start: int = 0
) -> Rendered:
    """`until` is when the question closes; `start` the first row, after 'MORE'.

    What is too long for one message comes in parts; the last one holds the options.
    """
    whole = _whole(card, Voice(reader, "chat"), until, start)
    return replace(whole, texts=tuple(part for text in whole.texts for part in split(text)))


def _whole(card: AnyCard, voice: Voice, until: Instant | None, start: int) -> Rendered:
    match card:
        case Confirm():
            return _confirm(card, voice, until)
        case ConfirmBatch():
            return _batch(card, voice, until)
        case Pick():
            return pick(card, voice)
        case Typed():
            return _typed(card, voice, until)
        case _:  # a kind that `told` doesn't know is no ToldCard, and mypy says so
            return _told(card, voice, start)


def pick(card: Pick, voice: Voice) -> Rendered:
    """The same on SMS, where the voice cuts the names."""
    choices = pick_choices(card, voice)
    return joined([voice.line(card.ask), *map(numbered, choices)], voice, choices)


def pick_choices(card: Pick, voice: Voice) -> tuple[Choice, ...]:
    found = [
        Choice(n, wording.option_label(option, voice), wording.option_sublabel(option, voice))
        for n, option in enumerate(card.options, 1)
    ]
    none = [Choice(0, wording.none_label(card, voice))] if card.allow_none else []
    return (*found, *none)


def numbered(choice: Choice) -> str:
    parts = [choice.label, *([choice.sublabel] if choice.sublabel else [])]
    return f"{choice.number} {wording.SEPARATOR.join(parts)}"


def joined(lines: list[str], voice: Voice, choices: tuple[Choice, ...] = ()) -> Rendered:
    text = opened("\n".join(line for line in lines if line), voice.reader.language)
    return Rendered((text,), choices)


def confirm_choices(card: Confirm, voice: Voice) -> tuple[Choice, ...]:
    return (Choice(1, wording.approve(card, voice)), Choice(2, wording.keep(card, voice)))


def batch_how(card: ConfirmBatch, voice: Voice, until: Instant | None) -> str:
    """How to answer a batch: of two, '1,3' would name what isn't there."""
    two = len(card.items) == 2  # noqa: PLR2004 - two is what the key says
    values = {} if until is None else {"until": until}
    return voice.say("batch.how_two" if two else "batch.how", values)


def _confirm(card: Confirm, voice: Voice, until: Instant | None) -> Rendered:
    choices = confirm_choices(card, voice)
    lines = [
        wording.asked(card, voice),
        wording.target(card, voice),
        _effects(card, voice),
        *map(numbered, choices),
        _open_until(voice, until),
    ]
    return joined(lines, voice, choices)


def _batch(card: ConfirmBatch, voice: Voice, until: Instant | None) -> Rendered:
    choices = tuple(Choice(n, wording.item(one, voice)) for n, one in enumerate(card.items, 1))
    lines = [
        voice.say("batch.ask", {"actions": Count(n=len(card.items), of="actions")}),
        *map(numbered, choices),
        batch_how(card, voice, until),
        _open_until(voice, until),
    ]
    return joined(lines, voice, choices)


def _typed(card: Typed, voice: Voice, until: Instant | None) -> Rendered:
    lines = [
        wording.asked(card, voice),
        wording.target(card, voice),
        _effects(card, voice),
        voice.say("typed.how", {"words": Shown(card.words, "typed")}),
        _open_until(voice, until),
    ]
    return joined(lines, voice)


def _effects(card: Confirm | Typed, voice: Voice) -> str:
    """Short ones in a row; what is shown whole, as a message's text, stands on lines of its own."""
    lines = voice.lines(card.effects)
    return ("\n" if any("\n" in line for line in lines) else " ").join(lines)


def _open_until(voice: Voice, until: Instant | None) -> str:
    return "" if until is None else voice.say("card.until", {"until": until})


def _told(card: ToldCard, voice: Voice, start: int) -> Rendered:
    parts = told(card, voice, start=start)
    if not isinstance(card, Table):
        return joined([*parts.head, *parts.middle, *parts.tail], voice)
    rows = parts.middle[:LIST_LINES]
    end = start + len(rows)
    rest = end if end < len(card.rows) else None
    left = card.total - end
    more = [more_line(left, voice)] if rows and left > 0 else []
    lines = joined([*parts.head, *rows, *more], voice)
    return Rendered(lines.texts, rest=rest)
