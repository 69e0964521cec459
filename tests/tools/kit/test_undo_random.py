"""Random writes, taken back in random order: each undo restores all or changes nothing."""

from dataclasses import dataclass
from uuid import UUID

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    precondition,
    rule,
    run_state_machine_as_test,
)

from app.core.db import Database
from tests.tools.kit.conftest import Gym
from tests.tools.kit.sample.models import Locker, Room
from tests.tools.kit.test_undo import state, take_back
from tools.kit.cards import Done, Failed
from tools.kit.registry import Registry

State = list[tuple[object, ...]]
REFUSED = {"undo_conflict", "undo_in_use", "already_undone", "room_full"}


@dataclass
class Step:
    call_id: UUID
    before: State
    after: State


class Studio(RuleBasedStateMachine):
    """The model is the list of states: undoing the latest write must give the one before it."""

    db: Database
    registry: Registry

    def __init__(self) -> None:
        super().__init__()
        self.gym = Gym(self.db, self.registry)
        self.steps: list[Step] = []
        self.names = 0

    def write(self, name: str, /, **given: object) -> None:
        before = state(self.gym)
        card = self.gym.run(name, **given).card
        if isinstance(card, Done) and card.undo is not None:
            self.steps.append(Step(card.undo.call_id, before, state(self.gym)))
        elif isinstance(card, Failed):
            assert state(self.gym) == before

    @rule(capacity=st.integers(1, 3))
    def add_room(self, capacity: int) -> None:
        self.names += 1
        self.write("rooms.create", name=f"Room {self.names}", capacity=capacity)

    @precondition(lambda self: self.gym.rows(Room))
    @rule(data=st.data(), capacity=st.integers(1, 3))
    def change_room(self, data: st.DataObject, capacity: int) -> None:
        self.write("rooms.update", room_id=self.some_room(data), capacity=capacity)

    @precondition(lambda self: self.gym.rows(Room))
    @rule(data=st.data())
    def delete_room(self, data: st.DataObject) -> None:
        self.write("rooms.delete", room_id=self.some_room(data))

    @precondition(lambda self: self.gym.rows(Room))
    @rule(data=st.data())
    def empty_room(self, data: st.DataObject) -> None:
        self.write("rooms.empty", room_id=self.some_room(data))

    @precondition(lambda self: self.gym.rows(Room))
    @rule(data=st.data(), label=st.integers(1, 4))
    def add_locker(self, data: st.DataObject, label: int) -> None:
        self.write("lockers.create", room_id=self.some_room(data), label=str(label))

    @precondition(lambda self: self.gym.rows(Locker))
    @rule(data=st.data())
    def move_locker(self, data: st.DataObject) -> None:
        locker_id = data.draw(st.sampled_from([row.id for row in self.gym.rows(Locker)]))
        self.write("lockers.move", locker_id=locker_id, room_id=self.some_room(data))

    @precondition(lambda self: self.steps)
    @rule()
    def undo_the_latest(self) -> None:
        """Nothing came after it, so nothing can be in its way."""
        step = self.steps.pop()
        if state(self.gym) == step.after:
            outcome = take_back(self.gym, step.call_id)
            assert outcome.ok, outcome
            assert state(self.gym) == step.before

    @precondition(lambda self: self.steps)
    @rule(data=st.data())
    def undo_any(self, data: st.DataObject) -> None:
        step = data.draw(st.sampled_from(self.steps))
        before = state(self.gym)
        outcome = take_back(self.gym, step.call_id)
        if isinstance(outcome.card, Failed):
            assert outcome.card.code in REFUSED
            assert state(self.gym) == before
        else:
            self.steps.remove(step)
            assert (state(self.gym) != before) == (step.before != step.after)

    def some_room(self, data: st.DataObject) -> UUID:
        return data.draw(st.sampled_from([row.id for row in self.gym.rows(Room)]))


@pytest.mark.parametrize("steps", [20])
def test_any_writes_undone_in_any_order(db: Database, registry: Registry, steps: int) -> None:
    machine = type("BoundStudio", (Studio,), {"db": db, "registry": registry})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=8,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
