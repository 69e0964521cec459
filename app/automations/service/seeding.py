"""Occasions as rows: each once, whoever sees it first."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from app.automations.models import Automation, AutomationRun
from app.automations.queries import dedupe_key, meant, shape_of
from app.automations.terms import RunStatus
from app.automations.views import Match
from app.core.ids import new_id


def seed(session: Session, row: Automation, *, now: datetime) -> int:
    """Mark everything that is so already as seen; how much that is."""
    found = meant(session, row.org_id, shape_of(row), now)
    return len(keep(session, row, found, RunStatus.SEEN, now=now, at=now))


def seed_people(session: Session, people: Collection[UUID], *, now: datetime) -> int:
    """The same for some people alone, members and leads who were brought in from elsewhere.

    Whatever is so of them was so before they came: no automation of the gym's is to greet them.
    """
    seen = 0
    for row in session.scalars(select(Automation).where(Automation.enabled)).all():
        found = meant(session, row.org_id, shape_of(row), now)
        theirs = [one for one in found if one.person_id in people]
        seen += len(keep(session, row, theirs, RunStatus.SEEN, now=now, at=now))
    return seen


def keep(
    session: Session,
    row: Automation,
    found: Sequence[Match],
    status: RunStatus,
    *,
    now: datetime,
    at: datetime,
) -> list[UUID]:
    """The runs that weren't there yet, by id."""
    if not found:
        return []
    made = insert(AutomationRun).on_conflict_do_nothing(index_elements=["org_id", "dedupe_key"])
    values = [_values(row, one, status, now=now, at=at) for one in found]
    return list(session.scalars(made.returning(AutomationRun.id), values))


def _values(
    row: Automation, one: Match, status: RunStatus, *, now: datetime, at: datetime
) -> dict[str, object]:
    return {
        "id": new_id(),
        "created_at": now,
        "updated_at": now,
        "version": 1,
        "org_id": row.org_id,
        "automation_id": row.id,
        "trigger_ref": one.ref,
        "member_id": None if one.is_lead else one.person_id,
        "lead_id": one.person_id if one.is_lead else None,
        "status": status,
        "dedupe_key": dedupe_key(row.id, one),
        "facts": one.facts,
        "due_at": at,
        "finished_at": now if status is RunStatus.SEEN else None,
    }
