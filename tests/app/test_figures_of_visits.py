"""Attendance, fill, no-shows, risk, programs and leads, on a gym worked out by hand."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select

from app.analytics.periods import Days
from app.analytics.queries import growth, overview, risk, visits
from app.analytics.queries.growth import LeadsBy
from app.analytics.queries.visits import VisitsBy
from app.analytics.views import AtRisk, Attendance, Followed
from app.bookings import service as bookings
from app.bookings.models import Booking
from app.bookings.terms import BookingStatus
from app.leads.models import Lead, LeadActivity
from app.leads.terms import ActivityKind, LeadSource, LeadStage, LostReason
from app.people.models import Member
from app.schedule.models import ClassSession
from app.schedule.terms import SessionStatus
from app.studio.paging import Cut
from tests.studio import NOW, Studio

TODAY = date(2026, 11, 30)
WEEK = Days(TODAY - timedelta(days=7), TODAY)


def read(studio: Studio, query: Callable[..., Any], *args: object, **more: object) -> Any:  # noqa: ANN401 - what the query gives
    with studio.act() as session:
        return query(session, *args, **more)


def held(studio: Studio, days_ago: int, *statuses: BookingStatus, **more: Any) -> UUID:  # noqa: ANN401 - what the query gives
    """A class that was held some days ago, with a booking of each status by new people."""
    people = [studio.person(f"Person {index}") for index in range(len(statuses))]
    return held_with(studio, days_ago, list(zip(people, statuses, strict=True)), **more)


def held_with(
    studio: Studio,
    days_ago: int,
    booked: list[tuple[UUID, BookingStatus]],
    **more: Any,  # noqa: ANN401 - as Studio.session
) -> UUID:
    session_id = studio.session(day=days_ago, **more)
    with studio.act() as session:
        row = session.get_one(ClassSession, session_id)
        back = timedelta(days=2 * days_ago)
        row.local_date, row.starts_at, row.ends_at = (
            row.local_date - back,
            row.starts_at - back,
            row.ends_at - back,
        )
        for member, status in booked:
            session.add(
                Booking(
                    org_id=studio.org_id,
                    class_session_id=session_id,
                    member_id=member,
                    status=status,
                    booked_at=row.starts_at - timedelta(days=1),
                )
            )
    return session_id


def marked(studio: Studio, session_id: UUID, member: UUID, **values: object) -> None:
    """What else a booking of a class says."""
    with studio.act() as session:
        query = select(Booking).filter_by(class_session_id=session_id, member_id=member)
        row = session.scalars(query).one()
        for name, value in values.items():
            setattr(row, name, value)


CAME, MISSED = BookingStatus.ATTENDED, BookingStatus.NO_SHOW
LATE, BOOKED = BookingStatus.LATE_CANCELLED, BookingStatus.BOOKED
CANCELLED, REMOVED = BookingStatus.CANCELLED, BookingStatus.REMOVED
WAITING = BookingStatus.WAITLISTED


def attended(
    studio: Studio, by: VisitsBy | None = None, *, language: str = "en", week_start: int = 0
) -> Attendance:
    found: Attendance = read(
        studio,
        visits.attendance,
        WEEK,
        by,
        language=language,
        week_start=week_start,
        now=NOW,
        today=TODAY,
    )
    return found


def test_fill_is_weighted_and_only_of_classes_that_were_held(studio: Studio) -> None:
    held(studio, 2, CAME, CAME, MISSED, capacity=4)
    held(studio, 3, CAME, LATE, WAITING, capacity=12)
    studio.session(day=1)

    found = attended(studio, VisitsBy.WEEKDAY)

    whole = found.whole
    assert (whole.sessions, whole.capacity, whole.booked, whole.attended) == (2, 16, 4, 3)
    assert (whole.no_shows, whole.late, whole.waiting) == (1, 1, 1)
    assert [(key, part.booked) for key, part in found.parts] == [("5", 1), ("6", 3)]


def test_weeks_and_weekdays_are_the_gym_s_own(studio: Studio) -> None:
    held(studio, 1, CAME)
    held(studio, 2, CAME)
    for week_start, weekdays, weeks in (
        (0, ["0", "6"], ["2026-11-22", "2026-11-29"]),
        (1, ["6", "0"], ["2026-11-23"]),
        (6, ["6", "0"], ["2026-11-28"]),
    ):
        by_day = attended(studio, VisitsBy.WEEKDAY, week_start=week_start)
        by_week = attended(studio, VisitsBy.WEEK, week_start=week_start)
        assert [key for key, _ in by_day.parts] == weekdays
        assert [key for key, _ in by_week.parts] == weeks


def test_places_count_as_they_were_taken_when_the_class_began(studio: Studio) -> None:
    names = ("came", "in", "queued", "undone", "gave up", "early", "left", "spared")
    people = {name: studio.person(name) for name in names}
    statuses = (CAME, CAME, CAME, REMOVED, CANCELLED, CANCELLED, LATE, CANCELLED)
    one = held_with(studio, 2, list(zip(people.values(), statuses, strict=True)), capacity=10)
    with studio.act() as session:
        begun = session.get_one(ClassSession, one).starts_at
    before, since = begun - timedelta(hours=9), begun + timedelta(minutes=5)
    marked(studio, one, people["in"], walk_in=True)
    marked(
        studio, one, people["queued"], walk_in=True, checked_in_from=WAITING, waitlisted_at=before
    )
    marked(studio, one, people["undone"], walk_in=True, cancelled_at=since)
    marked(studio, one, people["gave up"], waitlisted_at=before, cancelled_at=since)
    marked(studio, one, people["early"], cancelled_at=before)
    marked(studio, one, people["left"], cancelled_at=since)
    marked(studio, one, people["spared"], cancelled_at=since)

    whole = attended(studio).whole

    # In place: who came, who left late, and who was spared the late cancel.
    assert (whole.booked, whole.waiting, whole.attended, whole.late) == (3, 2, 3, 1)


def test_who_leaves_the_queue_is_still_known_to_have_waited(studio: Studio) -> None:
    full = studio.session(day=1, capacity=1)
    studio.booking(studio.member("Dana Levi"), full)
    waiting = studio.booking(studio.member("Noa Levi"), full, join_waitlist=True)
    with studio.act() as session:
        bookings.cancel(session, studio.coach, waiting, now=studio.now)
        row = session.get_one(Booking, waiting)
        assert (row.status, row.waitlisted_at) == (CANCELLED, NOW)


def test_each_way_to_tell_classes_apart_has_all_of_them(studio: Studio) -> None:
    held(studio, 2, CAME, coach=studio.staff[next(iter(studio.staff))])
    for by in VisitsBy:
        found = attended(studio, by, language="he")
        assert [part.attended for _, part in found.parts] == [1], by


def test_who_keeps_staying_away_is_named(studio: Studio) -> None:
    dana, noa = studio.person("Dana Levi"), studio.person("Noa Levi")
    held_with(studio, 2, [(dana, MISSED), (noa, MISSED)])
    held_with(studio, 3, [(dana, LATE), (noa, CAME)])

    found = read(studio, visits.repeaters, WEEK, least=2, now=NOW, cut=Cut())

    assert [(one.name, one.no_shows, one.late) for one in found.rows] == [("Dana Levi", 1, 1)]


def test_a_gym_without_classes_has_figures_of_nothing(studio: Studio) -> None:
    found = attended(studio, VisitsBy.DAY)
    assert (found.whole.sessions, found.whole.capacity, list(found.parts)) == (0, 0, [])


def at_risk(studio: Studio) -> list[AtRisk]:
    found = read(
        studio,
        risk.at_risk,
        TODAY,
        now=NOW,
        zone="Asia/Jerusalem",
        threshold_days=10,
        with_money=True,
        cut=Cut(),
    )
    return list(found.rows)


def long_here(studio: Studio, name: str) -> UUID:
    member = studio.member(name)
    with studio.act() as session:
        session.get_one(Member, member).joined_on = TODAY - timedelta(days=400)
    return member


def test_two_weeks_are_fourteen_days_with_today(studio: Studio) -> None:
    """A visit fourteen days ago is of the eight weeks before, and one 69 days ago the first."""
    member = long_here(studio, "Fay Levi")
    for ago in (1, *range(14, 69, 9), 69, 70):
        held_with(studio, ago, [(member, CAME)])

    (only,) = at_risk(studio)

    # Eight in eight weeks is one a week, one in two weeks half of that: 15 of 30, and 40 by 21.
    assert (list(only.reasons), only.score, only.days_since) == (["fewer_visits"], 17, 1)


def test_who_came_long_ago_is_known_by_that_and_closed_days_don_t_count(studio: Studio) -> None:
    member, never = long_here(studio, "Fay Levi"), long_here(studio, "Ned Levi")
    held_with(studio, 300, [(member, CAME)])
    closed = held_with(studio, 250, [])
    with studio.act() as session:
        session.get_one(ClassSession, closed).status = SessionStatus.CANCELLED

    away = {one.member_id: (one.last_visit, one.days_since) for one in at_risk(studio)}

    assert away == {member: (TODAY - timedelta(days=300), 299), never: (None, 399)}


def test_who_comes_less_is_at_risk_and_the_new_and_the_steady_are_not(studio: Studio) -> None:
    fading, steady = long_here(studio, "Fay Levi"), long_here(studio, "Sam Levi")
    with studio.act() as session:
        session.get_one(Member, studio.member("New Levi")).joined_on = TODAY - timedelta(days=3)
    for ago in range(16, 70, 3):
        held_with(studio, ago, [(fading, CAME), (steady, CAME)])
    for ago in (1, 4, 7, 10, 13):
        held_with(studio, ago, [(steady, CAME)])

    (only,) = at_risk(studio)

    assert only.name == "Fay Levi"
    assert (list(only.reasons), only.days_since) == (["away", "fewer_visits"], 16)
    # 40 by 16 of 21 days, and all of the 30 for nothing in two weeks.
    assert (only.score, only.level) == (60, "high")


def lead(
    studio: Studio,
    source: LeadSource,
    stage: LeadStage,
    activities: Sequence[dict[str, Any]] = (),
    **more: Any,  # noqa: ANN401 - what the query gives
) -> None:
    with studio.act() as session:
        row = Lead(
            org_id=studio.org_id,
            first_name="Lee",
            phone=f"+97254{studio.person('X Y').int % 10**7:07d}",
            source=source,
            stage=stage,
            stage_since=NOW,
            **more,
        )
        session.add(row)
        session.flush()
        for one in activities:
            session.add(LeadActivity(org_id=studio.org_id, lead_id=row.id, occurred_at=NOW, **one))


def trial(studio: Studio, days_ago: int, status: BookingStatus) -> UUID:
    """The booking of somebody's trial."""
    one = held(studio, days_ago, status)
    with studio.act() as session:
        return session.scalars(select(Booking.id).filter_by(class_session_id=one)).one()


