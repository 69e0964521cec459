"""A gym's day begins by itself: the pulse asks for it, a worker carries it out."""

from collections.abc import Iterator
from uuid import UUID

import pytest

from app.memberships import queries
from bot import worker
from bot.conversation.pulse import Pulse
from tests.floor import Gym

Job = tuple[str, ...]


@pytest.fixture
def asked(gym: Gym) -> Iterator[list[Job]]:
    """The jobs that are asked for, instead of their being done."""
    found: list[Job] = []
    worker.use(gym.stage.wiring)
    made = vars(gym.stage.wiring)
    before = made.get("enqueue")
    made["enqueue"] = lambda *job: found.append(job)
    yield found
    made.pop("enqueue")
    if before is not None:
        made["enqueue"] = before


def status(gym: Gym, membership_id: UUID) -> str:
    with gym.studio.act() as session:
        found = queries.membership(session, membership_id, gym.studio.day(0))
        return found.status.value


def test_a_membership_ends_as_the_worker_looks_at_its_gym(gym: Gym) -> None:
    worker.use(gym.stage.wiring)
    held = gym.studio.sell(gym.studio.person(), gym.studio.plan(5), until=2)
    worker.roll_over_org(str(gym.org_id))
    assert status(gym, held) == "active"
    gym.later(days=3)
    for _ in range(2):
        worker.roll_over_org(str(gym.org_id))
    assert status(gym, held) == "expired"


def test_the_pulse_asks_once_in_a_while_and_each_gym_is_seen_to(gym: Gym, asked: list[Job]) -> None:
    pulse = Pulse(gym.db, lambda *job: asked.append(job), {}, lambda _: None)
    for _ in range(3):
        pulse.beat()
    assert asked.count(("bot.worker.roll_over",)) == 1
    worker.roll_over()
    assert ("bot.worker.roll_over_org", str(gym.org_id)) in asked
