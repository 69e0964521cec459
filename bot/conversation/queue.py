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
RELAY_ORG = "bot.worker.relay_org"
RUN_TASK = "bot.worker.run_task"
SEE_TEMPLATES = "bot.worker.see_templates"
LOOK_AROUND = "bot.worker.look_around"
FORGET_OLD = "bot.worker.forget_old"
KEEP_WARM = "bot.worker.keep_warm"
ROLL_OVER = "bot.worker.roll_over"
ROLL_OVER_ORG = "bot.worker.roll_over_org"
TEND_SCHEDULES = "bot.worker.tend_schedules"
TEND_SCHEDULE = "bot.worker.tend_schedule"
RETIME = "bot.worker.retime"
RENEW_MEANINGS = "bot.worker.renew_meanings"
RENEW_ORG = "bot.worker.renew_org"
WEIGH = "bot.worker.weigh"
NAME_CONVERSATION = "bot.worker.name_conversation"
SUM_UP = "bot.worker.sum_up"

TURNS, ERRANDS, SWEEPS, TASKS, HEAVY = "turns", "errands", "sweeps", "tasks", "heavy"
ASIDES = "asides"
_QUEUES = {
    RUN_CONVERSATION: TURNS,
    RELAY_ORG: SWEEPS,
    LOOK_AROUND: SWEEPS,
    SEE_TEMPLATES: SWEEPS,
    RECONCILE: HEAVY,
    FORGET_OLD: HEAVY,
    KEEP_WARM: SWEEPS,
    ROLL_OVER: HEAVY,
    ROLL_OVER_ORG: HEAVY,
    TEND_SCHEDULES: HEAVY,
    TEND_SCHEDULE: HEAVY,
    RETIME: HEAVY,
    RENEW_MEANINGS: HEAVY,
    RENEW_ORG: HEAVY,
    WEIGH: HEAVY,
    RUN_TASK: TASKS,
    NAME_CONVERSATION: ASIDES,
    SUM_UP: ASIDES,
}
"""Turns have threads of their own: a vendor that is slow to take messages must not hold one up.
So have asides: a small model that is slow must hold up neither turns nor errands.

Whoever takes several takes them in this order, so that what a person waits for goes before what is
done for every gym in turn.
"""

Enqueue = Callable[..., None]
"""enqueue(name, *args): arguments are strings. Returns at once, also when Redis is away."""

_log = structlog.get_logger()


def redis_queue(redis: Redis) -> Enqueue:
    """An Enqueue over RQ, each job on its own queue.

    A failure is logged and left to the sweeper: the row is there already.
    """
    names = (TURNS, ERRANDS, SWEEPS, TASKS, HEAVY, ASIDES)
    queues = {name: Queue(name, connection=redis) for name in names}

    def enqueue(job: str, *args: str) -> None:
        one = Queue.prepare_data(job, args, timeout=600, result_ttl=0, failure_ttl=86_400)
        try:
            queues[_QUEUES.get(job, ERRANDS)].enqueue_many(
                [one]
            )  # one round trip, where `enqueue` takes two
        except RedisError:
            _log.warning("enqueue_failed", job=job)

    return enqueue


def run_later(session: Session, enqueue: Enqueue, org_id: UUID, conversation_id: UUID) -> None:
    after_commit(session, lambda: enqueue(RUN_CONVERSATION, str(org_id), str(conversation_id)))
