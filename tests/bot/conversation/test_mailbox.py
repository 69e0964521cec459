"""Words in the mailbox: joined, waited for, and what they do to what runs or is asked."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from bot.conversation.accept import LONGEST, Empty, TooLong, clean, open_conversation, say
from bot.conversation.models import Surface, Turn, TurnState
from bot.conversation.run import Setting, run_conversation
from bot.conversation.stopping import stop
from bot.playground.model_api.faults import FaultKind
from bot.turn.events import Answered, Asked, Ended, Heard, Said
from tests.floor import Gym, call, settled, within
from tools.kit.calls import Call, CallRunner, Decision, Outcome, Question
from tools.kit.cards import NotRun
from tools.kit.models import QuestionState


@dataclass
class Interrupted:
    """A runner whose person does something at the worst moment: as the question is made."""

    inner: CallRunner
    act: Callable[[], object]

    def question(self, one: Call) -> Question | None:
        found = self.inner.question(one)
        if found is not None:
            self.act()
        return found

    def reads(self, one: Call) -> bool:
        return self.inner.reads(one)

    def run(self, one: Call, decision: Decision | None = None) -> Outcome:
        return self.inner.run(one, decision)

    def run_reads(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        return self.inner.run_reads(calls)


def nothing(*_: object) -> None:
    """No job: the test does the work itself."""


def begin(gym: Gym, surface: Surface = Surface.WEB) -> UUID:
    with gym.db.transaction(gym.org_id) as session:
        return open_conversation(session, gym.owner, surface).id


def write(gym: Gym, conversation_id: UUID, text: str) -> UUID:
    with gym.db.transaction(gym.org_id) as session:
        return say(session, gym.owner, conversation_id, text, enqueue=nothing).turn_id


def ended(gym: Gym) -> list[str | None]:
    return [turn.reason for turn in gym.turns()]


def test_words_that_wait_together_are_one_turn(gym: Gym) -> None:
    gym.says(("one", [{"say": "Two lines."}]))
    conversation = begin(gym)
    assert write(gym, conversation, "one") == write(gym, conversation, "two")
    gym.settle()
    (events,) = gym.events()
    assert isinstance(events[0], Heard)
    assert events[0].text == "one\ntwo"
    assert ended(gym) == ["done"]


def test_forty_who_write_at_once_make_one_turn(gym: Gym) -> None:
    conversation = begin(gym)
    together = threading.Barrier(20)

    def come(n: int) -> None:
        together.wait()
        write(gym, conversation, f"word {n}")

    threads = [threading.Thread(target=come, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [turn.state for turn in gym.turns()] == [TurnState.WAITING]


def test_a_chat_waits_a_moment_for_more_words(gym: Gym) -> None:
    gym.says(("first", [{"say": "Heard all."}]))
    phone = gym.linked()
    patient = replace(gym.stage.wiring.parts, debounce=timedelta(seconds=0.8))
    phone.writes("first")
    gym.work_inbound()
    conversation = gym.conversations()[-1].id
    runner = threading.Thread(target=run_conversation, args=(patient, gym.org_id, conversation))
    runner.start()
    phone.writes("second")
    gym.work_inbound()
    runner.join(20)
    events = gym.events()[-1]
    assert isinstance(events[0], Heard)
    assert events[0].text == "first\nsecond"


def test_newer_words_close_an_open_question(gym: Gym) -> None:
    gym.cancels()
    conversation = begin(gym)
    write(gym, conversation, "cancel it")
    gym.settle()
    assert gym.turns()[0].state is TurnState.ASKED
    write(gym, conversation, "wait, who is booked?")
    assert [one.state for one in gym.questions()] == [QuestionState.SUPERSEDED]
    gym.says(("who is booked", [{"say": "One."}]))
    gym.settle()
    first, second = gym.events()
    assert any(isinstance(one, Answered) and one.outcome == "superseded" for one in first)
    assert isinstance(first[-1], Ended)
    assert first[-1].reason == "superseded"
    assert isinstance(second[-2], Said)
    assert gym.calls() == []


def test_newer_words_halt_a_turn_before_its_next_write(gym: Gym) -> None:
    session_id = gym.studio.session()
    member = gym.studio.member()
    write_ = call("bookings.book_member", class_session_id=session_id, member_id=member)
    other = ("other dana", [{"say": "Ok."}])
    gym.says(("book her", [{"say": "On it.", **write_}, {"say": "Booked."}]), other)
    conversation = begin(gym)
    write(gym, conversation, "book her")
    model = gym.stage.model
    assert model is not None
    model.inject(FaultKind.RATE_LIMITED, retry_after=0.6, when="book her")
    runner = threading.Thread(
        target=run_conversation, args=(gym.stage.wiring.parts, gym.org_id, conversation)
    )
    runner.start()
    within(10, lambda: model.requests)
    write(gym, conversation, "no, the other Dana")
    runner.join(20)
    first, second = gym.events()
    assert [event.card for event in settled(first)] == [NotRun(reason="halted")]
    assert isinstance(first[-1], Ended)
    assert first[-1].reason == "halted"
    assert isinstance(second[0], Heard)
    assert second[0].text == "no, the other Dana"
    assert gym.calls() == []


def test_a_question_is_not_asked_once_newer_words_have_come(gym: Gym) -> None:
    """They came while the question was being made: nobody may wait for its answer."""
    gym.cancels(then=[("leave it", [{"say": "Left."}])])
    conversation = begin(gym)
    write(gym, conversation, "cancel it")
    parts = gym.stage.wiring.parts

    def interrupted(setting: Setting, guard: Callable[[Session], None]) -> CallRunner:
        runner = parts.runner_for(setting, guard)
        return Interrupted(runner, lambda: write(gym, conversation, "no, leave it"))

    run_conversation(replace(parts, runner_for=interrupted), gym.org_id, conversation)
    first, second = gym.events()
    assert not any(isinstance(event, Asked) for event in first)
    assert [turn.state for turn in gym.turns()] == [TurnState.ENDED, TurnState.ENDED]
    assert gym.questions() == []
    assert isinstance(second[0], Heard)
    assert "no, leave it" in second[0].text


def test_a_stop_is_not_lost_behind_a_question(gym: Gym) -> None:
    gym.cancels()
    conversation = begin(gym)
    turn_id = write(gym, conversation, "cancel it")
    parts = gym.stage.wiring.parts

    def pressed() -> None:
        with gym.db.transaction(gym.org_id) as session:
            assert stop(session, gym.owner, turn_id, enqueue=nothing)

    def interrupted(setting: Setting, guard: Callable[[Session], None]) -> CallRunner:
        return Interrupted(parts.runner_for(setting, guard), pressed)

    run_conversation(replace(parts, runner_for=interrupted), gym.org_id, conversation)
    assert ended(gym) == ["stopped"]
    assert gym.questions() == []


def test_a_conversation_is_its_persons_alone(gym: Gym) -> None:
    conversation = begin(gym)
    with pytest.raises(NotFound), gym.db.transaction(gym.org_id) as session:
        say(session, gym.studio.coach, conversation, "mine", enqueue=nothing)
    with gym.db.transaction(gym.org_id) as session:
        assert session.scalars(select(Turn)).all() == []


@pytest.mark.parametrize(
    ("text", "kept"), [("a\x00b", "ab"), ("\ud800x", "x"), ("  לא  ", "לא"), ("🙂", "🙂")]
)
def test_what_cannot_be_kept_is_left_out(text: str, kept: str) -> None:
    assert clean(text) == kept


def test_a_book_is_refused_and_not_cut() -> None:
    assert clean("x" * LONGEST) == "x" * LONGEST
    with pytest.raises(TooLong):
        clean("x" * (LONGEST + 1))


@pytest.mark.parametrize("text", ["", "   ", "\x00", "\ud800"])
def test_nothing_is_no_message(text: str) -> None:
    with pytest.raises(Empty):
        clean(text)
