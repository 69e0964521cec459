"""What comes next in a turn: rounds, declines, skips, choices, stops, newer words."""

from collections.abc import Iterator, Sequence
from itertools import chain, repeat

from bot.turn.events import Asked, Ended, Event, Ran, Said
from bot.turn.plan import LONGEST, Signal
from tests.bot.turn.memory import Memory, Script, answer, begin, call, carry, results, said
from tools.kit.cards import ConfirmBatch, NotRun, Picked


def turn(lines: Sequence[Said], *answers: Sequence[str]) -> tuple[list[Event], Memory]:
    stored, memory = begin(), Memory()
    script = Script([*lines, said(text="done")])
    carry(stored, script, memory)
    for how in answers:
        answer(stored, how)
        carry(stored, script, memory)
    return stored, memory


def halted() -> Signal:
    return "halted"


def reasons(events: Sequence[Event]) -> dict[str, str]:
    return {key: card.reason for key, card in results(events).items() if isinstance(card, NotRun)}


def test_a_destructive_call_waits() -> None:
    events, memory = turn([said(call("1", "destroy", thing="a"))])
    assert isinstance(events[-1], Asked)
    assert memory.things["a"] == 0


def test_several_calls_are_decided_in_one_round() -> None:
    events, _ = turn([said(call("1", "destroy", thing="a"), call("2", "destroy", thing="b"))])
    assert isinstance(events[-1], Asked)
    assert isinstance(events[-1].card, ConfirmBatch)
    assert events[-1].call_ids == ("1", "2")


def test_everything_of_a_mixed_message_waits_reads_too() -> None:
    events, memory = turn([said(call("1", "write", thing="b"), call("2", "destroy", thing="a"))])
    assert memory.things == {"a": 0, "b": 0, "c": 0}
    assert not results(events)


def test_a_held_call_after_a_declined_one_is_skipped_and_approved_ones_run() -> None:
    calls = [
        call("1", "write", thing="c"),
        call("2", "destroy", thing="a"),
        call("3", "write", thing="c"),
        call("4", "destroy", thing="b"),
    ]
    events, memory = turn([said(*calls)], ("no", "yes"))
    assert reasons(events) == {"2": "declined", "3": "skipped"}
    assert memory.things == {"a": 0, "b": 1, "c": 1}


def test_the_model_is_resumed_once_with_every_result() -> None:
    events, _ = turn(
        [said(call("1", "destroy", thing="a"), call("2", "destroy", thing="b"))], ("yes", "no")
    )
    assert [event.type for event in events[-4:]] == ["ran", "ran", "said", "ended"]


def test_a_failure_skips_the_later_held_ones_of_a_mixed_round() -> None:
    calls = [
        call("1", "write", thing="nowhere"),
        call("2", "destroy", thing="a"),
        call("3", "write", thing="b"),
    ]
    events, memory = turn([said(*calls)], ("yes",))
    assert reasons(events) == {"3": "skipped"}
    assert memory.things == {"a": 1, "b": 0, "c": 0}


def test_without_a_question_a_failure_skips_nothing() -> None:
    events, memory = turn(
        [said(call("1", "write", thing="nowhere"), call("2", "write", thing="b"))]
    )
    assert reasons(events) == {}
    assert memory.things["b"] == 1


def test_a_choice_comes_alone_and_first() -> None:
    events, _ = turn([said(call("1", "destroy", thing="a"), call("2", "pick"))])
    assert isinstance(events[-1], Asked)
    assert events[-1].kind == "pick"


def test_what_was_chosen_is_the_result() -> None:
    events, _ = turn([said(call("1", "pick"))], ("y",))
    card = results(events)["1"]
    assert isinstance(card, Picked)
    assert card.option is not None
    assert card.option.id == "y"


def test_an_expired_question_ends_the_turn_without_the_model() -> None:
    events, _ = turn(
        [said(call("1", "destroy", thing="a"), call("2", "write", thing="b"))], ("expired",)
    )
    assert reasons(events) == {"1": "expired", "2": "skipped"}
    assert events[-1] == Ended(reason="expired")


def test_newer_words_supersede_the_question() -> None:
    events, memory = turn(
        [said(call("1", "destroy", thing="a"), call("2", "write", thing="b"))], ("superseded",)
    )
    assert reasons(events) == {"1": "superseded", "2": "superseded"}
    assert memory.things["b"] == 0


def test_newer_words_halt_before_the_next_write() -> None:
    stored, memory = begin(), Memory()
    stored.append(said(call("1", "read", thing="a"), call("2", "write", thing="a")))
    carry(stored, Script([]), memory, watch=halted)
    assert reasons(stored) == {"1": "halted", "2": "halted"}
    assert memory.things["a"] == 0
    assert stored[-1] == Ended(reason="halted")


def test_a_card_is_not_shown_to_somebody_who_has_spoken_again() -> None:
    stored, memory = begin(), Memory()
    stored.append(said(call("1", "destroy", thing="a")))
    carry(stored, Script([]), memory, watch=halted)
    assert not any(isinstance(event, Asked) for event in stored)
    assert reasons(stored) == {"1": "halted"}


def test_stop_keeps_what_was_said_without_its_calls() -> None:
    stored, memory = begin(), Memory()
    signals: Iterator[Signal] = chain([None], repeat("stopped"))
    line = said(call("1", "write", thing="a"), text="I'll do it")
    carry(stored, Script([line]), memory, watch=lambda: next(signals))
    assert isinstance(stored[1], Said)
    assert (stored[1].text, stored[1].calls) == ("I'll do it", ())
    assert stored[-1] == Ended(reason="stopped")
    assert memory.things["a"] == 0


def test_a_target_that_moved_is_asked_anew() -> None:
    stored, memory = begin(), Memory()
    script = Script([said(call("1", "destroy", thing="a")), said(text="done")])
    carry(stored, script, memory)
    answer(stored, ("yes",))
    memory.booked = 9
    carry(stored, script, memory)
    assert isinstance(stored[-1], Asked)
    assert memory.things["a"] == 0
    answer(stored, ("yes",))
    carry(stored, script, memory)
    assert memory.things["a"] == 1


def test_a_loop_of_calls_ends() -> None:
    lines = [said(call(str(n), "read", thing="a")) for n in range(LONGEST + 5)]
    events, _ = turn(lines)
    assert events[-1] == Ended(reason="too_long")
    assert sum(isinstance(event, Said) for event in events) == LONGEST


def test_calls_of_a_refusal_never_run() -> None:
    refused = Said(text="", blocks=(), calls=(), stop_reason="refusal")
    events, _ = turn([refused])
    assert events[-1] == Ended(reason="refused")
    assert not any(isinstance(event, Ran) for event in events)
