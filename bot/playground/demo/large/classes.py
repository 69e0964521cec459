"""Three years of classes, who came to them, and the cards that paid for it."""

from collections import defaultdict
from datetime import date, datetime, timedelta
from random import Random
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from app.bookings.terms import BookingSource, BookingStatus
from app.memberships.terms import CreditReason
from app.schedule.terms import SessionStatus
from bot.playground.demo.large.crowd import DAYS, Bought, Crowd
from bot.playground.demo.large.rows import ZONE, Rows
from bot.playground.demo.timetable import CAPACITY, Planned, timetable

AHEAD: Final = 14
_FILL: Final = 0.75
_BECAME: Final = {
    BookingStatus.ATTENDED: 84,
    BookingStatus.NO_SHOW: 6,
    BookingStatus.LATE_CANCELLED: 5,
    BookingStatus.CANCELLED: 5,
}
_LAPSES: Final = timedelta(days=90)


def hold(  # noqa: PLR0917 - what a class is made of
    rows: Rows,
    crowd: Crowd,
    rng: Random,
    types: dict[str, UUID],
    coaches: list[UUID],
    place: UUID,
) -> None:
    cards = _Cards(rows)
    training: dict[date, list[Bought]] = {}
    for number, one in enumerate(timetable(rows.today, back=DAYS, ahead=AHEAD)):
        week = one.day - timedelta(days=one.day.weekday())
        if week not in training:
            training = {week: crowd.training(max(week, one.day))}
        session_id = _session(rows, one, types[one.kind], coaches[number % len(coaches)], place)
        wanted = min(len(training[week]), round(CAPACITY[one.kind] * _FILL * rng.uniform(0.6, 1.3)))
        for bought in rng.sample(training[week], min(wanted, CAPACITY[one.kind])):
            _booking(rows, rng, one, session_id, bought, cards)


def _session(rows: Rows, one: Planned, type_id: UUID, coach: UUID, place: UUID) -> UUID:
    starts = datetime.combine(one.day, one.start, tzinfo=ZONE)
    ends = starts + timedelta(hours=1)
    return rows.add(
        "class_session",
        at=starts - timedelta(days=30),
        class_type_id=type_id,
        location_id=place,
        local_date=one.day,
        local_start=one.start,
        local_end=ends.time(),
        zone=ZONE.key,
        starts_at=starts.astimezone(ZoneInfo("UTC")),
        ends_at=ends.astimezone(ZoneInfo("UTC")),
        coach_id=coach,
        capacity=CAPACITY[one.kind],
        status=SessionStatus.SCHEDULED,
    )


def _booking(  # noqa: PLR0917 - one row of a table
    rows: Rows, rng: Random, one: Planned, session_id: UUID, bought: Bought, cards: "_Cards"
) -> None:
    starts = datetime.combine(one.day, one.start, tzinfo=ZONE)
    over = starts + timedelta(hours=1) <= rows.now
    status = rng.choices(list(_BECAME), [*_BECAME.values()])[0] if over else BookingStatus.BOOKED
    booked_at = starts - timedelta(hours=rng.randrange(2, 48))
    gone = status in {BookingStatus.CANCELLED, BookingStatus.LATE_CANCELLED}
    booking_id = rows.add(
        "booking",
        at=min(booked_at, rows.now),
        class_session_id=session_id,
        member_id=bought.member_id,
        membership_id=bought.id,
        status=status,
        source=BookingSource.MEMBER,
        booked_at=min(booked_at, rows.now),
        cancelled_at=booked_at + timedelta(hours=1) if gone else None,
        checked_in_at=starts if status is BookingStatus.ATTENDED else None,
    )
    if bought.plan == "card" and status is not BookingStatus.CANCELLED:
        cards.use(bought, booking_id, one.day)


class _Cards:
    """The credits of punch cards: a card of ten is bought whenever one is used up or has lapsed."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._left: dict[UUID, tuple[int, date]] = defaultdict(lambda: (0, date.min))

    def use(self, bought: Bought, booking_id: UUID, day: date) -> None:
        left, lapses = self._left[bought.id]
        if not left or lapses < day:
            left, lapses = 10, day + _LAPSES
            self._move(bought, 10, CreditReason.GRANT, None, (day, lapses))
        self._move(bought, -1, CreditReason.CONSUME, booking_id, (day, lapses))
        self._left[bought.id] = (left - 1, lapses)

    def _move(
        self,
        bought: Bought,
        delta: int,
        reason: CreditReason,
        booking_id: UUID | None,
        days: tuple[date, date],
    ) -> None:
        day, lapses = days
        self._rows.add(
            "credit_ledger",
            at=min(datetime.combine(day, datetime.min.time(), tzinfo=ZONE), self._rows.now),
            member_id=bought.member_id,
            membership_id=bought.id,
            delta=delta,
            reason=reason,
            booking_id=booking_id,
            expires_on=lapses,
        )
