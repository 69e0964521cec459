"""One class lived through at random: its places, its queue and everybody's credits stay right."""

from collections.abc import Callable
from uuid import UUID

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import func, select

from app.bookings import service
from app.bookings.models import Booking
from app.bookings.queries import roster
from app.bookings.terms import BookingStatus
from app.core.errors import StudioError
from app.core.outbox import Outbox, OutboxState
from app.memberships.models import CreditEntry
from app.memberships.queries import balance
from app.schedule.service import Changes
from app.studio.paging import Cut
from tests.studio import Studio, open_studio

NAMES = ("Ann A", "Ben B", "Cat C")
CREDITS = 1
"""Each: enough for this class or for another one, not for both."""
who = st.sampled_from(NAMES)


class OneClass(RuleBasedStateMachine):
    """Beside the studio runs a model of it: two lists, a number each, and whether it is off."""

    url = ""
    """Of the database, set by the test."""

    def __init__(self) -> None:
        super().__init__()
        self.studio: Studio = open_studio(self.url)
        self.ids = {name: self.studio.member(name, credits_=CREDITS) for name in NAMES}
        self.wod = self.studio.session("18:00", capacity=1)
        self.aside = self.studio.session("12:00", capacity=50)
        self.capacity = 1
        self.booked: list[str] = []
        self.queue: list[str] = []
        self.lost: tuple[list[str], list[str]] = ([], [])
        self.left = dict.fromkeys(NAMES, CREDITS)
        self.spent: set[str] = set()
        self.off = False
        self.pending = False

    @initialize()
    def one_has_the_place_and_one_waits(self) -> None:
        for name in NAMES[:2]:
            self.book(name, queue=True)

    def teardown(self) -> None:
        self.studio.db.close()

    @property
    def free(self) -> int:
        free = self.capacity - len(self.booked)
        return free - (min(free, len(self.queue)) if self.pending else 0)

    @rule(name=who, queue=st.booleans())
    def book(self, name: str, *, queue: bool) -> None:
        refusal = self._refusal(name, queue=queue)
        self._expect(refusal, lambda: self._book(name, self.wod, queue=queue))
        if refusal is None and self.free > 0:
            self.booked.append(name)
            self.left[name] -= 1
        elif refusal is None:
            self.queue.append(name)

    @rule(name=who)
    def cancel(self, name: str) -> None:
        held = self._held(self.wod).get(name)
        if held is None:
            return
        with self.studio.act() as session:
            service.cancel(session, self.studio.coach, held, now=self.studio.now)
        if name in self.booked:
            self.booked.remove(name)
            self.left[name] += 1
            self.pending |= bool(self.queue)
        else:
            self.queue.remove(name)

    @rule(name=who)
    def spend_or_return_a_credit_elsewhere(self, name: str) -> None:
        if name in self.spent:
            with self.studio.act() as session:
                held = self._held(self.aside)[name]
                service.cancel(session, self.studio.coach, held, now=self.studio.now)
            self.spent.remove(name)
            self.left[name] += 1
        elif self.left[name]:
            self._book(name, self.aside)
            self.spent.add(name)
            self.left[name] -= 1

    @rule()
    def let_the_queue_move(self) -> None:
        with self.studio.act() as session:
            for row in session.scalars(select(Outbox).where(Outbox.topic == "promote_waitlist")):
                row.state = OutboxState.DONE
            service.promote(session, self.wod, now=self.studio.now)
        self.pending = False
        for name in () if self.off else tuple(self.queue):
            if len(self.booked) < self.capacity and self.left[name]:
                self.queue.remove(name)
                self.booked.append(name)
                self.left[name] -= 1

    @rule(capacity=st.integers(1, 2))
    def resize(self, capacity: int) -> None:
        small = "capacity_below_booked" if capacity < len(self.booked) else None
        refusal = "session_not_scheduled" if self.off else small
        self._expect(refusal, lambda: self._resize(capacity))
        if refusal is None:
            self.pending |= capacity > self.capacity and bool(self.queue)
            self.capacity = capacity

    @precondition(lambda self: not self.off)
    @rule()
    def the_gym_cancels(self) -> None:
        with self.studio.act() as session:
            gone = service.cancel_session(session, self.studio.coach, self.wod, now=self.studio.now)
        assert (gone.booked, gone.waiting) == (len(self.booked), len(self.queue))
        assert gone.credits == len(self.booked)
        for name in self.booked:
            self.left[name] += 1
        self.lost, self.booked, self.queue, self.off = (self.booked, self.queue), [], [], True

    @precondition(lambda self: self.off)
    @rule()
    def it_comes_back(self) -> None:
        with self.studio.act() as session:
            back = service.reinstate_session(
                session, self.studio.coach, self.wod, now=self.studio.now
            )
        self.booked = [name for name in self.lost[0] if self.left[name]]
        for name in self.booked:
            self.left[name] -= 1
        self.queue, self.off = list(self.lost[1]), False
        self.pending |= bool(self.queue) and len(self.booked) < self.capacity
        assert set(back.left_out) == set(self.lost[0]) - set(self.booked)

    @invariant()
    def places_and_queue_are_as_they_should_be(self) -> None:
        self.studio.wait(seconds=1)
        with self.studio.act() as session:
            rows = roster(session, self.wod, "en", waiting=True, cut=Cut(100)).rows
        placed = {row.member for row in rows if row.status is BookingStatus.BOOKED}
        waiting = [(row.member, row.position) for row in rows if row.position is not None]
        assert placed == set(self.booked)
        assert waiting == [(name, place) for place, name in enumerate(self.queue, 1)]
        assert len(placed) <= self.capacity

    @invariant()
    def credits_are_as_they_should_be(self) -> None:
        with self.studio.act() as session:
            left = {
                name: balance(session, one, self.studio.day(1)) for name, one in self.ids.items()
            }
            costs = select(func.sum(CreditEntry.delta)).where(CreditEntry.booking_id.is_not(None))
            most = session.scalar(
                select(func.max(func.abs(costs.group_by(CreditEntry.booking_id).subquery().c[0])))
            )
        assert left == self.left
        assert (most or 0) <= 1

    def _refusal(self, name: str, *, queue: bool) -> str | None:
        if name in self.booked or name in self.queue:
            return "already_booked"
        if self.off:
            return "session_off"
        if not self.left[name]:
            return "no_credits"
        return "full" if self.free <= 0 and not queue else None

    def _expect(self, code: str | None, act: Callable[[], object]) -> None:
        if code is None:
            act()
            return
        with pytest.raises(StudioError) as refused:
            act()
        assert refused.value.code == code

    def _book(self, name: str, session_id: UUID, *, queue: bool = False) -> None:
        self.studio.booking(self.ids[name], session_id, join_waitlist=queue)

    def _resize(self, capacity: int) -> None:
        with self.studio.act() as session:
            changes = Changes(capacity=capacity)
            service.change_session(
                session, self.studio.coach, self.wod, changes, now=self.studio.now
            )

    def _held(self, session_id: UUID) -> dict[str, UUID]:
        names = {one: name for name, one in self.ids.items()}
        active = (BookingStatus.BOOKED, BookingStatus.WAITLISTED)
        with self.studio.act() as session:
            query = select(Booking.member_id, Booking.id).where(
                Booking.class_session_id == session_id, Booking.status.in_(active)
            )
            return {names[member]: booking for member, booking in session.execute(query)}


def test_places_queue_and_credits_hold_whatever_happens(database_url: str) -> None:
    few = settings(
        max_examples=10,
        stateful_step_count=30,
        deadline=None,
        phases=(Phase.generate,),  # shrinking would live through hours of gym time
        suppress_health_check=list(HealthCheck),
    )

    class Here(OneClass):
        url = database_url

    run_state_machine_as_test(Here, settings=few)
