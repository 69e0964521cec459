"""Which lane a turn goes in: what may be looked up at once, and where that is stored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.db import Database
from bot.conversation import ledger
from bot.conversation.models import Turn
from bot.model.lanes import Lane
from bot.turn.advance import Opening, calling
from bot.turn.events import Asked, Ended, Event, Heard, Ran, Said
from tools.kit.calls import Call, CallRunner

Choose = Callable[[Heard, Callable[[Call], bool]], Call | Lane]
"""The one look-up that answers some words, else the lane to go on in."""


@dataclass(frozen=True, slots=True)
class TurnLane:
    """A turn's lane, in its row: the transcript keeps nothing of a look that led to nothing."""

    db: Database
    turn: Turn
    guard: Callable[[Session], None]

    def now(self) -> Lane | None:
        with self.db.transaction(self.turn.org_id) as session:
            row = session.execute(
                select(Turn.lane, Turn.handed_over).where(Turn.id == self.turn.id)
            ).one()
        return "act" if row.handed_over else row.lane

    def take(self, lane: Lane) -> None:
        self._change(lane=lane)

    def hand_over(self) -> None:
        self._change(handed_over=True)

    def _change(self, **changes: object) -> None:
        with self.db.transaction(self.turn.org_id) as session:
            self.guard(session)
            turn = ledger.lock_turn(session, self.turn.id)
            for name, value in changes.items() if turn else ():
                setattr(turn, name, value)


@dataclass(frozen=True, slots=True)
class Routed:
    """The opening of a turn that is routed; `plain` is that of one which is not.

    A look-up that works stands in the turn with its result. Nothing is left of any other look, so
    it may be taken anew by whoever takes the turn up.
    """

    lane: TurnLane
    choose: Choose
    runner: CallRunner
    plain: Opening
    model: str
    may_look: bool

    def __call__(self, heard: Heard) -> tuple[Said | Ran, ...]:
        if self.lane.now() in {"read", "act"}:
            return self.plain(heard)
        onward = self._look(heard) if self.may_look and not heard.playbook else "act"
        if isinstance(onward, tuple):
            self.lane.take("quick")
            return onward
        self.lane.take(onward)
        return self.plain(heard)

    def _look(self, heard: Heard) -> tuple[Said | Ran, ...] | Lane:
        chosen = self.choose(heard, self.runner.reads)
        if not isinstance(chosen, Call):
            return chosen
        outcome = self.runner.run(chosen)
        if not outcome.ok:
            return "act"
        ran = Ran(call_id=chosen.id, card=outcome.card)
        return calling((chosen,), model=self.model), ran


def goes_on(before: Sequence[Event], reads: Callable[[str], bool]) -> bool:
    """Whether words after this turn may lean on it.

    It asked something, by a card or in words, or wrote something, or never came to its end.
    """
    said = [event for event in before if isinstance(event, Said)]
    wrote = any(not reads(call.name) for event in said for call in event.calls)
    asked = any(isinstance(event, Asked) for event in before)
    wonders = bool(said) and said[-1].text.rstrip().endswith("?")
    return asked or wrote or wonders or not _is_done(before)


def _is_done(turn: Sequence[Event]) -> bool:
    return not turn or (isinstance(turn[-1], Ended) and turn[-1].reason == "done")
