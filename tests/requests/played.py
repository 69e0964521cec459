"""The cards that requests lead to, asked and answered once for all tests of a process."""

from collections.abc import Iterator
from datetime import timedelta
from functools import cache

from tests.requests.request import Request, all_requests
from tests.studio import NOW, ZONE, Studio, open_studio
from tests.tools.catalog.asking import Asking
from tools.kit.calls import Decision
from tools.kit.cards import AnyCard, Done, Pick
from tools.kit.values import Instant

ROUTERS = sorted({one.router for one in all_requests()})


@cache
def played(database_url: str, router: str) -> list[tuple[Request, list[AnyCard]]]:
    """Each request of a router, in a gym of their own, with what it asked and what came of it."""
    studio = open_studio(database_url)
    try:
        wanted = [one for one in all_requests() if one.router == router]
        return [(one, list(_cards(studio, one))) for one in wanted]
    finally:
        studio.db.close()


def _cards(studio: Studio, request: Request) -> Iterator[AnyCard]:
    """What it asks, and what comes of a yes to it."""
    ask = Asking(studio, studio.actors[request.role])
    given = request.given(studio)
    asked = ask.question(request.tool, **given)
    if asked is None:
        yield _settled(ask.card(request.tool, **given))
        return
    yield asked.card
    if isinstance(asked.card, Pick):
        yield _settled(ask.chosen(asked, 1, request.tool, **given).card)
    else:
        agreed = Decision(approved=True, target=asked.target)
        yield _settled(ask.decided(agreed, request.tool, **given).card)


def _settled(card: AnyCard) -> AnyCard:
    """With a receipt that doesn't tell when it was written or what came before."""
    if isinstance(card, Done) and card.undo is not None:
        until = Instant(at=NOW + timedelta(minutes=10), zone=ZONE)
        offer = card.undo.model_copy(update={"number": 1, "word_until": until})
        return card.model_copy(update={"undo": offer})
    return card
