"""Tasks: what is due, whose it is, and what became of it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from app.core.actor import Role
from app.core.errors import NotAllowed, NotFound, StaleVersion, StudioError
from app.core.ids import new_id
from app.people.models import Staff
from app.studio.paging import Cut
from app.tasks import queries, service
from app.tasks.service import NewTask, TaskChanges
from app.tasks.terms import Priority, TaskEventKind, TaskStatus
from app.tasks.views import TaskFilter, TaskView
from tests.studio import Studio


def add(studio: Studio, title: str = "Call", **more: Any) -> UUID:  # noqa: ANN401 - as NewTask
    with studio.act() as session:
        new = NewTask(title, **more)
        return service.create(session, studio.coach, new, now=studio.now)


def look(studio: Studio, task_id: UUID) -> TaskView:
    with studio.act() as session:
        return queries.task(session, task_id)


def steps(studio: Studio, task_id: UUID) -> list[TaskEventKind]:
    with studio.act() as session:
        return [step.kind for step in queries.history(session, task_id)]


@pytest.mark.parametrize(
    ("ahead", "code"),
    [
        (timedelta(seconds=-1), "due_in_past"),
        (timedelta(days=800), "due_too_far"),
    ],
)
def test_a_task_is_due_within_two_years(studio: Studio, ahead: timedelta, code: str) -> None:
    with pytest.raises(StudioError) as failed:
        add(studio, due_at=studio.now + ahead)
    assert failed.value.code == code


def test_a_task_is_for_somebody_who_is_here(studio: Studio) -> None:
    coach = studio.staff[Role.COACH]
    with studio.act() as session:
        session.get_one(Staff, coach).active = False
    with pytest.raises(StudioError) as failed:
        add(studio, assignee_id=coach)
    assert failed.value.code == "staff_left"
    for nobody in ("assignee_id", "member_id"):
        with pytest.raises(NotFound):
            add(studio, "Call", **{nobody: new_id()})


def test_a_task_keeps_its_history_and_how_it_was_done_last(studio: Studio) -> None:
    task_id = add(studio)
    with studio.act() as session:
        service.change(session, studio.coach, task_id, TaskChanges(notes="At six"), now=studio.now)
        service.change(session, studio.coach, task_id, TaskChanges(), now=studio.now)
        service.complete(session, studio.coach, task_id, now=studio.now, outcome="Reached")
    done = look(studio, task_id)
    assert (done.status, done.outcome, done.completed_at) == (
        TaskStatus.DONE,
        "Reached",
        studio.now,
    )
    with studio.act() as session, pytest.raises(StudioError) as failed:
        service.complete(session, studio.coach, task_id, now=studio.now)
    assert failed.value.code == "task_not_open"
    with studio.act() as session:
        service.reopen(session, studio.coach, task_id, now=studio.now)
    kinds = TaskEventKind
    assert steps(studio, task_id) == [
        kinds.CREATED,
        kinds.CHANGED,
        kinds.COMPLETED,
        kinds.REOPENED,
    ]
    with studio.act() as session, pytest.raises(StudioError) as failed:
        service.reopen(session, studio.coach, task_id, now=studio.now)
    assert failed.value.code == "task_not_done"


def test_an_undo_brings_back_how_it_was_done_and_leaves_no_trace(studio: Studio) -> None:
    task_id, undoing = add(studio), replace(studio.coach, undoing=True)
    with studio.act() as session:
        service.complete(session, studio.coach, task_id, now=studio.now, outcome="Reached")
    before, known = look(studio, task_id), steps(studio, task_id)
    with studio.act() as session:
        service.reopen(session, studio.coach, task_id, now=studio.now)
        service.complete(session, undoing, task_id, now=studio.now + timedelta(seconds=9))
    assert replace(look(studio, task_id), version=before.version) == before
    assert steps(studio, task_id) == known
    with studio.act() as session:
        service.reopen(session, undoing, task_id, now=studio.now)
    assert (look(studio, task_id).completed_at, steps(studio, task_id)) == (
        None,
        [TaskEventKind.CREATED],
    )


def test_two_who_change_a_task_do_not_overwrite_each_other(studio: Studio) -> None:
    task_id = add(studio)
    seen = look(studio, task_id).version
    with studio.act() as session:
        changes = TaskChanges(priority=Priority.HIGH)
        service.change(
            session, studio.coach, task_id, changes, now=studio.now, expected_version=seen
        )
    changes = TaskChanges(title="Other")
    with studio.act() as session, pytest.raises(StaleVersion):
        service.change(
            session, studio.admin, task_id, changes, now=studio.now, expected_version=seen
        )
    assert look(studio, task_id).title == "Call"


def test_a_coach_changes_what_is_theirs_or_nobodys_and_may_carry_out_the_rest(
    studio: Studio,
) -> None:
    boss = studio.staff[Role.OWNER]
    given, free, own = add(studio, assignee_id=boss), add(studio), add(studio)
    with studio.act() as session:
        new = NewTask("Pay the rent", assignee_id=boss)
        owners = service.create(session, studio.owner, new, now=studio.now)
        mine = NewTask("Open up", assignee_id=studio.staff[Role.COACH])
        set_by_owner = service.create(session, studio.owner, mine, now=studio.now)
    renamed = TaskChanges(title="Other")
    with studio.act() as session:
        for task_id in (given, free, set_by_owner):
            service.change(session, studio.coach, task_id, renamed, now=studio.now)
        service.delete(session, studio.coach, own)
        with pytest.raises(NotAllowed):
            service.change(session, studio.coach, owners, renamed, now=studio.now)
        with pytest.raises(NotAllowed):
            service.delete(session, studio.coach, owners)
        service.complete(session, studio.coach, owners, now=studio.now)
        service.delete(session, studio.admin, owners)


def test_open_tasks_come_first_by_when_they_are_due(studio: Studio) -> None:
    soon, later = studio.now + timedelta(hours=1), studio.now + timedelta(hours=2)
    done = add(studio, "Done", due_at=soon)
    add(studio, "Some day")
    add(studio, "Later", due_at=later)
    add(studio, "Soon", due_at=soon, assignee_id=studio.staff[Role.COACH])
    add(studio, "Soon, urgent", due_at=soon, priority=Priority.HIGH)
    with studio.act() as session:
        service.complete(session, studio.coach, done, now=studio.now)

    def titles(**terms: object) -> list[str]:
        with studio.act() as session:
            wanted = TaskFilter(**terms)  # type: ignore[arg-type] # as TaskFilter
            return [one.title for one in queries.tasks(session, wanted, cut=Cut()).rows]

    assert titles() == ["Soon, urgent", "Soon", "Later", "Some day", "Done"]
    assert titles(due_before=later, statuses=(TaskStatus.OPEN,)) == ["Soon, urgent", "Soon"]
    assert titles(assignee_id=studio.staff[Role.COACH]) == ["Soon"]


def test_a_lead_that_goes_leaves_its_tasks_and_one_that_joins_takes_them(studio: Studio) -> None:
    lead_id, member_id = new_id(), studio.member()
    kept, tied = add(studio, "A", lead_id=lead_id), add(studio, "B", lead_id=lead_id)
    with studio.act() as session:
        service.tie_member(session, lead_id, member_id)
    assert look(studio, tied).member_id == member_id
    with studio.act() as session:
        service.untie_lead(session, lead_id)
    assert look(studio, kept).lead_id is None
