"""Assignments: copies on dates, who may have them, pauses, ends, and how it goes."""

from datetime import date, timedelta
from uuid import UUID

import pytest

from app.core.actor import Role
from app.core.errors import BadInput, NotFound, StaleVersion
from app.people import service as people
from app.people.models import Staff
from app.programs.errors import (
    AlreadyAssigned,
    AlreadyPaused,
    AssignmentBegun,
    AssignmentOver,
    AssignmentPaused,
    DayAhead,
    MemberNotTraining,
    NobodyToAssign,
    NothingLeft,
    NotPaused,
    ProgramArchived,
    ProgramEmpty,
    ProgramGone,
    StartInPast,
    WorkoutArchived,
)
from app.programs.queries import assignments as queries
from app.programs.queries import programs
from app.programs.queries.assignments import AssignmentFilter
from app.programs.service import assigning, ending, moving, placing
from app.programs.service import programs as service
from app.programs.service.assigning import AssignRequest
from app.programs.service.ending import DayMark, OnAssigned
from app.programs.service.moving import AssignmentChanges
from app.programs.service.programs import NewProgram, ProgramChanges
from app.programs.terms import AssignmentStatus, DayStatus, Mark, ProgramStatus
from app.programs.views import AssignedDay, AssignmentView
from app.schedule.errors import CoachInactive, DateTooFar
from app.studio.paging import Cut
from tests.programming import SUNDAY, assignment, program, workout
from tests.studio import Studio

EVERY_DAY = tuple(range(7))


def days_of(studio: Studio, assigned: UUID) -> tuple[AssignedDay, ...]:
    with studio.act() as session:
        return queries.days(session, assigned, today=studio.day(0))


def due(studio: Studio, assigned: UUID) -> list[date]:
    return [one.due for one in days_of(studio, assigned)]


def view(studio: Studio, assigned: UUID) -> AssignmentView:
    with studio.act() as session:
        return queries.assignment_view(session, assigned, today=studio.day(0))


def change(studio: Studio, assigned: UUID, changes: AssignmentChanges) -> None:
    with studio.act() as session:
        moving.update(session, assigned, changes, today=studio.day(0))


def pause(studio: Studio, assigned: UUID, until: date | None = None) -> None:
    with studio.act() as session:
        moving.pause(session, studio.coach, assigned, today=studio.day(0), until=until)


def resume(studio: Studio, assigned: UUID, on: date | None = None) -> None:
    with studio.act() as session:
        moving.resume(session, studio.coach, assigned, today=studio.day(0), on=on)


def mark(studio: Studio, assigned: UUID, day: AssignedDay, status: Mark) -> None:
    with studio.act() as session:
        ending.mark(session, assigned, day.id, DayMark(status), now=studio.now, today=studio.day(0))


def offsets(dates: list[date], since: date = SUNDAY) -> list[int]:
    return [(day - since).days for day in dates]


def test_what_is_assigned_is_a_copy_that_later_changes_do_not_reach(studio: Studio) -> None:
    chosen = program(studio)
    dana = assignment(studio, studio.member(), chosen)
    with studio.act() as session:
        week = programs.week(session, chosen, 1)
        placing.add_workout(
            session, studio.coach, chosen, week.days[1].id, workout(studio, "Row intervals")
        )
        service.update(session, chosen, ProgramChanges(title="Another name"))
    assert offsets(due(studio, dana)) == [0, 2, 4, 7, 9, 11]
    assert {one.title for one in days_of(studio, dana)} == {"Back squat"}
    shown = view(studio, dana)
    assert (shown.title, shown.changed_since) == ("Squat cycle", True)


def test_following_the_program_again_is_asked_for_and_takes_what_is_ahead(studio: Studio) -> None:
    chosen = program(studio)
    dana = assignment(studio, studio.member(), chosen, weekdays=(0, 1, 3))
    before = due(studio, dana)
    mark(studio, dana, days_of(studio, dana)[0], Mark.DONE)
    with studio.act() as session:
        week = programs.week(session, chosen, 2)
        placing.add_workout(
            session, studio.coach, chosen, week.days[2].id, workout(studio, "Row intervals")
        )
    change(studio, dana, AssignmentChanges(resync=True))
    after = days_of(studio, dana)
    assert sorted({one.due for one in after}) == before, "the same days as before"
    assert [one.title for one in after].count("Row intervals") == 1
    assert after[0].status is DayStatus.DONE
    assert not view(studio, dana).changed_since


