"""Jobs by name: enqueued after commit, never the only trace of the work: the sweeper finds it."""

from collections.abc import Callable
from uuid import UUID

import structlog
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue
from sqlalchemy.orm import Session

from app.core.db import after_commit

RUN_CONVERSATION = "bot.worker.run_conversation"
ROUTE_SENDER = "bot.worker.route_sender"
SEND_LANE = "bot.worker.send_lane"
SHOW_TYPING = "bot.worker.show_typing"
RECONCILE = "bot.worker.reconcile"
FORGET_RAW_FORMS = "bot.worker.forget_raw_forms"

Enqueue = Callable[..., None]
"""enqueue(name, *args): arguments are strings. Returns at once, also when Redis is away."""

_log = structlog.get_logger()


def redis_queue(redis: Redis, name: str = "turns") -> Enqueue:
    """An Enqueue over RQ; a failure is logged and left to the sweeper: the row is there already."""
    queue = Queue(name, connection=redis)

    def enqueue(job: str, *args: str) -> None:
        one = Queue.prepare_data(job, args, timeout=600, result_ttl=0, failure_ttl=86_400)
        try:
            queue.enqueue_many([one])  # one round trip, where `enqueue` takes two
        except RedisError:
            _log.warning("enqueue_failed", job=job)

    return enqueue


def run_later(session: Session, enqueue: Enqueue, org_id: UUID, conversation_id: UUID) -> None:
    after_commit(session, lambda: enqueue(RUN_CONVERSATION, str(org_id), str(conversation_id)))
