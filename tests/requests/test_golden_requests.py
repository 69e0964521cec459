"""What each request asks and answers, in each language, on WhatsApp and by SMS."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.render.card import render
from bot.render.reader import Look, Reader
from i18n import Language
from i18n.marks import shown
from tests.requests.request import Request, all_requests
from tests.studio import NOW, ZONE, Studio, open_studio
from tests.tools.catalog.asking import Asking
from tools.kit.calls import Decision
from tools.kit.cards import AnyCard, Done, Pick
from tools.kit.values import Instant

GOLDEN = Path(__file__).parents[1] / "golden" / "requests"
ROUTERS = sorted({one.router for one in all_requests()})
PLACES = {"whatsapp": Look.CHAT, "sms": Look.SMS}
LINK = "https://spotter.example/q/7"


@pytest.fixture
def studio(database_url: str) -> Iterator[Studio]:
    studio = open_studio(database_url)
    yield studio
    studio.db.engine.dispose()


def cards(studio: Studio, request: Request) -> Iterator[AnyCard]:
    """What it asks, and what comes of a yes to it."""
    ask = Asking(studio, studio.actors[request.role])
    given = request.given(studio)
    asked = ask.question(request.tool, **given)
    if asked is None:
        yield settled(ask.card(request.tool, **given))
        return
    yield asked.card
    if isinstance(asked.card, Pick):
        yield settled(ask.chosen(asked, 1, request.tool, **given).card)
    else:
        agreed = Decision(approved=True, target=asked.target)
        yield settled(ask.decided(agreed, request.tool, **given).card)


def settled(card: AnyCard) -> AnyCard:
    """With a receipt that doesn't tell when it was written or what came before."""
    if isinstance(card, Done) and card.undo is not None:
        until = Instant(at=NOW + timedelta(minutes=10), zone=ZONE)
        offer = card.undo.model_copy(update={"number": 1, "word_until": until})
        return card.model_copy(update={"undo": offer})
    return card


def written(card: AnyCard, language: Language, look: Look) -> str:
    reader = Reader(language, ZONE, NOW)
    until = Instant(at=NOW + timedelta(minutes=60), zone=ZONE)
    return shown("\n".join(render(card, look, reader, until=until, link=LINK).texts))


def page(studio: Studio, router: str) -> Iterator[str]:
    for request in (one for one in all_requests() if one.router == router and one.replays):
        yield f"##### {request.tool}: {request.says}\n"
        for card in cards(studio, request):
            for place, look in PLACES.items():
                for language in Language:
                    yield f"=== {place} {language}\n{written(card, language, look)}\n"


@pytest.mark.parametrize("router", ROUTERS)
def test_what_people_read_is_as_in_the_golden_file(router: str, studio: Studio) -> None:
    golden = GOLDEN / f"{router}.txt"
    got = "\n".join(page(studio, router))
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(got, encoding="utf8")

    assert got == golden.read_text(encoding="utf8")
