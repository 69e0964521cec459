"""Rows 2, 3 and 8: Redis and Postgres stopped, killed and flushed while people write."""

from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus
from time import monotonic

import pytest
from redis import Redis

from bot.conversation.models import InboundState, TurnState
from bot.playground.model_api.received import Pace
from bot.playground.servers import PrivateServers
from bot.turn.events import Heard
from tests.faults.page import Page
from tests.floor import Gym, Phone, within

pytestmark = [pytest.mark.faults, pytest.mark.long]

STORY = "".join(f"Sentence {n} of a long story about the gym. " for n in range(60))


def heard(gym: Gym) -> list[str]:
    return [event.text for events in gym.events() for event in events if isinstance(event, Heard)]


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


@pytest.fixture
def slowly(gym: Gym) -> Iterator[None]:
    """The model takes seconds for its story."""
    assert gym.stage.model is not None
    before = gym.stage.model.pace
    gym.stage.model.pace = Pace(delta=0.02)
    yield
    gym.stage.model.pace = before


def test_redis_stopped_at_the_webhook(gym: Gym, phone: Phone, own_servers: PrivateServers) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    own_servers.stop_redis()
    try:
        begun = monotonic()
        assert phone.writes("hello")["accepted"]
        assert monotonic() - begun < 3
        assert gym.inbound(phone)[-1].state is InboundState.STORED
    finally:
        own_servers.start_redis()
    within(10, lambda: any(turn.state is not TurnState.WAITING for turn in gym.turns()))
    gym.settle()
    assert heard(gym) == ["hello"]
    assert phone.got() == ["Hi."]


@pytest.mark.usefixtures("slowly")
def test_redis_killed_while_a_turn_is_under_way(
    gym: Gym, phone: Phone, own_servers: PrivateServers
) -> None:
    """The turn needs it for nothing: it ends, and the answer goes out when it is back."""
    gym.says(("story", [{"say": STORY}]))
    phone.writes("story")
    within(15, lambda: any(turn.state is TurnState.RUNNING for turn in gym.turns()))
    own_servers.kill_redis()
    try:
        assert gym.turns()[0].state is TurnState.RUNNING
        within(15, lambda: gym.turns()[0].state is TurnState.ENDED)
    finally:
        own_servers.start_redis()
    gym.settle()
    assert "Sentence 59" in phone.got()[-1]
    assert len(gym.turns()) == 1


def test_postgres_stopped_at_the_webhook(
    gym: Gym, phone: Phone, own_servers: PrivateServers
) -> None:
    gym.says(("hello", [{"say": "Hi."}]), ("lost", [{"say": "Found."}]))
    own_servers.stop_postgres()
    try:
        begun = monotonic()
        status = phone.posts(Body="never taken")
        assert (status, monotonic() - begun < 1) == (HTTPStatus.SERVICE_UNAVAILABLE, True)
        first, lost = phone.writes("hello"), phone.writes("lost")
        assert {one["status"] for one in (*first["attempts"], *lost["attempts"])} == {503}
    finally:
        own_servers.start_postgres()
    within(15, lambda: phone.writes("hello", sid=first["sid"])["accepted"])
    gym.settle()
    assert phone.got() == ["Hi."]
    assert gym.stage.wiring.reconciler.run(timedelta(hours=1), settled=timedelta()) == 1
    within(10, lambda: len(gym.turns()) == 2)
    gym.settle()
    assert heard(gym) == ["hello", "lost"]
    assert phone.got() == ["Found."]


@pytest.mark.usefixtures("slowly")
def test_postgres_killed_while_a_turn_is_under_way(
    gym: Gym, phone: Phone, own_servers: PrivateServers
) -> None:
    gym.says(("story", [{"say": STORY}]))
    phone.writes("story")
    within(15, lambda: any(turn.state is TurnState.RUNNING for turn in gym.turns()))
    own_servers.kill_postgres()
    own_servers.start_postgres()
    assert gym.turns()[0].state is TurnState.RUNNING
    within(25, lambda: gym.turns()[0].state is TurnState.ENDED)
    gym.settle()
    assert "Sentence 59" in phone.got()[-1]
    assert heard(gym) == ["story"]


@pytest.mark.usefixtures("slowly")
def test_redis_flushed_in_mid_stream(gym: Gym, own_servers: PrivateServers) -> None:
    gym.says(("story", [{"say": STORY}]))
    page = Page(gym, gym.owner)
    stream = page.turn(page.says("story")["turn_id"])
    within(15, lambda: any(len(text) > 100 for text in stream.shown))
    with Redis.from_url(own_servers.redis_url) as redis:
        redis.flushall()
    stream.wait(25)
    assert stream.shown == [STORY]
    late = page.turn(gym.turns()[0].id).wait(15)
    assert late.shown == [STORY]
    gym.says(("hello", [{"say": "Hi."}]))
    again = page.turn(page.says("hello")["turn_id"]).wait(15)
    assert again.shown == ["Hi."]
