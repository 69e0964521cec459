"""Attendance, fill, no-shows, risk, programs and leads, on a gym worked out by hand."""

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from app.analytics.periods import Days
from app.analytics.queries import growth, overview, risk, visits
from app.analytics.queries.growth import LeadsBy
from app.analytics.queries.visits import VisitsBy
from app.analytics.views import Followed
from app.bookings.models import Booking
from app.bookings.terms import BookingStatus
from app.leads.models import Lead
from app.leads.terms import LeadSource, LeadStage, LostReason
from app.people.models import Member
from app.schedule.models import ClassSession
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


CAME, MISSED = BookingStatus.ATTENDED, BookingStatus.NO_SHOW
LATE, BOOKED = BookingStatus.LATE_CANCELLED, BookingStatus.BOOKED
WAITING = BookingStatus.WAITLISTED


def test_fill_is_weighted_and_only_of_classes_that_were_held(studio: Studio) -> None:
    held(studio, 2, CAME, CAME, MISSED, capacity=4)
    held(studio, 3, CAME, LATE, WAITING, capacity=12)
    studio.session(day=1)

    found = read(
        studio, visits.attendance, WEEK, VisitsBy.WEEKDAY, language="en", now=NOW, today=TODAY
    )

    whole = found.whole
    assert (whole.sessions, whole.capacity, whole.booked, whole.attended) == (2, 16, 4, 3)
    assert (whole.no_shows, whole.late, whole.waiting) == (1, 1, 1)
    assert [(key, part.booked) for key, part in found.parts] == [("5", 1), ("6", 3)]


def test_each_way_to_tell_classes_apart_has_all_of_them(studio: Studio) -> None:
    held(studio, 2, CAME, coach=studio.staff[next(iter(studio.staff))])
    for by in VisitsBy:
        found = read(studio, visits.attendance, WEEK, by, language="he", now=NOW, today=TODAY)
        assert [part.attended for _, part in found.parts] == [1], by


def test_who_keeps_staying_away_is_named(studio: Studio) -> None:
    dana, noa = studio.person("Dana Levi"), studio.person("Noa Levi")
    held_with(studio, 2, [(dana, MISSED), (noa, MISSED)])
    held_with(studio, 3, [(dana, LATE), (noa, CAME)])

    found = read(studio, visits.repeaters, WEEK, least=2, now=NOW, cut=Cut())

    assert [(one.name, one.no_shows, one.late) for one in found.rows] == [("Dana Levi", 1, 1)]


def test_a_gym_without_classes_has_figures_of_nothing(studio: Studio) -> None:
    found = read(studio, visits.attendance, WEEK, VisitsBy.DAY, language="en", now=NOW, today=TODAY)
    assert (found.whole.sessions, found.whole.capacity, list(found.parts)) == (0, 0, [])


def test_who_comes_less_is_at_risk_and_the_new_and_the_steady_are_not(studio: Studio) -> None:
    fading, steady, new = (studio.member(f"{name} Levi") for name in ("Fay", "Sam", "New"))
    with studio.act() as session:
        for member in (fading, steady):
            session.get_one(Member, member).joined_on = TODAY - timedelta(days=200)
        session.get_one(Member, new).joined_on = TODAY - timedelta(days=3)
    for ago in range(16, 70, 3):
        held_with(studio, ago, [(fading, CAME), (steady, CAME)])
    for ago in (1, 4, 7, 10, 13):
        held_with(studio, ago, [(steady, CAME)])

    found = read(
        studio, risk.at_risk, TODAY, now=NOW, threshold_days=10, with_money=True, cut=Cut()
    )

    assert [one.name for one in found.rows] == ["Fay Levi"]
    only = found.rows[0]
    assert (list(only.reasons), only.days_since) == (["away", "fewer_visits"], 16)
    # 40 by 16 of 21 days, and all of the 30 for nothing in two weeks.
    assert (only.score, only.level) == (60, "high")


def lead(studio: Studio, source: LeadSource, stage: LeadStage, **more: Any) -> None:  # noqa: ANN401 - what the query gives
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


def test_leads_are_a_cohort_and_duplicates_are_out(studio: Studio) -> None:
    web, walk = LeadSource.WEBSITE, LeadSource.WALK_IN
    lead(studio, web, LeadStage.WON, converted_at=NOW + timedelta(days=3))
    lead(studio, web, LeadStage.NEW)
    lead(studio, walk, LeadStage.LOST, lost_reason=LostReason.PRICE)
    lead(studio, walk, LeadStage.LOST, lost_reason=LostReason.DUPLICATE)

    found = read(studio, growth.conversion, WEEK, LeadsBy.SOURCE, now=NOW, zone="Asia/Jerusalem")

    assert (found.whole.created, found.whole.won, found.whole.contacted) == (3, 1, 2)
    assert [(key, part.created) for key, part in found.parts] == [("walk_in", 1), ("website", 2)]
    assert found.immature
    assert found.median_days is not None
    assert 2.9 < found.median_days < 3.1


def test_the_day_in_numbers_hides_money_from_who_may_not_see_it(studio: Studio) -> None:
    studio.booking(studio.member(), studio.session(day=0, at="18:00", capacity=10))
    found = read(studio, overview.headline, TODAY, now=NOW, today=TODAY, money=False)
    assert (found.classes, found.places, found.booked, found.members) == (1, 10, 1, 1)
    assert (found.mrr, found.owing, found.owed) == (None, None, None)
    assert read(studio, overview.headline, TODAY, now=NOW, today=TODAY, money=True).mrr == 38_000


def test_compliance_of_too_few_days_isn_t_told() -> None:
    assert growth.compliance(Followed(None, "", 2, 2.0)) is None
    assert growth.compliance(Followed(None, "", 4, 2.5)) == 62.5
