"""A gym's day begins by itself: the pulse asks for it, a worker carries it out."""

from collections.abc import Iterator
from uuid import UUID

import pytest
from sqlalchemy import select

from app.memberships import queries, service
from app.memberships.service import PlanChanges
from app.tasks.models import Task
from bot import worker
from bot.conversation.pulse import Pulse
from tests.app.test_memberships import change, create, monthly_of
from tests.floor import Gym
from tests.programming import class_type

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


def test_a_plan_that_came_to_clash_is_dropped_and_becomes_a_task_once(gym: Gym) -> None:
    """What it is for was changed between the agreement and the billing date."""
    worker.use(gym.stage.wiring)
    studio = gym.studio
    dana, wod = studio.person("Dana Levi"), (studio.class_type_id,)
    wanted = monthly_of(studio, class_type(studio))
    held = create(studio, dana, monthly_of(studio))
    create(studio, dana, monthly_of(studio, *wod))
    billed = change(studio, held, wanted, later=True).on
    with studio.act() as session:
        renamed = PlanChanges(name="Weekends", class_type_ids=wod)
        service.update_plan(session, wanted, renamed)
    gym.later(days=(billed - studio.day(0)).days)
    for _ in range(2):
        worker.roll_over_org(str(gym.org_id))
    with studio.act() as session:
        kept = queries.membership(session, held, billed)
        (task,) = session.scalars(select(Task))
    assert (kept.plan, kept.next_plan, kept.credits) == ("Recurring", None, 8)
    assert kept.next_billing is not None
    assert kept.next_billing > billed
    assert (task.member_id, task.source.value, task.priority.value) == (dana, "automation", "high")
    stays = "Dana Levi: המנוי נשאר Recurring. המעבר אל Weekends לא בוצע, "
    assert task.title == stays + "כי Recurring כולל אותם שיעורים"


def test_the_pulse_asks_once_in_a_while_and_each_gym_is_seen_to(gym: Gym, asked: list[Job]) -> None:
    pulse = Pulse(gym.db, lambda *job: asked.append(job), {}, lambda _: None)
    for _ in range(3):
        pulse.beat()
    assert asked.count(("bot.worker.roll_over",)) == 1
    worker.roll_over()
    assert ("bot.worker.roll_over_org", str(gym.org_id)) in asked
