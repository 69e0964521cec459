"""Every fault of the model's vendor, made by the stand-in and met through the real SDK."""

from collections.abc import Callable, Generator
from dataclasses import replace

import pytest

from bot.playground.model_api.faults import Fault, FaultKind
from bot.playground.model_api.server import Server
from bot.turn.events import Delta, Ended, Event, Restart, Said
from tests.bot.model.conftest import Talk
from tests.bot.model.samples import heard

HISTORY = [heard("who is Dana?")]
WORDS = {"say": "Dana Levi is a member since spring, and on the list for today."}
FIND = {"calls": [{"name": "read__find_members", "input": {"q": "Dana"}}]}
Play = Callable[..., Talk]


def ask(talk: Talk) -> list[Event]:
    return list(talk.model().reply(HISTORY))


def words_shown(events: list[Event]) -> str:
    """What a page shows in the end: a restart drops what was there."""
    shown = ""
    for event in events:
        match event:
            case Delta(text=text):
                shown += text
            case Restart():
                shown = ""
            case _:
                pass
    return shown


def test_a_plain_answer_is_streamed_and_then_told_whole(play: Play) -> None:
    *deltas, said = ask(play(WORDS))
    assert isinstance(said, Said)
    assert len(deltas) > 1
    assert words_shown(deltas) == said.text == WORDS["say"]
    assert said.stop_reason == "end_turn"
    assert said.calls == ()
    assert [block["type"] for block in said.blocks] == ["thinking", "text"]


def test_calls_come_only_with_the_whole_message(play: Play) -> None:
    [said] = ask(play(FIND))
    assert isinstance(said, Said)
    [call] = said.calls
    assert (call.name, call.input) == ("read__find_members", {"q": "Dana"})


def test_a_call_without_arguments_has_an_empty_input(play: Play) -> None:
    [said] = ask(play({"calls": [{"name": "read__find_members"}]}))
    assert isinstance(said, Said)
    assert said.calls[0].input == {}


BEFORE = [
    FaultKind.OVERLOADED,
    FaultKind.SERVER_ERROR,
    FaultKind.UNAVAILABLE,
    FaultKind.TIMED_OUT,
    FaultKind.CONFLICT,
    FaultKind.RESET,
]
MIDSTREAM = [
    FaultKind.CUT,
    FaultKind.DROPPED,
    FaultKind.OVERLOADED_MIDSTREAM,
    FaultKind.ERROR_MIDSTREAM,
]


@pytest.mark.parametrize("kind", BEFORE)
def test_a_fault_before_the_stream_is_asked_again(play: Play, kind: FaultKind) -> None:
    talk = play({**WORDS, "faults": [Fault(kind=kind, times=2)]})
    events = ask(talk)
    assert words_shown(events) == WORDS["say"]
    assert not any(isinstance(event, Restart) for event in events)
    assert talk.slept == [0.5, 1.0]


@pytest.mark.parametrize("kind", MIDSTREAM)
@pytest.mark.parametrize("after", [0, 3])
def test_a_broken_stream_starts_again(play: Play, kind: FaultKind, after: int) -> None:
    talk = play({**WORDS, "faults": [Fault(kind=kind, after=after)]})
    events = ask(talk)
    assert [type(event) for event in events if not isinstance(event, Delta)] == [Restart, Said]
    assert words_shown(events) == WORDS["say"]


@pytest.mark.parametrize("kind", MIDSTREAM)
def test_calls_of_a_broken_stream_never_run(play: Play, kind: FaultKind) -> None:
    talk = play({**FIND, "faults": [Fault(kind=kind, after=2)]})
    restart, said = ask(talk)
    assert isinstance(restart, Restart)
    assert isinstance(said, Said)
    assert len(said.calls) == 1


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (FaultKind.OVERLOADED, "busy"),
        (FaultKind.OVERLOADED_MIDSTREAM, "busy"),
        (FaultKind.RATE_LIMITED, "busy"),
        (FaultKind.SERVER_ERROR, "model_failed"),
        (FaultKind.RESET, "model_failed"),
        (FaultKind.CUT, "model_failed"),
        (FaultKind.DROPPED, "model_failed"),
        (FaultKind.ERROR_MIDSTREAM, "model_failed"),
    ],
)
def test_patience_ends(play: Play, server: Server, kind: FaultKind, reason: str) -> None:
    talk = play({**WORDS, "faults": [Fault(kind=kind, times=None)]})
    talk.settings = replace(talk.settings, attempts=3)
    events = ask(talk)
    assert isinstance(events[-1], Ended)
    assert events[-1].reason == reason
    assert len(server.requests) == 3


def test_a_silent_stream_is_given_up_and_asked_again(play: Play) -> None:
    talk = play({**WORDS, "faults": [Fault(kind=FaultKind.SILENCE, seconds=3)]})
    talk.client = talk.client.with_options(timeout=0.3)
    assert words_shown(ask(talk)) == WORDS["say"]


def test_a_rate_limit_is_waited_out_as_long_as_it_says(play: Play) -> None:
    talk = play({**WORDS, "faults": [Fault(kind=FaultKind.RATE_LIMITED, retry_after=7)]})
    assert words_shown(ask(talk)) == WORDS["say"]
    assert talk.slept == [7.5]


