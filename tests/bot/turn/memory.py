"""A studio in memory, a runner over it and a scripted model.

What the engine needs, and survives a kill.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from bot.turn.advance import Watch, advance
from bot.turn.events import Answered, Asked, Delta, Ended, Event, Heard, Ran, Restart, Said
from tools.kit.calls import Call, Decision, Outcome, Question, digest
from tools.kit.cards import AnyCard, Confirm, Failed, Notice, Option, Pick, Picked
from tools.kit.values import Line, Name


def call(id_: str, name: str, **arguments: object) -> Call:
    return Call(id=id_, name=name, input=arguments)


def said(*calls: Call, text: str = "") -> Said:
    stop = "tool_use" if calls else "end_turn"
    return Said(
        text=text, blocks=({"type": "text", "text": text or "..."},), calls=calls, stop_reason=stop
    )


@dataclass
class Memory:
    """Things by name with how often each was written.

    `effects` is what a database would have committed.
    """

    things: dict[str, int] = field(default_factory=lambda: {"a": 0, "b": 0, "c": 0})
    effects: dict[str, Outcome] = field(default_factory=dict)
    booked: int = 7
    """A fact that cards name: when it moves, an approval no longer fits."""

    def question(self, one: Call) -> Question | None:
        thing = str(one.input.get("thing", ""))
        if one.name == "pick":
            options = tuple(Option(id=x, label=Name(text=x)) for x in ("x", "y"))
            return self._asks(Pick(ask=Line(key="k"), options=options))
        if one.name != "destroy" or thing not in self.things:
            return None
        return self._asks(
            Confirm(of="destroy", values={"thing": Name(text=thing), "booked": self.booked})
        )

    def _asks(self, card: Confirm | Pick) -> Question:
        return Question(card=card, target=digest(card.model_dump(mode="json")))

    def reads(self, one: Call) -> bool:
        return one.name == "read"

    def run(self, one: Call, decision: Decision | None = None) -> Outcome:
        if one.id not in self.effects:
            question = self.question(one)
            if question is not None and (decision is None or decision.target != question.target):
                return Outcome(card=Notice(lines=()), ok=False, moved=True)
            self.effects[one.id] = self._effect(one, decision)
        return self.effects[one.id]

    def _effect(self, one: Call, decision: Decision | None) -> Outcome:
        thing = str(one.input.get("thing", ""))
        if one.name == "pick":
            chosen = decision.option if decision else None
            option = Option(id=chosen, label=Name(text=chosen)) if chosen else None
            return Outcome(card=Picked(option=option))
        if thing not in self.things:
            return Outcome(card=Failed(code="not_found"), ok=False)
        if one.name != "read":
            self.things[thing] += 1
        return Outcome(card=Notice(lines=(Line(key=f"{one.name}.{thing}"),)))

    def run_reads(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        return [self.run(one) for one in calls]


@dataclass
class Script:
    """Plays the next line by counting what was said: stateless, so it survives a kill."""

    lines: Sequence[Said]

    def reply(self, history: Sequence[Event]) -> Iterator[Delta | Restart | Said | Ended]:
        line = self.lines[sum(isinstance(event, Said) for event in history)]
        if line.text:
            yield Delta(text=line.text)
        yield line


class Killed(Exception):
    """The process is gone."""


def carry(
    stored: list[Event],
    script: Script,
    memory: Memory,
    *,
    die_after: int | None = None,
    watch: Watch = lambda: None,
) -> None:
    """A worker: keep each event as it comes.

    With `die_after`, be killed once so many are kept, after the next step's effect and before its
    event is kept.
    """
    for event in advance(stored, model=script, runner=memory, watch=watch):
        if isinstance(event, Delta | Restart):
            continue
        if die_after is not None and len(stored) >= die_after:
            raise Killed
        stored.append(event)


def answer(stored: list[Event], how: Sequence[str]) -> None:
    """Close the open question.

    'yes', 'no' or an option for each call, or one of the ways not to decide.
    """
    asked = stored[-1]
    assert isinstance(asked, Asked)
    if how[0] in {"expired", "superseded", "stopped"}:
        stored.append(Answered(question_id=asked.question_id, outcome=how[0]))  # type: ignore[arg-type]  # narrowed by the test's own lists
        return
    decisions = {
        call_id: Decision(
            approved=word != "no", option=word if word in {"x", "y"} else None, target=target
        )
        for call_id, target, word in zip(asked.call_ids, asked.targets, how, strict=True)
    }
    stored.append(Answered(question_id=asked.question_id, outcome="decided", decisions=decisions))


def begin() -> list[Event]:
    return [Heard(text="do it")]


NOBODY = UUID(int=0)


def shape(events: Sequence[Event]) -> list[Event]:
    """A history without the ids that are drawn anew in each run."""
    return [
        event.model_copy(update={"question_id": NOBODY})
        if isinstance(event, Asked | Answered)
        else event
        for event in events
    ]


def results(events: Sequence[Event]) -> dict[str, AnyCard]:
    return {event.call_id: event.card for event in events if isinstance(event, Ran)}
