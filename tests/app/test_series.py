"""Repeating classes: made whole, extended by themselves, moved and taken off in part or whole."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from app.bookings import service
from app.bookings.errors import SeriesHasBookings
from app.bookings.queries import session_view, sessions
from app.bookings.service import NewTime
from app.bookings.views import SessionFilter, SessionView
from app.core.actor import Role
from app.core.outbox import Outbox
from app.schedule import service as schedule
from app.schedule.errors import (
    ClassTypeArchived,
    CoachBusy,
    DateTooFar,
    EmptySeries,
    NotInSeries,
    SessionInPast,
    TimeDoesNotExist,
)
from app.schedule.models import SessionSeries
from app.schedule.service import NewSeries, SeriesPlan
from app.schedule.service.series import dates
from app.schedule.terms import Scope, SessionStatus
from app.studio.paging import Cut
from tests.studio import ZONE, Studio

TUESDAY = 2
a_day = st.dates(date(2026, 1, 1), date(2027, 12, 31))


def new(studio: Studio, **more: Any) -> NewSeries:  # noqa: ANN401 - as NewSeries
    """Every Tuesday at seven, from tomorrow on for four weeks."""
    base = NewSeries(
        studio.class_type_id, (TUESDAY,), time(7, 0), 60, studio.day(1), studio.day(28)
    )
    return replace(base, **more)


def create(studio: Studio, series: NewSeries) -> tuple[UUID, SeriesPlan]:
    with studio.act() as session:
        return schedule.create_series(session, studio.admin, series, now=studio.now)


def extend(studio: Studio) -> int:
    with studio.act() as session:
        return schedule.extend_series(session, studio.org_id, now=studio.now)


def ahead(studio: Studio) -> list[SessionView]:
    with studio.act() as session:
        return list(sessions(session, SessionFilter(), "en", cut=Cut(100)).rows)


def days(studio: Studio) -> list[str]:
    return [f"{one.slot.date:%d.%m} {one.slot.start:%H:%M}" for one in ahead(studio)]


@given(a_day, st.integers(0, 200), st.sets(st.integers(0, 6), min_size=1), st.sets(a_day))
def test_a_series_falls_on_its_weekdays_and_on_no_day_left_out(
    first: date, length: int, weekdays: set[int], skip: set[date]
) -> None:
    last = first + timedelta(days=length)
    found = list(dates(first, last, sorted(weekdays), sorted(skip)))
    every = {first + timedelta(days=n) for n in range(length + 1)}
    assert set(found) == {
        day for day in every if (day.weekday() + 1) % 7 in weekdays and day not in skip
    }
    assert found == sorted(found)


def test_its_classes_are_made_with_what_was_said_or_the_types_own(studio: Studio) -> None:
    _, plan = create(studio, new(studio, capacity=6, skip_dates=(studio.day(8),)))
    assert (len(plan.slots), plan.made, plan.skipped) == (3, 3, (studio.day(8),))
    made = ahead(studio)
    assert days(studio) == ["01.12 07:00", "15.12 07:00", "22.12 07:00"]
    assert {(one.capacity, one.slot.minutes, one.title) for one in made} == {(6, 60, "WOD")}


def test_the_schedule_reaches_ninety_days_and_grows_by_itself(studio: Studio) -> None:
    _, plan = create(studio, new(studio, last=studio.day(360)))
    assert (len(plan.slots), plan.made, len(ahead(studio))) == (52, 13, 13)
    assert extend(studio) == 0
    studio.wait(days=14)
    assert [extend(studio), extend(studio)] == [2, 0]
    studio.wait(days=400)
    extend(studio)
    studio.wait(days=-400)
    assert max(one.slot.date for one in ahead(studio)) <= studio.day(360 - 14)


def test_a_class_taken_off_by_itself_is_not_made_again(studio: Studio) -> None:
    create(studio, new(studio))
    with studio.act() as session:
        service.delete_session(session, studio.coach, ahead(studio)[1].id)
    assert extend(studio) == 0
    assert len(ahead(studio)) == 3


def test_a_series_that_begins_beyond_the_horizon_waits_for_its_first_day(studio: Studio) -> None:
    create(studio, new(studio, first=studio.day(120), last=studio.day(150)))
    assert ahead(studio) == []
    studio.wait(days=40)
    assert extend(studio) > 0
    assert min(one.slot.date for one in ahead(studio)) >= studio.day(80)


def test_an_archived_type_makes_no_more_and_a_coach_who_cannot_is_left_out(studio: Studio) -> None:
    coach = studio.staff[Role.COACH]
    create(studio, new(studio, coach_id=coach, last=studio.day(130)))
    studio.wait(days=14)
    studio.session("07:30", day=78, coach=coach)
    assert extend(studio) == 2
    busy, free = [one for one in ahead(studio) if one.slot.start == time(7, 0)][-2:]
    assert (busy.coach_id, free.coach_id) == (None, coach)
    with studio.act() as session:
        schedule.set_active(session, studio.class_type_id, active=False)
    studio.wait(days=14)
    assert extend(studio) == 0
    with pytest.raises(ClassTypeArchived):
        create(studio, new(studio))


def test_what_is_wrong_with_a_series_is_refused_as_a_whole(studio: Studio) -> None:
    coach = studio.staff[Role.COACH]
    studio.session("07:30", day=15, coach=coach)
    refused: list[tuple[type[Exception], dict[str, Any]]] = [
        (SessionInPast, {"first": studio.day(-1)}),
        (EmptySeries, {"last": studio.day(0)}),
        (EmptySeries, {"weekdays": (6,), "last": studio.day(3)}),
        (DateTooFar, {"last": studio.day(367)}),
        (CoachBusy, {"coach_id": coach}),
    ]
    for error, wrong in refused:
        with pytest.raises(error):
            create(studio, new(studio, **wrong))
    assert len(ahead(studio)) == 1
    create(studio, new(studio, coach_id=coach, override_reason="An assistant helps"))


def test_the_same_class_at_the_same_time_is_counted(studio: Studio) -> None:
    create(studio, new(studio))
    with studio.act() as session:
        again = schedule.plan_series(session, studio.admin, new(studio), now=studio.now)
    assert again.same == 4


@pytest.mark.parametrize("changes_on", [date(2027, 3, 26), date(2027, 10, 31)])
def test_seven_stays_seven_when_the_clocks_change(studio: Studio, changes_on: date) -> None:
    weekday = (changes_on.weekday() + 1) % 7
    week = timedelta(days=7)
    span = {"first": changes_on - week, "last": changes_on + week}
    _, plan = create(studio, new(studio, weekdays=(weekday,), **span))
    assert [slot.start for slot in plan.slots] == [time(7, 0)] * 3
    offsets = {slot.starts_at.astimezone(ZoneInfo(ZONE)).utcoffset() for slot in plan.slots}
    assert len(offsets) == 2
    assert [slot.minutes for slot in plan.slots] == [60] * 3


def test_a_time_that_a_night_skips_is_refused_and_one_that_comes_twice_is_the_first(
    studio: Studio,
) -> None:
    friday, sunday = date(2027, 3, 26), date(2027, 10, 31)
    skipped = new(studio, weekdays=(5,), start=time(2, 30), first=friday, last=friday)
    with pytest.raises(TimeDoesNotExist) as refused:
        create(studio, skipped)
    assert refused.value.values == {"date": friday, "time": time(2, 30)}
    create(studio, replace(skipped, first=date(2027, 3, 19), skip_dates=(friday,)))
    twice = new(studio, weekdays=(0,), start=time(1, 30), first=sunday, last=sunday)
    _, plan = create(studio, twice)
    (slot,) = plan.doubled
    assert slot.starts_at == datetime(2027, 10, 30, 22, 30, tzinfo=UTC)


def test_days_off_are_left_out_on_wish(studio: Studio) -> None:
    passover = {"first": date(2027, 4, 20), "last": date(2027, 5, 2), "weekdays": (3, 4, 5)}
    _, plan = create(studio, new(studio, skip_holidays=True, **passover))
    assert plan.skipped == (date(2027, 4, 22), date(2027, 4, 28))


def move(studio: Studio, one: UUID, to: NewTime, scope: Scope) -> service.SeriesMove:
    with studio.act() as session:
        return service.move_series(session, studio.coach, one, to, scope, now=studio.now)


def later(studio: Studio, nth: int) -> NewTime:
    """The day after the nth class, at eight."""
    return NewTime(ahead(studio)[nth].slot.date + timedelta(days=1), time(20, 0))


def test_all_that_follow_move_and_go_on_so(studio: Studio) -> None:
    create(studio, new(studio, last=studio.day(130)))
    studio.wait(days=1)
    second = ahead(studio)[2]
    moved = move(studio, second.id, later(studio, 2), Scope.FOLLOWING)
    assert len(moved.slots) == 11
    assert days(studio)[:4] == ["01.12 07:00", "08.12 07:00", "16.12 20:00", "23.12 20:00"]
    studio.wait(days=20)
    extend(studio)
    assert {view.slot.start for view in ahead(studio)[2:]} == {time(20, 0)}
    assert {(view.slot.date.weekday() + 1) % 7 for view in ahead(studio)[2:]} == {3}


def test_all_move_but_those_moved_by_themselves(studio: Studio) -> None:
    create(studio, new(studio))
    alone = ahead(studio)[1]
    with studio.act() as session:
        to = NewTime(alone.slot.date, time(9, 0))
        service.reschedule_session(session, studio.coach, alone.id, to, now=studio.now)
    move(studio, ahead(studio)[2].id, later(studio, 2), Scope.ALL)
    assert days(studio) == ["02.12 20:00", "08.12 09:00", "16.12 20:00", "23.12 20:00"]


def test_those_booked_keep_their_places_and_hear_of_it_once(studio: Studio) -> None:
    create(studio, new(studio))
    dana, noa = studio.member(), studio.member("Noa Katz")
    for one in ahead(studio)[:2]:
        studio.booking(dana, one.id)
    studio.booking(noa, ahead(studio)[1].id)
    studio.booking(noa, studio.session("20:30", day=9))
    moved = move(studio, ahead(studio)[0].id, later(studio, 0), Scope.ALL)
    assert (moved.booked, moved.told, moved.clashing) == (3, 2, ("Noa Katz",))
    with studio.act() as session:
        rows = session.scalars(select(Outbox).where(Outbox.topic == "member_notice")).all()
    told = [row.body for row in rows if row.body["notice"] == "series_moved"]
    assert sorted(body["member_id"] for body in told) == sorted(map(str, (dana, noa)))
    assert {body["was"]["time"] for body in told} == {"07:00"}


def test_a_move_of_many_is_refused_for_one_that_cannot(studio: Studio) -> None:
    coach = studio.staff[Role.COACH]
    create(studio, new(studio, coach_id=coach))
    studio.session("20:30", day=16, coach=coach)
    with pytest.raises(CoachBusy):
        move(studio, ahead(studio)[0].id, later(studio, 0), Scope.ALL)
    yesterday = NewTime(studio.day(0), time(8, 0))
    with pytest.raises(SessionInPast):
        move(studio, ahead(studio)[0].id, yesterday, Scope.ALL)
    with pytest.raises(NotInSeries):
        move(studio, studio.session(), later(studio, 0), Scope.FOLLOWING)


def take_off(studio: Studio, one: UUID, scope: Scope) -> service.SeriesGone:
    with studio.act() as session:
        return service.delete_series(session, studio.coach, one, scope, now=studio.now)


def test_what_follows_goes_and_is_not_made_again(studio: Studio) -> None:
    made, _ = create(studio, new(studio, last=studio.day(130)))
    gone = take_off(studio, ahead(studio)[2].id, Scope.FOLLOWING)
    assert (gone.deleted, gone.cancelled, gone.first) == (11, 0, studio.day(15))
    assert days(studio) == ["01.12 07:00", "08.12 07:00"]
    studio.wait(days=60)
    assert extend(studio) == 0
    with studio.act() as session:
        assert session.get_one(SessionSeries, made).until_date == date(2026, 12, 14)


def test_booked_classes_stop_it_and_those_once_booked_stay_as_cancelled(studio: Studio) -> None:
    create(studio, new(studio))
    one = ahead(studio)[1]
    booking = studio.booking(studio.member(), one.id)
    with pytest.raises(SeriesHasBookings) as refused:
        take_off(studio, ahead(studio)[0].id, Scope.ALL)
    assert refused.value.values["date"] == one.slot.date
    with studio.act() as session:
        service.cancel(session, studio.coach, booking, now=studio.now)
    gone = take_off(studio, ahead(studio)[0].id, Scope.ALL)
    assert (gone.deleted, gone.cancelled) == (3, 1)
    with studio.act() as session:
        assert session_view(session, one.id, "en").status is SessionStatus.CANCELLED
