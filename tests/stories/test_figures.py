"""Stories of what is asked about the gym itself: who hasn't paid, above all."""

import pytest

from tests.stories.conftest import Storyteller


@pytest.mark.parametrize(
    ("gym", "asked", "told"),
    [
        ("en", "who hasn't paid this month?", "With a payment open: 4."),
        ("he", "מי לא שילם החודש?", "עם תשלום פתוח: 4."),
        ("ru", "кто не заплатил в этом месяце?", "Не заплатили: 4."),
    ],
    indirect=["gym"],
)
def test_the_owner_hears_who_has_not_paid(gym: Storyteller, asked: str, told: str) -> None:
    chat = gym.phone()

    chat.they(asked)

    chat.sees(told, "₪")
    assert chat.lanes() == ["quick"]
    assert chat.changes("payment_ledger") == []
