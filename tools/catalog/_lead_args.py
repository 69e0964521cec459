"""Arguments of the tools for leads."""

import datetime as dt
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from app.leads.service import LeadChanges, NewLead
from app.leads.terms import ActivityOutcome, LeadSource, LeadStage, LostReason
from tools.catalog._args import Listed, OneLine, Version
from tools.catalog._when import LocalTime
from tools.kit.declare import Args

LeadId = Annotated[UUID, Field(description="The lead, by id from leads.list.")]
OwnerId = Annotated[UUID | None, Field(description="Who looks after them, from read.list_staff.")]
Note = Annotated[str | None, Field(max_length=1_000, description="What was said, for the history.")]
OpenStage = Literal[
    LeadStage.NEW,
    LeadStage.CONTACTED,
    LeadStage.TRIAL_BOOKED,
    LeadStage.TRIAL_DONE,
    LeadStage.OFFER,
]
_PHONE = r"^[0-9+() .-]{5,30}$"
Activity = Literal["call", "whatsapp", "sms", "email", "visit", "note"]


class Leads(Listed):
    q: str | None = Field(
        default=None, min_length=1, max_length=100, description="Part of a name, phone or e-mail."
    )
    stage: tuple[LeadStage, ...] = Field(
        default=(), max_length=7, description="Only these; empty: all that are open."
    )
    source: tuple[LeadSource, ...] = Field(default=(), max_length=9, description="Only these.")
    owner_id: UUID | None = Field(default=None, description="Only whom this one looks after.")
    created_after: dt.date | None = Field(default=None, description="Came in on this day or later.")
    follow_up_before: LocalTime | None = None


class Pipeline(Args):
    owner_id: UUID | None = Field(default=None, description="Only whom this one looks after.")
    source: tuple[LeadSource, ...] = Field(default=(), max_length=9, description="Only these.")


class OneLead(Args):
    lead_id: LeadId


class NewLeadArgs(Args):
    first_name: OneLine = Field(min_length=1, max_length=80)
    last_name: OneLine = Field(default="", max_length=80)
    phone: str = Field(pattern=_PHONE, description="As it was given.")
    email: str | None = Field(default=None, max_length=200, pattern=r"^\S+@\S+$")
    source: LeadSource = Field(description="Where they come from; other, if nobody said.")
    interest: str | None = Field(default=None, max_length=300, description="What they look for.")
    notes: str | None = Field(default=None, max_length=2_000)
    owner_id: OwnerId = None
    campaign: str | None = Field(default=None, max_length=100, description="The advertisement.")
    language: Literal["en", "he", "ru"] | None = Field(default=None, description="Else the gym's.")

    @property
    def new(self) -> NewLead:
        return NewLead(**self.model_dump())


class LeadChangesArgs(OneLead):
    first_name: OneLine | None = Field(default=None, min_length=1, max_length=80)
    last_name: OneLine | None = Field(default=None, max_length=80)
    phone: str | None = Field(default=None, pattern=_PHONE)
    email: str | None = Field(default=None, max_length=200, pattern=r"^(\S+@\S+)?$")
    source: LeadSource | None = None
    owner_id: OwnerId = None
    interest: str | None = Field(default=None, max_length=300, description="'' takes it away.")
    notes: str | None = Field(default=None, max_length=2_000, description="'' takes them away.")
    expected_version: Version = None

    @property
    def changes(self) -> LeadChanges:
        return LeadChanges(**self.model_dump(exclude={"lead_id", "expected_version"}))


class Staging(OneLead):
    stage: OpenStage = Field(
        description="leads.convert and leads.mark_lost end it; a lost lead is taken up again."
    )
    note: Note = None
    trial_booking_id: UUID | None = Field(default=None, description="The trial, if it is booked.")


class Logging(OneLead):
    kind: Activity
    body: Note = None
    outcome: ActivityOutcome | None = None
    occurred_at: LocalTime | None = Field(default=None, description="Local time; else just now.")


class FollowingUp(OneLead):
    due_at: LocalTime
    note: Note = None
    assignee_id: UUID | None = Field(default=None, description="Else who looks after the lead.")


class Converting(OneLead):
    plan_id: UUID | None = Field(default=None, description="What they buy, from list_plans.")
    start_date: dt.date | None = Field(default=None, description="Its first day; else today.")
    member_id: UUID | None = Field(
        default=None, description="Who they are, where members share the phone: read.find_members."
    )


class Losing(OneLead):
    lost_reason: LostReason
    note: Note = None
