"""A transaction that lost a deadlock is tried again; nothing else is."""

from threading import Barrier, Thread
from uuid import UUID

import pytest
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from tests.tools.kit.conftest import Gym
from tests.tools.kit.sample.models import Room
from tools.kit.trying import until_unlocked


def test_two_that_lock_each_other_out_both_get_through(gym: Gym) -> None:
    ids = [gym.make("rooms.create", name=name) for name in ("One", "Two")]
    meet = Barrier(2, timeout=10)
    tries: list[str] = []

    def both(first: UUID, second: UUID) -> None:
        tries.append("try")
        with gym.db.transaction(gym.actor.org_id) as session:
            session.get_one(Room, first, with_for_update=True).capacity += 1
            session.flush()
            if len(tries) <= 2:
                meet.wait()
            session.get_one(Room, second, with_for_update=True).capacity += 1

    orders = [ids, ids[::-1]]
    threads = [
        Thread(target=until_unlocked, args=(lambda order=order: both(*order),)) for order in orders
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)

    assert [room.capacity for room in gym.rows(Room)] == [5, 5]
    assert len(tries) == 3


def test_a_fault_is_not_tried_again(gym: Gym) -> None:
    tries: list[str] = []

    def broken() -> None:
        tries.append("try")
        with gym.db.transaction(gym.actor.org_id) as session:
            session.execute(text("SELECT nothing"))

    with pytest.raises(ProgrammingError):
        until_unlocked(broken)
    assert tries == ["try"]
