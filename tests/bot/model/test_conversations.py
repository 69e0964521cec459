"""Whole turns through engine, SDK and the strict stand-in: prefix and thinking hold."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot.model.prompt import Toolset, prefix
from bot.model.usage import Usage
from bot.playground.model_api.server import Server
from bot.turn.advance import Watch, advance
from bot.turn.events import Answered, Asked, Delta, Ended, Event, Restart, event_json
from bot.turn.plan import Signal
from tests.bot.model.conftest import FACTS, Talk
from tests.bot.model.samples import TOOLS, SmallRunner, heard
from tools.kit.calls import Decision

FIND = {"calls": [{"name": "read__find_members", "input": {"q": "Dana"}}]}
CANCEL = {"calls": [{"name": "class_sessions__cancel", "input": {"q": "1"}}]}
BOTH = {"calls": [*FIND["calls"], {"name": "read__find_members", "input": {"q": "Tom"}}]}
WORDS = {"say": "Dana Levi, a member since spring."}
Turns = Sequence[Sequence[Event]]


def run(
    talk: Talk, earlier: Turns, history: Sequence[Event], watch: Watch = lambda: None
) -> list[Event]:
    """The turn's events after this run, as they come back from the table."""
    steps = advance(history, model=talk.model(earlier), runner=SmallRunner(), watch=watch)
    kept = [event for event in steps if not isinstance(event, Delta | Restart)]
    return [event_json.validate_json(event_json.dump_json(each)) for each in [*history, *kept]]


def answered(asked: Event, *, outcome: str = "decided", approved: bool = True) -> Answered:
    assert isinstance(asked, Asked)
    decisions = {
        call: Decision(approved=approved, target=target)
        for call, target in zip(asked.call_ids, asked.targets, strict=True)
    }
    closed = {} if outcome != "decided" else decisions
    return Answered.model_validate(
        {"question_id": asked.question_id, "outcome": outcome, "decisions": closed}
    )


def assert_all_well(used: Sequence[Usage]) -> None:
    """Nothing was refused, and no prefix was found changed."""
    assert [(usage.outcome, usage.cache_miss_reason) for usage in used] == [("whole", None)] * len(
        used
    )


def last(history: Sequence[Event]) -> Event:
    return history[-1]


def test_each_call_reads_what_the_one_before_has_cached(play: Callable[..., Talk]) -> None:
    talk = play(FIND, WORDS, BOTH, WORDS, WORDS)
    turns: list[list[Event]] = []
    for text in ("who is Dana?", "and Tom?", "thanks for that"):
        turns.append(run(talk, turns, [heard(text)]))
    assert all(last(turn) == Ended(reason="done") for turn in turns)
    first, *later = talk.used
    assert_all_well(talk.used)
    assert first.cache_write_5m > 0
    assert first.cache_read == 0
    for before, usage in zip(talk.used, later, strict=False):
        assert usage.cache_read == before.cache_read + before.cache_write_5m
        assert usage.input < 20


def test_bound_thinking_survives_a_wait_for_approval(play: Callable[..., Talk]) -> None:
    talk = play(FIND, CANCEL, WORDS, WORDS)
    turn = run(talk, [], [heard("cancel it")])
    turn = run(talk, [], [*turn, answered(last(turn))])
    assert last(turn) == Ended(reason="done")
    after = run(talk, [turn], [heard("and now?")])
    assert last(after) == Ended(reason="done")
    assert_all_well(talk.used)


def test_a_declined_call_is_told_and_the_model_goes_on(play: Callable[..., Talk]) -> None:
    talk = play(CANCEL, WORDS)
    turn = run(talk, [], [heard("cancel it")])
    turn = run(talk, [], [*turn, answered(last(turn), approved=False)])
    assert last(turn) == Ended(reason="done")
    assert_all_well(talk.used)


