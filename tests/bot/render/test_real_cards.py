"""The cards of real tools: each says its own words, in every place and language."""

from collections.abc import Iterator

import pytest

from bot.render.card import render
from bot.render.reader import Look, Reader
from bot.render.sms import BUDGET
from bot.render.text.graphemes import utf16_units
from bot.render.voice import Voice
from bot.render.web import view
from i18n import Language
from i18n.marks import balanced
from tests.bot.render import real_cards, samples
from tests.studio import ZONE, open_studio
from tests.tools.catalog.asking import Asking
from tools.kit.cards import AnyCard, Confirm, Done, Failed, Undone

Titled = list[tuple[str, AnyCard]]


@pytest.fixture(scope="module")
def day(database_url: str) -> Iterator[Titled]:
    studio = open_studio(database_url)
    yield list(real_cards.of_a_working_day(studio, Asking(studio, studio.coach)))
    studio.db.close()


def say_its_own_words(card: AnyCard, voice: Voice) -> None:
    """Raises MissingWordsError where only the generic words would do."""
    match card:
        case Done(of=of) | Undone(of=of):
            voice.say(f"{of}.{card.kind}", card.values)
        case Failed(code=code, values=values):
            voice.first([f"error.{code}", f"error.{code}.plain"], values)
        case Confirm(of=of, values=values):
            for part in ("ask", "approve", "keep", "sms", "item"):
                voice.say(f"{of}.{part}", values)
        case _:
            pass


@pytest.mark.parametrize("language", list(Language))
def test_every_card_says_its_own_words(day: Titled, language: Language) -> None:
    reader = Reader(language, ZONE, samples.NOW)

    assert len(day) > 45
    for _, card in day:
        for variant in ("", "chat", "sms", "fallback", "web"):
            say_its_own_words(card, Voice(reader, variant))


@pytest.mark.parametrize("language", list(Language))
def test_every_card_is_whole_in_every_place(day: Titled, language: Language) -> None:
    reader = Reader(language, ZONE, samples.NOW)
    for title, card in day:
        for look in Look:
            got = render(card, look, reader, until=samples.UNTIL, link=samples.LINK)
            assert balanced(got.texts[0]), title
            assert "{" not in got.texts[0], title
            assert look is Look.CHAT or utf16_units(got.texts[0]) <= BUDGET, title
        assert view(card, reader, until=samples.UNTIL)["kind"] == card.kind


@pytest.mark.parametrize("language", [Language.HE, Language.RU])
def test_no_english_is_left_over(day: Titled, language: Language) -> None:
    """What isn't typed by the gym is in the reader's language: no status or reason of ours."""
    reader = Reader(language, ZONE, samples.NOW)
    for title, card in day:
        text = render(card, Look.CHAT, reader, until=samples.UNTIL).texts[0]
        for ours in ("booked", "scheduled", "session", "cancel", "_", "\u02cd", "full", "clash"):
            assert ours not in text, title
