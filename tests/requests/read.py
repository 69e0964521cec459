"""Looking things up, as coaches do."""

from typing import Any

from app.core.actor import Role
from app.people import service as people
from app.people.service import NewNote
from app.people.terms import NoteKind
from tests.requests.request import Request
from tests.studio import Studio
from tests.tools.catalog.asking import Asking


def two_danas(studio: Studio) -> dict[str, Any]:
    studio.member("Dana Levi")
    studio.member("Dana Katz")
    return {"q": "Dana"}


def to_find(_: Studio) -> dict[str, Any]:
    return {"q": "put somebody on the waiting list"}


def to_pick(studio: Studio) -> dict[str, Any]:
    options = [
        {"id": str(studio.member(name)), "label": name} for name in ("Dana Levi", "Dana Katz")
    ]
    return {"question": "Which Dana?", "options": options}


def with_a_past(studio: Studio) -> dict[str, Any]:
    """A booking and a note of a member."""
    member_id = studio.member()
    studio.booking(member_id, studio.session())
    with studio.act() as session:
        note = NewNote("Left knee hurts", NoteKind.INJURY)
        people.add_note(session, studio.coach, member_id, note)
    return {"member_id": member_id}


def scheduled(studio: Studio) -> dict[str, Any]:
    studio.session()
    return {"q": "WOD"}


def changed(studio: Studio) -> dict[str, Any]:
    """A write of the assistant's in the log."""
    member_id = studio.member()
    ask = Asking(studio, studio.coach)
    ask.card("memberships.update_member", member_id=member_id, tags_add=["new"])
    return {"entity_type": "member", "entity_id": member_id}


REQUESTS = [
    Request("read.get_current_context", "where am I?", shows=("Gym",), replays=False),
    Request("read.find_tools", "what can you do about waiting lists?", to_find),
    Request("read.ask_user_to_pick", "which Dana did I mean?", to_pick),
    Request("read.find_members", "תמצא את דנה", two_danas, ("Dana Katz", "Dana Levi")),
    Request(
        "read.get_member",
        "tell me about Noa",
        lambda studio: {"member_id": studio.member("Noa Cohen")},
        ("Noa Cohen",),
        role=Role.COACH,
    ),
    Request(
        "read.get_member_timeline",
        "что было у Даны за последнее время?",
        with_a_past,
        ("WOD", "Left knee"),
        role=Role.COACH,
    ),
    Request(
        "read.search",
        "חפש כל מה שקשור ל-WOD",
        scheduled,
        ("WOD",),
        role=Role.COACH,
    ),
    Request("read.get_audit_log", "who changed what today?", changed, ("Dana Levi",)),
    Request("read.list_staff", "кто у нас работает?", shows=("owner one",)),
    Request("read.list_segments", "which groups can I write to?", shows=("Active members",)),
    Request("read.list_recent_agent_actions", "what have you done today?"),
]
