"""Rows 1, 5, 17 and 18: many at once, out of order, and a stop at the worst moment."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from bot.conversation.models import InboundEvent, TurnState
from bot.playground.model_api.faults import FaultKind
from bot.turn.events import Ended, Heard
from tests.faults.page import Page
from tests.floor import Gym, Phone, call, settled, within
from tools.kit.cards import Done, NotRun
from tools.kit.models import AuditEntry, QuestionState

pytestmark = [pytest.mark.faults, pytest.mark.long]


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


def test_the_same_message_ten_times_in_parallel_is_one_turn_and_one_reply(
    gym: Gym, phone: Phone
) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    told = phone.writes("hello", copies=10)
    assert [one["status"] for one in told["attempts"]] == [200] * 10
    gym.settle()
    assert len([one for one in gym.inbound(phone) if one.key == told["sid"]]) == 1
    assert len(gym.turns()) == 1
    assert phone.got() == ["Hi."]


@pytest.fixture
def sms(gym: Gym, phone: Phone) -> Phone:
    """The card that is open on WhatsApp has come by SMS too."""
    gym.cancels()
    phone.says("cancel it")
    with gym.db.platform() as session:
        gym.stage.wiring.fallback.refused(session, session.merge(phone.rows()[-1]))
    gym.settle()
    found = phone.on("sms")
    assert found.got()
    return found


def answered_from_everywhere(gym: Gym, page: Page, phones: tuple[Phone, ...]) -> None:
    """20 times on the dashboard, 10 times on each phone, yes and no in turn."""
    (question,) = gym.questions()
    path = f"/chat/questions/{question.id}/answers"
    choices = [{"choice": "approve"}, {"choice": "decline"}] * 10
    with ThreadPoolExecutor(40) as threads:
        answers = [threads.submit(page.post, path, choice) for choice in choices]
        for text in ("1", "2") * 5:
            for phone in phones:
                threads.submit(phone.writes, text)
    assert {one.result().status_code for one in answers} == {200}
    gym.settle()


def audited(gym: Gym) -> int:
    with gym.db.transaction(gym.org_id) as session:
        mine = select(AuditEntry).where(AuditEntry.tool == "class_sessions.cancel")
        return len(session.scalars(mine).all())


def test_a_card_answered_from_everywhere_at_once_is_decided_once(
    gym: Gym, phone: Phone, sms: Phone
) -> None:
    page = Page(gym, gym.owner)
    watching = page.watch("/chat/events")
    answered_from_everywhere(gym, page, (phone, sms))
    (question,) = gym.questions()
    assert question.state in {QuestionState.APPROVED, QuestionState.DECLINED}
    approved = question.state is QuestionState.APPROVED
    assert (len(gym.calls()), audited(gym)) == (approved, approved)
    within(5, lambda: watching.named("card_settled"))
    (settled,) = watching.named("card_settled")
    watching.close()
    assert settled["value"]["where"] == question.decided_where
    told = [text for text in (*phone.got(), *sms.got()) if text.startswith("Already ")]
    word = "approved" if approved else "declined"
    assert told
    assert all(text.startswith(f"Already {word} at ") for text in told)


@pytest.mark.parametrize("where", ["web", "sms", "whatsapp"])
def test_every_surface_shows_within_three_seconds_what_was_answered_on_one(
    gym: Gym, phone: Phone, sms: Phone, where: str
) -> None:
    (question,) = gym.questions()
    page = Page(gym, gym.owner)
    watching = page.watch("/chat/events")
    within(5, lambda: page.get("/chat/open").json()["questions"])
    if where == "web":
        page.post(f"/chat/questions/{question.id}/answers", {"choice": "approve"})
    else:
        {"sms": sms, "whatsapp": phone}[where].writes("1")
    within(3, lambda: watching.named("card_settled"))
    within(3, lambda: not page.get("/chat/open").json()["questions"])
    within(3, lambda: any(text.startswith("Cancelled:") for text in bodies(phone)))
    watching.close()


def bodies(phone: Phone) -> list[str]:
    return [row.body for row in phone.rows()]


def test_five_messages_in_two_seconds_one_during_a_turn(gym: Gym, phone: Phone) -> None:
    assert gym.stage.model is not None
    gym.stage.model.inject(FaultKind.RATE_LIMITED, retry_after=1, when="one")
    gym.says(("one", [{"say": "First."}]), ("five", [{"say": "The rest."}]))
    for text in ("one", "two", "three"):
        phone.writes(text)
    within(10, lambda: any(turn.state is TurnState.RUNNING for turn in gym.turns()))
    phone.writes("four")
    phone.writes("five")
    gym.settle()
    words = [event.text for events in gym.events() for event in events if isinstance(event, Heard)]
    assert words == ["one\ntwo\nthree", "four\nfive"]
    live = [turn for turn in gym.turns() if turn.state is not TurnState.ENDED]
    assert live == []


def test_messages_that_overtake_each_other_are_taken_in_the_order_they_arrived(
    gym: Gym, phone: Phone
) -> None:
    gym.says(("word", [{"say": "All."}]))
    with ThreadPoolExecutor(5) as threads:
        list(threads.map(lambda n: phone.writes(f"word {n}"), range(5)))
    gym.settle()
    with gym.db.platform() as session:
        arrived = select(InboundEvent.form).where(InboundEvent.sender == phone.address)
        forms = session.scalars(arrived.order_by(InboundEvent.position)).all()
    in_order = [form["Body"][0] for form in forms if form and form["Body"][0].startswith("word")]
    words = [event.text for events in gym.events() for event in events if isinstance(event, Heard)]
    assert "\n".join(words).splitlines() == in_order


def test_stop_during_a_write_never_says_stopped_while_it_ran(gym: Gym) -> None:
    """Pressed at any moment: the write is there with its receipt, or it never began."""
    page = Page(gym, gym.owner)
    args = {"class_type_id": gym.studio.class_type_id, "date": str(gym.studio.day(2))}
    made = 0
    for n in range(8):
        adds = call("class_sessions.create", start_time=f"{7 + n:02d}:00", **args)
        gym.says((f"add {n}", [adds, {"say": "Added."}]))
        turn_id = page.says(f"add {n}")["turn_id"]
        within(10, lambda: gym.turns()[-1].state is not TurnState.WAITING)
        threading.Event().wait(n * 0.02)
        page.post(f"/chat/turns/{turn_id}/stop")
        gym.settle()
        events = gym.events()[-1]
        cards = [event.card for event in settled(events)]
        written = len(gym.calls()) - made
        made += written
        assert [isinstance(card, Done) for card in cards] == [True] * written + [False] * (
            len(cards) - written
        )
        assert all(isinstance(card, Done | NotRun) for card in cards)
        last = events[-1]
        assert isinstance(last, Ended)
        assert last.reason in {"stopped", "done"}
        stored = {str(one.id) for one in gym.calls()}
        receipts = [card.undo for card in cards if isinstance(card, Done)]
        assert all(undo is not None and str(undo.call_id) in stored for undo in receipts)
