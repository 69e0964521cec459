"""Tables of the schedule: class types and dated classes."""

from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import Date, ForeignKey, Index, Integer, Uuid, column, func, select, table
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.sought import Sought
from app.people.models import Staff
from app.schedule.errors import CapacityBelowBooked, CoachBusy
from app.schedule.terms import SessionStatus
from app.studio.models import Location


class ClassType(OrgRow):
    __tablename__ = "class_type"
    __sought__: ClassVar[Sought] = Sought("class_type", ("name_en", "name_he", "name_ru"))

    name_en: Mapped[str]
    name_he: Mapped[str | None]
    name_ru: Mapped[str | None]
    color: Mapped[str | None]
    duration_min: Mapped[int] = mapped_column(default=60)
    capacity: Mapped[int]
    min_participants: Mapped[int | None]
    credit_cost: Mapped[int] = mapped_column(default=1)
    location_id: Mapped[UUID | None] = mapped_column(ForeignKey(Location.id))
    booking_policy: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    """What differs from the org's policy."""
    active: Mapped[bool] = mapped_column(default=True)

    def name(self, language: str) -> str:
        """The gym's own name in that language, or the one it has."""
        return {"he": self.name_he, "ru": self.name_ru}.get(language) or self.name_en


class SessionSeries(OrgRow):
    """A repeating class; its dated classes are made as far ahead as the schedule reaches."""

    __tablename__ = "session_series"

    class_type_id: Mapped[UUID] = mapped_column(ForeignKey(ClassType.id), index=True)
    location_id: Mapped[UUID | None] = mapped_column(ForeignKey(Location.id))
    title: Mapped[str | None]
    weekdays: Mapped[list[int]] = mapped_column(ARRAY(Integer()))
    """0 is Sunday."""
    local_start: Mapped[time]
    duration_min: Mapped[int]
    from_date: Mapped[date]
    until_date: Mapped[date]
    """The last day it may fall on; before `from_date` once all of it was taken off."""
    skip_dates: Mapped[list[date]] = mapped_column(ARRAY(Date()), default=list)
    coach_id: Mapped[UUID | None] = mapped_column(ForeignKey(Staff.id))
    capacity: Mapped[int | None]
    """Null: the type's, as it is when a class is made."""
    notes: Mapped[str | None]
    made_until: Mapped[date]
    """The last day that has been looked at: a class taken off before it isn't made again."""


class ClassSession(OrgRow):
    """A dated class. Local date, times and zone are the truth; the instants follow from them."""

    __tablename__ = "class_session"
    __table_args__ = (Index("ix_class_session_day", "org_id", "local_date", "local_start"),)

    class_type_id: Mapped[UUID] = mapped_column(ForeignKey(ClassType.id), index=True)
    location_id: Mapped[UUID | None] = mapped_column(ForeignKey(Location.id))
    title: Mapped[str | None]
    local_date: Mapped[date]
    local_start: Mapped[time]
    local_end: Mapped[time]
    """Earlier than the start: on the next day."""
    zone: Mapped[str]
    starts_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    coach_id: Mapped[UUID | None] = mapped_column(ForeignKey(Staff.id), index=True)
    capacity: Mapped[int]
    status: Mapped[SessionStatus] = mapped_column(
        text_enum(SessionStatus), default=SessionStatus.SCHEDULED
    )
    cancel_reason: Mapped[str | None]
    cancelled_at: Mapped[datetime | None]
    rescheduled_at: Mapped[datetime | None]
    """Bookings older than this may be cancelled free until the start (rule 20)."""
    policy: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    """The whole booking policy as it was when the class was scheduled."""
    notes: Mapped[str | None]
    series_id: Mapped[UUID | None] = mapped_column(ForeignKey(SessionSeries.id), index=True)
    series_exception: Mapped[bool] = mapped_column(default=False)
    """Moved by itself: what is done to the series later passes it by."""
    short_flagged_at: Mapped[datetime | None]
    """When too few bookings were reported (rule 10)."""

    @classmethod
    def check_restored(cls, session: Session, rows: Sequence["ClassSession"]) -> None:
        """Whether an undo may give a class its old size, time and coach back.

        Raises CapacityBelowBooked, CoachBusy.
        """
        for row in rows:
            if row.status is not SessionStatus.CANCELLED:
                _check_size(session, row)
                _check_coach(session, row)


_BOOKING = table("booking", column("class_session_id", Uuid()), column("status"))
"""Read by name: the domain of bookings stands above this one."""


def _check_size(session: Session, row: ClassSession) -> None:
    taken = (
        select(func.count())
        .select_from(_BOOKING)
        .where(_BOOKING.c.class_session_id == row.id, _BOOKING.c.status.in_(("booked", "attended")))
    )
    booked = session.scalar(taken) or 0
    if booked > row.capacity:
        raise CapacityBelowBooked(capacity=row.capacity, booked=booked)


def _check_coach(session: Session, row: ClassSession) -> None:
    """Classes that nobody teaches yet may well be at the same time."""
    if row.coach_id is None:
        return
    other = session.scalar(
        select(ClassSession)
        .where(
            ClassSession.coach_id == row.coach_id,
            ClassSession.id != row.id,
            ClassSession.status != SessionStatus.CANCELLED,
            ClassSession.starts_at < row.ends_at,
            ClassSession.ends_at > row.starts_at,
        )
        .limit(1)
    )
    if other is not None:
        coach = session.scalar(select(Staff.name).where(Staff.id == row.coach_id))
        named = {"class": name_of(session, other), "coach": coach}
        raise CoachBusy(date=other.local_date, time=other.local_start, **named)


def name_of(session: Session, row: ClassSession, language: str = "en") -> str:
    """What a class is called: its own title, or its type's name."""
    return row.title or session.get_one(ClassType, row.class_type_id).name(language)
