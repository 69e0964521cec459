"""One holder a lane, and nobody who lost it writes any more."""

import threading
from time import sleep
from uuid import uuid4

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError

from app.core.clock import Clock
from app.core.db import Database
from bot.conversation.leases import TTL_S, Lease, LeaseLost, hold
from bot.conversation.models import Stranger
from tests.floor import Gym, within


@pytest.fixture
def lane() -> str:
    return f"test:{uuid4()}"


def expire(gym: Gym, lane: str) -> None:
    """As if its holder had been dead for long."""
    with gym.db.platform() as session:
        past = "UPDATE lease SET expires_at = now() - interval '1 s' WHERE lane = :lane"
        session.execute(text(past), {"lane": lane})


def expires_in(gym: Gym, lane: str) -> float:
    with gym.db.platform() as session:
        left = text("SELECT extract(epoch FROM expires_at - now()) FROM lease WHERE lane = :lane")
        return float(session.execute(left, {"lane": lane}).scalar_one())


def write(gym: Gym, lease: Lease, address: str) -> None:
    with gym.db.platform() as session:
        lease.guard(session)
        session.add(Stranger(address=address))


def written(gym: Gym, address: str) -> int:
    with gym.db.platform() as session:
        query = select(func.count()).select_from(Stranger).where(Stranger.address == address)
        return session.scalars(query).one()


def test_a_lane_has_one_holder(gym: Gym, lane: str) -> None:
    with hold(gym.db, lane) as first, hold(gym.db, lane) as second:
        assert first is not None
        assert second is None


def test_of_forty_who_come_at_once_one_gets_it(gym: Gym, lane: str) -> None:
    together, done = threading.Barrier(40), threading.Event()
    got: list[bool] = []

    def come() -> None:
        together.wait()
        with hold(gym.db, lane) as lease:
            got.append(lease is not None)
            done.wait(20)

    threads = [threading.Thread(target=come) for _ in range(40)]
    for thread in threads:
        thread.start()
    within(20, lambda: len(got) == 40)
    done.set()
    for thread in threads:
        thread.join()
    assert sum(got) == 1


def test_a_lane_is_free_once_its_holder_is_done(gym: Gym, lane: str) -> None:
    with hold(gym.db, lane) as first:
        pass
    with hold(gym.db, lane) as second:
        assert first is not None
        assert second is not None
        assert second.token == first.token + 1


def test_a_lane_is_free_when_its_holder_broke(gym: Gym, lane: str) -> None:
    with pytest.raises(ZeroDivisionError), hold(gym.db, lane):
        raise ZeroDivisionError
    with hold(gym.db, lane) as second:
        assert second is not None


def test_an_expired_lane_is_taken_over(gym: Gym, lane: str) -> None:
    with hold(gym.db, lane):
        expire(gym, lane)
        with hold(gym.db, lane) as second:
            assert second is not None


def test_a_heartbeat_keeps_it(gym: Gym, lane: str) -> None:
    with hold(gym.db, lane, ttl_s=0.6):
        sleep(1.5)
        assert expires_in(gym, lane) > 0
        with hold(gym.db, lane) as second:
            assert second is None


def test_a_stale_holder_commits_nothing(gym: Gym, lane: str) -> None:
    address = f"stale:{uuid4()}"
    with hold(gym.db, lane) as first:
        assert first is not None
        expire(gym, lane)
        with hold(gym.db, lane) as second:
            assert second is not None
            with pytest.raises(LeaseLost):
                write(gym, first, address)
            assert written(gym, address) == 0
            write(gym, second, address)
            assert written(gym, address) == 1


def test_one_who_was_let_go_commits_nothing(gym: Gym, lane: str) -> None:
    address = f"gone:{uuid4()}"
    with hold(gym.db, lane) as first:
        assert first is not None
    with pytest.raises(LeaseLost):
        write(gym, first, address)
    assert written(gym, address) == 0


def test_nobody_takes_over_between_the_check_and_the_commit(gym: Gym, lane: str) -> None:
    taken = threading.Event()

    def take() -> None:
        with hold(gym.db, lane) as lease:
            assert lease is not None
            taken.set()

    with hold(gym.db, lane) as first:
        assert first is not None
        expire(gym, lane)
        with gym.db.platform() as session:
            first.guard(session)
            rival = threading.Thread(target=take)
            rival.start()
            assert not taken.wait(0.5)
        rival.join(10)
    assert taken.is_set()


def test_a_former_holder_does_not_free_the_next_ones_lane(gym: Gym, lane: str) -> None:
    outer = hold(gym.db, lane)
    assert outer.__enter__() is not None
    expire(gym, lane)
    with hold(gym.db, lane):
        outer.__exit__(None, None, None)
        with hold(gym.db, lane) as third:
            assert third is None


def freeze_in_a_write(frozen: Database, lease: Lease, address: str, gym: Gym) -> None:
    with frozen.platform() as session:
        lease.guard(session)
        session.add(Stranger(address=address))
        session.flush()
        with hold(gym.db, lease.lane) as second:
            assert second is not None


def test_a_frozen_holder_keeps_nobody_waiting(gym: Gym, lane: str, database_url: str) -> None:
    """As a stopped process or a cut line leaves it: the server waits for its next word."""
    frozen = Database(database_url, Clock(), pool=1, idle_s=0.5)
    address = str(uuid4())
    with hold(gym.db, lane) as first:
        assert first is not None
        expire(gym, lane)
        with pytest.raises(DBAPIError):
            freeze_in_a_write(frozen, first, address, gym)
    assert written(gym, address) == 0
    with frozen.platform() as session:
        assert session.scalar(text("SELECT 1")) == 1
    frozen.close()


def test_the_server_s_patience_is_no_longer_than_a_lease(gym: Gym) -> None:
    with gym.db.platform() as session:
        patience = session.scalar(text("SHOW idle_in_transaction_session_timeout"))
    assert patience == f"{TTL_S}s"
