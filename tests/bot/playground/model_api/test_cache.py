"""What is written to the prompt cache and read from it, by prefix, marker, time and size."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import anthropic
import pytest
from anthropic.types.cache_miss_messages_changed import CacheMissMessagesChanged
from anthropic.types.cache_miss_previous_message_not_found import CacheMissPreviousMessageNotFound
from anthropic.types.diagnostics import Diagnostics

from bot.playground.model_api.answer import Answer, Say
from bot.playground.model_api.faults import FaultKind
from bot.playground.model_api.request import MessagesRequest
from bot.playground.model_api.server import Server, Setup, serve
from tests.bot.playground.model_api.bodies import (
    HAIKU,
    HOUR,
    MARK,
    Body,
    assistant,
    body,
    call,
    result,
    text,
    tool,
    user,
)

LONG = "A rule of the studio. " * 120  # about 860 tokens, over the 512 that can be cached


Ask = Callable[[Body], anthropic.types.Message]


class Agreeable:
    def answer(self, _: MessagesRequest) -> Answer:
        return Answer((Say("Fine."),))


@dataclass
class Clock:
    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(clock: Clock) -> Iterator[Server]:
    with serve(Agreeable(), setup=Setup(clock=clock)) as running:
        yield running


@pytest.fixture
def ask(server: Server) -> Iterator[Ask]:
    with anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as sdk:
        create: Any = sdk.messages.create
        yield lambda fields: create(**fields)


def prompt(*marks: Body | None, **changes: Any) -> Body:  # noqa: ANN401 - any field of a request
    """Tools, system and a message, each long enough, each with its marker."""
    marked: list[Body] = [
        {"cache_control": mark} if mark else {} for mark in (*marks, None, None, None)
    ]
    return body(
        tools=[tool(schema={"description": LONG}, **marked[0])],
        system=[text(LONG, **marked[1])],
        messages=[user(text(LONG, **marked[2]))],
        **changes,
    )


def counts(answer: anthropic.types.Message) -> tuple[int, int, int]:
    usage = answer.usage
    written, read = usage.cache_creation_input_tokens, usage.cache_read_input_tokens
    assert written is not None
    assert read is not None
    return usage.input_tokens, written, read


def test_without_a_marker_nothing_is_cached(ask: Ask) -> None:
    total, *_ = counts(ask(prompt()))
    assert counts(ask(prompt())) == (total, 0, 0)
    assert total > 2500


def test_a_marked_prefix_is_written_once_and_then_read(ask: Ask) -> None:
    total, *_ = counts(ask(prompt()))
    rest, written, read = counts(ask(prompt(None, MARK)))
    assert (rest + written, read) == (total, 0)
    assert written > 512
    assert counts(ask(prompt(None, MARK))) == (rest, 0, written)


def test_moving_the_marker_on_reads_the_old_prefix_and_writes_the_rest(ask: Ask) -> None:
    rest, written, _ = counts(ask(prompt(None, MARK)))
    assert counts(ask(prompt(None, MARK, MARK))) == (0, rest, written)
    assert counts(ask(prompt(None, None, MARK))) == (0, 0, written + rest)


def test_the_two_times_to_live_are_counted_apart(ask: Ask) -> None:
    usage = ask(prompt(HOUR, HOUR, MARK)).usage
    assert usage.cache_creation is not None
    hour = usage.cache_creation.ephemeral_1h_input_tokens
    short = usage.cache_creation.ephemeral_5m_input_tokens
    assert hour > short > 512
    assert hour + short == usage.cache_creation_input_tokens


@pytest.mark.parametrize(("mark", "seconds"), [(MARK, 300), (HOUR, 3600)])
def test_an_entry_ends_with_its_time_and_each_read_renews_it(
    ask: Ask,
    clock: Clock,
    mark: Body,
    seconds: int,
) -> None:
    _, written, _ = counts(ask(prompt(None, mark)))
    for _ in range(3):
        clock.now += seconds - 1
        assert counts(ask(prompt(None, mark)))[1:] == (0, written)
    clock.now += seconds
    assert counts(ask(prompt(None, mark)))[1:] == (written, 0)


def test_too_short_a_prefix_is_silently_not_cached(ask: Ask) -> None:
    fields = body(system=[text("Short.", cache_control=MARK)])
    assert counts(ask(fields))[1:] == (0, 0)
    assert counts(ask(fields))[1:] == (0, 0)


def test_the_smallest_prefix_depends_on_the_model(ask: Ask) -> None:
    system = [text(LONG, cache_control=MARK)]
    assert counts(ask(body(system=system)))[1] > 0
    assert counts(ask(body(system=system, model="claude-sonnet-5")))[1] == 0
    assert counts(ask(body(system=system * 2, model="claude-sonnet-5")))[1] > 0


def test_another_model_has_a_cache_of_its_own(ask: Ask) -> None:
    ask(prompt(None, MARK))
    assert counts(ask(prompt(None, MARK, model=HAIKU)))[2] == 0


def _edit(fields: Body, section: str) -> None:
    fields[section][0]["description" if section == "tools" else "text"] += " More."


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({}, 3),
        ({"max_tokens": 500}, 3),
        ({"output_config": {"effort": "high"}}, 3),
        ({"tool_choice": {"type": "auto"}}, 3),
        ({"output_config": {"effort": "low"}}, 2),
        ({"tool_choice": {"type": "none"}}, 2),
        ({"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}}, 2),
        ({"thinking": {"type": "between_tools"}}, 2),
        ({"speed": "fast"}, 1),
        ({"output_config": {"format": {"type": "json_schema", "schema": {}}}}, 1),
    ],
)
def test_a_parameter_invalidates_from_its_section_on(ask: Ask, change: Body, kept: int) -> None:
    fields = prompt(MARK, MARK, MARK)
    ask(fields)
    sections = [counts(ask(prompt(*[None] * n, MARK)))[2] for n in range(3)]
    assert counts(ask(fields | change))[2] == sections[kept - 1]


@pytest.mark.parametrize(("section", "kept"), [("tools", 0), ("system", 1)])
def test_a_changed_byte_invalidates_everything_after_it(ask: Ask, section: str, kept: int) -> None:
    fields = prompt(MARK, MARK, MARK)
    ask(fields)
    tools_only = counts(ask(prompt(MARK)))[2]
    changed = deepcopy(fields)
    _edit(changed, section)
    assert counts(ask(changed))[2] == kept * tools_only


def test_deferred_tools_are_not_in_the_prefix(ask: Ask) -> None:
    fields = prompt(None, MARK)
    _, written, _ = counts(ask(fields))
    fields["tools"].append(tool("leads__list", {"description": LONG}, defer_loading=True))
    assert counts(ask(fields))[1:] == (0, written)


def test_a_referenced_tool_counts_where_it_was_brought_in(ask: Ask) -> None:
    deferred = tool("leads__list", {"description": LONG}, defer_loading=True)
    reference = [{"type": "tool_reference", "tool_name": "leads__list"}]

    def fields(content: Any) -> Body:  # noqa: ANN401 - words or blocks
        messages = [user("hi"), assistant(call()), user(result(content=content))]
        return body(tools=[tool(), deferred], messages=messages)

    assert counts(ask(fields(reference)))[0] - counts(ask(fields("[]")))[0] > 800


def _round(number: int, calls: int) -> list[Body]:
    ids = [f"toolu_{number}_{each}" for each in range(calls)]
    return [assistant(*(call(each) for each in ids)), user(*(result(each) for each in ids))]


def _ends_marked(messages: list[Body]) -> list[Body]:
    marked = deepcopy(messages)
    marked[-1]["content"][-1]["cache_control"] = MARK
    return marked


@pytest.mark.parametrize(
    ("rounds", "calls", "hit"),
    [(9, 1, True), (10, 1, False), (9, 30, True), (1, 30, True)],
)
def test_the_look_back_is_twenty_positions_and_a_run_of_calls_is_one(
    ask: Ask,
    rounds: int,
    calls: int,
    hit: bool,  # noqa: FBT001 - a column of the table above
) -> None:
    start = [user(LONG)]
    _, written, _ = counts(ask(body(messages=_ends_marked(start))))
    later = [*start, *(each for n in range(rounds) for each in _round(n, calls))]
    assert counts(ask(body(messages=_ends_marked(later))))[2] == (written if hit else 0)


def test_top_level_caching_marks_the_last_block_of_each_request(ask: Ask) -> None:
    first = body(messages=[user(LONG)], cache_control=MARK)
    rest, written, _ = counts(ask(first))
    assert rest == 0
    second = first | {"messages": [*first["messages"], assistant("Yes."), user("Go on.")]}
    rest, more, read = counts(ask(second))
    assert (rest, read) == (0, written)
    assert more > 0


def test_no_tokens_warms_the_cache(ask: Ask) -> None:
    warm = ask(prompt(None, MARK, max_tokens=0))
    assert (warm.content, warm.stop_reason) == ([], "max_tokens")
    assert counts(ask(prompt(None, MARK)))[2] == counts(warm)[1]


def test_what_is_refused_caches_nothing(server: Server, ask: Ask) -> None:
    server.inject(FaultKind.OVERLOADED)
    with pytest.raises(anthropic.OverloadedError):
        ask(prompt(None, MARK))
    assert counts(ask(prompt(None, MARK)))[2] == 0


def test_an_entry_can_be_read_only_once_its_response_has_begun(server: Server) -> None:
    fields = MessagesRequest.model_validate(prompt(None, MARK))
    first, second = server.service.prepare(fields), server.service.prepare(fields)
    server.service.begin(first)
    third = server.service.prepare(fields)
    assert [each.plan.read > 0 for each in (first, second, third)] == [False, False, True]


def test_a_stream_tells_the_same_usage(server: Server, ask: Ask) -> None:
    whole = counts(ask(prompt(None, MARK)))
    with (
        anthropic.Anthropic(api_key="k", base_url=server.url) as sdk,
        sdk.messages.stream(**prompt(None, MARK)) as stream,
    ):
        streamed = counts(stream.get_final_message())
    assert streamed == (whole[0], 0, whole[1])


def diagnosed(ask: Ask, before: Body, after: Body) -> Diagnostics | None:
    first = ask(before)
    return ask(after | {"diagnostics": {"previous_message_id": first.id}}).diagnostics


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"model": HAIKU}, "model_changed"),
        ({"tools": [tool("other")]}, "tools_changed"),
        ({"system": "Another."}, "system_changed"),
        ({"messages": [user("other")]}, "messages_changed"),
        ({"output_config": {"effort": "low"}}, "unavailable"),
    ],
)
def test_a_miss_is_explained(ask: Ask, change: Body, reason: str) -> None:
    fields = prompt(MARK, MARK, MARK)
    found = diagnosed(ask, fields, fields | change)
    assert found is not None
    assert found.cache_miss_reason is not None
    assert found.cache_miss_reason.type == reason


def test_an_explained_miss_says_what_it_cost(ask: Ask) -> None:
    fields = prompt(MARK, MARK, MARK)
    found = diagnosed(ask, fields, fields | {"messages": [user("other")]})
    system_too = counts(ask(prompt(None, MARK)))[2]
    whole = counts(ask(fields))[2]
    assert found is not None
    reason = found.cache_miss_reason
    assert isinstance(reason, CacheMissMessagesChanged)
    assert reason.cache_missed_input_tokens == whole - system_too


def test_appending_is_no_miss(ask: Ask) -> None:
    fields = prompt(MARK, MARK, MARK)
    longer = fields | {"messages": [*fields["messages"], assistant("Yes."), user("Go on.")]}
    assert diagnosed(ask, fields, longer) is None


def test_an_unknown_previous_message_is_said_to_be_unknown(ask: Ask) -> None:
    found = ask(body(diagnostics={"previous_message_id": "msg_nobody"})).diagnostics
    assert found is not None
    assert found.cache_miss_reason == CacheMissPreviousMessageNotFound(
        type="previous_message_not_found"
    )
    assert ask(body(diagnostics={"previous_message_id": None})).diagnostics is None
