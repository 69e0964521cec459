"""What tools say, with the longest values: it fits an SMS and can be answered."""

from datetime import date, time, timedelta

import pytest

from bot.render.card import render
from bot.render.reader import Look, Reader
from bot.render.sms import BUDGET
from bot.render.text.graphemes import utf16_units
from i18n import Language
from i18n.marks import balanced
from tests.bot.render import samples
from tests.bot.render.test_words_of_tools import LONG
from tests.requests.played import ROUTERS, played
from tools.kit.cards import AnyCard, Confirm, Done, Undone, UndoOffer
from tools.kit.values import Amount, Count, Day, Instant, Moment, Name, Names, Quote, Span, Value

LATE = date(2026, 12, 20)
NEXT_YEAR = date(2027, 12, 20)
OFFER = UndoOffer(
    number=999,
    call_id=samples.ID,
    toast_until=samples.NOW + timedelta(seconds=15),
    word_until=Instant(at=samples.NOW + timedelta(minutes=10), zone=samples.ZONE),
)

every_router = pytest.mark.parametrize("router", ROUTERS)
each_language = pytest.mark.parametrize("language", list(Language))


def stretched(  # noqa: C901, PLR0911, PLR0912 - one branch a type
    place: str, value: Value, language: Language
) -> Value:
    """As long as it may be."""
    title, person = LONG[language]
    match value:
        case bool():
            return value
        case int():
            return max(value, 24)
        case Name():
            return Name(text=title if place in {"class", "title", "program", "name"} else person)
        case Names():
            return Names(all=(person,) * 9)
        case Quote():
            return Quote(text="\n".join([title] * 20))
        case Moment():
            return Moment(date=LATE, start=time(18, 30), end=time(19, 30))
        case Day():
            return Day(date=LATE)
        case Span():
            return Span(start=LATE, end=NEXT_YEAR)
        case Amount():
            return Amount(minor=1_234_500)
        case Count(n=n, of=of):
            return Count(n=max(n, 24), of=of)
        case _:
            return value


def longest(card: Done | Confirm, language: Language) -> dict[str, Value]:
    return {place: stretched(place, value, language) for place, value in card.values.items()}


def of_router(database_url: str, router: str) -> list[AnyCard]:
    return [card for _, cards in played(database_url, router) for card in cards]


def reader(language: Language) -> Reader:
    return samples.reader(language)


@each_language
@every_router
def test_what_was_done_fits_an_sms_with_its_undo(
    router: str, language: Language, database_url: str
) -> None:
    too_long = []
    for card in of_router(database_url, router):
        if isinstance(card, Done):
            values = longest(card, language)
            done = card.model_copy(update={"values": values, "notes": (), "undo": OFFER})
            undone = Undone(of=card.of, values=values)
            texts = [
                render(one, Look.SMS, reader(language)).texts[0]
                for one in ((done, undone) if card.undo else (done,))
            ]
            assert "999" in texts[0]
            assert all(map(balanced, texts)), texts
            too_long += [text for text in texts if utf16_units(text) > BUDGET]
    assert too_long == []


@each_language
@every_router
def test_a_question_fits_an_sms_and_can_be_answered(
    router: str, language: Language, database_url: str
) -> None:
    for card in of_router(database_url, router):
        if isinstance(card, Confirm):
            asked = card.model_copy(update={"values": longest(card, language)})
            for look in Look:
                got = render(asked, look, reader(language), until=samples.UNTIL, link=samples.LINK)
                answerable = look is Look.CHAT or not card.always
                assert bool(got.choices) == answerable, (card.of, got.texts)
                assert bool(got.choices) != (samples.LINK in got.texts[0])
                assert look is Look.CHAT or utf16_units(got.texts[0]) <= BUDGET, card.of