def test_a_long_rate_limit_is_not_waited_out(play: Play, server: Server) -> None:
    talk = play({**WORDS, "faults": [Fault(kind=FaultKind.RATE_LIMITED, retry_after=120)]})
    assert ask(talk) == [Ended(reason="busy")]
    assert talk.slept == []
    assert len(server.requests) == 1


@pytest.mark.parametrize("kind", [FaultKind.SPEND_CAP, FaultKind.UNPAID, FaultKind.FORBIDDEN])
def test_what_waiting_does_not_lift_is_not_asked_again(
    play: Play, server: Server, kind: FaultKind
) -> None:
    talk = play({**WORDS, "faults": [Fault(kind=kind, times=None)]})
    assert ask(talk) == [Ended(reason="model_failed")]
    assert len(server.requests) == 1


def test_a_request_that_is_refused_is_not_asked_again(play: Play, server: Server) -> None:
    talk = play(WORDS)
    talk.settings = replace(talk.settings, model="claude-nobody-1")
    assert ask(talk) == [Ended(reason="model_failed")]
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("kind", "stop_reason"),
    [
        (FaultKind.REFUSAL, "refusal"),
        (FaultKind.MAX_TOKENS, "max_tokens"),
        (FaultKind.TRUNCATED_JSON, "max_tokens"),
        (FaultKind.CONTEXT_EXCEEDED, "model_context_window_exceeded"),
        (FaultKind.UNKNOWN_STOP_REASON, "sudden_inspiration"),
    ],
)
def test_only_a_message_that_stopped_for_its_tools_has_calls(
    play: Play, kind: FaultKind, stop_reason: str
) -> None:
    talk = play({**WORDS, **FIND, "fault": kind}, WORDS)
    *_, said = ask(talk)
    assert isinstance(said, Said)
    assert said.calls == ()
    assert said.stop_reason == stop_reason


@pytest.mark.parametrize("kind", [FaultKind.REFUSAL, FaultKind.TRUNCATED_JSON, FaultKind.EMPTY])
def test_the_conversation_goes_on_after_a_message_without_use(play: Play, kind: FaultKind) -> None:
    talk = play({**FIND, "fault": kind, "stop_reason": None}, WORDS, WORDS)
    *_, said = ask(talk)
    assert isinstance(said, Said)
    talk = play(WORDS)
    *_, answer = talk.model([[*HISTORY, said]]).reply([heard("again")])
    assert isinstance(answer, Said)
    assert answer.text == WORDS["say"]


def test_an_empty_message_ends_without_words(play: Play) -> None:
    [said] = ask(play({**WORDS, "fault": FaultKind.EMPTY}))
    assert isinstance(said, Said)
    assert (said.text, said.blocks, said.calls) == ("", (), ())


def test_a_paused_message_is_gone_on_with(play: Play, server: Server) -> None:
    *_, said = ask(play({**FIND, "fault": FaultKind.PAUSE_TURN}))
    assert isinstance(said, Said)
    assert said.stop_reason == "tool_use"
    assert [call.name for call in said.calls] == ["read__find_members"]
    assert len(server.requests) == 2


def test_twenty_calls_at_once_are_all_kept_in_order(play: Play) -> None:
    [said] = ask(play({**FIND, "fault": FaultKind.TWENTY_CALLS}))
    assert isinstance(said, Said)
    ids = [block["id"] for block in said.blocks if block["type"] == "tool_use"]
    assert len(ids) == 20
    assert [call.id for call in said.calls] == ids


def test_two_calls_with_the_same_arguments_are_two_calls(play: Play) -> None:
    [said] = ask(play({**FIND, "fault": FaultKind.TWIN_CALLS}))
    assert isinstance(said, Said)
    first, second = said.calls
    assert first.id != second.id
    assert first.input == second.input


def test_a_tool_that_does_not_exist_is_left_to_the_runner(play: Play) -> None:
    [said] = ask(play({**FIND, "fault": FaultKind.UNKNOWN_TOOL}))
    assert isinstance(said, Said)
    assert said.calls[-1].name == "studio__teleport"


@pytest.mark.parametrize("kind", [FaultKind.UNKNOWN_BLOCK, FaultKind.UNKNOWN_EVENT])
def test_what_nobody_knows_is_passed_over(play: Play, kind: FaultKind) -> None:
    *_, said = ask(play({**WORDS, "fault": kind}))
    assert isinstance(said, Said)
    assert said.text == WORDS["say"]


def test_closing_the_reply_closes_the_connection_and_records_it(play: Play) -> None:
    talk = play(WORDS)
    stream = talk.model().reply(HISTORY)
    assert isinstance(stream, Generator)
    assert isinstance(next(stream), Delta)
    stream.close()
    [usage] = talk.used
    assert usage.outcome == "closed"
    assert usage.input + usage.cache_write_5m > 0


def test_every_call_is_recorded_the_failed_ones_too(play: Play) -> None:
    faults = [Fault(kind=FaultKind.OVERLOADED), Fault(kind=FaultKind.CUT, after=3)]
    talk = play({**WORDS, "faults": faults})
    ask(talk)
    assert [usage.outcome for usage in talk.used] == ["refused", "cut", "whole"]
    refused, cut, whole = talk.used
    assert (refused.status, refused.prompt) == (529, 0)
    assert cut.prompt == whole.prompt > 0
    assert whole.output > 0
    assert whole.stop_reason == "end_turn"
    assert whole.request_id.startswith("req_")
    assert whole.first_byte_ms is not None
