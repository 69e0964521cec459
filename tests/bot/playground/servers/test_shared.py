"""Servers shared by several processes that come, go and are killed."""

import signal
from contextlib import suppress

import psutil
import pytest
from redis import Redis

from bot.playground.servers import shared_servers
from bot.playground.servers.locks import is_locked
from bot.playground.servers.place import Place
from tests.bot.playground.servers.visiting import (
    connect,
    eventually,
    everything_in,
    keeper_of,
    nothing_runs,
    postmaster,
    visit,
)

pytestmark = pytest.mark.long


def test_four_processes_that_start_at_once_share_one_instance(place: Place) -> None:
    visitors = [visit(place.root) for _ in range(4)]

    addresses = [visitor.addresses() for visitor in visitors]

    assert all(address == addresses[0] for address in addresses)
    postmaster(place)
    assert [visitor.leave() for visitor in visitors] == [0, 0, 0, 0]


def test_the_last_one_out_leaves_nothing_running(place: Place) -> None:
    first, second = visit(place.root), visit(place.root)
    first.addresses()
    address = second.addresses()

    first.leave()
    with connect(address["database"]) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    second.leave()

    assert nothing_runs(place)


def test_servers_outlive_the_process_that_started_them(place: Place) -> None:
    starter = visit(place.root)
    starter.addresses()
    other = visit(place.root)
    address = other.addresses()

    with connect(address["database"]) as connection:
        starter.end(signal.SIGKILL)
        assert connection.execute("SELECT 1").fetchone() == (1,)
    other.leave()

    assert nothing_runs(place)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_only_user_that_is_ended_by_a_signal_leaves_nothing_running(
    place: Place, number: signal.Signals
) -> None:
    visitor = visit(place.root)
    visitor.addresses()

    visitor.end(number)

    assert eventually(lambda: nothing_runs(place))


def test_a_second_start_keeps_rows_and_keys_at_the_same_address(place: Place) -> None:
    with shared_servers(place.root) as servers, Redis.from_url(servers.redis_url) as redis:
        with connect(servers.database_url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 'Dana' AS name")
        redis.set("kept", "Dana")
    assert nothing_runs(place)

    with shared_servers(place.root) as again, Redis.from_url(again.redis_url) as redis:
        with connect(again.database_url) as connection:
            assert connection.execute("SELECT name FROM kept").fetchone() == ("Dana",)
        assert redis.get("kept") == b"Dana"
    assert again == servers


def test_a_killed_postgres_comes_back_with_what_was_committed(place: Place) -> None:
    with shared_servers(place.root, fast=True) as servers:
        with connect(servers.database_url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
            postmaster(place).kill()

        with shared_servers(place.root) as again, connect(again.database_url) as connection:
            assert connection.execute("SELECT number FROM kept").fetchone() == (7,)


def test_a_killed_redis_comes_back_with_its_keys(place: Place) -> None:
    with shared_servers(place.root, fast=True) as servers:
        with Redis.from_url(servers.redis_url) as redis:
            redis.set("kept", "Dana")
        for process in everything_in(place):
            with suppress(
                psutil.NoSuchProcess
            ):  # a backend of the other server may just have ended
                if process.name() == "valkey-server":
                    process.kill()

        with shared_servers(place.root) as again, Redis.from_url(again.redis_url) as redis:
            assert redis.get("kept") == b"Dana"


def test_what_a_killed_keeper_left_is_ended_by_the_last_user(place: Place) -> None:
    with shared_servers(place.root, fast=True):
        keeper_of(place).kill()
        assert eventually(lambda: not is_locked(place.keeper))
        assert everything_in(place)

    assert nothing_runs(place)


def test_what_a_killed_keeper_and_user_left_is_replaced_at_the_next_start(place: Place) -> None:
    visitor = visit(place.root)
    with connect(visitor.addresses()["database"]) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
    keeper = keeper_of(place)
    orphans = everything_in(place)
    keeper.suspend()
    visitor.end(signal.SIGKILL)
    keeper.kill()
    assert eventually(lambda: not is_locked(place.keeper))

    with shared_servers(place.root) as servers:
        assert not set(orphans) & set(everything_in(place))
        with connect(servers.database_url) as connection:
            assert connection.execute("SELECT number FROM kept").fetchone() == (7,)