def test_a_trial_is_shown_up_for_or_not_only_where_it_was_kept(studio: Studio) -> None:
    walk = LeadSource.WALK_IN
    lost: dict[str, Any] = {"lost_reason": LostReason.PRICE}
    for status in (CAME, MISSED, BOOKED, LATE, CANCELLED):
        lead(studio, walk, LeadStage.TRIAL_DONE, trial_booking_id=trial(studio, 2, status))
    ahead = studio.booking(studio.member(), studio.session(day=2))
    lead(studio, walk, LeadStage.LOST, trial_booking_id=ahead, **lost)
    # Lost from where they were: one was never spoken to, one was noted, one called, one offered.
    told = {"kind": ActivityKind.STAGE_CHANGE, "stage": LeadStage.LOST}
    lead(studio, walk, LeadStage.LOST, [told, {"kind": ActivityKind.NOTE}], **lost)
    lead(studio, walk, LeadStage.LOST, [told, {"kind": ActivityKind.CALL}], **lost)
    lead(studio, walk, LeadStage.LOST, [told, {**told, "stage": LeadStage.OFFER}], **lost)

    whole = read(studio, growth.conversion, WEEK, None, now=NOW, zone="Asia/Jerusalem").whole

    assert (whole.created, whole.contacted) == (9, 8)
    assert (whole.trial_booked, whole.trial_attended, whole.trials_past) == (6, 1, 3)


