"""Members and invitations, as owners and coaches ask for them."""

from itertools import count
from typing import Any

from app.core.actor import Role
from app.desk import leaving
from app.people import service as people
from app.people.service import NewInvitation
from app.people.terms import Channel
from tests.requests.request import Request
from tests.studio import Studio

_NUMBERS = count(1)


def address() -> str:
    """An e-mail that nobody has had yet."""
    return f"mia{next(_NUMBERS)}@example.com"


def dana(studio: Studio) -> dict[str, Any]:
    return {"member_id": studio.member("Dana Levi", credits_=10)}


def booked(studio: Studio) -> dict[str, Any]:
    found = dana(studio)
    studio.booking(found["member_id"], studio.session(capacity=200))
    return found


def suspended(studio: Studio) -> dict[str, Any]:
    found = booked(studio)
    with studio.act() as session:
        leaving.suspend(session, studio.owner, found["member_id"], now=studio.now)
    return found


def archived(studio: Studio) -> dict[str, Any]:
    found = booked(studio)
    with studio.act() as session:
        leaving.archive(session, studio.owner, found["member_id"], now=studio.now)
    return found


def invited(studio: Studio) -> dict[str, Any]:
    new = NewInvitation("Mia", Channel.EMAIL, email=address())
    with studio.act() as session:
        made = people.invite(session, studio.owner, new, now=studio.now)
        return {"invitation_id": made.invitation.id}


def listed(studio: Studio) -> dict[str, Any]:
    invited(studio)
    return {"status": "pending"}


def tagged(studio: Studio) -> dict[str, Any]:
    studio.person("Noa Cohen", tags=("morning",))
    return {"tag": "Morning"}


REQUESTS = [
    Request(
        "memberships.list_members",
        "кто ходит по утрам?",
        tagged,
        ("Noa Cohen", "morning"),
        role=Role.COACH,
    ),
    Request(
        "memberships.create_member",
        "add a new member, Mia Stone, she has no phone yet",
        lambda _: {"first_name": "Mia", "last_name": "Stone", "tags": ["new"]},
        ("Mia Stone", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.update_member",
        "תוסיף לדנה תגית תחרות, ואיש קשר לחירום: אבא, 052-1234567",
        lambda studio: {
            **dana(studio),
            "tags_add": ["comp team"],
            "emergency_contact": "Dad, 052-1234567",
        },
        ("Dana Levi", "איש קשר לחירום", "להחזיר"),
        role=Role.COACH,
    ),
    Request(
        "memberships.add_note",
        "note on Dana: left knee hurts, no jumps this week",
        lambda studio: {
            **dana(studio),
            "body": "Left knee hurts, no jumps this week.",
            "kind": "injury",
        },
        ("Dana Levi", "injury", "no jumps", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "memberships.suspend_member",
        "suspend Dana until she pays, and take her out of her classes",
        lambda studio: {
            **booked(studio),
            "reason": "Waits for a payment",
            "cancel_future_bookings": True,
        },
        ("Dana Levi", "Bookings cancelled: 1", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.unsuspend_member",
        "דנה שילמה, תוריד לה את החסימה",
        suspended,
        ("Dana Levi", "להחזיר"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.archive_member",
        "Дана ушла насовсем, в архив её",
        lambda studio: {**booked(studio), "reason": "Moved to Haifa"},
        ("Dana Levi", "вернулось посещений: 1", "вернуть"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.restore_member",
        "Dana is back, restore her",
        archived,
        ("Dana Levi", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.erase_member_data",
        "Dana asked us to delete everything we have on her",
        lambda studio: {**booked(studio), "legal_basis": "request"},
        ("Erased for good",),
        answer="Dana Levi",
        replays=False,
    ),
    Request(
        "memberships.list_invitations",
        "who hasn't answered our invitations?",
        listed,
        ("Mia", "no answer yet"),
        role=Role.COACH,
        replays=False,
    ),
    Request(
        "memberships.invite_member",
        "תזמין את מיה, mia@example.com",
        lambda studio: {
            "first_name": "Mia",
            "channel": "email",
            "email": address(),
            "plan_id": studio.plan(),
        },
        ("Mia", "Plan None", "להחזיר"),
        role=Role.ADMIN,
        replays=False,
    ),
    Request(
        "memberships.resend_invitation",
        "пришли Мие приглашение ещё раз",
        invited,
        ("Mia",),
        role=Role.ADMIN,
        replays=False,
    ),
    Request(
        "memberships.revoke_invitation",
        "cancel Mia's invitation",
        invited,
        ("Mia", "UNDO"),
        role=Role.ADMIN,
        replays=False,
    ),
]
