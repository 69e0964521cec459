"""Publishing and following one turn, with a real Redis-compatible server."""

from collections.abc import Iterator, Sequence
from threading import Thread
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from app.core.ids import new_id
from bot.stream import (
    Beat,
    Item,
    Patience,
    Person,
    Publisher,
    follow_person,
    follow_turn,
    publish_person,
)
from bot.stream.entries import Position, turn_key
from bot.turn.events import Delta, Ended, Event, Heard, Restart, Said, event_json

SOON = Patience(heartbeat=0.05, look=0.05, lifetime=0.4)
HEARD, SAID, ENDED = Heard(text="hi"), Said(text="Good morning"), Ended(reason="done")


@pytest.fixture
def redis(redis_url: str) -> Iterator[Redis]:
    with Redis.from_url(redis_url) as client:
        client.flushdb()
        yield client


class Rows:
    """What the table holds."""

    def __init__(self, *events: Event) -> None:
        self.events = list(events)

    def __call__(self, first: int) -> Sequence[Event]:
        return self.events[first:]


def test_a_reader_gets_every_event_once_and_in_order(redis: Redis) -> None:
    turn = new_id()
    mouth = Publisher(redis, turn)
    for event, seq in ((HEARD, 0), (Delta(text="Good "), None), (SAID, 1), (ENDED, 2)):
        mouth.publish(event, seq)
    items = read(redis, turn, Rows(HEARD, SAID, ENDED))
    assert [item.event for item in items] == [HEARD, Delta(text="Good "), SAID, ENDED]
    assert not any(item.seen for item in items)


def test_a_page_that_comes_back_gets_what_it_missed(redis: Redis) -> None:
    turn = full_turn(redis)
    rows = Rows(HEARD, SAID, ENDED)
    first = read(redis, turn, rows)
    for item in first:
        again = read(redis, turn, rows, str(item.at))
        assert [one.event for one in again if not one.seen] == [
            one.event for one in first if one.at > item.at
        ]


def test_reading_takes_nothing_away(redis: Redis) -> None:
    turn = full_turn(redis)
    assert read(redis, turn, Rows()) == read(redis, turn, Rows())


def test_without_redis_the_table_is_read_to_the_end() -> None:
    away = Redis(port=1, socket_connect_timeout=0.1)
    items = read(away, new_id(), Rows(HEARD, SAID, ENDED))
    assert [item.event for item in items] == [HEARD, SAID, ENDED]
    assert [str(item.at) for item in items] == ["0-1", "0-2", "0-3"]


