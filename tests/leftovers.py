"""What earlier tests of a process left open: workers that start now would take it all up first."""

from typing import Final

from redis import Redis
from sqlalchemy import create_engine, text

_ENDS: Final = (
    "UPDATE turn SET state = 'ended' WHERE state IN ('waiting', 'running')",
    "UPDATE inbound_event SET state = 'ignored' WHERE state = 'stored'",
    "UPDATE outbound_message SET state = 'dropped' WHERE state IN ('queued', 'sending', 'unknown')",
    "UPDATE outbox SET state = 'dropped' WHERE state = 'waiting'",
    "UPDATE background_task SET state = 'cancelled' WHERE state IN ('queued', 'running')",
)


def end_leftovers(database_url: str, redis_url: str) -> None:
    """Nothing of it is due any more, and no job of it is queued."""
    engine = create_engine(database_url)
    with engine.begin() as connection:
        for statement in _ENDS:
            connection.execute(text(statement))
    engine.dispose()
    with Redis.from_url(redis_url) as redis:
        redis.flushdb()
