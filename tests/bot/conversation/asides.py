"""The jobs that the small model is left with beside turns, taken when a test says so."""

import json
from typing import Any
from uuid import UUID

from rq import Queue
from sqlalchemy import select

from bot.conversation.models import UsageRow
from bot.conversation.queue import ASIDES, NAME_CONVERSATION
from tests.floor import Gym

SMALL = "claude-haiku-5-5"


def work_asides(gym: Gym) -> list[str]:
    """Do what has been put into their queue; gives what was done."""
    queue = Queue(ASIDES, connection=gym.stage.wiring.redis)
    done = []
    for job in queue.jobs:
        queue.remove(job)
        asides = gym.stage.wiring.asides
        if str(gym.org_id) == job.args[0]:
            act = asides.name if job.func_name == NAME_CONVERSATION else asides.sum_up
            act(*map(UUID, job.args))
            done.append(str(job.func_name).rpartition(".")[2])
    return done


def small_says(*steps: dict[str, Any], when: str = "") -> dict[str, Any]:
    """What the small model says where it is given no tools."""
    return {"when": when, "model": "haiku", "steps": list(steps)}


def requests_of(gym: Gym) -> list[dict[str, Any]]:
    assert gym.stage.model is not None
    return [json.loads(one.raw) for one in gym.stage.model.requests]


def used(gym: Gym, kind: str) -> list[UsageRow]:
    with gym.db.transaction(gym.org_id) as session:
        rows = session.scalars(select(UsageRow).order_by(UsageRow.created_at))
        return [row for row in rows if row.detail.get("kind") == kind]
