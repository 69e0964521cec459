"""A gym's schedule tends itself: the pulse asks, a worker does it, people find a task."""

from collections.abc import Iterator
from datetime import date, time, timedelta
from uuid import UUID

import pytest
from sqlalchemy import select

from app.bookings import queries
from app.core.actor import Role
from app.schedule import service as schedule
from app.schedule.models import ClassSession
from app.schedule.service import ClassTypeChanges, NewSeries
from app.schedule.terms import SessionStatus
from app.tasks.models import Task
from bot import worker
from bot.conversation.pulse import Pulse
from tests.floor import Gym

Job = tuple[str, ...]


@pytest.fixture
def asked(gym: Gym) -> Iterator[list[Job]]:
    """The jobs that are asked for, instead of their being done."""
    found: list[Job] = []
    made = vars(gym.stage.wiring)
    before = made.get("enqueue")
    made["enqueue"] = lambda *job: found.append(job)
    yield found
    made.pop("enqueue")
    if before is not None:
        made["enqueue"] = before


def tend(gym: Gym) -> None:
    worker.use(gym.stage.wiring)
    worker.tend_schedule(str(gym.org_id))


def tasks(gym: Gym) -> list[Task]:
    with gym.studio.act() as session:
        return list(session.scalars(select(Task).order_by(Task.id)))


def class_of(gym: Gym, session_id: UUID) -> ClassSession:
    with gym.studio.act() as session:
        return session.get_one(ClassSession, session_id)


def test_a_class_that_nobody_marked_becomes_its_coachs_task_once(gym: Gym) -> None:
    coach = gym.studio.staff[Role.COACH]
    wod = gym.studio.session("12:00", day=0, coach=coach)
    gym.studio.booking(gym.studio.member(), wod)
    tend(gym)
    assert tasks(gym) == []
    gym.later(hours=5)
    for _ in range(2):
        tend(gym)
    (task,) = tasks(gym)
    assert task.title == "לסמן נוכחות: WOD, יום ב׳ 30.11 12:00"
    assert (task.assignee_id, task.source.value) == (coach, "automation")
    assert class_of(gym, wod).status is SessionStatus.COMPLETED


def test_a_class_at_fault_stops_neither_the_others_nor_what_comes_after(gym: Gym) -> None:
    amiss, wod = gym.studio.session("11:00", day=0), gym.studio.session("11:30", day=0)
    first, last = gym.studio.day(1), gym.studio.day(200)
    weekly = NewSeries(gym.studio.class_type_id, (2,), time(7), 60, first, last)
    with gym.studio.act() as session:
        session.get_one(ClassSession, amiss).policy = {"no_show_after_min": "soon"}
        schedule.create_series(session, gym.owner, weekly, now=gym.studio.now)
    gym.later(days=7)
    tend(gym)
    assert class_of(gym, amiss).status is SessionStatus.SCHEDULED
    assert class_of(gym, wod).status is SessionStatus.COMPLETED
    with gym.studio.act() as session:
        days = session.scalars(select(ClassSession.local_date)).all()
    assert max(days) == date(2027, 3, 2)


def test_a_class_with_too_few_becomes_a_task_before_it_begins(gym: Gym) -> None:
    with gym.studio.act() as session:
        few = ClassTypeChanges(min_participants=2)
        schedule.update_class_type(session, gym.studio.class_type_id, few)
    wod = gym.studio.session("12:00", day=0)
    gym.studio.booking(gym.studio.member(), wod)
    for _ in range(2):
        tend(gym)
    (task,) = tasks(gym)
    assert task.title.startswith("מעט רשומים: WOD")
    assert (task.priority.value, task.due_at) == ("high", class_of(gym, wod).starts_at)


def test_a_repeating_class_grows_by_itself(gym: Gym) -> None:
    new = NewSeries(
        gym.studio.class_type_id, (2,), time(7), 60, gym.studio.day(1), gym.studio.day(200)
    )
    with gym.studio.act() as session:
        schedule.create_series(session, gym.owner, new, now=gym.studio.now)
    gym.later(days=7)
    tend(gym)
    with gym.studio.act() as session:
        days = session.scalars(select(ClassSession.local_date)).all()
    assert len(days) == 14
    assert max(days) == date(2027, 3, 2)


def test_new_rules_of_a_zone_leave_the_local_time_as_it_was(gym: Gym) -> None:
    wod, same = gym.studio.session("18:00"), gym.studio.session("20:00")
    with gym.studio.act() as session:
        row = session.get_one(ClassSession, wod)
        row.starts_at += timedelta(hours=1)
        row.ends_at += timedelta(hours=1)
        version = session.get_one(ClassSession, same).version
    worker.use(gym.stage.wiring)
    worker.retime()
    with gym.studio.act() as session:
        slot = queries.session_view(session, wod, "en").slot
        assert session.get_one(ClassSession, same).version == version
    assert (slot.start, f"{slot.starts_at:%H:%M}", slot.minutes) == (time(18, 0), "16:00", 60)


def test_the_pulse_asks_once_in_a_while_and_each_gym_is_seen_to(gym: Gym, asked: list[Job]) -> None:
    pulse = Pulse(gym.db, lambda *job: asked.append(job), {}, lambda _: None)
    for _ in range(3):
        pulse.beat()
    assert asked.count(("bot.worker.tend_schedules",)) == 1
    assert asked.count(("bot.worker.retime",)) == 1
    worker.use(gym.stage.wiring)
    worker.tend_schedules()
    assert ("bot.worker.tend_schedule", str(gym.org_id)) in asked
