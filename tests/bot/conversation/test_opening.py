"""What is looked up before the model is asked."""

from datetime import date

import pytest

from app.core.clock import Clock
from bot.conversation.opening import opening
from bot.model.turn_context import Beside, compose
from bot.turn.events import Heard

NOW = Clock().now()


def wanted(page: str) -> dict[str, object]:
    beside = compose(
        Beside("web", page=page, notes=("perhaps meant: page: /leads",)), NOW, "Asia/Jerusalem"
    )
    (said,) = opening(Heard(text="delete it", beside=beside), date(2026, 12, 1))
    return dict(said.calls[0].input)


def test_tools_are_looked_for_with_the_page_that_is_looked_at() -> None:
    assert wanted("/workouts/7") == {"q": "delete it", "page": "/workouts/7"}


@pytest.mark.parametrize("page", ["", " ", "\u200b", "/settings", "דף"])
def test_a_page_that_is_about_no_tools_is_not_told(page: str) -> None:
    assert wanted(page) == {"q": "delete it"}
