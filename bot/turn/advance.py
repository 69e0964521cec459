"""The turn: a loop whose whole state is the list of events so far.

Nothing is kept anywhere else, so a turn can be dropped after any event and picked up by another
process.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from app.core.ids import new_id
from bot.turn.events import Asked, Delta, Ended, Event, Heard, Ran, Restart, Said
from bot.turn.plan import Ask, Finish, Reads, Refuse, Reply, Run, Signal, plan
from bot.turn.port import Model
from tools.kit.calls import Call, CallRunner
from tools.kit.cards import Confirm, ConfirmBatch, NotRun

Watch = Callable[[], Signal]
"""Has the person pressed stop, or spoken again?"""
Opening = Callable[[Heard], tuple[Said | Ran, ...]]
"""What stands in the turn before its model is asked, called until there is something."""


def advance(
    history: Sequence[Event],
    *,
    model: Model,
    runner: CallRunner,
    watch: Watch,
    glance: Watch | None = None,
    opening: Opening = lambda _: (),
) -> Iterator[Event]:
    """Yield what happens next, until the turn ends or waits for an answer.

    Each event must be kept before the next is asked for. To resume, append the `Answered` and
    call it again. `watch` is asked between steps; `glance`, where given, in its place at each
    piece of the model's words.
    """
    seen = list(history)
    while not (seen and isinstance(seen[-1], Ended | Asked)):
        opened = opening(seen[-1]) if seen and isinstance(seen[-1], Heard) else ()
        for event in opened or _step(seen, model, runner, watch, glance or watch):
            if not isinstance(event, Delta | Restart):
                seen.append(event)
            yield event


def _step(  # noqa: C901 - one arm per kind of step
    seen: Sequence[Event], model: Model, runner: CallRunner, watch: Watch, glance: Watch
) -> Iterator[Event]:
    step = plan(seen, runner, watch())
    match step:
        case Ask():
            yield _asked(step)
        case Reads(calls):
            for call, outcome in zip(calls, runner.run_reads(calls), strict=True):
                yield Ran(call_id=call.id, card=outcome.card, ok=outcome.ok)
        case Run(call, decision):
            outcome = runner.run(call, decision)
            if not outcome.moved:
                yield Ran(call_id=call.id, card=outcome.card, ok=outcome.ok)
        case Refuse(call, reason):
            yield Ran(call_id=call.id, card=NotRun(reason=reason), ok=False)
        case Finish(reason):
            yield Ended(reason=reason)
        case Reply():
            yield from _reply(seen, model, glance)
        case _:
            assert_never(step)


def calling(calls: tuple[Call, ...], *, model: str = "", ours: bool = False) -> Said:
    """A message of these calls and nothing else."""
    blocks = tuple(
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.input}
        for call in calls
    )
    return Said(blocks=blocks, calls=calls, stop_reason="tool_use", model=model, ours=ours)


def _asked(step: Ask) -> Asked:
    cards = [question.card for _, question in step.questions]
    confirms = tuple(card for card in cards if isinstance(card, Confirm))
    card = ConfirmBatch(items=confirms) if len(confirms) > 1 else cards[0]
    return Asked(
        question_id=new_id(),
        kind=card.kind,
        card=card,
        call_ids=tuple(call.id for call, _ in step.questions),
        targets=tuple(question.target for _, question in step.questions),
    )


def _reply(seen: Sequence[Event], model: Model, glance: Watch) -> Iterator[Event]:
    """Pass the model's words on.

    A stop closes the stream and keeps what was said, without its calls.
    """
    spoken: list[str] = []
    stream = model.reply(seen)
    for event in stream:
        match event:
            case Delta(text=text):
                spoken.append(text)
            case Restart():
                spoken.clear()
            case _:
                pass
        yield event
        if isinstance(event, Delta) and glance() == "stopped":
            _close(stream)
            yield _cut_short("".join(spoken))
            return


def _close(stream: Iterator[Event]) -> None:
    close = getattr(stream, "close", None)
    if close is not None:
        close()


def _cut_short(text: str) -> Said:
    blocks = ({"type": "text", "text": text},) if text.strip() else ()
    return Said(text=text, blocks=blocks, stop_reason="stopped")
