"""Rows 13 and 14: roles taken away, phones that moved, and ids of another gym."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Role
from bot.conversation.models import TurnState
from bot.conversation.run import Setting, run_conversation
from tests.faults.page import Page
from tests.floor import Gym, Phone, call, open_gym, settled
from tools.kit.calls import Call, CallRunner, Decision, Outcome, Question
from tools.kit.cards import Failed
from tools.kit.models import AuditEntry, QuestionState

pytestmark = pytest.mark.faults


@pytest.fixture
def other(gym: Gym) -> Iterator[Gym]:
    """A gym next door, with a conversation and an open question of its own."""
    url = gym.stage.wiring.settings.database_url.get_secret_value()
    found = open_gym(gym.stage, gym.brain, url, working=True)
    yield found
    found.studio.db.close()


def audited(gym: Gym, tool: str) -> list[str]:
    with gym.db.transaction(gym.org_id) as session:
        return list(session.scalars(select(AuditEntry.result).where(AuditEntry.tool == tool)))


def test_who_was_dismissed_while_the_card_was_open_can_approve_nothing(gym: Gym) -> None:
    phone = gym.linked(role=Role.ADMIN)
    gym.cancels()
    phone.says("cancel it")
    page = Page(gym, gym.studio.admin)
    (question,) = gym.questions()
    gym.dismiss(Role.ADMIN)
    assert phone.says("1")[0].startswith("This number isn't linked yet.")
    path = f"/chat/questions/{question.id}/answers"
    assert page.post(path, {"choice": "approve"}).status_code in {401, 403}
    assert gym.calls() == []
    assert [one.state for one in gym.questions()] == [QuestionState.OPEN]


@dataclass
class Late:
    """A runner whose person loses their place just before a call runs."""

    inner: CallRunner
    dismiss: Callable[[], None]

    def question(self, one: Call) -> Question | None:
        return self.inner.question(one)

    def reads(self, one: Call) -> bool:
        return self.inner.reads(one)

    def run(self, one: Call, decision: Decision | None = None) -> Outcome:
        self.dismiss()
        return self.inner.run(one, decision)

    def run_reads(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        return self.inner.run_reads(calls)


def test_who_is_dismissed_after_the_yes_and_before_the_run_is_refused_and_audited(
    bare_gym: Gym,
) -> None:
    bare_gym.working = False
    phone = bare_gym.linked(role=Role.ADMIN)
    bare_gym.cancels()
    phone.says("cancel it")
    phone.writes("1")
    bare_gym.work_inbound()
    parts = bare_gym.stage.wiring.parts

    def late(setting: Setting, guard: Callable[[Session], None]) -> CallRunner:
        return Late(parts.runner_for(setting, guard), lambda: bare_gym.dismiss(Role.ADMIN))

    conversation = bare_gym.conversations()[-1].id
    run_conversation(replace(parts, runner_for=late), bare_gym.org_id, conversation)
    (events,) = bare_gym.events()
    (ran,) = settled(events)
    assert ran.card == Failed(code="not_allowed")
    assert audited(bare_gym, "class_sessions.cancel") == ["not_allowed"]
    bare_gym.settle()
    assert bare_gym.turns()[-1].state is TurnState.ENDED


def test_who_is_dismissed_before_a_worker_comes_leaves_a_turn_that_ends(bare_gym: Gym) -> None:
    bare_gym.working = False
    page = Page(bare_gym, bare_gym.studio.admin)
    bare_gym.cancels()
    page.says("cancel it")
    bare_gym.settle()
    (question,) = bare_gym.questions()
    path = f"/chat/questions/{question.id}/answers"
    assert page.post(path, {"choice": "approve"}).status_code == 200
    bare_gym.dismiss(Role.ADMIN)
    bare_gym.settle()
    assert bare_gym.turns()[-1].reason == "stopped"
    assert bare_gym.calls() == []


def test_a_tool_that_was_not_offered_is_refused_in_the_runner(gym: Gym) -> None:
    """The model calls it all the same. Roles are tried tool by tool in the contracts."""
    phone = gym.linked(role=Role.COACH)
    gym.says(("do it", [call("studio.close_for_ever"), {"say": "No."}]))
    phone.says("do it")
    (events,) = gym.events()
    (ran,) = settled(events)
    assert ran.card == Failed(code="unknown_tool")
    assert not ran.ok


def test_a_phone_that_moved_gets_and_does_nothing(gym: Gym) -> None:
    phone = gym.phone(scoped_id=f"IL.{gym.org_id.int % 10**19}1")
    phone.link()
    gym.cancels()
    phone.says("cancel it")
    finder = Phone(gym, number=phone.number, scoped_id=f"IL.{gym.org_id.int % 10**19}2")
    finder.got()
    assert finder.says("1")[0].startswith("This number isn't linked yet.")
    assert [one.state for one in gym.questions()] == [QuestionState.OPEN]
    assert gym.calls() == []


def test_nothing_of_another_gym_is_found_by_its_ids(gym: Gym, other: Gym) -> None:
    other.cancels()
    theirs = Page(other, other.owner)
    turn_id = theirs.says("cancel it")["turn_id"]
    other.settle()
    (question,) = other.questions()
    mine = Page(gym, gym.owner)
    found = [
        mine.get(f"/chat/conversations/{theirs.conversation_id}"),
        mine.get(f"/chat/turns/{turn_id}/events"),
        mine.post(f"/chat/turns/{turn_id}/stop"),
        mine.post(f"/chat/questions/{question.id}/answers", {"choice": "approve"}),
        mine.post("/chat/messages", {"text": "hello", "conversation_id": theirs.conversation_id}),
    ]
    assert [answer.status_code for answer in found] == [404] * len(found)
    assert mine.get("/chat/open").json()["questions"] == []
    assert mine.get("/chat/conversations").json()["conversations"] == []
    assert [one.state for one in other.questions()] == [QuestionState.OPEN]
    assert other.turns()[0].state is TurnState.ASKED


def test_another_gyms_receipt_is_not_taken_back(gym: Gym, other: Gym) -> None:
    args = {"class_type_id": other.studio.class_type_id, "date": str(other.studio.day(1))}
    other.says(
        ("add it", [call("class_sessions.create", start_time="07:00", **args), {"say": "Done."}])
    )
    Page(other, other.owner).says("add it")
    other.settle()
    (made,) = other.calls()
    mine = Page(gym, gym.owner)
    told = mine.post(f"/chat/calls/{made.id}/undo").json()
    assert told["ok"] is False
    assert [one.undone_at for one in other.calls()] == [None]


def test_a_persons_stream_tells_nothing_of_another_gym(gym: Gym, other: Gym) -> None:
    watching = Page(gym, gym.owner).watch("/chat/events")
    other.says(("hello", [{"say": "Hi."}]))
    Page(other, other.owner).says("hello")
    other.settle()
    gym.says(("hello", [{"say": "Hi."}]))
    page = Page(gym, gym.owner)
    mine = page.says("hello")
    gym.settle()
    told = [event["value"]["conversation_id"] for event in watching.named("turn_begun")]
    assert told == [mine["conversation_id"]]
    watching.close()


def test_a_tool_finds_nothing_by_another_gyms_id(gym: Gym, other: Gym) -> None:
    phone = gym.linked()
    theirs = other.studio.session()
    gym.says(
        ("show it", [call("class_sessions.get", class_session_id=theirs), {"say": "Nothing."}]),
        ("cancel it", [call("class_sessions.cancel", class_session_id=theirs), {"say": "No."}]),
    )
    phone.says("show it")
    phone.says("cancel it")
    cards = [event.card for events in gym.events() for event in settled(events)]
    assert [card.code for card in cards if isinstance(card, Failed)] == ["not_found"] * 2
    assert gym.questions() == []
