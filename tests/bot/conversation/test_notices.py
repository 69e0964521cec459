"""Members are told after the undo window, in their language, and corrected after a late undo."""

from uuid import UUID

import pytest
from sqlalchemy import select

from app.core.outbox import Outbox, OutboxState
from app.people import service as people
from app.people.terms import Channel
from bot.cli.stage import MEMBERS_WHATSAPP
from bot.conversation import relay
from bot.conversation.models import OutboundMessage
from tests.floor import Gym, Phone, call


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


@pytest.fixture
def dana(gym: Gym) -> Phone:
    return gym.phone()


def booked(gym: Gym, dana: Phone, **member: str) -> UUID:
    """A class tomorrow at 18:00 in which Dana has a place; asked to be cancelled by 'cancel it'."""
    session_id = gym.cancels()
    member_id = gym.studio.person("Dana Levi", phone=dana.number, **{"language": "en", **member})
    gym.studio.sell(member_id, gym.studio.plan())
    gym.studio.booking(member_id, session_id)
    return session_id


def breaks(*_: object) -> None:
    raise ZeroDivisionError


def told(gym: Gym, dana: Phone) -> list[str]:
    """What was sent to Dana, once what is due was carried out."""
    relay.relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
    gym.settle()
    with gym.db.platform() as session:
        mine = select(OutboundMessage).where(OutboundMessage.recipient == dana.address)
        rows = session.scalars(mine.order_by(OutboundMessage.position)).all()
    assert {row.sender for row in rows} <= {MEMBERS_WHATSAPP}
    return [row.body for row in rows]


def cancel(gym: Gym, phone: Phone) -> None:
    gym.later(seconds=20)
    assert len(gym.questions()) == 0
    phone.says("cancel it")
    assert phone.says("1")[0].startswith("Cancelled:")


def test_a_member_is_told_once_the_undo_window_is_over(gym: Gym, phone: Phone, dana: Phone) -> None:
    booked(gym, dana)
    gym.later(seconds=20)
    before = told(gym, dana)
    cancel(gym, phone)
    assert told(gym, dana) == before
    gym.later(seconds=14)
    assert told(gym, dana) == before
    gym.later(seconds=2)
    (news,) = told(gym, dana)[len(before) :]
    assert news.startswith("Gym: this class is cancelled. WOD, Tue 1 Dec 18:00.")
    assert told(gym, dana)[len(before) :] == [news]


def test_an_undo_in_time_is_never_told(gym: Gym, phone: Phone, dana: Phone) -> None:
    booked(gym, dana)
    gym.later(seconds=20)
    before = told(gym, dana)
    cancel(gym, phone)
    assert phone.says("undo")[0].startswith("Undone:")
    gym.later(minutes=1)
    assert told(gym, dana) == before


def test_a_late_undo_is_told_as_a_correction(gym: Gym, phone: Phone, dana: Phone) -> None:
    booked(gym, dana)
    gym.later(seconds=20)
    before = told(gym, dana)
    cancel(gym, phone)
    gym.later(seconds=20)
    told(gym, dana)
    phone.says("undo")
    news, correction = told(gym, dana)[len(before) :]
    assert news.startswith("Gym: this class is cancelled.")
    assert correction.startswith("Gym: a correction, the class takes place")


@pytest.mark.parametrize(("language", "part"), [("he", "\u200f"), ("ru", "занятие")])
def test_members_are_told_in_their_own_language(
    gym: Gym, phone: Phone, dana: Phone, language: str, part: str
) -> None:
    booked(gym, dana, language=language)
    cancel(gym, phone)
    gym.later(seconds=20)
    assert part in told(gym, dana)[-1]


def test_who_has_no_phone_holds_nobody_up(gym: Gym, phone: Phone, dana: Phone) -> None:
    session_id = booked(gym, dana)
    nobody = gym.studio.person("No Phone")
    gym.studio.sell(nobody, gym.studio.plan())
    gym.studio.booking(nobody, session_id)
    cancel(gym, phone)
    gym.later(seconds=20)
    assert told(gym, dana)[-1].startswith("Gym: this class is cancelled.")
    with gym.db.transaction(gym.org_id) as session:
        states = set(session.scalars(select(Outbox.state)))
    assert states == {OutboxState.DONE}


def test_the_queue_is_let_in_when_a_place_is_freed(gym: Gym, phone: Phone, dana: Phone) -> None:
    session_id = gym.studio.session(capacity=1)
    first = gym.studio.booking(gym.studio.member("Noa Bar"), session_id)
    waiting = gym.studio.person("Dana Levi", phone=dana.number, language="en")
    gym.studio.sell(waiting, gym.studio.plan())
    gym.studio.booking(waiting, session_id, join_waitlist=True)
    asks = call("bookings.cancel_for_member", booking_id=first)
    gym.says(("take noa out", [asks, {"say": "Done."}]))
    phone.says("take noa out")
    phone.says("1")
    gym.later(seconds=16)
    told(gym, dana)
    gym.later(seconds=16)
    assert any("a spot opened, you are booked" in text for text in told(gym, dana))


def test_an_act_that_fails_is_put_off_and_stops_nothing(
    gym: Gym, phone: Phone, dana: Phone
) -> None:
    booked(gym, dana)
    gym.later(seconds=20)
    told(gym, dana)
    cancel(gym, phone)
    gym.later(seconds=20)
    relay.relay_due(gym.db, dict.fromkeys(gym.stage.wiring.acts, breaks), gym.org_id)
    with gym.db.transaction(gym.org_id) as session:
        waiting = select(Outbox).where(Outbox.state == OutboxState.WAITING)
        assert len(session.scalars(waiting).all()) > 0
    before = told(gym, dana)
    gym.later(seconds=61)
    assert len(told(gym, dana)) == len(before) + 1


def test_classes_cancelled_together_are_told_in_one_message_and_nothing_after_stop(
    gym: Gym, phone: Phone, dana: Phone
) -> None:
    member_id = gym.studio.person("Dana Levi", phone=dana.number, language="en")
    gym.studio.sell(member_id, gym.studio.plan())
    for day in (3, 2, 1):
        gym.studio.booking(member_id, gym.studio.session(day=day))
    asks = call("memberships.suspend_member", member_id=member_id, cancel_future_bookings=True)
    gym.says(("suspend her", [asks, {"say": "Done."}]), ("again", [asks, {"say": "Done."}]))
    gym.later(seconds=20)
    before = told(gym, dana)
    phone.says("suspend her")
    phone.says("1")
    gym.later(seconds=16)
    (news,) = told(gym, dana)[len(before) :]
    assert news.splitlines() == [
        "Gym: these bookings of yours are cancelled:",
        "WOD, Tue 1 Dec 18:00",
        "WOD, Wed 2 Dec 18:00",
        "WOD, Thu 3 Dec 18:00",
    ]
    phone.says("undo")
    correction = told(gym, dana)[-1].splitlines()
    assert correction[0] == "Gym: a correction, these bookings of yours stand:"
    assert len(correction) == 4
    with gym.db.transaction(gym.org_id) as session:
        on, now = Channel.WHATSAPP, session.info["now"]
        people.opt_out(session, gym.org_id, on, dana.number, source="word", now=now)
    phone.says("again")
    phone.says("1")
    gym.later(seconds=16)
    assert told(gym, dana)[len(before) :] == [news, "\n".join(correction)]
