"""Cards that don't wait, as lines for a phone: alike in a chat and in an SMS."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from bot.render import wording, workouts
from bot.render.voice import Voice
from i18n import Shown
from tools.kit.cards import (
    Done,
    Facts,
    Failed,
    LinkCard,
    Notice,
    NotRun,
    Picked,
    Progress,
    Table,
    ToolsFound,
    Undone,
    WorkoutCard,
)

ToldCard = (
    Facts | Table | Done | Undone | Failed | NotRun | Picked | LinkCard | Progress | Notice
    | WorkoutCard | ToolsFound
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """A card in lines. Where they are too many, `middle` is cut from its end."""

    head: tuple[str, ...]
    middle: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()


def told(  # noqa: C901, PLR0911, PLR0912 - one branch a kind of card
    card: ToldCard, voice: Voice, *, start: int = 0
) -> Told:
    match card:
        case Facts(title=title):
            return Told((voice.line(title),), tuple(_below(card, voice)))
        case Table():
            return _table(card, voice, start)
        case Done(undo=undo):
            tail = () if undo is None else (wording.undo_line(undo, voice),)
            below = tuple(wording.below_done(card, voice))
            return Told((wording.done(card, voice),), below, tail)
        case Undone(notes=notes):
            return Told((wording.undone(card, voice),), tuple(voice.lines(notes)))
        case Failed():
            return Told((wording.failed(card, voice),))
        case NotRun():
            return Told((wording.not_run(card, voice),))
        case Picked():
            return Told((wording.picked(card, voice),))
        case LinkCard():
            return Told((wording.linked(card, voice),))
        case Progress():
            return Told((wording.progress(card, voice),))
        case Notice(lines=lines):
            return Told(tuple(voice.lines(lines)))
        case ToolsFound():
            return Told((voice.say("tools.found"),), tuple(wording.found(card, voice)))
        case WorkoutCard(heading=heading):
            return Told((voice.line(heading),), tuple(workouts.lines(card, voice)))
        case _:
            assert_never(card)


def more_line(left: int, voice: Voice) -> str:
    return voice.say("card.more", {"n": Shown(str(left))})


def more_rows(left: int, voice: Voice) -> str:
    """Of a list that 'MORE' doesn't go on with."""
    return voice.say("card.more_rows", {"n": Shown(str(left))})


def _below(card: Facts, voice: Voice) -> Iterator[str]:
    """The facts, then each list under its title."""
    yield from (wording.fact(one, voice) for one in card.facts)
    for table in card.tables:
        parts = _table(table, voice, 0)
        yield from (*parts.head, *parts.middle)
        left = table.total - len(table.rows)
        if table.rows and left > 0:
            yield more_rows(left, voice)


def _table(card: Table, voice: Voice, start: int) -> Told:
    if not card.rows:
        return Told((wording.table_empty(card, voice),))
    rows = (f"- {wording.row(card.columns, row, voice)}" for row in card.rows[start:])
    head = (wording.table_title(card, voice),) if start == 0 else ()
    return Told(head, tuple(rows))
