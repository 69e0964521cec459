"""Many at once, on real threads: places, credits and coaches stay within their bounds."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import time
from threading import Barrier
from time import sleep
from typing import TypeVar
from uuid import UUID

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from app.bookings import service
from app.bookings.errors import (
    AlreadyBooked,
    CheckedInAlready,
    Clash,
    Full,
    NoCredits,
    NothingToRefund,
)
from app.bookings.models import Booking
from app.bookings.queries import roster, session_view
from app.bookings.service import Arrival, BookingRequest, facts
from app.bookings.terms import BookingStatus
from app.core.actor import Role
from app.core.errors import StudioError
from app.memberships.models import Membership
from app.memberships.queries import balance
from app.people.models import Member
from app.schedule.errors import CoachBusy, SessionCancelledAlready, SessionNotScheduled
from app.schedule.service import lock
from app.studio.paging import Cut
from tests.studio import Studio
from tests.tools.catalog.asking import Asking

T = TypeVar("T")
AT_ONCE = 12


def race(*acts: Callable[[], T]) -> list[T | StudioError]:
    """All begin together; what each returned, or the ordinary error it raised."""
    start = Barrier(len(acts))

    def run(act: Callable[[], T]) -> T | StudioError:
        start.wait()
        try:
            return act()
        except StudioError as error:
            return error

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


def crowd(*acts: Callable[[], T]) -> list[T | StudioError]:
    """More than there are connections: they stand in line for those."""

    def run(act: Callable[[], T]) -> T | StudioError:
        try:
            return act()
        except StudioError as error:
            return error

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(run, acts))


def two_hundred(studio: Studio) -> list[UUID]:
    """Members with a membership each, put in at once."""
    plan, day = studio.plan(), studio.day(-1)
    with studio.act() as session:
        members = [
            Member(org_id=studio.org_id, first_name=f"Racer {n}", joined_on=day) for n in range(200)
        ]
        session.add_all(members)
        session.flush()
        session.add_all(
            Membership(
                org_id=studio.org_id,
                member_id=one.id,
                plan_id=plan,
                start_date=day,
                price_minor=38_000,
            )
            for one in members
        )
    return [one.id for one in members]


def promotion(studio: Studio, wod: UUID, one: UUID) -> Callable[[], UUID]:
    def act() -> UUID:
        with studio.act() as session:
            made = service.promote_one(
                session, studio.coach, wod, one, service.Choice(), now=studio.now
            )
            return made.booking.id

    return act


def booking(studio: Studio, member: UUID, wod: UUID, *, queue: bool = False) -> Callable[[], UUID]:
    return lambda: studio.booking(member, wod, join_waitlist=queue)


def failures(results: list[UUID | StudioError]) -> list[type[StudioError]]:
    return [type(one) for one in results if isinstance(one, StudioError)]


def test_of_twelve_at_once_three_get_the_three_places(studio: Studio) -> None:
    wod = studio.session(capacity=3)
    people = [studio.member(f"Member {n}") for n in range(AT_ONCE)]
    results = race(*(booking(studio, one, wod) for one in people))
    assert failures(results) == [Full] * 9
    with studio.act() as session:
        assert session_view(session, wod, "en").booked == 3


def test_of_two_hundred_who_race_for_the_last_place_one_gets_it(studio: Studio) -> None:
    """Each with its own transaction, as fast as the connections allow."""
    wod, racers = studio.session(capacity=1), two_hundred(studio)
    results = crowd(*(booking(studio, one, wod) for one in racers))
    assert failures(results) == [Full] * 199
    with studio.act() as session:
        assert session_view(session, wod, "en").booked == 1
        assert session.scalar(select(func.count()).select_from(Booking)) == 1


def test_one_place_and_two_who_were_offered_it(studio: Studio) -> None:
    studio.policy(waitlist_mode="offer")
    wod = studio.session(capacity=1)
    held = studio.booking(studio.member("Has Place"), wod)
    queue = [studio.booking(studio.member(f"Waits {n}"), wod, join_waitlist=True) for n in range(6)]
    with studio.act() as session:
        service.cancel(session, studio.coach, held, now=studio.now)
    results = race(*(promotion(studio, wod, one) for one in queue))
    assert failures(results) == [Full] * 5


def test_two_at_the_desk_check_one_member_in_and_one_is_told(studio: Studio) -> None:
    dana, wod = studio.member(credits_=2), studio.session("10:15", day=0)
    walk_in = Arrival(wod, dana, walk_in=True)

    def arrive() -> UUID:
        with studio.act() as session:
            made = service.check_in(session, studio.coach, walk_in, now=studio.now)
            return made.booking.id

    assert failures(race(*(arrive for _ in range(AT_ONCE)))) == [CheckedInAlready] * 11
    with studio.act() as session:
        assert balance(session, dana, studio.day(0)) == 1


def test_a_credit_is_returned_once_by_two_admins(studio: Studio) -> None:
    dana = studio.member(credits_=2)
    held = studio.booking(dana, studio.session())

    def give() -> UUID:
        with studio.act() as session:
            given = service.refund(session, studio.admin, held, reason="Late", now=studio.now)
            return given.booking.id

    assert failures(race(*(give for _ in range(AT_ONCE)))) == [NothingToRefund] * 11
    with studio.act() as session:
        assert balance(session, dana, studio.day(0)) == 2


def test_a_class_is_cancelled_and_moved_at_once_by_two_and_one_is_told(studio: Studio) -> None:
    wod = studio.session("18:00")
    to = service.NewTime(studio.day(1), time(20, 0))

    def cancel() -> UUID:
        with studio.act() as session:
            gone = service.cancel_session(session, studio.coach, wod, now=studio.now)
            return gone.session.id

    def move() -> UUID:
        with studio.act() as session:
            moved = service.reschedule_session(session, studio.coach, wod, to, now=studio.now)
            return moved.session.id

    lost = failures(race(cancel, cancel, move))
    assert lost.count(SessionCancelledAlready) == 1
    assert set(lost) <= {SessionCancelledAlready, SessionNotScheduled}


def test_the_end_of_a_class_comes_once_however_many_look(studio: Studio) -> None:
    wod = studio.session("11:00", day=0)
    for n in range(3):
        studio.booking(studio.member(f"Member {n}"), wod)
    studio.wait(hours=2)
    with studio.act() as session:
        first = session.scalars(select(Booking.member_id)).first()
        assert first is not None
        service.check_in(session, studio.coach, Arrival(wod, first), now=studio.now)
    studio.wait(hours=1)

    def close() -> int:
        with studio.act() as session:
            return service.close_class(session, wod, "en", now=studio.now).absent

    assert [one for one in race(*(close for _ in range(6))) if one] == [2]


def test_the_queue_of_a_rush_has_every_number_once(studio: Studio) -> None:
    wod = studio.session(capacity=1)
    people = [studio.member(f"Member {n}") for n in range(AT_ONCE)]
    results = race(*(booking(studio, one, wod, queue=True) for one in people))
    assert failures(results) == []
    with studio.act() as session:
        rows = roster(session, wod, "en", waiting=True, cut=Cut()).rows
    positions = [row.position for row in rows if row.status is BookingStatus.WAITLISTED]
    assert positions == list(range(1, AT_ONCE))


def test_one_member_gets_one_place_however_often_they_press(studio: Studio) -> None:
    dana, wod = studio.member(credits_=5), studio.session()
    results = race(*(booking(studio, dana, wod) for _ in range(AT_ONCE)))
    assert failures(results) == [AlreadyBooked] * 11
    with studio.act() as session:
        assert balance(session, dana, studio.day(0)) == 4


def test_the_last_credit_is_used_once(studio: Studio) -> None:
    dana = studio.member(credits_=1)
    hours = [studio.session(f"{hour}:00") for hour in range(11, 19)]
    results = race(*(booking(studio, dana, wod) for wod in hours))
    assert failures(results) == [NoCredits] * 7
    with studio.act() as session:
        assert balance(session, dana, studio.day(0)) == 0


def test_two_classes_at_one_time_take_a_member_once(studio: Studio) -> None:
    dana = studio.member()
    classes = [studio.session("18:00") for _ in range(6)]
    results = race(*(booking(studio, dana, wod) for wod in classes))
    assert failures(results) == [Clash] * 5


def test_a_coach_gets_one_of_two_classes_at_one_time(studio: Studio) -> None:
    coach = studio.staff[Role.COACH]
    results = race(*(lambda: studio.session("18:00", coach=coach) for _ in range(6)))
    assert failures(results) == [CoachBusy] * 5


def test_a_cancelled_booking_gives_its_credit_back_once(studio: Studio) -> None:
    dana = studio.member(credits_=5)
    held = studio.booking(dana, studio.session())

    def cancel() -> UUID:
        with studio.act() as session:
            return service.cancel(session, studio.coach, held, now=studio.now).booking.id

    assert len(failures(race(*(cancel for _ in range(AT_ONCE))))) == 11
    with studio.act() as session:
        assert balance(session, dana, studio.day(0)) == 5


def test_leaving_and_letting_in_at_once_never_overfills(studio: Studio) -> None:
    wod = studio.session(capacity=4)
    held = [studio.booking(studio.member(f"Has Place{n}"), wod) for n in range(4)]
    for n in range(4):
        studio.booking(studio.member(f"Waits {n}"), wod, join_waitlist=True)

    def leave(one: UUID) -> Callable[[], object]:
        def act() -> object:
            with studio.act() as session:
                return service.cancel(session, studio.coach, one, now=studio.now)

        return act

    def let_in() -> object:
        with studio.act() as session:
            return service.promote(session, wod, now=studio.now)

    race(*map(leave, held), *(let_in for _ in range(4)))
    let_in()
    with studio.act() as session:
        view = session_view(session, wod, "en")
    assert (view.booked, view.waiting) == (4, 0)


def test_moves_both_ways_do_not_wait_for_each_other(studio: Studio) -> None:
    early, late = studio.session("17:00"), studio.session("19:00")
    there = [studio.booking(studio.member(f"Early {n}"), early) for n in range(4)]
    back = [studio.booking(studio.member(f"Late {n}"), late) for n in range(4)]

    def move(one: UUID, to: UUID) -> Callable[[], object]:
        def act() -> object:
            with studio.act() as session:
                return service.move(session, studio.coach, one, to, now=studio.now)

        return act

    results = race(*(move(one, late) for one in there), *(move(one, early) for one in back))
    assert not any(isinstance(one, StudioError) for one in results)


def test_an_undo_locks_a_class_before_its_members_as_a_booking_does(studio: Studio) -> None:
    ask, dana, wod = Asking(studio, studio.coach), studio.member(), studio.session()
    gone = ask.outcome("bookings.cancel_for_member", booking_id=studio.booking(dana, wod))
    with ThreadPoolExecutor(1) as threads:
        with studio.act() as session:
            lock(session, wod)
            undone = threads.submit(ask.undo, gone)
            wait_for(session, 1)
            session.execute(text("SET LOCAL lock_timeout = '50ms'"))
            facts.lock_member(session, dana)
        assert undone.result().ok


def test_a_class_booked_while_all_are_cleared_is_locked_before_the_member(studio: Studio) -> None:
    dana, early, late = studio.member(), studio.session("17:00"), studio.session("19:00")
    studio.booking(dana, early)

    def clear() -> int:
        with studio.act() as session:
            gone = service.clear(session, studio.coach, dana, now=studio.now)
            return len(gone.bookings)

    with ThreadPoolExecutor(2) as threads:
        with studio.act() as session:
            service.book(session, studio.coach, BookingRequest(late, dana), now=studio.now)
            cleared = threads.submit(clear)
            wait_for(session, 1)
            again = threads.submit(booking(studio, dana, late))
            wait_for(session, 2)
        assert cleared.result() == 2
        assert isinstance(again.exception(), AlreadyBooked)


def wait_for(session: Session, others: int) -> None:
    """Until so many wait for what this transaction has locked."""
    for _ in range(1_000):
        if session.scalar(BLOCKED) == others:
            return
        sleep(0.005)


BLOCKED = text(
    "SELECT count(DISTINCT pid) FROM pg_locks "
    "WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
)


def change_soon(studio: Studio, wod: UUID) -> None:
    with studio.act() as session:
        session.execute(text("SET LOCAL lock_timeout = '50ms'"))
        lock(session, wod)


def test_what_was_agreed_to_stands_still_until_it_is_done(studio: Studio) -> None:
    wod, booked = studio.session(), studio.member("Noa Katz")
    booking_id = studio.booking(booked, wod)
    tomorrow = service.NewTime(studio.day(1), time(20, 0))
    looks: tuple[Callable[[Session], object], ...] = (
        lambda one: service.preview_cancel(one, studio.coach, booking_id, now=studio.now),
        lambda one: service.preview_cancel_session(one, studio.coach, wod, now=studio.now),
        lambda one: service.preview_reschedule(one, studio.coach, wod, tomorrow, now=studio.now),
    )
    for look in looks:
        with studio.act() as first:
            look(first)
            with pytest.raises(OperationalError):
                change_soon(studio, wod)
