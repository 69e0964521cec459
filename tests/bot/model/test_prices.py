"""Prices by day and size, and sums in micro-dollars."""

from datetime import date, timedelta

import pytest

from bot.model.prices import cost, outdated, price, price_list, read_on, worst_case
from bot.model.usage import Usage, counts

TODAY = date(2026, 11, 30)


def test_a_price_holds_from_its_day_on() -> None:
    assert price("claude-sonnet-5-5", date(2026, 10, 6)).read == 200_000
    assert price("claude-sonnet-5-5", date(2026, 10, 7)).read == 100_000


def test_a_day_before_the_first_price_has_the_first_price() -> None:
    assert price("claude-sonnet-5-5", date(2026, 3, 25)) == price(
        "claude-sonnet-5-5", date(2026, 9, 29)
    )
    assert price("claude-haiku-5-5", date(2026, 3, 25), 100_001).input == 500_000


def test_a_long_prompt_costs_more_on_the_small_model() -> None:
    assert price("claude-haiku-5-5", TODAY, 100_000).input == 100_000
    assert price("claude-haiku-5-5", TODAY, 100_001).input == 500_000


def test_a_dated_id_has_the_price_of_its_model() -> None:
    assert price("claude-haiku-4-5-20251001", TODAY).model == "claude-haiku-4-5"


@pytest.mark.parametrize("model", ["claude-sonnet-5-6", "claude-sonnet-5-5-max", "gpt"])
def test_a_model_without_a_price_is_an_error(model: str) -> None:
    with pytest.raises(LookupError):
        price(model, TODAY)


def test_each_kind_of_token_has_its_price() -> None:
    usage = Usage(
        model="claude-sonnet-5-5",
        outcome="whole",
        input=1_000,
        output=100,
        cache_write_5m=10_000,
        cache_write_1h=1_000,
        cache_read=100_000,
    )
    assert cost(usage, TODAY) == 2_000 + 1_000 + 25_000 + 4_000 + 10_000


def test_a_part_of_a_micro_dollar_counts_as_one() -> None:
    assert cost(Usage(model="claude-haiku-5-5", outcome="whole", cache_read=1), TODAY) == 1


@pytest.mark.parametrize("model", sorted({each.model for each in price_list()}))
def test_no_call_costs_more_than_its_worst_case(model: str) -> None:
    usage = Usage(model=model, outcome="whole", cache_write_1h=9_000, output=500)
    assert cost(usage, TODAY) <= worst_case(model, TODAY, 9_000, 500)


def test_a_write_without_a_time_to_live_counts_as_five_minutes() -> None:
    assert counts({"cache_creation_input_tokens": 7})["cache_write_5m"] == 7
    split = {"ephemeral_5m_input_tokens": 3, "ephemeral_1h_input_tokens": 4}
    both = counts({"cache_creation_input_tokens": 7, "cache_creation": split})
    assert (both["cache_write_5m"], both["cache_write_1h"]) == (3, 4)


def test_prices_of_ninety_days_ago_are_to_be_looked_up_anew() -> None:
    assert not outdated(read_on() + timedelta(days=90))
    assert outdated(read_on() + timedelta(days=91))
