"""Tables of the schedule: class types and dated classes."""

from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow
from app.people.models import Staff
from app.schedule.terms import SessionStatus
from app.studio.models import Location


class ClassType(OrgRow):
    __tablename__ = "class_type"

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
