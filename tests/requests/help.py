"""Help, as people ask for it."""

from app.core.actor import Role
from tests.requests.request import Request

REQUESTS = [
    Request(
        "help.search",
        "how do I take something back?",
        lambda _: {"q": "undo a mistake"},
        ("Saying yes, and taking back",),
        role=Role.COACH,
    ),
    Request(
        "help.get_article",
        "покажи статью про заморозки",
        lambda _: {"slug": "memberships-and-freezes", "language": "ru"},
        ("Абонементы, заморозки",),
        role=Role.COACH,
    ),
]
