"""Killed after any event, for every combination of answers.

A turn ends in the same history and the same studio.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product

import pytest

from bot.turn.events import Asked, Ended, Event, Said
from tests.bot.turn.memory import Killed, Memory, Script, answer, begin, call, carry, said, shape

READ, WRITE = ("read", "write")
SCRIPTS: dict[str, Sequence[Said]] = {
    "words only": [said(text="Hello")],
    "a read": [said(call("1", READ, thing="a")), said(text="done")],
    "reads side by side": [
        said(call("1", READ, thing="a"), call("2", READ, thing="b")),
        said(text="done"),
    ],
    "a write": [said(call("1", WRITE, thing="a")), said(text="done")],
    "one to approve": [said(call("1", "destroy", thing="a")), said(text="done")],
    "a mixed batch": [
        said(
            call("1", READ, thing="a"),
            call("2", "destroy", thing="a"),
            call("3", WRITE, thing="b"),
            call("4", "destroy", thing="b"),
            call("5", WRITE, thing="c"),
        ),
        said(text="done"),
    ],
    "one fails": [
        said(
            call("1", WRITE, thing="nowhere"),
            call("2", "destroy", thing="a"),
            call("3", WRITE, thing="b"),
        ),
        said(text="done"),
    ],
    "a choice, then a yes": [
        said(call("1", "pick"), call("2", "destroy", thing="a"), call("3", WRITE, thing="b")),
        said(text="done"),
    ],
    "two rounds": [
        said(call("1", "destroy", thing="a")),
        said(call("2", "destroy", thing="b"), call("3", "destroy", thing="c")),
        said(text="done"),
    ],
}
UNDECIDED = ("expired", "superseded", "stopped")


def answers_to(asked: Asked) -> Iterator[tuple[str, ...]]:
    words = ("x", "y", "yes") if asked.kind == "pick" else ("yes", "no")
    yield from product(words, repeat=len(asked.call_ids))
    yield from ((word,) for word in UNDECIDED)


def runs(script: Script) -> Iterator[tuple[list[tuple[str, ...]], list[Event], Memory]]:
    """Every way the turn can go, undisturbed: the answers given, the history, the studio."""
    open_: list[list[tuple[str, ...]]] = [[]]
    while open_:
        given = open_.pop()
        stored, memory = begin(), Memory()
        play(stored, script, memory, given)
        if isinstance(stored[-1], Asked):
            open_ += [[*given, how] for how in answers_to(stored[-1])]
        else:
            yield given, stored, memory


def play(
    stored: list[Event],
    script: Script,
    memory: Memory,
    given: Sequence[tuple[str, ...]],
    die_after: int | None = None,
) -> None:
    with suppress(Killed):
        carry(stored, script, memory, die_after=die_after)
    while not isinstance(stored[-1], Ended):
        rounds = sum(isinstance(event, Asked) for event in stored)
        if isinstance(stored[-1], Asked):
            if rounds > len(given):
                return
            answer(stored, given[rounds - 1])
        carry(stored, script, memory)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_turn_killed_anywhere_ends_the_same(name: str) -> None:
    script = Script(SCRIPTS[name])
    ways = 0
    for given, whole, studio in runs(script):
        for kept in range(1, len(whole)):
            stored, memory = begin(), Memory()
            play(stored, script, memory, given, die_after=kept)
            assert shape(stored) == shape(whole), (given, kept)
            assert memory.things == studio.things, (given, kept)
            ways += 1
    assert ways > 0


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_turn_killed_again_and_again_ends_the_same(name: str) -> None:
    script = Script(SCRIPTS[name])
    for given, whole, studio in runs(script):
        stored, memory = begin(), Memory()
        while not isinstance(stored[-1], Ended):
            rounds = sum(isinstance(event, Asked) for event in stored)
            if isinstance(stored[-1], Asked):
                answer(stored, given[rounds - 1])
            with suppress(Killed):
                carry(stored, script, memory, die_after=len(stored))
            with suppress(Killed):
                carry(stored, script, memory, die_after=len(stored) + 1)
        assert shape(stored) == shape(whole), given
        assert memory.things == studio.things, given


def test_no_thing_is_written_twice_and_nothing_declined_is_written() -> None:
    for given, whole, studio in runs(Script(SCRIPTS["a mixed batch"])):
        approved = {
            key
            for event in whole
            if event.type == "answered"
            for key, decision in event.decisions.items()
            if decision.approved
        }
        assert studio.things["a"] == int("2" in approved), given
        assert studio.things["b"] in {0, 1, 2}
        assert all(count <= 2 for count in studio.things.values())
