"""Tables of leads: the person, and what was done about them."""

from datetime import datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.bookings.models import Booking
from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.erasing import PSEUDONYM, Erasure, addressed, blanked, either, of_member, within
from app.core.sought import Sought
from app.leads.terms import ActivityKind, ActivityOutcome, LeadSource, LeadStage, LostReason
from app.people.models import Member, Staff


class Lead(OrgRow):
    """A person who may join; open until they are won or lost."""

    __tablename__ = "lead"
    __sought__: ClassVar[Sought] = Sought("lead", ("first_name", "last_name"))
    __erase__: ClassVar[Erasure] = blanked(
        either(of_member("converted_member_id"), addressed("phone"), addressed("email")),
        keeps=("language", "campaign"),
        first_name=PSEUDONYM,
        last_name="",
        phone=PSEUDONYM,
        email=None,
        interest=None,
        notes=None,
    )
    __table_args__ = (
        Index(
            "uq_lead_open_phone",
            "org_id",
            "phone",
            unique=True,
            postgresql_where=text("stage NOT IN ('won', 'lost')"),
        ),
    )

    first_name: Mapped[str]
    last_name: Mapped[str] = mapped_column(default="")
    phone: Mapped[str] = mapped_column(index=True)
    """E.164."""
    email: Mapped[str | None]
    language: Mapped[str] = mapped_column(default="he")
    source: Mapped[LeadSource] = mapped_column(text_enum(LeadSource))
    campaign: Mapped[str | None]
    stage: Mapped[LeadStage] = mapped_column(text_enum(LeadStage), default=LeadStage.NEW)
    stage_since: Mapped[datetime]
    owner_id: Mapped[UUID | None] = mapped_column(ForeignKey(Staff.id), index=True)
    """Who of the staff looks after them."""
    interest: Mapped[str | None]
    notes: Mapped[str | None]
    next_follow_up_at: Mapped[datetime | None]
    trial_booking_id: Mapped[UUID | None] = mapped_column(ForeignKey(Booking.id))
    trial_waits_id: Mapped[UUID | None] = mapped_column(ForeignKey(Booking.id))
    """Their place in a queue: it becomes their trial when they are let in."""
    converted_member_id: Mapped[UUID | None] = mapped_column(ForeignKey(Member.id), index=True)
    converted_at: Mapped[datetime | None]
    lost_reason: Mapped[LostReason | None] = mapped_column(text_enum(LostReason))
    lost_at: Mapped[datetime | None]

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()


class LeadActivity(OrgRow):
    """Something that was done about a lead, or a stage it came to; rows are only added."""

    __tablename__ = "lead_activity"
    __erase__: ClassVar[Erasure] = blanked(within("lead_id"), body=None)

    lead_id: Mapped[UUID] = mapped_column(ForeignKey(Lead.id, ondelete="CASCADE"), index=True)
    kind: Mapped[ActivityKind] = mapped_column(text_enum(ActivityKind))
    stage: Mapped[LeadStage | None] = mapped_column(text_enum(LeadStage))
    """Of a change of stage: the new one."""
    outcome: Mapped[ActivityOutcome | None] = mapped_column(text_enum(ActivityOutcome))
    body: Mapped[str | None]
    occurred_at: Mapped[datetime]
    actor_id: Mapped[UUID | None]
    """The login that recorded it; null: it happened by itself."""
