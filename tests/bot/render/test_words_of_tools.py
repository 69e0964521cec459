"""Every tool's own words with the longest values: each fits an SMS and names what it means."""

from datetime import date, time, timedelta

import pytest

from bot.render.card import render
from bot.render.reader import Look
from bot.render.sms import BUDGET
from bot.render.text.graphemes import utf16_units
from i18n import Language
from i18n.catalogues import entries
from i18n.marks import balanced
from tests.bot.render import samples
from tests.i18n import used_keys
from tools.kit.cards import Confirm, Done, Failed, Ref, Undone, UndoOffer
from tools.kit.registry import discover
from tools.kit.values import Instant, Line, Moment, Name, Names, Term, Value

TOOLS = discover("tools.catalog")
WRITES = [name for name, tool in TOOLS.items() if tool.effect != "read"]
ASKING = [
    name
    for name, tool in TOOLS.items()
    if tool.confirm is not None and Confirm in used_keys.kinds(tool.confirm)
]
LONG = {
    Language.EN: ("Women's strength and conditioning", "Alexandra Papadopoulos-Smith"),
    Language.HE: ("אימון כוח לנשים למתחילות בלבד", "אלכסנדרה פפדופולוס־סמית׳"),
    Language.RU: ("Силовая тренировка для начинающих", "Александра Константинопольская"),
}
LATE = Moment(date=date(2026, 12, 20), start=time(18, 30), end=time(19, 30))
OFFER = UndoOffer(
    number=999,
    call_id=samples.ID,
    toast_until=samples.NOW + timedelta(seconds=15),
    word_until=Instant(at=samples.NOW + timedelta(minutes=10), zone=samples.ZONE),
)
STATUSES = [None, "booking.booked", "booking.waitlisted"]


def longest(
    language: Language, status: str | None = None, *, late: bool = False
) -> dict[str, Value]:
    title, person = LONG[language]
    values: dict[str, Value] = {
        "class": Name(text=title),
        "member": Name(text=person),
        "coach": Name(text=person),
        "when": LATE,
        "was": LATE,
        "new": LATE,
        "booked": 24,
        "capacity": 24,
        "waiting": 12,
        "credits": 24,
        "late": late,
    }
    return values if status is None else {**values, "status": Term(key=status)}


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("of", WRITES)
@pytest.mark.parametrize("language", list(Language))
def test_what_was_done_fits_an_sms_with_its_undo(
    language: Language, of: str, status: str | None
) -> None:
    reader = samples.reader(language)
    note = Line(key="note.left_out", values={"names": Names(all=LONG[language] * 9)})
    done = Done(of=of, values=longest(language, status), notes=(note,), undo=OFFER)
    text = render(done, Look.SMS, reader).texts[0]
    undone = render(Undone(of=of, values=longest(language, status)), Look.SMS, reader).texts[0]

    assert "999" in text
    assert max(utf16_units(text), utf16_units(undone)) <= BUDGET
    assert balanced(text)
    assert balanced(undone)


@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("look", list(Look))
@pytest.mark.parametrize("of", ASKING)
@pytest.mark.parametrize("language", list(Language))
def test_a_question_fits_an_sms_and_can_be_answered(
    language: Language, of: str, look: Look, *, late: bool
) -> None:
    entity = "booking" if of.startswith("bookings") else "class_session"
    card = Confirm(
        of=of,
        values=longest(language, late=late),
        ref=Ref(entity=entity, id=samples.ID),
        always=TOOLS[of].ask == "always",
    )
    got = render(card, look, samples.reader(language), until=samples.UNTIL, link=samples.LINK)

    assert bool(got.choices) == (look is Look.CHAT or not card.always)
    assert bool(got.choices) != (samples.LINK in got.texts[0])
    assert look is Look.CHAT or utf16_units(got.texts[0]) <= BUDGET


@pytest.mark.parametrize("of", WRITES)
@pytest.mark.parametrize("language", list(Language))
def test_a_tool_speaks_its_own_words_and_not_the_generic_ones(language: Language, of: str) -> None:
    reader = samples.reader(language)
    generic = str(entries(language)["card.done"]).partition(":")[0]
    done = render(Done(of=of, values=longest(language)), Look.CHAT, reader).texts[0]

    assert not done.lstrip("\u200f").startswith(generic)


@pytest.mark.parametrize("language", list(Language))
def test_no_error_is_longer_than_two_segments(language: Language) -> None:
    codes = {key.split(".")[1] for key in entries(language) if key.startswith("error.")}
    values: dict[str, Value] = {
        **longest(language),
        "plan": Name(text="Unlimited 12 months"),
        "limit": 3,
        "phone": Name(text="+972541234567"),
        "date": Name(text="20.12"),
        "time": Name(text="18:30"),
        "opens_at": Instant(at=samples.NOW + timedelta(days=9), zone=samples.ZONE),
    }
    for code in codes:
        text = render(Failed(code=code, values=values), Look.SMS, samples.reader(language)).texts[0]
        assert utf16_units(text) <= BUDGET, text
