"""The bucket of requests, in a real Redis."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from redis import Redis

from bot.channels.web.limits import RedisLimiter

NOW = datetime(2026, 12, 1, tzinfo=UTC)


@pytest.fixture
def redis(redis_url: str) -> Iterator[Redis]:
    with Redis.from_url(redis_url) as client:
        client.flushdb()
        yield client


def test_a_burst_is_allowed_and_then_each_waits_its_turn(redis: Redis) -> None:
    limiter = RedisLimiter(redis, per_second=0.5, burst=5)
    waits = [limiter.wait("noa", NOW) for _ in range(7)]
    assert waits[:5] == [0.0] * 5
    assert all(0 < wait <= 2 for wait in waits[5:])


def test_one_person_s_haste_costs_nobody_else(redis: Redis) -> None:
    limiter = RedisLimiter(redis, per_second=0.1, burst=1)
    assert limiter.wait("noa", NOW) == 0
    assert limiter.wait("noa", NOW) > 0
    assert limiter.wait("dana", NOW) == 0


def test_many_processes_share_one_bucket(redis: Redis) -> None:
    limiter = RedisLimiter(redis, per_second=0.01, burst=20)
    with ThreadPoolExecutor(16) as pool:
        waits = list(pool.map(lambda _: limiter.wait("noa", NOW), range(64)))
    assert waits.count(0.0) == 20


def test_a_bucket_is_forgotten_once_it_is_full_again(redis: Redis) -> None:
    RedisLimiter(redis, per_second=5, burst=60).wait("noa", NOW)
    assert 0 < redis.ttl("limit:noa") <= 13


def test_while_redis_is_away_everybody_may() -> None:
    away = RedisLimiter(Redis(port=1, socket_connect_timeout=0.1))
    assert away.wait("noa", NOW) == 0