class Away(Redis):
    """A Redis nobody answers for, that counts how often it was tried."""

    tries = 0

    def pipeline(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - as the library has it
        self.tries += 1
        return super().pipeline(*args, **kwargs)


def test_publishing_without_redis_neither_fails_nor_tries_at_each_word() -> None:
    away = Away(port=1, socket_connect_timeout=0.1, retry=Retry(NoBackoff(), 0))
    now = 0.0
    mouth = Publisher(away, new_id(), clock=lambda: now)
    for _ in range(200):
        mouth.publish(Delta(text="word "))
    mouth.publish(SAID, 1)
    assert away.tries == 1
    now = 1.5
    mouth.publish(ENDED, 2)
    assert away.tries == 2


def test_a_flush_in_mid_stream_loses_nothing_that_is_stored(redis: Redis) -> None:
    turn, rows = new_id(), Rows(HEARD)
    mouth = Publisher(redis, turn)
    mouth.publish(HEARD, 0)
    stream = follow_turn(redis, turn, None, rows, Patience(look=0.05, lifetime=5))
    assert item(next(stream)).event == HEARD
    mouth.publish(Delta(text="Good "))
    redis.flushdb()
    rows.events += [SAID, ENDED]
    mouth.publish(ENDED, 2)
    assert [item(one).event for one in stream] == [SAID, ENDED]


def test_an_id_of_a_stream_that_is_gone_brings_the_whole_turn_again(redis: Redis) -> None:
    turn, rows = full_turn(redis), Rows(HEARD, SAID, ENDED)
    last = read(redis, turn, rows)[1]
    redis.delete(turn_key(turn))
    items = read(redis, turn, rows, str(last.at))
    assert [(one.event, one.seen) for one in items] == [
        (HEARD, False),
        (SAID, False),
        (ENDED, False),
    ]


def test_a_place_in_the_table_is_a_place_to_go_on_from(redis: Redis) -> None:
    turn = full_turn(redis)
    items = read(redis, turn, Rows(HEARD, SAID, ENDED), str(Position.stored(1)))
    assert [one.event for one in items if not one.seen] == [ENDED]


def test_events_that_never_reached_redis_come_from_the_table(redis: Redis) -> None:
    turn = new_id()
    Publisher(redis, turn).publish(ENDED, 2)
    items = read(redis, turn, Rows(HEARD, SAID, ENDED))
    assert [one.event for one in items] == [HEARD, SAID, ENDED]


def test_words_come_before_the_message_they_belong_to_whatever_the_stream_lacks(
    redis: Redis,
) -> None:
    turn, rows = new_id(), Rows(HEARD, SAID, ENDED)
    mouth = Publisher(redis, turn, clock=lambda: 0.0)
    mouth.resume(1)
    for piece in ("Good ", "mor"):
        mouth.publish(Delta(text=piece))
        mouth.flush()
    mouth.publish(SAID, 1)
    first = raw_items(redis, turn)[0]
    items = read(redis, turn, rows, str(first.at))
    assert [(one.event, one.seen) for one in items] == [
        (HEARD, True),
        (Delta(text="Good "), True),
        (Delta(text="mor"), False),
        (SAID, False),
        (ENDED, False),
    ]


def test_a_silent_turn_gives_heartbeats_and_ends_after_its_time(redis: Redis) -> None:
    came = list(follow_turn(redis, new_id(), None, Rows(), SOON))
    assert came
    assert all(isinstance(one, Beat) for one in came)


def test_a_reader_that_waits_sees_what_comes_later(redis: Redis) -> None:
    turn, rows = new_id(), Rows()
    stream = follow_turn(redis, turn, None, rows, Patience(look=5, lifetime=20))
    got: list[Event] = []
    reader = Thread(target=lambda: got.extend(item(one).event for one in stream))
    reader.start()
    mouth = Publisher(redis, turn)
    events: tuple[Event, ...] = (HEARD, SAID, ENDED)
    for seq, event in enumerate(events):
        rows.events.append(event)
        mouth.publish(event, seq)
    reader.join(10)
    assert got == [HEARD, SAID, ENDED]


def test_words_are_joined_to_ten_pieces_a_second(redis: Redis) -> None:
    turn, now = new_id(), [0.0]
    mouth = Publisher(redis, turn, clock=lambda: now[0])
    mouth.publish(HEARD, 0)
    for _ in range(100):
        mouth.publish(Delta(text="~"))
        now[0] += 0.02
    mouth.publish(SAID, 1)
    pieces = [one.event for one in raw_items(redis, turn) if isinstance(one.event, Delta)]
    assert len(pieces) <= 21
    assert "".join(one.text for one in pieces) == "~" * 100


def test_a_turn_s_key_dies_after_an_hour_and_never_grows_without_end(redis: Redis) -> None:
    turn = full_turn(redis)
    assert 3_500 < redis.ttl(turn_key(turn)) <= 3_600


def test_a_person_is_told_from_now_on_and_from_where_the_page_was(redis: Redis) -> None:
    person = Person(uuid4(), uuid4())
    publish_person(redis, person, "card_settled", {"question_id": "before"})
    stream = follow_person(redis, person, None, Patience(look=0.05, lifetime=5))
    assert isinstance(next(stream), Beat)
    publish_person(redis, person, "card_settled", {"question_id": "now"})
    told = next(stream)
    assert not isinstance(told, Beat)
    assert told.value == {"question_id": "now"}
    publish_person(redis, person, "task_progress", {"done": 3})
    back = [
        one for one in follow_person(redis, person, str(told.at), SOON) if not isinstance(one, Beat)
    ]
    assert [(one.name, one.value) for one in back] == [("task_progress", {"done": 3})]


def test_who_works_in_two_gyms_sees_on_each_page_its_own_gym_s(redis: Redis) -> None:
    here, there = Person(uuid4(), user := uuid4()), Person(uuid4(), user)
    publish_person(redis, here, "card_settled", {"question_id": "here"})
    publish_person(redis, there, "card_settled", {"question_id": "there"})
    found = [one for one in follow_person(redis, here, "0-0", SOON) if not isinstance(one, Beat)]
    assert [one.value for one in found] == [{"question_id": "here"}]


@given(st.text())
def test_any_last_event_id_is_a_position(text: str) -> None:
    assert Position.read(text) >= Position()


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    steps=st.lists(st.sampled_from(["said", "delta", "restart", "flush", "hidden"]), max_size=12)
)
def test_whatever_redis_loses_the_stored_events_all_come(redis: Redis, steps: list[str]) -> None:
    turn, rows = new_id(), Rows()
    mouth = Publisher(redis, turn)
    for step in [*steps, "end"]:
        match step:
            case "flush":
                redis.flushdb()
            case "delta":
                mouth.publish(Delta(text="a"))
            case "restart":
                mouth.publish(Restart())
            case kind:
                event = ENDED if kind == "end" else Said(text=str(len(rows.events)))
                rows.events.append(event)
                if kind != "hidden":
                    mouth.publish(event, len(rows.events) - 1)
    stored = [one.event for one in read(redis, turn, rows) if one.stored]
    assert stored == rows.events


def full_turn(redis: Redis) -> UUID:
    turn = new_id()
    mouth = Publisher(redis, turn)
    for event, seq in ((HEARD, 0), (Delta(text="Good "), None), (SAID, 1), (ENDED, 2)):
        mouth.publish(event, seq)
    return turn


def read(redis: Redis, turn: UUID, rows: Rows, after: str | None = None) -> list[Item]:
    return [one for one in follow_turn(redis, turn, after, rows, SOON) if isinstance(one, Item)]


def raw_items(redis: Redis, turn: UUID) -> list[Item]:
    raw: Any = redis.xrange(turn_key(turn))
    return [
        Item(Position.read(at), int(fields[b"seq"]), event_json.validate_json(fields[b"event"]))
        for at, fields in raw
    ]


def item(one: Item | Beat) -> Item:
    assert isinstance(one, Item)
    return one