def test_leads_are_a_cohort_and_duplicates_are_out(studio: Studio) -> None:
    web, walk = LeadSource.WEBSITE, LeadSource.WALK_IN
    lead(studio, web, LeadStage.WON, converted_at=NOW + timedelta(days=3))
    lead(studio, web, LeadStage.NEW)
    lead(studio, walk, LeadStage.LOST, lost_reason=LostReason.PRICE)
    lead(studio, walk, LeadStage.LOST, lost_reason=LostReason.DUPLICATE)

    found = read(studio, growth.conversion, WEEK, LeadsBy.SOURCE, now=NOW, zone="Asia/Jerusalem")

    assert (found.whole.created, found.whole.won, found.whole.contacted) == (3, 1, 1)
    assert [(key, part.created) for key, part in found.parts] == [("walk_in", 1), ("website", 2)]
    assert found.immature
    assert found.median_days is not None
    assert 2.9 < found.median_days < 3.1


def test_the_day_in_numbers_hides_money_from_who_may_not_see_it(studio: Studio) -> None:
    studio.booking(studio.member(), studio.session(day=0, at="18:00", capacity=10))
    asked = {"now": NOW, "today": TODAY, "zone": "Asia/Jerusalem"}
    found = read(studio, overview.headline, TODAY, money=False, **asked)
    assert (found.classes, found.places, found.booked, found.members) == (1, 10, 1, 1)
    assert (found.mrr, found.owing, found.owed) == (None, None, None)
    assert read(studio, overview.headline, TODAY, money=True, **asked).mrr == 38_000


def test_compliance_of_too_few_days_isn_t_told() -> None:
    assert growth.compliance(Followed(None, "", 2, 2.0)) is None
    assert growth.compliance(Followed(None, "", 4, 2.5)) == 62.5
