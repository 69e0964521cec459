"""Tables of automations and of what each did for whom."""

from datetime import datetime, time
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.automations.terms import RunStatus
from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.erasing import Erasure, blanked
from app.people.models import Member
from app.studio.terms import Tier


class Automation(OrgRow):
    """When something becomes so for somebody, do this for them, once."""

    __tablename__ = "automation"
    __table_args__ = (
        UniqueConstraint("org_id", "name"),
        Index("ix_automation_due", "next_look_at", postgresql_where=text("enabled")),
    )

    name: Mapped[str]
    enabled: Mapped[bool] = mapped_column(default=False)
    trigger: Mapped[dict[str, Any]] = mapped_column(JSONB)
    conditions: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, default=list)
    actions: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    delay_min: Mapped[int] = mapped_column(default=0)
    quiet_from: Mapped[time | None]
    quiet_to: Mapped[time | None]
    """Nothing is done between these local times either, besides the gym's own quiet hours."""
    cap_days: Mapped[int | None]
    """Nobody is reached by it more than once in so many days."""
    required_tier: Mapped[Tier] = mapped_column(text_enum(Tier))
    seeded_at: Mapped[datetime | None]
    next_look_at: Mapped[datetime | None]
    off_reason: Mapped[str | None]
    """`tier`: the gym's plan no longer includes it."""


class AutomationRun(OrgRow):
    """One occasion of an automation; kept when the automation is deleted."""

    __tablename__ = "automation_run"
    __undo__: ClassVar[str] = "ignore"
    __erase__: ClassVar[Erasure] = blanked(
        keeps=("trigger_ref", "reason", "dedupe_key", "facts"),
        status=lambda row: RunStatus.SKIPPED if row.status is RunStatus.QUEUED else row.status,
    )
    __table_args__ = (
        UniqueConstraint("org_id", "dedupe_key"),
        Index("ix_automation_run_automation", "automation_id", "created_at"),
        Index("ix_automation_run_due", "due_at", postgresql_where=text("status = 'queued'")),
    )

    automation_id: Mapped[UUID]
    trigger_ref: Mapped[str]
    """What occasioned it: a booking, a day, a membership's end."""
    member_id: Mapped[UUID | None] = mapped_column(ForeignKey(Member.id), index=True)
    lead_id: Mapped[UUID | None] = mapped_column(index=True)
    status: Mapped[RunStatus] = mapped_column(text_enum(RunStatus))
    reason: Mapped[str | None]
    dedupe_key: Mapped[str]
    """Automation, person and occasion: the same is never done twice."""
    facts: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    """What its texts may tell of the occasion."""
    due_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]
