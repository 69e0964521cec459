"""A turn's model in its lane: the small one as far as it goes, then the main one."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

from bot.model.adapter import ClaudeModel
from bot.model.lanes import Lane
from bot.turn.events import Delta, Ended, Event, Restart, Said

_WHOLE = frozenset({"end_turn", "stop_sequence"})


class LaneKept(Protocol):
    """The lane of a turn, as it is stored: whoever takes the turn up again is in the same."""

    def now(self) -> Lane | None:
        """None before it is known, and where nothing is routed."""
        ...

    def hand_over(self) -> None:
        """From here on it is the main model's."""
        ...


@dataclass(frozen=True, slots=True)
class Small:
    """The small model in one of its lanes, made when it is asked, and which of its words count."""

    model: Callable[[], ClaudeModel]
    keeps: Callable[[Said], bool]


class LanedModel:
    """Asks whom the lane names; the small one's messages that don't count never existed."""

    def __init__(
        self, main: Callable[[], ClaudeModel], small: Mapping[Lane, Small], lane: LaneKept
    ) -> None:
        self._main = main
        self._small = small
        self._lane = lane

    def reply(self, history: Sequence[Event]) -> Iterator[Delta | Restart | Said | Ended]:
        lane = self._lane.now()
        small = self._small.get(lane) if lane else None
        if small is not None:
            model = small.model()
            if model.fits(history) and (yield from _tried(model, small.keeps, history)):
                return
            self._lane.hand_over()
        yield from self._main().reply(history)


def _tried(
    model: ClaudeModel, keeps: Callable[[Said], bool], history: Sequence[Event]
) -> Generator[Delta | Restart | Said | Ended, None, bool]:
    """Whether it said something that counts; what was heard of it else is taken back."""
    spoke = False
    with closing(model.reply(history)) as stream:
        for event in stream:
            match event:
                case Said() if keeps(event):
                    yield event
                    return True
                case Ended(reason="over_budget"):
                    yield event
                    return True
                case Said() | Ended():
                    break
                case Delta() | Restart():
                    spoke = spoke or isinstance(event, Delta)
                    yield event
    if spoke:
        yield Restart()
    return False


def words_only(said: Said) -> bool:
    """A whole message without calls: another look-up, or the wish to escalate, isn't one."""
    return not said.calls and said.stop_reason in _WHOLE and bool(said.text.strip())


def reading(names: frozenset[str]) -> Callable[[Said], bool]:
    """Words, or calls of these tools alone."""

    def keeps(said: Said) -> bool:
        return words_only(said) or (
            bool(said.calls) and all(call.name in names for call in said.calls)
        )

    return keeps
