"""Every fault on demand: as the real SDK meets it, and only as often as it was asked for."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest

from bot.playground.model_api.faults import FaultKind
from bot.playground.model_api.script import ScriptBrain
from bot.playground.model_api.server import Server
from tests.bot.playground.model_api.bodies import Body, body, result, text, tool, user
from tests.bot.playground.model_api.wire import events, post

CALLS = [
    {"name": "bookings__list", "input": {"to": ["Dana", "Noa", "Avi"], "day": "2026-12-01"}},
    {"name": "bookings__cancel", "input": {"id": 7}},
]
SCRIPT = [{"say": "Let me look at it.", "calls": CALLS}, {"say": "Done."}]


@pytest.fixture
def brain() -> ScriptBrain:
    return ScriptBrain(SCRIPT)


Ask = Callable[[anthropic.Anthropic], anthropic.types.Message]


def create(client: anthropic.Anthropic, fields: Body | None = None) -> anthropic.types.Message:
    make: Any = client.messages.create
    answer: anthropic.types.Message = make(**(fields or body()))
    return answer


def streamed(client: anthropic.Anthropic, fields: Body | None = None) -> anthropic.types.Message:
    with client.messages.stream(**(fields or body())) as stream:
        return stream.get_final_message()


def names(answer: anthropic.types.Message) -> list[str]:
    calls = (b for b in answer.content if isinstance(b, anthropic.types.ToolUseBlock))
    return [call.name for call in calls]


@pytest.mark.parametrize("ask", [create, streamed])
@pytest.mark.parametrize(
    ("kind", "error"),
    [
        (FaultKind.RATE_LIMITED, anthropic.RateLimitError),
        (FaultKind.SPEND_CAP, anthropic.RateLimitError),
        (FaultKind.OVERLOADED, anthropic.OverloadedError),
        (FaultKind.SERVER_ERROR, anthropic.InternalServerError),
        (FaultKind.UNAVAILABLE, anthropic.ServiceUnavailableError),
        (FaultKind.TIMED_OUT, anthropic.GatewayTimeoutError),
        (FaultKind.UNPAID, anthropic.PaymentRequiredError),
        (FaultKind.FORBIDDEN, anthropic.PermissionDeniedError),
        (FaultKind.CONFLICT, anthropic.ConflictError),
    ],
)
def test_a_fault_comes_in_place_of_an_answer_and_then_is_over(
    client: anthropic.Anthropic,
    server: Server,
    kind: FaultKind,
    error: type[anthropic.APIStatusError],
    ask: Ask,
) -> None:
    server.inject(kind)
    with pytest.raises(error):
        ask(client)
    assert ask(client).stop_reason == "tool_use"


def test_a_rate_limit_says_when_to_come_back_and_a_spend_cap_does_not(server: Server) -> None:
    server.inject(FaultKind.RATE_LIMITED, retry_after=120)
    server.inject(FaultKind.SPEND_CAP)
    limited, capped = post(server, body()), post(server, body())
    assert limited.headers["retry-after"] == "120"
    assert "retry-after" not in capped.headers
    details = capped.json()["error"]["details"]
    assert details == {"error_code": "enforced_spend_limit_reached"}


@pytest.mark.parametrize("ask", [create, streamed])
def test_a_reset_comes_before_the_headers(
    client: anthropic.Anthropic,
    server: Server,
    ask: Ask,
) -> None:
    server.inject(FaultKind.RESET)
    with pytest.raises(anthropic.APIConnectionError):
        ask(client)
    assert server.requests[-1].status == 0


def test_silence_lasts_until_the_caller_gives_up(
    client: anthropic.Anthropic, server: Server
) -> None:
    server.inject(FaultKind.SILENCE, seconds=2)
    with pytest.raises(anthropic.APITimeoutError):
        create(client, body() | {"timeout": 0.2})


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (FaultKind.OVERLOADED_MIDSTREAM, "overloaded_error"),
        (FaultKind.ERROR_MIDSTREAM, "api_error"),
    ],
)
def test_an_error_inside_a_stream_comes_under_status_200(
    client: anthropic.Anthropic, server: Server, kind: FaultKind, says: str
) -> None:
    server.inject(kind, after=3)
    server.inject(kind)
    came = events(server, body())
    assert [name for name, _ in came].count("content_block_delta") == 3
    assert came[-1][0] == "error"
    with pytest.raises(anthropic.APIStatusError) as caught:
        streamed(client)
    assert caught.value.status_code == 200
    assert says in str(caught.value)


def test_a_fault_after_more_deltas_than_there_are_strikes_before_the_end(server: Server) -> None:
    server.inject(FaultKind.CUT, after=10_000)
    came = events(server, body())
    assert came[-1][0] == "content_block_stop"


def test_a_cut_stream_ends_well_but_without_message_stop(
    client: anthropic.Anthropic, server: Server
) -> None:
    server.inject(FaultKind.CUT, after=4)
    partial = streamed(client)
    assert partial.stop_reason is None
    assert not server.requests[-1].complete


def test_a_dropped_stream_breaks_in_the_middle(client: anthropic.Anthropic, server: Server) -> None:
    server.inject(FaultKind.DROPPED, after=4)
    with pytest.raises((httpx2.RemoteProtocolError, anthropic.APIConnectionError)):
        streamed(client)


@pytest.mark.parametrize("ask", [create, streamed])
def test_torn_json_parses_to_wrong_arguments(
    client: anthropic.Anthropic,
    server: Server,
    brain: ScriptBrain,
    ask: Ask,
) -> None:
    brain.load([{"calls": CALLS[:1]}])
    server.inject(FaultKind.TRUNCATED_JSON)
    answer = ask(client)
    call = answer.content[-1]
    assert answer.stop_reason == "max_tokens"
    assert isinstance(call, anthropic.types.ToolUseBlock)
    assert call.input != CALLS[0]["input"]
    assert call.input["to"] == ["Dana", "Noa", "Avi"]


@pytest.mark.parametrize("ask", [create, streamed])
@pytest.mark.parametrize(
    ("kind", "stop_reason"),
    [
        (FaultKind.MAX_TOKENS, "max_tokens"),
        (FaultKind.REFUSAL, "refusal"),
        (FaultKind.CONTEXT_EXCEEDED, "model_context_window_exceeded"),
        (FaultKind.UNKNOWN_STOP_REASON, "sudden_inspiration"),
    ],
)
def test_a_stop_reason_may_come_with_calls_that_look_complete(
    client: anthropic.Anthropic,
    server: Server,
    kind: FaultKind,
    stop_reason: str,
    ask: Ask,
) -> None:
    server.inject(kind)
    answer = ask(client)
    assert answer.stop_reason == stop_reason
    assert names(answer) == ["bookings__list", "bookings__cancel"]


def test_a_refusal_has_its_category(client: anthropic.Anthropic, server: Server) -> None:
    server.inject(FaultKind.REFUSAL)
    details = streamed(client).stop_details
    assert details is not None
    assert details.category == "general_harms"


def test_a_paused_turn_goes_on_when_it_is_sent_back(
    client: anthropic.Anthropic, server: Server
) -> None:
    server.inject(FaultKind.PAUSE_TURN)
    paused = streamed(client)
    assert paused.stop_reason == "pause_turn"
    so_far = {"role": "assistant", "content": paused.model_dump(exclude_none=True)["content"]}
    resumed = streamed(client, body(messages=[user("hi"), so_far]))
    assert [block.type for block in resumed.content][1:] == [
        "tool_search_tool_result",
        "text",
        "tool_use",
        "tool_use",
    ]
    rest = {"role": "assistant", "content": resumed.model_dump(exclude_none=True)["content"]}
    calls = [b.id for b in resumed.content if isinstance(b, anthropic.types.ToolUseBlock)]
    after = body(messages=[user("hi"), so_far, rest, user(*map(result, calls))])
    assert streamed(client, after).content[-1].model_dump()["text"] == "Done."


def test_a_block_of_an_unknown_kind_is_taken_back(
    client: anthropic.Anthropic, server: Server
) -> None:
    server.inject(FaultKind.UNKNOWN_BLOCK)
    answer = post(server, body()).json()
    assert [block["type"] for block in answer["content"]][:2] == ["thinking", "novel_block"]
    calls = [block["id"] for block in answer["content"] if block["type"] == "tool_use"]
    so_far = {"role": "assistant", "content": answer["content"]}
    going_on = body(messages=[user("hi"), so_far, user(*map(result, calls))])
    assert create(client, going_on).stop_reason == "end_turn"


def test_the_sdk_passes_over_an_unknown_event(client: anthropic.Anthropic, server: Server) -> None:
    server.inject(FaultKind.UNKNOWN_EVENT, times=2)
    assert events(server, body())[2][0] == "weather_report"
    assert names(streamed(client)) == ["bookings__list", "bookings__cancel"]


def test_twenty_calls_come_at_once(client: anthropic.Anthropic, server: Server) -> None:
    server.inject(FaultKind.TWENTY_CALLS)
    answer = streamed(client)
    assert len(names(answer)) == 20
    ids = {b.id for b in answer.content if isinstance(b, anthropic.types.ToolUseBlock)}
    assert len(ids) == 20


def test_two_calls_may_be_alike_but_for_their_ids(
    client: anthropic.Anthropic, server: Server
) -> None:
    server.inject(FaultKind.TWIN_CALLS)
    calls = [b for b in streamed(client).content if isinstance(b, anthropic.types.ToolUseBlock)]
    assert (calls[0].name, calls[0].input) == (calls[-1].name, calls[-1].input)
    assert calls[0].id != calls[-1].id


def test_a_tool_nobody_offered_is_called(client: anthropic.Anthropic, server: Server) -> None:
    server.inject(FaultKind.UNKNOWN_TOOL)
    assert names(create(client, body(tools=[tool()])))[-1] == "studio__teleport"


@pytest.mark.parametrize("ask", [create, streamed])
def test_an_answer_may_be_empty(client: anthropic.Anthropic, server: Server, ask: Ask) -> None:
    server.inject(FaultKind.EMPTY)
    answer = ask(client)
    assert (answer.content, answer.stop_reason) == ([], "end_turn")


def test_a_scripts_fault_strikes_a_request_once_and_its_retry_is_answered(
    client: anthropic.Anthropic, brain: ScriptBrain
) -> None:
    brain.load([{"say": "Fine.", "faults": ["overloaded", {"kind": "rate_limited", "times": 2}]}])
    for error in (anthropic.OverloadedError, *[anthropic.RateLimitError] * 2):
        with pytest.raises(error):
            create(client)
    assert create(client).stop_reason == "end_turn"
    with pytest.raises(anthropic.OverloadedError):
        create(client, body(messages=[user("another conversation")]))


def test_a_fault_may_strike_always(client: anthropic.Anthropic, brain: ScriptBrain) -> None:
    brain.load([{"say": "No.", "fault": {"kind": "refusal", "times": None}}])
    assert [create(client).stop_reason for _ in range(3)] == ["refusal"] * 3


def test_a_fault_in_the_answer_waits_for_one_that_keeps_it_from_arriving(
    client: anthropic.Anthropic, brain: ScriptBrain
) -> None:
    brain.load([{"say": "No.", "faults": ["refusal", "overloaded"]}])
    with pytest.raises(anthropic.OverloadedError):
        create(client)
    assert [create(client).stop_reason for _ in range(2)] == ["refusal", "end_turn"]


def test_a_fault_strikes_only_whom_it_is_meant_for(
    client: anthropic.Anthropic, server: Server
) -> None:
    server.inject(FaultKind.OVERLOADED, when="cancel", model="sonnet")
    assert create(client).stop_reason == "tool_use"
    context = text("<turn_context>page: /cancel</turn_context>")
    assert create(client, body(messages=[user(context, "hi")])).stop_reason == "tool_use"
    with pytest.raises(anthropic.OverloadedError):
        create(client, body(messages=[user("Cancel it")]))


def test_the_sdk_retries_a_rate_limit_when_it_is_told_to(
    client: anthropic.Anthropic, server: Server
) -> None:
    server.inject(FaultKind.RATE_LIMITED, retry_after=0.01)
    assert create(client.with_options(max_retries=1)).stop_reason == "tool_use"
    counts = [received.headers["x-stainless-retry-count"] for received in server.requests]
    assert counts == ["0", "1"]


def test_every_kind_of_fault_is_tried_here() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [kind for kind in FaultKind if f"FaultKind.{kind.name}" not in source] == []
