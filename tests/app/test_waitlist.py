"""The queue of a full class: its order, and who is let in."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import Engine, event, select

from app.bookings import service
from app.bookings.errors import BookingClosed, Full, HasPlaces, NoCredits
from app.bookings.queries import booking_view, roster, session_view
from app.bookings.service import BookingRequest, Choice, Promotion
from app.bookings.terms import BookingStatus
from app.core.errors import NotFound
from app.core.outbox import Outbox, OutboxState
from app.memberships.queries import balance
from app.people import service as people
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


def accept(studio: Studio, wod: UUID, booking: UUID, **choice: Any) -> service.Booked:  # noqa: ANN401 - as Choice
    with studio.act() as session:
        return service.promote_one(
            session, studio.coach, wod, booking, Choice(**choice), now=studio.now
        )


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
        people.suspend(session, studio.owner, ann, now=studio.now)
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


def test_a_long_queue_is_judged_by_as_many_queries_as_a_short_one(studio: Studio) -> None:
    studio.policy(strikes={"no_shows": 1, "within_days": 7, "block_days": 7})
    asked = []
    for names in (("Ann A",), ("Ben B", "Cat C", "Dan D", "Eve E")):
        wod, last, queue = full_class(studio, *names)
        with studio.act() as session:
            for one in queue:
                waiting = booking_view(session, one, "en").member_id
                people.suspend(session, studio.owner, waiting, now=studio.now)
        cancel(studio, last)
        with counting(studio.db.engine) as statements:
            assert len(promote(studio, wod).skipped) == len(names)
        asked.append(len(statements))
    assert asked[0] == asked[1]


@contextmanager
def counting(engine: Engine) -> Iterator[list[str]]:
    """The statements that are sent meanwhile."""
    found: list[str] = []

    def note(*sent: Any) -> None:  # noqa: ANN401 - the cursor's, as the event gives them
        found.append(sent[2])

    event.listen(engine, "before_cursor_execute", note)
    yield found
    event.remove(engine, "before_cursor_execute", note)


def test_two_freed_places_let_two_in_and_no_more(studio: Studio) -> None:
    wod, last, queue = full_class(studio, "Ann A", "Ben B", "Cat C", capacity=2)
    with studio.act() as session:
        first = roster(session, wod, "en", waiting=False, cut=Cut()).rows[0].id
    cancel(studio, last)
    cancel(studio, first)
    assert promote(studio, wod).promoted == tuple(queue[:2])
    assert promote(studio, wod).promoted == ()


def late_place(studio: Studio, *, wishes: bool = False) -> tuple[UUID, UUID]:
    """A place freed 2 h 55 min before the start, when leaving is no longer free, and who waits."""
    wod, last, _ = full_class(studio)
    ann = studio.member("Ann A", credits_=1)
    waits = studio.booking(ann, wod, join_waitlist=True, takes_late=wishes)
    with studio.act() as session:
        starts_at = session_view(session, wod, "en").slot.starts_at
    studio.clock.hands[0] = starts_at - timedelta(hours=2, minutes=55)
    cancel(studio, last)
    return wod, waits


def told(studio: Studio, notice: str) -> int:
    with studio.act() as session:
        rows = session.scalars(select(Outbox).where(Outbox.topic == "member_notice")).all()
    return sum(row.body["notice"] == notice for row in rows)


def test_nobody_is_booked_by_itself_once_leaving_is_not_free(studio: Studio) -> None:
    wod, waits = late_place(studio)
    found = promote(studio, wod)
    assert (found.promoted, found.offered) == ((), (waits,))
    assert told(studio, "place_offered") == 1
    with studio.act() as session:
        assert booking_view(session, waits, "en").status is BookingStatus.WAITLISTED


def test_who_wished_a_late_place_is_booked_until_the_queue_closes(studio: Studio) -> None:
    wod, waits = late_place(studio, wishes=True)
    assert promote(studio, wod).promoted == (waits,)
    wod, waits = late_place(studio, wishes=True)
    studio.wait(hours=1)
    assert promote(studio, wod).offered == (waits,)


def test_a_closed_queue_may_be_left_to_staff(studio: Studio) -> None:
    studio.policy(waitlist_after_close="staff", cancel_cutoffs=[])
    wod, last, queue = full_class(studio, "Ann A")
    studio.wait(days=1, hours=5)
    cancel(studio, last)
    assert promote(studio, wod).promoted == (queue[0],)
    wod, last, _ = full_class(studio, "Ben B")
    studio.wait(days=1, hours=2)
    cancel(studio, last)
    assert promote(studio, wod) == Promotion()


def test_an_offered_place_goes_to_the_first_who_answers(studio: Studio) -> None:
    studio.policy(waitlist_mode="offer")
    wod, last, queue = full_class(studio, "Ann A", "Ben B")
    cancel(studio, last)
    assert promote(studio, wod).offered == tuple(queue)
    accept(studio, wod, queue[1])
    with pytest.raises(Full):
        accept(studio, wod, queue[0])
    assert positions(studio, wod) == [("Ann A", 1)]
    accept(studio, wod, queue[0], over_capacity=True)
    assert positions(studio, wod) == []


def test_letting_in_out_of_turn_asks_the_rules_and_takes_the_credit(studio: Studio) -> None:
    wod, _, queue = full_class(studio, "Ann A")
    with studio.act() as session:
        ann = booking_view(session, queue[0], "en").member_id
    studio.booking(ann, studio.session("12:00"))
    with pytest.raises(NoCredits):
        accept(studio, wod, queue[0], over_capacity=True)
    made = accept(studio, wod, queue[0], over_capacity=True, override_reason="Owes one")
    assert [rule.code for rule in made.overruled] == ["no_credits"]
    with studio.act() as session:
        assert balance(session, ann, studio.day(0)) == -1
    with pytest.raises(BookingClosed):
        accept(studio, wod, queue[0])
    with pytest.raises(NotFound):
        accept(studio, studio.session("20:00"), queue[0])


def test_nobody_waits_for_a_class_with_places(studio: Studio) -> None:
    dana, wod = studio.member(), studio.session(capacity=1)
    with pytest.raises(HasPlaces), studio.act() as session:
        service.join(session, studio.coach, BookingRequest(wod, dana), now=studio.now)
    studio.booking(studio.member("Noa Katz"), wod)
    with studio.act() as session:
        made = service.join(session, studio.coach, BookingRequest(wod, dana), now=studio.now)
    assert (made.booking.status, made.booking.position) == (BookingStatus.WAITLISTED, 1)


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
