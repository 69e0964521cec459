"""Answers from everywhere at once, in time and too late; stop, and deadlines."""

import threading
from itertools import cycle, islice
from uuid import UUID

import pytest

from app.core.actor import Actor
from app.core.errors import NotFound
from bot.conversation import answering, stopping
from bot.conversation.models import TurnState
from bot.turn.events import Answered, Ended
from tests.bot.conversation.test_mailbox import begin, ended, nothing, write
from tests.floor import Gym, settled
from tools.kit.cards import Done, NotRun
from tools.kit.choices import Approve, Choice, Decline
from tools.kit.models import QuestionState
from tools.kit.questions import AlreadyClosed, Decided, Expired, Result


@pytest.fixture
def asked(gym: Gym) -> UUID:
    """The one question that is open."""
    gym.cancels()
    write(gym, begin(gym), "cancel it")
    gym.settle()
    (question,) = gym.questions()
    return question.id


def answer(
    gym: Gym, question_id: UUID, choice: Choice, where: str = "web", by: Actor | None = None
) -> Result:
    with gym.db.transaction(gym.org_id) as session:
        return answering.answer(
            session, by or gym.owner, question_id, choice, where=where, enqueue=nothing
        )


def test_forty_answers_from_three_surfaces_are_one_decision(gym: Gym, asked: UUID) -> None:
    together = threading.Barrier(40)
    results: list[Result] = []

    def come(where: str, choice: Choice) -> None:
        together.wait()
        results.append(answer(gym, asked, choice, where))

    surfaces = islice(cycle(["web", "whatsapp", "sms"]), 40)
    choices = islice(cycle([Approve(), Decline()]), 40)
    threads = [
        threading.Thread(target=come, args=pair) for pair in zip(surfaces, choices, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first = [one for one in results if isinstance(one, Decided)]
    late = [one for one in results if isinstance(one, AlreadyClosed)]
    assert (len(first), len(late)) == (1, 39)
    told = {(one.question.decided_where, one.question.decided_at) for one in late}
    assert told == {(first[0].question.decided_where, first[0].question.decided_at)}
    gym.settle()
    (events,) = gym.events()
    assert sum(isinstance(event, Answered) for event in events) == 1
    assert len(gym.calls()) == (first[0].question.state is QuestionState.APPROVED)


def test_a_yes_runs_the_call_once(gym: Gym, asked: UUID) -> None:
    assert isinstance(answer(gym, asked, Approve()), Decided)
    gym.settle()
    (events,) = gym.events()
    (ran,) = settled(events)
    assert isinstance(ran.card, Done)
    assert ended(gym) == ["done"]
    assert [one.tool for one in gym.calls()] == ["class_sessions.cancel"]


def test_a_no_runs_nothing(gym: Gym, asked: UUID) -> None:
    answer(gym, asked, Decline())
    gym.settle()
    (events,) = gym.events()
    assert [event.card for event in settled(events)] == [NotRun(reason="declined")]
    assert gym.calls() == []


def test_the_same_answer_again_changes_nothing(gym: Gym, asked: UUID) -> None:
    answer(gym, asked, Approve())
    again = answer(gym, asked, Approve(), "whatsapp")
    assert isinstance(again, AlreadyClosed)
    assert again.same
    other = answer(gym, asked, Decline(), "whatsapp")
    assert isinstance(other, AlreadyClosed)
    assert not other.same
    assert other.question.decided_where == "web"


def test_nobody_answers_for_another(gym: Gym, asked: UUID) -> None:
    with pytest.raises(NotFound):
        answer(gym, asked, Approve(), by=gym.studio.coach)
    assert [one.state for one in gym.questions()] == [QuestionState.OPEN]


def test_what_nobody_answers_closes_and_its_turn_ends(gym: Gym, asked: UUID) -> None:
    gym.later(minutes=16)
    gym.stage.wiring.pulse.beat()
    assert [one.state for one in gym.questions()] == [QuestionState.EXPIRED]
    gym.settle()
    assert ended(gym) == ["expired"]
    (events,) = gym.events()
    assert [event.card for event in settled(events)] == [NotRun(reason="expired")]
    assert isinstance(answer(gym, asked, Approve()), Expired)
    assert gym.calls() == []


def test_a_question_in_time_stays_open(gym: Gym, asked: UUID) -> None:
    gym.later(minutes=14)
    gym.stage.wiring.pulse.beat()
    assert [one.id for one in gym.questions(QuestionState.OPEN)] == [asked]


def test_an_answer_after_the_time_is_too_late_even_before_anybody_noticed(
    gym: Gym, asked: UUID
) -> None:
    gym.later(minutes=16)
    assert isinstance(answer(gym, asked, Approve()), Expired)
    assert gym.calls() == []


def test_an_answer_and_the_deadline_at_once_are_one_end(gym: Gym, asked: UUID) -> None:
    gym.later(minutes=15, seconds=-0.05)
    together = threading.Barrier(2)
    results: list[Result] = []

    def decide() -> None:
        together.wait()
        results.append(answer(gym, asked, Approve()))

    def expire() -> None:
        together.wait()
        for _ in range(10):
            gym.stage.wiring.pulse.beat()

    threads = [threading.Thread(target=decide), threading.Thread(target=expire)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gym.settle()
    (events,) = gym.events()
    assert sum(isinstance(event, Answered) for event in events) == 1
    assert len(gym.calls()) == isinstance(results[0], Decided)


def test_stop_closes_the_question(gym: Gym, asked: UUID) -> None:
    (turn,) = gym.turns()
    with gym.db.transaction(gym.org_id) as session:
        assert stopping.stop(session, gym.owner, turn.id, enqueue=nothing)
    gym.settle()
    assert ended(gym) == ["stopped"]
    assert isinstance(answer(gym, asked, Approve()), AlreadyClosed)
    assert gym.calls() == []


def test_stop_before_it_began_ends_it_unheard(gym: Gym) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    turn_id = write(gym, begin(gym), "hello")
    with gym.db.transaction(gym.org_id) as session:
        assert stopping.stop(session, gym.owner, turn_id, enqueue=nothing)
    gym.settle()
    assert ended(gym) == ["stopped"]
    model = gym.stage.model
    assert model is not None
    assert model.requests == ()


def test_stop_after_the_end_says_so(gym: Gym) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    turn_id = write(gym, begin(gym), "hello")
    gym.settle()
    with gym.db.transaction(gym.org_id) as session:
        assert not stopping.stop(session, gym.owner, turn_id, enqueue=nothing)
    assert ended(gym) == ["done"]


def test_nobody_stops_anothers_turn(gym: Gym, asked: UUID) -> None:
    (turn,) = gym.turns()
    with pytest.raises(NotFound), gym.db.transaction(gym.org_id) as session:
        stopping.stop(session, gym.studio.coach, turn.id, enqueue=nothing)
    assert [one.id for one in gym.questions(QuestionState.OPEN)] == [asked]


def test_stop_ends_what_runs_and_what_waits(gym: Gym, asked: UUID) -> None:
    conversation = gym.conversations()[0].id
    write(gym, conversation, "and another thing")
    with gym.db.transaction(gym.org_id) as session:
        assert stopping.stop_running(session, gym.owner, conversation, enqueue=nothing)
    gym.settle()
    assert [turn.state for turn in gym.turns()] == [TurnState.ENDED, TurnState.ENDED]
    last = gym.events()[-1][-1]
    assert isinstance(last, Ended)
    assert last.reason == "stopped"
    assert gym.questions()[0].id == asked
