"""A member is taken out of all classes to come, and can be put back just as they were."""

from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from app.bookings import queries, service
from app.bookings.errors import Clash, PlaceGone
from app.bookings.service import Cleared
from app.bookings.terms import BookingStatus
from app.core.outbox import Outbox
from app.memberships import queries as memberships
from tests.studio import Studio


def clear(studio: Studio, member_id: UUID, **span: Any) -> Cleared:  # noqa: ANN401 - days, or whether to tell
    with studio.act() as session:
        return service.clear(session, studio.admin, member_id, now=studio.now, **span)


def bring_back(studio: Studio, member_id: UUID, at: datetime) -> int:
    with studio.act() as session:
        return service.bring_back(session, studio.admin, member_id, at, now=studio.now)


def standing(studio: Studio, member_id: UUID) -> list[tuple[BookingStatus, int | None]]:
    with studio.act() as session:
        found = queries.ahead(session, member_id, "en", now=studio.now)
        return [(one.status, one.position) for one in found]


def balance(studio: Studio, member_id: UUID) -> int:
    with studio.act() as session:
        return memberships.balance(session, member_id, studio.day(0))


def test_places_queues_and_credits_go_and_come_back(studio: Studio) -> None:
    dana, noa = studio.member("Dana Levi", credits_=10), studio.member("Noa Cohen")
    soon, full = studio.session("11:00", day=0), studio.session("19:00", capacity=1)
    studio.booking(dana, soon)
    studio.booking(noa, full)
    studio.booking(dana, full, join_waitlist=True)
    before = standing(studio, dana)
    assert (before, balance(studio, dana)) == (
        [(BookingStatus.BOOKED, None), (BookingStatus.WAITLISTED, 1)],
        9,
    )

    gone, at = clear(studio, dana), studio.now

    assert (len(gone.bookings), gone.credits) == (2, 1), "however late it is"
    assert (standing(studio, dana), balance(studio, dana)) == ([], 10)
    studio.wait(seconds=5)
    assert bring_back(studio, dana, at) == 2
    assert (standing(studio, dana), balance(studio, dana)) == (before, 9)


def test_only_the_days_that_are_meant_are_cleared_and_each_class_tells(studio: Studio) -> None:
    dana = studio.member()
    for day in (1, 2, 3):
        studio.booking(dana, studio.session(day=day))
    told = len(notices(studio))

    gone = clear(studio, dana, since=studio.day(2), until=studio.day(2))

    assert [one.slot.date for one in gone.bookings] == [studio.day(2)]
    assert len(standing(studio, dana)) == 2
    assert len(notices(studio)) == told + 1
    clear(studio, dana, tell=False)
    assert len(notices(studio)) == told + 1


def test_a_place_that_was_given_away_stays_away(studio: Studio) -> None:
    dana, noa = studio.member("Dana Levi"), studio.member("Noa Cohen")
    one, other = studio.session(capacity=1), studio.session("20:00")
    studio.booking(dana, one)
    studio.booking(dana, other)
    clear(studio, dana)
    at = studio.now
    studio.booking(noa, one)

    with pytest.raises(PlaceGone):
        bring_back(studio, dana, at)

    assert standing(studio, dana) == [], "all or nothing"


def test_whoever_booked_another_class_at_that_time_is_not_in_two(studio: Studio) -> None:
    dana = studio.member()
    studio.booking(dana, studio.session())
    clear(studio, dana)
    at = studio.now
    studio.booking(dana, studio.session("18:30"))
    with pytest.raises(Clash):
        bring_back(studio, dana, at)


def notices(studio: Studio) -> list[Outbox]:
    with studio.act() as session:
        rows = session.scalars(select(Outbox).where(Outbox.topic == "member_notice"))
        return [row for row in rows if row.body["notice"] == "booking_cancelled"]
