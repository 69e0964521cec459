"""Questions: decided once, by their person, in time, by an answer that fits."""

from datetime import UTC, datetime, timedelta
from itertools import cycle
from uuid import UUID

import pytest
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role, Via
from app.core.db import now_of
from app.core.errors import BadInput, NotAllowed, NotFound
from app.core.ids import new_id
from tests.tools.kit.conftest import Gym, at_once, call
from tools.kit import questions
from tools.kit.calls import Decision
from tools.kit.cards import Confirm, ConfirmBatch, Option, Pick, QuestionCard, Typed
from tools.kit.models import Question, QuestionState
from tools.kit.questions import (
    AlreadyClosed,
    Approve,
    Choice,
    Choose,
    Decided,
    Decline,
    Expired,
    NeedsSignIn,
    Pending,
    Result,
    Words,
)
from tools.kit.values import Line, Name

ONE = Confirm(of="rooms.delete")
TYPED = Typed(of="rooms.erase", words="erase North")
BATCH = ConfirmBatch(items=(ONE, ONE, ONE))
PICK = Pick(
    ask=Line(key="ask"),
    options=tuple(
        Option(id=name, label=Name(text=name), patch={"room_id": name}) for name in "abc"
    ),
)


def asked(
    gym: Gym,
    card: QuestionCard,
    *,
    minutes: float = 15,
    always: bool = False,
    question_id: UUID | None = None,
) -> Question:
    count = len(card.items) if isinstance(card, ConfirmBatch) else 1
    calls = [
        Pending(call=call("rooms.delete", key=f"call-{place}"), target=f"t{place}", always=always)
        for place in range(count)
    ]

    def ask(session: Session) -> Question:
        expires_at = now_of(session) + timedelta(minutes=minutes)
        return questions.open_question(
            session,
            gym.actor,
            card=card,
            calls=calls,
            expires_at=expires_at,
            question_id=question_id,
        )

    return gym.within(ask)


def answer(
    gym: Gym, question: Question, choice: Choice, *, by: Actor | None = None, where: str = "web"
) -> Result:
    def decide(session: Session) -> Result:
        who = by or gym.actor
        now = now_of(session)
        return questions.decide(session, question.id, choice, by=who, where=where, now=now)

    return gym.within(decide)


def approved(gym: Gym, card: QuestionCard, choice: Choice) -> list[bool]:
    result = answer(gym, asked(gym, card), choice)
    assert isinstance(result, Decided)
    return [decision.approved for decision in result.decisions.values()]


@pytest.mark.parametrize(
    ("card", "choice", "expected"),
    [
        (ONE, Approve(), [True]),
        (ONE, Decline(), [False]),
        (ONE, Choose((1,)), [True]),
        (ONE, Choose((2,)), [False]),
        (BATCH, Approve(), [True, True, True]),
        (BATCH, Decline(), [False, False, False]),
        (BATCH, Choose(()), [False, False, False]),
        (BATCH, Choose((1, 3)), [True, False, True]),
        (TYPED, Words(" erase  North "), [True]),
        (TYPED, Decline(), [False]),
        (PICK, Choose((2,)), [True]),
        (PICK, Choose(()), [True]),
    ],
    ids=str,
)
def test_an_answer_decides_each_call(
    gym: Gym, card: QuestionCard, choice: Choice, expected: list[bool]
) -> None:
    assert approved(gym, card, choice) == expected


@pytest.mark.parametrize(
    ("card", "choice"),
    [
        (ONE, Choose((3,))),
        (ONE, Words("yes")),
        (BATCH, Choose((4,))),
        (BATCH, Choose((0,))),
        (TYPED, Approve()),
        (TYPED, Choose((1,))),
        (TYPED, Words("erase south")),
        (PICK, Approve()),
        (PICK, Choose((1, 2))),
        (PICK.model_copy(update={"allow_none": False}), Choose(())),
    ],
    ids=str,
)
def test_an_answer_that_does_not_fit_decides_nothing(
    gym: Gym, card: QuestionCard, choice: Choice
) -> None:
    question = asked(gym, card)
    with pytest.raises(BadInput):
        answer(gym, question, choice)
    assert gym.rows(Question)[-1].state is QuestionState.OPEN


def test_a_choice_carries_its_option_and_the_arguments_it_sets(gym: Gym) -> None:
    result = answer(gym, asked(gym, PICK), Choose((2,)))
    assert isinstance(result, Decided)
    wanted = Decision(approved=True, option="b", patch={"room_id": "b"}, target="t0")
    assert result.decisions == {"call-0": wanted}
    assert questions.decisions_of(result.question) == result.decisions


def test_forty_answers_at_once_make_one_decision(gym: Gym) -> None:
    question = asked(gym, ONE)
    choices: cycle[Choice] = cycle([Approve(), Decline()])
    places = cycle(["web", "whatsapp"])

    def one() -> Result:
        return answer(gym, question, next(choices), where=next(places))

    results = at_once(40, one)

    first = [result for result in results if isinstance(result, Decided)]
    later = [result for result in results if isinstance(result, AlreadyClosed)]
    assert (len(first), len(later)) == (1, 39)
    stored = gym.rows(Question)[-1]
    assert questions.decisions_of(stored) == first[0].decisions
    for result in later:
        assert (result.question.decided_where, result.question.decided_by) == (
            stored.decided_where,
            gym.actor.user_id,
        )


