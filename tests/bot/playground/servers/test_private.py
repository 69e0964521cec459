"""Servers of one test alone: stopped, killed and started at the same addresses."""

from pathlib import Path

import psycopg
import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisGone

from bot.playground.servers import private_servers
from tests.bot.playground.servers.visiting import connect, everything_in

pytestmark = pytest.mark.long


def test_a_stopped_redis_is_down_until_it_is_started(tmp_path: Path) -> None:
    with (
        private_servers(tmp_path / "servers") as servers,
        Redis.from_url(servers.redis_url) as redis,
    ):
        redis.set("kept", "Dana")
        servers.stop_redis()
        with pytest.raises(RedisGone):
            redis.ping()

        servers.start_redis()
        assert redis.get("kept") == b"Dana"

        servers.kill_redis()
        with pytest.raises(RedisGone):
            redis.ping()
        servers.restart_redis()
        assert redis.ping()
    assert everything_in(servers.place) == []


def test_a_stopped_or_killed_postgres_is_down_until_it_is_started(tmp_path: Path) -> None:
    with private_servers(tmp_path / "servers") as servers:
        with connect(servers.database_url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
        for end in (servers.stop_postgres, servers.kill_postgres):
            end()
            with pytest.raises(psycopg.OperationalError):
                connect(servers.database_url)
            servers.start_postgres()

        servers.restart_postgres()
        with connect(servers.database_url) as connection:
            assert connection.execute("SELECT number FROM kept").fetchone() == (7,)
    assert everything_in(servers.place) == []


def test_two_private_instances_don_t_meet(tmp_path: Path) -> None:
    with (
        private_servers(tmp_path / "one") as one,
        private_servers(tmp_path / "two") as two,
    ):
        one.kill_postgres()

        with connect(two.database_url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
