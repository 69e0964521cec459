"""What a turn came to, read off its events: what was done, what waits, what was not done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.turn.events import Asked, Event, Ran, Said
from tools.kit.calls import Call
from tools.kit.cards import AnyCard, Confirm, ConfirmBatch, Done, Failed, NotRun, Undone

Fate = Literal["done", "waits", "not_done"]
Reads = Callable[[str], bool]
"""Whether a tool, by its name on the wire, only reads: a look-up is no deed."""

_MISTAKES: Final = frozenset({"bad_input", "not_found", "stale_version"})
"""The call itself was wrong: done right later in the turn, it tells nobody anything."""


@dataclass(frozen=True, slots=True)
class Deed:
    call: Call
    card: AnyCard
    """What came of it; what it asks, while it waits for a person."""
    asked: Confirm | None
    """How its target was put to the person."""

    @property
    def fate(self) -> Fate:
        match self.card:
            case Done() | Undone():
                return "done"
            case Failed() | NotRun():
                return "not_done"
            case _:
                return "waits"


@dataclass(frozen=True, slots=True)
class Recap:
    deeds: tuple[Deed, ...]

    def of(self, fate: Fate) -> tuple[Deed, ...]:
        return tuple(deed for deed in self.deeds if deed.fate == fate)

    @property
    def untold(self) -> tuple[Deed, ...]:
        """What no receipt says: of several deeds, those that were not done.

        None where all met the same refusal, or where newer words came: who decided so knows, and
        the model answers for the rest.
        """
        same = len({_end(deed) for deed in self.deeds}) == 1
        return () if same else tuple(one for one in self.of("not_done") if not _overtaken(one))


def recap(events: Sequence[Event], reads: Reads) -> Recap:
    """Of a turn that has ended, or asks."""
    calls = {
        call.id: call
        for event in events
        if isinstance(event, Said) and not event.ours
        for call in event.calls
        if not reads(call.name)
    }
    asked = {key: card for event in events if isinstance(event, Asked) for key, card in _of(event)}
    found = [
        *((event.call_id, event.card) for event in events if isinstance(event, Ran)),
        *(
            (key, event.card)
            for event in events[-1:]
            if isinstance(event, Asked)
            for key in event.call_ids
        ),
    ]
    deeds = [Deed(calls[key], card, asked.get(key)) for key, card in found if key in calls]
    return Recap(tuple(one for n, one in enumerate(deeds) if not _mended(one, deeds[n + 1 :])))


def _of(event: Asked) -> list[tuple[str, Confirm]]:
    match event.card:
        case Confirm():
            return [(event.call_ids[0], event.card)]
        case ConfirmBatch(items=items):
            return list(zip(event.call_ids, items, strict=True))
        case _:
            return []


def _mended(deed: Deed, later: Sequence[Deed]) -> bool:
    """A call that was wrong, and was then made again as it should be."""
    wrong = isinstance(deed.card, Failed) and deed.card.code in _MISTAKES
    return wrong and any(
        one.call.name == deed.call.name and one.fate != "not_done" for one in later
    )


def _overtaken(deed: Deed) -> bool:
    return isinstance(deed.card, NotRun) and deed.card.reason in {"superseded", "halted"}


def _end(deed: Deed) -> str:
    match deed.card:
        case NotRun(reason=reason):
            return reason
        case Failed(code=code):
            return f"failed {code}"
        case _:
            return deed.fate
