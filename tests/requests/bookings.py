"""Bookings, as coaches ask for them."""

from typing import Any

from app.core.actor import Role
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
]
