"""Every kind of card in every place and language, as people get it; UPDATE_GOLDEN=1 writes anew."""

import json
import os
from pathlib import Path

import pytest

from bot.render.card import render
from bot.render.reader import Look
from bot.render.text.graphemes import utf16_units
from bot.render.web import view
from i18n import Language
from i18n.marks import shown
from tests.bot.render import samples
from tools.kit.cards import AnyCard

FOLDER = Path(__file__).parents[2] / "golden" / "cards"
PLACES = ("whatsapp", "sms", "web")


def _rendered(card: AnyCard, place: str, language: Language) -> str:
    reader = samples.reader(language)
    if place == "web":
        drawn = view(card, reader, until=samples.UNTIL)
        return json.dumps(drawn, ensure_ascii=False, indent=1)
    look = Look.SMS if place == "sms" else Look.CHAT
    got = render(card, look, reader, until=samples.UNTIL, link=samples.LINK)
    measured = f"[{utf16_units(got.texts[0])}]\n" if look is Look.SMS else ""
    return measured + "\n".join(got.texts)


def _all(place: str, language: Language) -> str:
    parts = [
        f"=== {title} ===\n{shown(_rendered(card, place, language))}\n"
        for title, card in samples.cards(language).items()
    ]
    return "\n".join(parts)


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("place", PLACES)
def test_cards_look_as_in_the_golden_file(place: str, language: Language) -> None:
    golden = FOLDER / f"{place}.{language}.txt"
    got = _all(place, language)
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(got, encoding="utf8")

    assert got == golden.read_text(encoding="utf8")