def test_the_same_answer_again_is_told_from_another(gym: Gym) -> None:
    question = asked(gym, ONE)
    answer(gym, question, Approve(), where="whatsapp")

    again, other = answer(gym, question, Approve()), answer(gym, question, Decline())

    assert isinstance(again, AlreadyClosed)
    assert isinstance(other, AlreadyClosed)
    assert (again.same, other.same) == (True, False)
    assert other.question.decided_where == "whatsapp"
    assert other.question.state is QuestionState.APPROVED


def test_nobody_else_can_answer_and_no_program_in_ones_name(gym: Gym) -> None:
    question = asked(gym, ONE)
    colleague = Actor(org_id=gym.actor.org_id, user_id=new_id(), role=Role.OWNER)

    with pytest.raises(NotFound):
        answer(gym, question, Approve(), by=colleague)
    for via in (Via.AGENT, Via.MACHINE):
        with pytest.raises(NotAllowed):
            answer(gym, question, Approve(), by=gym.actor.acting(via))
    stranger = Gym(gym.db, gym.registry)
    with pytest.raises(NotFound):
        answer(stranger, question, Approve())
    assert gym.rows(Question)[-1].state is QuestionState.OPEN


def test_an_answer_after_the_time_is_told_so_and_the_sweep_closes_it(gym: Gym) -> None:
    question = asked(gym, ONE, minutes=-1)
    assert isinstance(answer(gym, question, Approve()), Expired)

    def sweep(session: Session) -> list[Question]:
        return questions.expire_due(session, now=now_of(session))

    assert [row.id for row in gym.within(sweep)] == [question.id]
    assert gym.within(sweep) == []
    assert isinstance(answer(gym, question, Approve()), Expired)
    with gym.db.platform() as session:
        assert gym.actor.org_id not in questions.orgs_with_due(session, now=now_of(session))


def test_the_reaper_sees_which_gyms_have_something_due(gym: Gym) -> None:
    asked(gym, ONE, minutes=-1)
    with gym.db.platform() as session:
        assert gym.actor.org_id in questions.orgs_with_due(session, now=now_of(session))


def test_newer_words_close_a_question_once(gym: Gym) -> None:
    question = asked(gym, ONE)
    closed = at_once(
        5, lambda: gym.within(lambda session: questions.supersede(session, question.id))
    )
    assert sorted(closed) == [False, False, False, False, True]
    late = answer(gym, question, Approve())
    assert isinstance(late, AlreadyClosed)
    assert late.question.state is QuestionState.SUPERSEDED


def test_by_sms_alone_nothing_leaves_the_building(gym: Gym) -> None:
    question = asked(gym, ONE, always=True)
    assert isinstance(answer(gym, question, Approve(), where="sms"), NeedsSignIn)
    assert isinstance(answer(gym, question, Approve(), where="whatsapp"), Decided)
    assert isinstance(answer(gym, asked(gym, ONE, always=True), Decline(), where="sms"), Decided)
    assert isinstance(answer(gym, asked(gym, ONE), Approve(), where="sms"), Decided)


def test_by_sms_alone_nothing_is_lost_for_good(gym: Gym) -> None:
    question = asked(gym, TYPED)
    assert isinstance(answer(gym, question, Words("erase North"), where="sms"), NeedsSignIn)
    assert isinstance(answer(gym, question, Words("erase North"), where="web"), Decided)


def test_a_question_asked_again_after_a_crash_is_the_same_row(gym: Gym) -> None:
    question_id = new_id()
    first, again = (asked(gym, ONE, question_id=question_id) for _ in range(2))
    assert first.id == again.id
    assert first.token == again.token
    assert len(gym.rows(Question)) == 1


def test_a_question_is_found_by_its_token_in_its_own_gym(gym: Gym) -> None:
    question = asked(gym, ONE)
    found = gym.within(lambda session: questions.by_token(session, question.token))
    assert found is not None
    assert found.id == question.id
    stranger = Gym(gym.db, gym.registry)
    assert stranger.within(lambda session: questions.by_token(session, question.token)) is None


def test_a_persons_open_questions_are_listed_oldest_first(gym: Gym) -> None:
    first, second = asked(gym, ONE), asked(gym, PICK)
    asked(gym, ONE, minutes=-1)
    answer(gym, asked(gym, ONE), Decline())

    now = datetime.now(UTC)
    found = gym.within(lambda s: questions.of_person(s, gym.actor.user_id, now=now))

    assert [row.id for row in found] == [first.id, second.id]
    assert gym.within(lambda s: questions.of_person(s, new_id(), now=now)) == []


@pytest.mark.parametrize(
    ("card", "number", "choice"),
    [
        (ONE, 1, Approve()),
        (ONE, 2, Decline()),
        (BATCH, 0, Choose(())),
        (BATCH, 2, Choose((2,))),
        (PICK, 0, Choose(())),
        (PICK, 3, Choose((3,))),
        (TYPED, 1, Decline()),
    ],
    ids=str,
)
def test_a_shown_number_stands_for_one_answer(
    gym: Gym, card: QuestionCard, number: int, choice: Choice
) -> None:
    assert questions.choice_of_number(asked(gym, card), number) == choice
