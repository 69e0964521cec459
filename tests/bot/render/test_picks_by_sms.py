"""A choice by SMS: short, and never between two lines that read alike."""

from datetime import UTC, datetime

import pytest

from bot.render.card import render
from bot.render.reader import Look, Reader
from i18n import Language
from tools.kit.cards import Option, Pick
from tools.kit.values import Line, Name

READER = Reader(Language.EN, "Asia/Jerusalem", datetime(2026, 11, 30, 8, tzinfo=UTC))


def offered(*hours: str) -> Pick:
    return Pick(
        ask=Line(key="pick.class_session"),
        options=tuple(
            Option(id=hour, label=Name(text="Open gym"), sublabel=Name(text=f"Tue 1 Dec {hour}"))
            for hour in hours
        ),
    )


@pytest.mark.parametrize("look", [Look.SMS, Look.FALLBACK])
def test_two_classes_of_one_day_are_told_apart(look: Look) -> None:
    (text,) = render(offered("11:00-12:00", "17:00-18:00"), look, READER).texts
    assert "11:00" in text
    assert "17:00" in text


def test_what_cannot_be_told_apart_in_two_segments_is_chosen_on_the_dashboard() -> None:
    many = offered(*(f"{hour}:00-{hour + 1}:00" for hour in range(10, 19)))
    (text,) = render(many, Look.SMS, READER, link="https://gym.example/q/abc").texts
    assert "https://gym.example/q/abc" in text
    assert "..." not in text
