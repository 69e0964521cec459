"""The workout of the day: set, shown, hidden, copied; and what a class has of it."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest

from app.core.errors import BadInput, NotFound, StaleVersion
from app.programs.errors import (
    AlreadyAttached,
    AlreadyPublished,
    NothingToCopy,
    NotPublished,
    PublishInPast,
    SameWeek,
    WorkoutArchived,
)
from app.programs.queries import daily as queries
from app.programs.queries.daily import Days
from app.programs.service import attaching, daily
from app.programs.service.daily import DailyChanges, Key, NewDaily
from app.programs.terms import DailyStatus
from app.programs.views import DailyView
from app.schedule import service as schedule
from app.schedule.errors import ClassTypeArchived, DateTooFar, TimeDoesNotExist
from tests.programming import SUNDAY, attach, class_type, programmed, workout
from tests.studio import Studio


def key(studio: Studio, kind: UUID, ahead: int = 1) -> Key:
    return Key(studio.day(ahead), kind)


def day_of(studio: Studio, kind: UUID, ahead: int = 1) -> DailyView:
    with studio.act() as session:
        return queries.daily_view(session, studio.day(ahead), kind, "en", now=studio.now)


def put(studio: Studio, new: NewDaily, **more: int) -> DailyView:
    with studio.act() as session:
        return daily.put(session, studio.coach, new, now=studio.now, **more)


def week(studio: Studio, first: int, kind: UUID | None = None) -> list[tuple[int, str, str]]:
    """Days from today, the workout and its status, for seven days."""
    with studio.act() as session:
        days = Days.week_from(studio.day(first), kind)
        found = queries.with_gaps(session, days, "en", now=studio.now)
    return [((one.day - studio.day(0)).days, one.workout or "", one.status) for one in found]


def test_one_workout_a_day_and_kind_of_class(studio: Studio) -> None:
    kind = class_type(studio)
    programmed(studio, kind, studio.day(1))
    programmed(studio, kind, studio.day(1), workout(studio, "Cindy"))
    programmed(studio, class_type(studio), studio.day(1), workout(studio, "Grace"))
    assert day_of(studio, kind).workout == "Cindy"
    with studio.act() as session:
        day = queries.programmed(session, Days(studio.day(1), studio.day(1)), "en", now=studio.now)
    assert [one.workout for one in day] == ["Cindy", "Grace"]


def test_what_cannot_be_set_says_why(studio: Studio) -> None:
    kind, archived, fran = class_type(studio), class_type(studio), workout(studio)
    with studio.act() as session:
        schedule.set_active(session, archived, active=False)
    old = workout(studio, archived=True)
    wrong = [
        (ClassTypeArchived, NewDaily(key(studio, archived), fran)),
        (NotFound, NewDaily(key(studio, fran), fran)),
        (NotFound, NewDaily(key(studio, kind), kind)),
        (WorkoutArchived, NewDaily(key(studio, kind), old)),
        (DateTooFar, NewDaily(key(studio, kind, 400), fran)),
        (BadInput, NewDaily(key(studio, kind, -61), fran)),
    ]
    for error, new in wrong:
        with pytest.raises(error):
            put(studio, new)
    made = put(studio, NewDaily(key(studio, kind), fran))
    with pytest.raises(StaleVersion):
        put(studio, NewDaily(key(studio, kind), fran), expected_version=(made.version or 0) + 1)


def test_a_draft_is_seen_once_its_time_has_come(studio: Studio) -> None:
    kind = class_type(studio)
    evening = studio.now + timedelta(hours=10)
    put(studio, NewDaily(key(studio, kind), workout(studio), publish_at=evening))
    assert day_of(studio, kind).status is DailyStatus.SCHEDULED
    studio.wait(hours=10)
    assert day_of(studio, kind).status is DailyStatus.PUBLISHED
    with studio.act() as session:
        with pytest.raises(AlreadyPublished):
            daily.publish(session, studio.coach, key(studio, kind), now=studio.now)
        later = DailyChanges(publish_at=studio.now + timedelta(hours=1))
        with pytest.raises(AlreadyPublished):
            daily.update(session, studio.coach, key(studio, kind), later, now=studio.now)
        hidden = daily.unpublish(session, studio.coach, key(studio, kind), now=studio.now)
        assert (hidden.status, hidden.publish_at) == (DailyStatus.DRAFT, None)
        with pytest.raises(NotPublished):
            daily.unpublish(session, studio.coach, key(studio, kind), now=studio.now)


def test_a_published_day_goes_on_being_seen_with_another_workout(studio: Studio) -> None:
    kind = class_type(studio)
    programmed(studio, kind, studio.day(1))
    with studio.act() as session:
        daily.publish(session, studio.coach, key(studio, kind), now=studio.now)
    programmed(studio, kind, studio.day(1), workout(studio, "Cindy"))
    shown = day_of(studio, kind)
    assert (shown.workout, shown.status) == ("Cindy", DailyStatus.PUBLISHED)


def test_publish_times_are_local_and_ahead(studio: Studio) -> None:
    with studio.act() as session:

        def at(local: str) -> datetime:
            when = datetime.fromisoformat(local)
            return daily.publish_time(session, studio.coach, when, now=studio.now)

        assert at("2026-11-30T20:00").isoformat() == "2026-11-30T18:00:00+00:00"
        assert at("2026-11-30T20:00+02:00") == at("2026-11-30T20:00")
        for error, local in (
            (PublishInPast, "2026-11-30T09:59"),
            (TimeDoesNotExist, "2027-03-26T02:30"),
            (DateTooFar, "2028-11-30T20:00"),
        ):
            with pytest.raises(error):
                at(local)


def test_a_week_shows_its_gaps_for_the_kinds_that_are_programmed(studio: Studio) -> None:
    kind, open_gym = class_type(studio), studio.class_type_id
    for day in (1, 2, 3):
        studio.class_type_id = kind
        studio.session(day=day)
    studio.session("20:00", day=1)
    studio.class_type_id = open_gym
    studio.session("21:00", day=1)
    assert len(week(studio, -1)) == 4, "where nothing is programmed every kind is empty"
    programmed(studio, kind, studio.day(2))
    assert week(studio, -1) == [(1, "", "empty"), (2, "Fran", "draft"), (3, "", "empty")]
    assert week(studio, -1, open_gym) == [(1, "", "empty")]
    assert week(studio, 34) == []


def test_a_copied_week_keeps_what_is_there_unless_it_may_replace_it(studio: Studio) -> None:
    kind, other = class_type(studio), class_type(studio)
    evening = studio.now + timedelta(hours=10)
    put(studio, NewDaily(key(studio, kind, 1), workout(studio), evening, coach_notes="Go light"))
    programmed(studio, kind, studio.day(2), workout(studio, "Cindy"))
    programmed(studio, other, studio.day(2), workout(studio, "Murph"))
    programmed(studio, kind, studio.day(9), workout(studio, "Grace"))
    weeks = (studio.day(0), SUNDAY)
    with studio.act() as session:
        plan = daily.copy_week(
            session, studio.coach, weeks, [kind], overwrite=False, now=studio.now
        )
    assert ([one.workout for one in plan.added], [one.workout for one in plan.kept]) == (
        ["Fran"],
        ["Cindy"],
    )
    copied = day_of(studio, kind, 8)
    assert (copied.workout, copied.coach_notes) == ("Fran", "Go light")
    assert (copied.status, copied.publish_at) == (
        DailyStatus.SCHEDULED,
        evening + timedelta(days=7),
    )
    assert day_of(studio, kind, 9).workout == "Grace"
    with studio.act() as session:
        daily.copy_week(session, studio.coach, weeks, [kind], overwrite=True, now=studio.now)
    assert day_of(studio, kind, 9).workout == "Cindy"
    with studio.act() as session:
        for error, wrong, kinds in (
            (NothingToCopy, (SUNDAY + timedelta(days=30), SUNDAY), [kind]),
            (NothingToCopy, weeks, [studio.class_type_id]),
            (SameWeek, (studio.day(0), studio.day(4)), [kind]),
            (NotFound, weeks, [studio.org_id]),
            (DateTooFar, (studio.day(0), studio.day(500)), [kind]),
        ):
            with pytest.raises(error):
                daily.plan_copy(
                    session, studio.coach, wrong, kinds, overwrite=False, now=studio.now
                )


def test_a_class_has_its_own_workouts_or_that_of_its_day_and_kind(studio: Studio) -> None:
    studio.class_type_id = kind = class_type(studio)
    wod, other = studio.session(), studio.session("20:00")

    def has(session_id: UUID) -> list[tuple[str, bool, bool]]:
        with studio.act() as session:
            found = queries.of_session(session, session_id, "en", now=studio.now)
        return [(one.title, one.own, one.visible) for one in found]

    assert has(wod) == []
    programmed(studio, kind, studio.day(1))
    assert has(wod) == has(other) == [("Fran", False, False)]
    grace = workout(studio, "Grace")
    later = studio.now + timedelta(hours=3)
    attach(studio, wod, grace, visible_from=later)
    attach(studio, wod, workout(studio, "Row"), position=1)
    assert has(wod) == [("Row", True, True), ("Grace", True, False)]
    assert has(other) == [("Fran", False, False)]
    with pytest.raises(AlreadyAttached):
        attach(studio, wod, grace)
    with pytest.raises(PublishInPast):
        attach(studio, other, grace, visible_from=studio.now)
    with pytest.raises(BadInput):
        attach(studio, other, grace, position=5)
    with studio.act() as session:
        attaching.detach(session, studio.coach, wod, grace)
        with pytest.raises(NotFound):
            attaching.detach(session, studio.coach, wod, grace)
    attach(studio, wod, grace)
    assert has(wod) == [("Row", True, True), ("Grace", True, True)]
