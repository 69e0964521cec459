"""What the counts of the stand-in come to in money: times to live, both tiers, keep-alive."""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import anthropic
import pytest

from bot.model.prices import cost
from bot.model.usage import Usage, counts
from bot.playground.model_api.answer import Answer, Say
from bot.playground.model_api.request import MessagesRequest
from bot.playground.model_api.server import Server, Setup, serve
from tests.bot.playground.model_api.bodies import (
    HAIKU,
    HOUR,
    MARK,
    SONNET,
    Body,
    assistant,
    body,
    call,
    result,
    text,
    tool,
    user,
)

TODAY = date(2026, 12, 1)
TEN_THOUSAND = "x" * 30_480
"""Characters of about 10,000 tokens, and the same again whenever they come twice."""

Ask = Callable[[Body], Usage]


class Brief:
    def answer(self, _: MessagesRequest) -> Answer:
        return Answer((Say("Yes."),))


@pytest.fixture
def hands() -> list[float]:
    return [1_000_000.0]


@pytest.fixture
def server(hands: list[float]) -> Iterator[Server]:
    with serve(Brief(), setup=Setup(clock=lambda: hands[0])) as running:
        yield running


@pytest.fixture
def ask(server: Server) -> Iterator[Ask]:
    """The usage of one call, as our own loop reads it."""
    with anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as sdk:
        create: Any = sdk.messages.create

        def asked(fields: Body) -> Usage:
            answer = create(**fields)
            counted: Any = counts(answer.usage.to_dict(warnings=False))
            return Usage(model=fields["model"], outcome="whole", **counted)

        yield asked


def prompt(model: str = SONNET, mark: Body | None = None, times: int = 1, **more: Any) -> Body:  # noqa: ANN401 - any field of a request
    marked = {"cache_control": mark} if mark else {}
    system = [text(TEN_THOUSAND) for _ in range(times - 1)] + [text(TEN_THOUSAND, **marked)]
    return body(model=model, system=system, **more)


def test_reading_costs_a_twentieth_and_writing_a_quarter_more_or_twice(ask: Ask) -> None:
    plain = cost(ask(prompt(max_tokens=0)), TODAY)
    for mark, written in ((MARK, 1.25), (HOUR, 2.0)):
        warm = prompt(mark=mark, tools=[tool(mark.get("ttl", "5m"))], max_tokens=0)
        assert cost(ask(warm), TODAY) / plain == pytest.approx(written, rel=0.02)
        assert cost(ask(warm), TODAY) / plain == pytest.approx(0.05, rel=0.06)


def test_the_small_models_dearer_tier_counts_cached_tokens_for_the_whole_request(ask: Ask) -> None:
    below = prompt(HAIKU, MARK, times=9, max_tokens=0)
    above = prompt(HAIKU, MARK, times=11, max_tokens=0, tools=[tool()])
    for fields, rate in ((below, 0.125), (above, 0.625)):
        usage = ask(fields)
        assert cost(usage, TODAY) == pytest.approx(usage.prompt * rate, rel=0.01)
    read = ask(above)
    assert read.cache_read > 100_000
    assert read.input < 100
    assert cost(read, TODAY) == pytest.approx(read.prompt * 0.05, rel=0.02)


def test_a_ping_for_no_tokens_keeps_an_hours_entry_alive_through_a_day(
    ask: Ask, hands: list[float]
) -> None:
    asked = prompt(mark=HOUR)
    written = ask(asked).cache_write_1h
    for _ in range(12):
        hands[0] += 3_500
        ping = ask({**asked, "max_tokens": 0})
        assert (ping.cache_read, ping.cache_write_1h, ping.output) == (written, 0, 0)
    hands[0] += 3_500
    assert ask(asked).cache_read == written
    hands[0] += 3_601
    assert ask(asked).cache_read == 0


def test_a_ping_at_another_effort_keeps_only_what_stands_before_the_messages(ask: Ask) -> None:
    asked = prompt(mark=HOUR, messages=[user(text(TEN_THOUSAND, cache_control=MARK))])
    whole = ask({**asked, "output_config": {"effort": "low"}})
    ping = ask({**asked, "max_tokens": 0})
    assert ping.cache_read == whole.cache_write_1h
    assert ping.cache_write_5m == whole.cache_write_5m > 0


def test_a_tail_for_five_minutes_lapses_while_what_stands_before_it_stays(
    ask: Ask, hands: list[float]
) -> None:
    asked = prompt(mark=HOUR, messages=[user(text(TEN_THOUSAND, cache_control=MARK))])
    first = ask(asked)
    hands[0] += 301
    later = ask(asked)
    assert (later.cache_read, later.cache_write_1h) == (first.cache_write_1h, 0)
    assert later.cache_write_5m == first.cache_write_5m


def test_a_prefix_is_cached_from_512_tokens_on(ask: Ask) -> None:
    def written(characters: int) -> int:
        fields = body(system=[text("y" * characters, cache_control=MARK)], max_tokens=0)
        return ask(fields).cache_write_5m

    around = {characters: written(characters) for characters in range(1_530, 1_570, 4)}
    assert {tokens == 0 for tokens in around.values()} == {True, False}
    assert min(filter(None, around.values())) in {512, 513}


def test_a_found_tool_leaves_the_prefix_read_and_is_counted_once_where_it_was_found(
    ask: Ask,
) -> None:
    """Three turns over one prefix with a deferred definition of 10,000 tokens."""
    deferred = tool("leads__list", {"description": TEN_THOUSAND}, defer_loading=True)
    start = prompt(mark=HOUR, tools=[tool(), deferred])
    reference = [{"type": "tool_reference", "tool_name": "leads__list"}]
    search = [user("hi"), assistant(call()), user(result(content=reference, cache_control=MARK))]

    before = ask(start)
    assert before.prompt < 11_000
    found = ask({**start, "messages": search})
    assert found.cache_read == before.cache_write_1h
    assert 10_000 <= found.cache_write_5m < 10_300
    again = ask({**start, "messages": [*search, assistant("Here."), user("and now?")]})
    assert again.cache_read == found.cache_read + found.cache_write_5m
    assert again.prompt - found.prompt < 50