def test_an_unchanged_program_followed_again_changes_nothing(studio: Studio) -> None:
    for weekdays in ((), (0, 1, 3), (5,)):
        dana = assignment(studio, studio.member(), program(studio, weeks=4), weekdays=weekdays)
        mark(studio, dana, days_of(studio, dana)[0], Mark.SKIPPED)
        before = [(one.due, one.title, one.status) for one in days_of(studio, dana)]
        change(studio, dana, AssignmentChanges(resync=True))
        assert [(one.due, one.title, one.status) for one in days_of(studio, dana)] == before


def test_what_was_made_from_a_program_that_is_gone_follows_nothing(studio: Studio) -> None:
    chosen = program(studio)
    dana = assignment(studio, studio.member(), chosen)
    with studio.act() as session:
        ending.delete_program(session, chosen, OnAssigned.KEEP_COPIES, today=studio.day(0))
    assert len(due(studio, dana)) == 6
    assert view(studio, dana).title == "Squat cycle"
    with pytest.raises(ProgramGone):
        change(studio, dana, AssignmentChanges(resync=True))


def test_a_single_workout_is_due_once_and_may_be_given_again(studio: Studio) -> None:
    fran, dana = workout(studio), studio.member()
    with studio.act() as session:
        for start in (studio.day(1), studio.day(8)):
            wish = AssignRequest(start, workout_id=fran)
            made = assigning.create(session, studio.coach, dana, wish, today=studio.day(0))
            assert (made.title, made.start, made.end) == ("Fran", start, start)


def test_who_and_what_is_refused(studio: Studio) -> None:
    dana, chosen = studio.member(), program(studio)
    assignment(studio, dana, chosen)
    noa = studio.member("Noa Katz")
    with studio.act() as session:
        empty = service.create(session, studio.coach, NewProgram("Empty", 2, 3)).id
        old = service.create(session, studio.coach, NewProgram("Old", 2, 3)).id
        service.update(session, old, ProgramChanges(status=ProgramStatus.ARCHIVED))
    archived, other = workout(studio, archived=True), workout(studio)
    wrong = [
        (AlreadyAssigned, dana, AssignRequest(SUNDAY, program_id=chosen)),
        (NotFound, old, AssignRequest(SUNDAY, program_id=chosen)),
        (NotFound, noa, AssignRequest(SUNDAY, program_id=noa)),
        (NotFound, noa, AssignRequest(SUNDAY, program_id=chosen, coach_id=noa)),
        (ProgramEmpty, noa, AssignRequest(SUNDAY, program_id=empty)),
        (ProgramArchived, noa, AssignRequest(SUNDAY, program_id=old)),
        (WorkoutArchived, noa, AssignRequest(SUNDAY, workout_id=archived)),
        (StartInPast, noa, AssignRequest(studio.day(-1), program_id=chosen)),
        (DateTooFar, noa, AssignRequest(studio.day(400), program_id=chosen)),
        (BadInput, noa, AssignRequest(SUNDAY, program_id=chosen, workout_id=other)),
        (BadInput, noa, AssignRequest(SUNDAY)),
    ]
    for error, member, wish in wrong:
        with studio.act() as session, pytest.raises(error):
            assigning.create(session, studio.coach, member, wish, today=studio.day(0))


def test_archived_people_and_those_who_have_it_are_left_out_of_many(studio: Studio) -> None:
    chosen = program(studio)
    dana, noa, omer = (studio.member(name) for name in ("Dana Levi", "Noa Katz", "Omer Bar"))
    assignment(studio, dana, chosen)
    with studio.act() as session:
        people.archive(session, studio.owner, noa, now=studio.now)
    wish, today = AssignRequest(SUNDAY, program_id=chosen), studio.day(0)
    with studio.act() as session:
        plan = assigning.plan_many(session, studio.coach, [dana, noa, omer], wish, today=today)
        assert plan.given == ((omer, "Omer Bar"),)
        assert [(one.member, one.reason) for one in plan.skipped] == [
            ("Dana Levi", "already_assigned"),
            ("Noa Katz", "member_not_training"),
        ]
        with pytest.raises(NobodyToAssign):
            assigning.plan_many(session, studio.coach, [dana, noa], wish, today=today)
        with pytest.raises(MemberNotTraining):
            assigning.create(session, studio.coach, noa, wish, today=today)


def test_a_coach_who_left_looks_after_nobody(studio: Studio) -> None:
    chosen = program(studio)
    dana = assignment(studio, studio.member(), chosen)
    coach = studio.staff[Role.COACH]
    with studio.act() as session:
        session.get_one(Staff, coach).active = False
    with pytest.raises(CoachInactive):
        change(studio, dana, AssignmentChanges(coach_id=coach))
    change(studio, dana, AssignmentChanges(coach_id=studio.staff[Role.OWNER], notes="By phone"))
    assert (view(studio, dana).coach, view(studio, dana).notes) == ("owner one", "By phone")


