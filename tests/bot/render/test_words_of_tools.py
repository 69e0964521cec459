"""Errors with the longest values: each fits an SMS. What tools say is tried in tests/requests."""

from datetime import date, time, timedelta

import pytest

from bot.render.card import render
from bot.render.reader import Look
from bot.render.sms import BUDGET
from bot.render.text.graphemes import utf16_units
from i18n import Language
from i18n.catalogues import entries
from tests.bot.render import samples
from tools.kit.cards import Failed
from tools.kit.values import Instant, Moment, Name, Value

LONG = {
    Language.EN: ("Women's strength and conditioning", "Alexandra Papadopoulos-Smith"),
    Language.HE: ("אימון כוח לנשים למתחילות בלבד", "אלכסנדרה פפדופולוס־סמית׳"),
    Language.RU: ("Силовая тренировка для начинающих", "Александра Константинопольская"),
}
LATE = Moment(date=date(2026, 12, 20), start=time(18, 30), end=time(19, 30))


def longest(language: Language) -> dict[str, Value]:
    title, person = LONG[language]
    return {
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
    }


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
