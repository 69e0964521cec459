"""Leads as other parts see them: values, not rows."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.leads.terms import ActivityKind, ActivityOutcome, LeadSource, LeadStage, LostReason


@dataclass(frozen=True, slots=True)
class LeadView:
    id: UUID
    version: int
    name: str
    phone: str
    email: str | None
    language: str
    source: LeadSource
    campaign: str | None
    stage: LeadStage
    stage_since: datetime
    owner_id: UUID | None
    owner: str | None
    interest: str | None
    notes: str | None
    next_follow_up_at: datetime | None
    trial_booking_id: UUID | None
    converted_member_id: UUID | None
    converted_at: datetime | None
    lost_reason: LostReason | None
    lost_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ActivityView:
    """`by` is None for what happened by itself; `stage` the new one, of a change of stage."""

    id: UUID
    kind: ActivityKind
    stage: LeadStage | None
    outcome: ActivityOutcome | None
    body: str | None
    at: datetime
    by: str | None


@dataclass(frozen=True, slots=True)
class LeadFilter:
    """None and () are not asked about; no stages: the open ones."""

    q: str | None = None
    stages: tuple[LeadStage, ...] = ()
    sources: tuple[LeadSource, ...] = ()
    owner_id: UUID | None = None
    created_since: datetime | None = None
    follow_up_before: datetime | None = None


@dataclass(frozen=True, slots=True)
class StageView:
    """A stage of the pipeline: how many there are, and the few that have been there longest."""

    stage: LeadStage
    count: int
    oldest: tuple[LeadView, ...]