def test_what_is_left_moves_and_what_is_over_stays(studio: Studio) -> None:
    dana = assignment(
        studio, studio.member(), program(studio), start=studio.day(0), weekdays=EVERY_DAY
    )
    first = due(studio, dana)
    studio.wait(days=2)
    change(studio, dana, AssignmentChanges(shift_days=3))
    assert due(studio, dana) == [*first[:2], *(day + timedelta(days=3) for day in first[2:])]
    assert view(studio, dana).end == first[-1] + timedelta(days=3)
    with pytest.raises(AssignmentBegun):
        change(studio, dana, AssignmentChanges(start=studio.day(5)))
    with pytest.raises(StartInPast):
        change(studio, dana, AssignmentChanges(shift_days=-10))
    studio.wait(days=60)
    with pytest.raises(NothingLeft):
        change(studio, dana, AssignmentChanges(shift_days=1))


def test_before_it_begins_it_can_begin_another_day_on_other_weekdays(studio: Studio) -> None:
    dana = assignment(studio, studio.member(), program(studio))
    change(studio, dana, AssignmentChanges(start=SUNDAY + timedelta(days=3), weekdays=(3, 5)))
    assert offsets(due(studio, dana)) == [3, 5, 10, 12, 17, 19]
    change(studio, dana, AssignmentChanges(weekdays=(0, 3, 5)))
    assert offsets(due(studio, dana)) == [3, 5, 7, 10, 12, 14]


def test_a_stale_version_and_a_program_of_another_are_refused(studio: Studio) -> None:
    dana = assignment(studio, studio.member(), program(studio))
    noa = assignment(studio, studio.member("Noa Katz"), program(studio))
    theirs = days_of(studio, noa)[0]
    changes = AssignmentChanges(notes="x")
    with studio.act() as session, pytest.raises(StaleVersion):
        moving.update(session, dana, changes, today=studio.day(0), expected_version=9)
    with pytest.raises(NotFound):
        mark(studio, dana, theirs, Mark.DONE)


def test_paused_days_never_count_and_what_is_left_goes_on_afterwards(studio: Studio) -> None:
    dana = assignment(
        studio, studio.member(), program(studio), start=studio.day(0), weekdays=EVERY_DAY
    )
    for day in days_of(studio, dana)[:3]:
        mark(studio, dana, day, Mark.DONE)
    studio.wait(days=3)
    pause(studio, dana)
    studio.wait(days=20)
    with studio.act() as session:
        held = queries.compliance(session, dana, None, None, today=studio.day(0))
    assert (held.due, held.paused, held.percent) == (3, 3, 100)
    resume(studio, dana)
    assert offsets(due(studio, dana), studio.day(-23)) == [0, 1, 2, 23, 24, 25]
    assert view(studio, dana).status is AssignmentStatus.ACTIVE


def test_a_pause_with_an_end_ends_by_itself(studio: Studio) -> None:
    dana = assignment(studio, studio.member(), program(studio))
    before = due(studio, dana)
    pause(studio, dana, studio.day(10))
    assert view(studio, dana).status is AssignmentStatus.PAUSED
    assert view(studio, dana).paused_until == studio.day(10)
    assert due(studio, dana) == [day + timedelta(weeks=1) for day in before]
    studio.wait(days=11)
    assert view(studio, dana).status is AssignmentStatus.ACTIVE
    with pytest.raises(NotPaused):
        resume(studio, dana)


def test_going_on_sooner_or_the_same_day_loses_no_time(studio: Studio) -> None:
    dana = assignment(studio, studio.member(), program(studio))
    before = due(studio, dana)
    pause(studio, dana, studio.day(30))
    assert due(studio, dana) != before
    resume(studio, dana)
    assert due(studio, dana) == before
    pause(studio, dana)
    resume(studio, dana, studio.day(8))
    assert due(studio, dana) == [day + timedelta(weeks=1) for day in before]


def test_what_cannot_be_paused_resumed_or_moved_says_so(studio: Studio) -> None:
    dana = assignment(studio, studio.member(), program(studio))
    with pytest.raises(NotPaused):
        resume(studio, dana)
    with pytest.raises(BadInput):
        pause(studio, dana, studio.day(-1))
    pause(studio, dana)
    with pytest.raises(AlreadyPaused):
        pause(studio, dana)
    with pytest.raises(AssignmentPaused):
        change(studio, dana, AssignmentChanges(shift_days=1))
    with pytest.raises(StartInPast):
        resume(studio, dana, studio.day(-1))
    with studio.act() as session:
        ending.cancel(session, studio.coach, dana, today=studio.day(0))
    for act in (pause, resume):
        with pytest.raises(AssignmentOver):
            act(studio, dana)


