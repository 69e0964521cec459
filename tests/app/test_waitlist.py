"""The queue of a full class: its order, and who is let in."""

from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import select

from app.bookings import service
from app.bookings.errors import Full
from app.bookings.queries import booking_view, roster
from app.bookings.service import Promotion
from app.bookings.terms import BookingStatus
from app.core.outbox import Outbox, OutboxState
from app.memberships.queries import balance
from app.people import service as people
from app.people.terms import MemberStatus
from app.schedule.service import Changes
from app.studio.paging import Cut
from tests.studio import Studio


def full_class(studio: Studio, *waiting: str, capacity: int = 1) -> tuple[UUID, UUID, list[UUID]]:
    """A class, the booking that fills its last place, and the bookings of those who wait."""
    wod = studio.session("18:00", day=1, capacity=capacity)
    last = [studio.booking(studio.member(f"Has Place{n}"), wod) for n in range(capacity)][-1]
    queue = [
        studio.booking(studio.member(name, credits_=1), wod, join_waitlist=True) for name in waiting
    ]
    return wod, last, queue


def positions(studio: Studio, wod: UUID) -> list[tuple[str, int | None]]:
    with studio.act() as session:
        rows = roster(session, wod, "en", waiting=True, cut=Cut()).rows
    return [(row.member, row.position) for row in rows if row.status is BookingStatus.WAITLISTED]


def cancel(studio: Studio, booking: UUID) -> None:
    with studio.act() as session:
        service.cancel(session, studio.coach, booking, now=studio.now)


def promote(studio: Studio, wod: UUID) -> Promotion:
    """Carry out what the outbox holds, as its relay does."""
    with studio.act() as session:
        for row in session.scalars(select(Outbox).where(Outbox.topic == "promote_waitlist")):
            row.state = OutboxState.DONE
        return service.promote(session, wod, now=studio.now)


def test_places_in_the_queue_have_no_gaps(studio: Studio) -> None:
    wod, _, queue = full_class(studio, "Ann A", "Ben B", "Cat C")
    assert positions(studio, wod) == [("Ann A", 1), ("Ben B", 2), ("Cat C", 3)]
    cancel(studio, queue[1])
    assert positions(studio, wod) == [("Ann A", 1), ("Cat C", 2)]


def test_a_freed_place_is_kept_for_the_queue_until_it_moves(studio: Studio) -> None:
    wod, last, queue = full_class(studio, "Ann A")
    cancel(studio, last)
    with pytest.raises(Full):
        studio.booking(studio.member("Jumps In"), wod)
    with studio.act() as session:
        due = session.scalars(select(Outbox.due_at).where(Outbox.topic == "promote_waitlist")).one()
    assert due == studio.now + timedelta(seconds=15)
    studio.wait(seconds=15)
    assert promote(studio, wod).promoted == (queue[0],)


def test_the_credit_is_taken_when_the_queue_lets_in(studio: Studio) -> None:
    wod, last, queue = full_class(studio, "Ann A")
    with studio.act() as session:
        ann = booking_view(session, queue[0], "en").member_id
        assert balance(session, ann, studio.day(0)) == 1
    cancel(studio, last)
    promote(studio, wod)
    with studio.act() as session:
        assert balance(session, ann, studio.day(0)) == 0
        assert booking_view(session, queue[0], "en").status is BookingStatus.BOOKED


def test_who_may_not_come_is_skipped_and_keeps_the_position(studio: Studio) -> None:
    wod, last, queue = full_class(studio, "Ann A", "Ben B")
    with studio.act() as session:
        ann = booking_view(session, queue[0], "en").member_id
        people.set_status(session, studio.owner, ann, MemberStatus.SUSPENDED)
    cancel(studio, last)
    found = promote(studio, wod)
    assert found.promoted == (queue[1],)
    assert found.skipped == ((queue[0], "member_suspended"),)
    assert positions(studio, wod) == [("Ann A", 1)]


def test_who_has_another_class_or_no_credit_is_skipped(studio: Studio) -> None:
    wod, last, queue = full_class(studio, "Ann A", "Ben B", "Cat C")
    with studio.act() as session:
        ann, ben = (booking_view(session, one, "en").member_id for one in queue[:2])
    studio.booking(ann, studio.session("18:30"), override_reason="Both")
    studio.booking(ben, studio.session("12:00"))
    cancel(studio, last)
    found = promote(studio, wod)
    assert found.promoted == (queue[2],)
    assert [reason for _, reason in found.skipped] == ["no_credits", "no_credits"]


def test_two_freed_places_let_two_in_and_no_more(studio: Studio) -> None:
    wod, last, queue = full_class(studio, "Ann A", "Ben B", "Cat C", capacity=2)
    with studio.act() as session:
        first = roster(session, wod, "en", waiting=False, cut=Cut()).rows[0].id
    cancel(studio, last)
    cancel(studio, first)
    assert promote(studio, wod).promoted == tuple(queue[:2])
    assert promote(studio, wod).promoted == ()


def test_nobody_is_let_in_once_leaving_is_not_free(studio: Studio) -> None:
    wod, last, _ = full_class(studio, "Ann A")
    studio.wait(days=1, hours=5, minutes=1)
    cancel(studio, last)
    assert promote(studio, wod) == Promotion()
    with studio.act() as session:
        topics = session.scalars(select(Outbox.topic)).all()
    assert "promote_waitlist" not in topics


def test_a_larger_class_lets_the_queue_in(studio: Studio) -> None:
    wod, _, queue = full_class(studio, "Ann A", "Ben B")
    with studio.act() as session:
        changes = Changes(capacity=2)
        service.change_session(session, studio.coach, wod, changes, now=studio.now)
    assert promote(studio, wod).promoted == (queue[0],)


def test_a_queue_that_only_staff_move_stands(studio: Studio) -> None:
    studio.policy(waitlist_mode="staff")
    wod, last, _ = full_class(studio, "Ann A")
    cancel(studio, last)
    assert promote(studio, wod) == Promotion()
