"""No-shows that close booking ahead: off by default, and only for as long as the gym says."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.bookings import service
from app.bookings.errors import NoShowBlock
from app.bookings.service.facts import strikes_until
from app.bookings.terms import BookingStatus
from app.studio.policy import Strikes
from tests.studio import NOW, Studio

TWO_IN_SEVEN = Strikes(no_shows=2, within_days=7, block_days=7)
days = st.lists(st.integers(0, 60), max_size=12).map(sorted)


def at(day: int) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day)


@given(days, st.integers(1, 4), st.integers(1, 20), st.integers(1, 20))
def test_a_block_follows_the_last_run_of_enough_no_shows(
    missed: list[int], no_shows: int, within: int, block: int
) -> None:
    strikes = Strikes(no_shows=no_shows, within_days=within, block_days=block)
    runs = [
        last
        for n, last in enumerate(missed)
        if sum(last - within <= one for one in missed[: n + 1]) >= no_shows
    ]
    expected = at(runs[-1] + block) if runs else None
    assert strikes_until([at(day) for day in missed], strikes) == expected


def missed(studio: Studio, member: UUID, *ago: int) -> None:
    with studio.act() as session:
        known = [
            service.KnownBooking(one, member, None, BookingStatus.NO_SHOW, NOW)
            for one in (past_class(studio, days) for days in ago)
        ]
        service.bring_in(session, studio.owner, known)


def past_class(studio: Studio, days_ago: int) -> UUID:
    studio.wait(days=-days_ago - 1)
    made = studio.session("09:00", day=1)
    studio.wait(days=days_ago + 1)
    return made


def test_two_no_shows_in_a_week_close_booking_ahead_but_not_today(studio: Studio) -> None:
    studio.policy(strikes=TWO_IN_SEVEN.model_dump())
    dana = studio.member()
    missed(studio, dana, 5)
    studio.booking(dana, studio.session("12:00", day=3))
    missed(studio, dana, 2)
    with pytest.raises(NoShowBlock) as refused:
        studio.booking(dana, studio.session(day=2))
    assert refused.value.values["until"] == NOW + timedelta(days=5)
    studio.booking(dana, studio.session("18:00", day=0))
    studio.booking(dana, studio.session("20:00", day=2), override_reason="Was ill")
    studio.wait(days=5)
    studio.booking(dana, studio.session(day=2))


def test_no_shows_close_nothing_unless_the_gym_wants_it(studio: Studio) -> None:
    dana = studio.member()
    missed(studio, dana, 3, 2, 1)
    studio.booking(dana, studio.session(day=2))