def test_marks_are_made_and_taken_away(studio: Studio) -> None:
    dana = assignment(
        studio, studio.member(), program(studio), start=studio.day(0), weekdays=EVERY_DAY
    )
    first, second, *_ = days_of(studio, dana)
    assert (first.status, second.status) == (DayStatus.DUE, DayStatus.UPCOMING)
    with pytest.raises(DayAhead):
        mark(studio, dana, second, Mark.MISSED)
    mark(studio, dana, second, Mark.DONE)
    assert days_of(studio, dana)[1].done_at == studio.now
    mark(studio, dana, second, Mark.UPCOMING)
    assert days_of(studio, dana)[1].done_at is None
    studio.wait(days=3)
    assert [one.status for one in days_of(studio, dana)[:4]] == [
        DayStatus.MISSED,
        DayStatus.MISSED,
        DayStatus.MISSED,
        DayStatus.UPCOMING,
    ]


def test_a_finished_one_excuses_what_was_ahead(studio: Studio) -> None:
    dana = assignment(
        studio, studio.member(), program(studio), start=studio.day(0), weekdays=EVERY_DAY
    )
    studio.wait(days=3)
    for wrong in (studio.day(1), studio.day(-9)):
        with studio.act() as session, pytest.raises(BadInput):
            ending.complete(session, dana, today=studio.day(0), on=wrong)
    with studio.act() as session:
        done = ending.complete(session, dana, today=studio.day(0), on=studio.day(-1), summary="Ok")
    assert (done.days, done.assignment.status) == (3, AssignmentStatus.COMPLETED)
    studio.wait(days=30)
    with studio.act() as session:
        counted = queries.compliance(session, dana, None, None, today=studio.day(0))
    assert (counted.due, counted.percent) == (3, 0)
    mark(studio, dana, days_of(studio, dana)[0], Mark.DONE)
    with pytest.raises(AssignmentOver):
        change(studio, dana, AssignmentChanges(notes="x"))


def test_deleting_a_program_cancels_or_keeps_what_people_have(studio: Studio) -> None:
    kept, cancelled = program(studio), program(studio, "Other")
    dana = assignment(studio, studio.member(), kept)
    noa = assignment(
        studio, studio.member("Noa Katz"), cancelled, start=studio.day(0), weekdays=EVERY_DAY
    )
    studio.wait(days=2)
    with studio.act() as session:
        ending.delete_program(session, kept, OnAssigned.KEEP_COPIES, today=studio.day(0))
        ending.delete_program(session, cancelled, OnAssigned.CANCEL, today=studio.day(0))
    assert (view(studio, dana).status, len(due(studio, dana))) == (AssignmentStatus.SCHEDULED, 6)
    assert (view(studio, noa).status, len(due(studio, noa))) == (AssignmentStatus.CANCELLED, 2)


def test_lists_tell_them_apart_by_what_they_are_today(studio: Studio) -> None:
    chosen = program(studio)
    ahead = assignment(studio, studio.member("A"), chosen)
    running = assignment(
        studio, studio.member("B"), chosen, start=studio.day(0), weekdays=EVERY_DAY
    )
    resting = assignment(studio, studio.member("C"), chosen)
    pause(studio, resting, studio.day(3))
    over = assignment(studio, studio.member("D"), chosen)
    with studio.act() as session:
        ending.cancel(session, studio.coach, over, today=studio.day(0))

    def listed(wanted: AssignmentFilter) -> set[UUID]:
        with studio.act() as session:
            found = queries.assignments(session, wanted, today=studio.day(0), cut=Cut())
        return {one.id for one in found.rows}

    by_status = {
        AssignmentStatus.SCHEDULED: {ahead},
        AssignmentStatus.ACTIVE: {running},
        AssignmentStatus.PAUSED: {resting},
        AssignmentStatus.CANCELLED: {over},
        AssignmentStatus.COMPLETED: set[UUID](),
    }
    for status, expected in by_status.items():
        assert listed(AssignmentFilter(status=status)) == expected
    assert listed(AssignmentFilter()) == {ahead, running, resting}
    assert listed(AssignmentFilter(program_id=chosen, coach_id=studio.staff[Role.OWNER])) == set()
    studio.wait(days=10)
    assert listed(AssignmentFilter(status=AssignmentStatus.PAUSED)) == set()
