"""Looking things up, as coaches do."""

from typing import Any

from app.core.actor import Role
from tests.requests.request import Request
from tests.studio import Studio


def two_danas(studio: Studio) -> dict[str, Any]:
    studio.member("Dana Levi")
    studio.member("Dana Katz")
    return {"q": "Dana"}


def to_pick(studio: Studio) -> dict[str, Any]:
    options = [
        {"id": str(studio.member(name)), "label": name} for name in ("Dana Levi", "Dana Katz")
    ]
    return {"question": "Which Dana?", "options": options}


REQUESTS = [
    Request("read.get_current_context", "where am I?", shows=("Gym",), replays=False),
    Request("read.ask_user_to_pick", "which Dana did I mean?", to_pick),
    Request("read.find_members", "תמצא את דנה", two_danas, ("Dana Katz", "Dana Levi")),
    Request(
        "read.get_member",
        "tell me about Noa",
        lambda studio: {"member_id": studio.member("Noa Cohen")},
        ("Noa Cohen",),
        role=Role.COACH,
    ),
    Request("read.list_staff", "кто у нас работает?", shows=("owner one",)),
    Request("read.list_segments", "which groups can I write to?", shows=("Active members",)),
    Request("read.list_recent_agent_actions", "what have you done today?"),
]
