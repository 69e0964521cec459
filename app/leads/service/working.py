"""Working on a lead: stages, activities and the next step."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.bookings import service as bookings
from app.core.actor import Actor
from app.leads.errors import ActivityInFuture, FollowUpInPast, LeadClosed, SameStage
from app.leads.models import LeadActivity
from app.leads.service import rows
from app.leads.terms import ActivityKind, ActivityOutcome, LeadStage
from app.tasks import service as tasks


@dataclass(frozen=True, slots=True)
class NewActivity:
    """`at` None: just now."""

    kind: ActivityKind
    body: str | None = None
    outcome: ActivityOutcome | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FollowUp:
    """`title` is how its task is called; `assignee_id` None: who looks after the lead."""

    at: datetime
    title: str
    note: str | None = None
    assignee_id: UUID | None = None


def set_stage(
    session: Session,
    actor: Actor,
    lead_id: UUID,
    stage: LeadStage,
    *,
    now: datetime,
    note: str | None = None,
    trial_booking_id: UUID | None = None,
) -> None:
    """Move a lead to an open stage; one that was lost is taken up again.

    Raises LeadClosed for one who joined, SameStage, PhoneTaken.
    """
    row = rows.lock(session, lead_id)
    if row.stage is LeadStage.WON:
        raise LeadClosed(name=row.name)
    if row.stage is stage:
        raise SameStage(name=row.name)
    if row.stage is LeadStage.LOST:
        rows.check_phone_free(session, row.phone, but=row.id)
        row.lost_at, row.lost_reason = None, None
    if trial_booking_id is not None:
        bookings.as_trial(session, trial_booking_id)
        row.trial_booking_id = trial_booking_id
    rows.enter(session, actor, row, stage, now=now, note=note)


def log_activity(
    session: Session, actor: Actor, lead_id: UUID, new: NewActivity, *, now: datetime
) -> None:
    """Raises ActivityInFuture, NotFound."""
    at = new.at or now
    if at > now:
        raise ActivityInFuture(at=at)
    row = rows.lock(session, lead_id)
    made = LeadActivity(
        org_id=row.org_id,
        lead_id=row.id,
        kind=new.kind,
        outcome=new.outcome,
        body=new.body,
        occurred_at=at,
        actor_id=actor.user_id,
    )
    session.add(made)
    session.flush()


def schedule_follow_up(
    session: Session, actor: Actor, lead_id: UUID, wish: FollowUp, *, now: datetime
) -> UUID:
    """Set the next step and make its task. Raises FollowUpInPast, LeadClosed, NotFound."""
    row = rows.lock_open(session, lead_id)
    if wish.at <= now:
        raise FollowUpInPast(at=wish.at)
    row.next_follow_up_at = wish.at
    task = tasks.NewTask(
        title=wish.title,
        due_at=wish.at,
        assignee_id=wish.assignee_id or row.owner_id,
        lead_id=row.id,
        notes=wish.note,
    )
    return tasks.create(session, actor, task, now=now)
