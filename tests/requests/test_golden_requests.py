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
from tests.requests.played import ROUTERS, played
from tests.studio import NOW, ZONE
from tools.kit.cards import AnyCard
from tools.kit.values import Instant

GOLDEN = Path(__file__).parents[1] / "golden" / "requests"
PLACES = {"whatsapp": Look.CHAT, "sms": Look.SMS}
LINK = "https://spotter.example/q/7"


def written(card: AnyCard, language: Language, look: Look) -> str:
    reader = Reader(language, ZONE, NOW)
    until = Instant(at=NOW + timedelta(minutes=60), zone=ZONE)
    return shown("\n".join(render(card, look, reader, until=until, link=LINK).texts))


def page(database_url: str, router: str) -> Iterator[str]:
    for request, cards in played(database_url, router):
        if not request.replays:
            continue
        yield f"##### {request.tool}: {request.says}\n"
        for card in cards:
            for place, look in PLACES.items():
                for language in Language:
                    yield f"=== {place} {language}\n{written(card, language, look)}\n"


@pytest.mark.parametrize("router", ROUTERS)
def test_what_people_read_is_as_in_the_golden_file(router: str, database_url: str) -> None:
    golden = GOLDEN / f"{router}.txt"
    got = "\n".join(page(database_url, router))
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(got, encoding="utf8")

    assert got == golden.read_text(encoding="utf8")