def test_a_superseded_question_leaves_a_transcript_to_go_on_with(
    play: Callable[..., Talk], server: Server
) -> None:
    talk = play(CANCEL, WORDS)
    turn = run(talk, [], [heard("cancel it")])
    turn = run(talk, [], [*turn, answered(last(turn), outcome="superseded")])
    assert last(turn) == Ended(reason="superseded")
    play({"when": "rather", "steps": [WORDS]})
    after = run(talk, [turn], [heard("rather tell me who is in")])
    assert last(after) == Ended(reason="done")
    assert_all_well(talk.used)
    content = server.requests[-1].body["messages"][-1]["content"]
    assert [block["type"] for block in content] == ["tool_result", "text", "text"]


def test_halted_calls_are_told_before_the_newer_words(play: Callable[..., Talk]) -> None:
    create = {"calls": [{"name": "class_sessions__create", "input": {"q": "1"}}]}
    talk = play(create)
    turn = run(talk, [], [heard("put open gym")], watch=lambda: "halted")
    assert last(turn) == Ended(reason="halted")
    play({"when": "no", "steps": [WORDS]})
    assert last(run(talk, [turn], [heard("no, spinning")])) == Ended(reason="done")
    assert_all_well(talk.used)


def test_a_stopped_message_is_kept_as_far_as_it_was_said(play: Callable[..., Talk]) -> None:
    talk = play(WORDS)
    signals: Iterator[Signal] = iter([None, None, "stopped"])
    turn = run(talk, [], [heard("who is Dana?")], watch=lambda: next(signals, "stopped"))
    assert last(turn) == Ended(reason="stopped")
    play({"when": "go on", "steps": [WORDS]})
    assert last(run(talk, [turn], [heard("go on")])) == Ended(reason="done")
    assert [usage.outcome for usage in talk.used] == ["closed", "whole"]


def test_a_new_prefix_drops_the_thinking_bound_to_the_old_one(play: Callable[..., Talk]) -> None:
    talk = play(FIND, WORDS, WORDS)
    turn = run(talk, [], [heard("who is Dana?")])
    talk.prefix = prefix(Toolset.of(TOOLS[:2]), FACTS)
    assert last(run(talk, [turn], [heard("again")])) == Ended(reason="done")
    assert [usage.outcome for usage in talk.used] == ["whole"] * 3


def test_thinking_of_another_model_is_never_sent(play: Callable[..., Talk], server: Server) -> None:
    talk = play(FIND, WORDS, WORDS)
    turn = run(talk, [], [heard("who is Dana?")])
    talk.settings = replace(talk.settings, model="claude-haiku-5-5")
    assert last(run(talk, [turn], [heard("again")])) == Ended(reason="done")
    assert '"thinking"' not in str(server.requests[-1].body["messages"])


def test_thinking_that_no_longer_fits_is_dropped_and_asked_again(
    play: Callable[..., Talk],
) -> None:
    """What was redacted in an old turn breaks the seal of everything after it."""
    talk = play(FIND, WORDS, WORDS)
    turn = run(talk, [], [heard("who is Dana?")])
    redacted: list[Event] = [heard("(erased)"), *turn[1:]]
    after = run(talk, [redacted], [heard("again")])
    assert last(after) == Ended(reason="done")
    assert [usage.outcome for usage in talk.used] == ["whole", "whole", "refused", "whole"]


def test_one_mark_each_stands_on_static_gym_and_tail(
    play: Callable[..., Talk], server: Server
) -> None:
    run(play(BOTH, WORDS), [], [heard("who are they?")])
    body: dict[str, Any] = dict(server.requests[-1].body)
    assert [bool(block.get("cache_control")) for block in body["system"]] == [True, True]
    marked = [
        (at, number)
        for at, message in enumerate(body["messages"])
        for number, block in enumerate(message["content"])
        if "cache_control" in block
    ]
    assert marked == [(len(body["messages"]) - 1, 1)]
    assert body["output_config"] == {"effort": "low"}
    assert "thinking" not in body
    assert body["diagnostics"]["previous_message_id"].startswith("msg_")
