"""Bookings, as coaches ask for them."""

from datetime import timedelta
from itertools import count
from typing import Any
from uuid import UUID

from app.bookings import service
from app.core.actor import Role
from app.people import queries as people
from app.people.models import Member
from tests.requests.leads import lead
from tests.requests.request import Request
from tests.studio import Studio


def booked(studio: Studio) -> dict[str, Any]:
    """A member booked into tomorrow's class."""
    session_id = studio.session()
    member_id = studio.member(credits_=5)
    booking_id = studio.booking(member_id, session_id)
    return {"session": session_id, "member": member_id, "booking": booking_id}


def free_place(studio: Studio) -> dict[str, Any]:
    return {"class_session_id": studio.session(), "member_id": studio.member()}


def to_move(studio: Studio) -> dict[str, Any]:
    return {
        "booking_id": booked(studio)["booking"],
        "to_class_session_id": studio.session(at="20:00"),
    }


def me(studio: Studio) -> UUID:
    """The owner as a member of the gym, with a membership."""
    with studio.act() as session:
        known = people.member_of_login(session, studio.owner.user_id)
    if known is not None:
        return known.id
    made = studio.member("Owner One", credits_=50)
    with studio.act() as session:
        session.get_one(Member, made).user_id = studio.owner.user_id
    return made


def for_me(studio: Studio) -> dict[str, Any]:
    me(studio)
    return {"class_session_id": studio.session(at="07:00", day=next(_days))}


def mine(studio: Studio) -> dict[str, Any]:
    own = me(studio)
    return {"booking_id": studio.booking(own, studio.session(at="07:00", day=next(_days)))}


def own_list(studio: Studio) -> dict[str, Any]:
    mine(studio)
    return {}


def full(studio: Studio) -> dict[str, Any]:
    session_id = studio.session(capacity=1)
    studio.booking(studio.member("Noa Cohen"), session_id)
    return {"class_session_id": session_id, "member_id": studio.member(credits_=5)}


def waiting(studio: Studio) -> dict[str, Any]:
    """Dana waits for a full class."""
    given = full(studio)
    booking_id = studio.booking(given["member_id"], given["class_session_id"], join_waitlist=True)
    return {"class_session_id": given["class_session_id"], "booking_id": booking_id}


def trial(studio: Studio) -> dict[str, Any]:
    """A lead, and a class to try."""
    return {"class_session_id": studio.session(), "lead_id": lead(studio, "Tom Ziv")}


def several(studio: Studio) -> dict[str, Any]:
    member_id = studio.member(credits_=5)
    for day in (2, 4, 6):
        studio.booking(member_id, studio.session(day=day))
    return {"member_id": member_id, "refund_credits": True, "reason": "Abroad"}


def late(studio: Studio) -> dict[str, Any]:
    """Dana cancelled this evening's class after it was free to."""
    booking_id = studio.booking(studio.member(credits_=5), studio.session(at="18:00", day=0))
    with studio.act() as session:
        evening = studio.now + timedelta(hours=6)
        service.cancel(session, studio.coach, booking_id, now=evening)
    return {"booking_id": booking_id}


_days = count(2)
"""A day of its own for each class of the owner's: nobody holds two at once."""

REQUESTS = [
    Request(
        "bookings.list",
        "who booked this week?",
        lambda studio: {"member_id": booked(studio)["member"]},
        ("Dana Levi", "WOD"),
        role=Role.COACH,
    ),
    Request(
        "bookings.check_eligibility",
        "אפשר לרשום את דנה ל-WOD מחר?",
        free_place,
        ("Dana Levi",),
    ),
    Request(
        "bookings.list_credit_ledger",
        "покажи, куда ушли кредиты Даны",
        lambda studio: {"member_id": booked(studio)["member"]},
        ("Plan 5",),
    ),
    Request(
        "bookings.book_member",
        "book Dana into tomorrow's WOD",
        free_place,
        ("Booked", "Dana Levi", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "bookings.cancel_for_member",
        "take Dana off tomorrow's class",
        lambda studio: {"booking_id": booked(studio)["booking"]},
        ("Dana Levi", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "bookings.move",
        "move Dana to the eight o'clock",
        to_move,
        ("moved", "Dana Levi", "UNDO"),
        role=Role.COACH,
    ),
    Request("bookings.list_mine", "what am I booked into?", own_list, ("WOD",), replays=False),
    Request(
        "bookings.book_self", "תרשום אותי ל-WOD בשבע", for_me, ("WOD", "להחזיר"), replays=False
    ),
    Request(
        "bookings.cancel_self",
        "take me off the seven o'clock",
        mine,
        ("cancelled", "WOD", "UNDO"),
        replays=False,
    ),
    Request(
        "bookings.join_waitlist",
        "поставь Дану в лист ожидания на завтра",
        full,
        ("Dana Levi", "вернуть"),
        role=Role.COACH,
    ),
    Request(
        "bookings.leave_waitlist",
        "Dana doesn't need her place in line any more",
        waiting,
        ("Dana Levi", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "bookings.promote_from_waitlist",
        "squeeze Dana in tomorrow, one more is fine",
        lambda studio: {**waiting(studio), "over_capacity": True},
        ("Dana Levi", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "bookings.refund_credit",
        "תחזיר לדנה ניקוב על מחר, המאמן איחר",
        lambda studio: {"booking_id": booked(studio)["booking"], "reason": "The coach was late"},
        ("Dana Levi", "להחזיר"),
        role=Role.ADMIN,
    ),
    Request(
        "bookings.waive_late_cancel",
        "не списывай Дане за сегодня, она болеет",
        lambda studio: {**late(studio), "reason": "Ill"},
        ("Dana Levi", "вернуть"),
        role=Role.ADMIN,
    ),
    Request(
        "bookings.bulk_cancel",
        "Dana is abroad, cancel all she has booked and give her the credits back",
        several,
        ("3 bookings", "Dana Levi", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "bookings.book_member",
        "תרשום את תום זיו לשיעור ניסיון מחר",
        trial,
        ("Tom Ziv", "להחזיר"),
        role=Role.COACH,
    ),
]
