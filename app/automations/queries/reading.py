"""Reading automations and what they did."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from app.automations.models import Automation, AutomationRun
from app.automations.shapes import Kind, Shape
from app.automations.terms import RunStatus
from app.automations.views import AutomationView, RunView
from app.core.errors import NotFound
from app.leads import queries as leads
from app.people.models import Member
from app.studio import queries as studio
from app.studio.paging import Cut, Page, page
from app.studio.terms import Tier

SHOWN = tuple(one for one in RunStatus if one is not RunStatus.SEEN)


def automations(
    session: Session, org_id: UUID, *, enabled: bool | None = None, trigger: Kind | None = None
) -> list[AutomationView]:
    """All of them by name, with what they did so far."""
    query = select(Automation).order_by(Automation.name, Automation.id)
    if enabled is not None:
        query = query.where(Automation.enabled.is_(enabled))
    if trigger is not None:
        query = query.where(Automation.trigger["kind"].astext == trigger.value)
    return _views(session, org_id, session.scalars(query).all())


def automation(session: Session, org_id: UUID, automation_id: UUID) -> AutomationView:
    found = session.get(Automation, automation_id)
    if found is None:
        raise NotFound(what="automation")
    (view,) = _views(session, org_id, [found])
    return view


def runs(
    session: Session,
    automation_id: UUID,
    *,
    statuses: Collection[RunStatus] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    cut: Cut,
) -> Page[RunView]:
    """The newest first; who was only seen when it was switched on is shown if asked for.

    Raises NotFound where nothing was ever done under this id.
    """
    _check_known(session, automation_id)
    query = _runs(automation_id).where(AutomationRun.status.in_(statuses or SHOWN))
    if since is not None:
        query = query.where(AutomationRun.due_at >= since)
    if until is not None:
        query = query.where(AutomationRun.due_at < until)
    found = page(session, query, cut, lambda row: (row[0], row[1]))
    names = leads.names(session, [run.lead_id for run, _ in found.rows if run.lead_id])
    rows = tuple(_run(run, member, names) for run, member in found.rows)
    return Page(rows, found.total, found.cursor)


def due_orgs(platform: Session, now: datetime) -> list[UUID]:
    """The orgs in which some automation is to be looked at."""
    due = select(Automation.org_id).where(Automation.enabled, Automation.next_look_at <= now)
    return list(platform.scalars(due.distinct()))


def due(session: Session, now: datetime) -> list[UUID]:
    query = select(Automation.id).where(Automation.enabled, Automation.next_look_at <= now)
    return list(session.scalars(query.order_by(Automation.id)))


def shape_of(row: Automation) -> Shape:
    return Shape.model_validate(
        {
            "trigger": row.trigger,
            "conditions": row.conditions,
            "actions": row.actions,
            "delay_min": row.delay_min,
            "quiet_from": row.quiet_from,
            "quiet_to": row.quiet_to,
            "cap_days": row.cap_days,
        }
    )


def includes(tier: Tier, required: Tier) -> bool:
    """Whether a plan has what a higher or lower one is needed for."""
    ranks = list(Tier)
    return ranks.index(tier) >= ranks.index(required)


def _runs(automation_id: UUID) -> Select[Any, Any]:
    return (
        select(AutomationRun, Member)
        .outerjoin(Member, Member.id == AutomationRun.member_id)
        .where(AutomationRun.automation_id == automation_id)
        .order_by(AutomationRun.due_at.desc(), AutomationRun.id.desc())
    )


def _check_known(session: Session, automation_id: UUID) -> None:
    if session.get(Automation, automation_id) is not None:
        return
    kept = select(AutomationRun.id).where(AutomationRun.automation_id == automation_id).limit(1)
    if session.scalar(kept) is None:
        raise NotFound(what="automation")


def _views(session: Session, org_id: UUID, rows: Collection[Automation]) -> list[AutomationView]:
    tier = studio.org(session, org_id).tier
    done = {
        automation_id: (at, number)
        for automation_id, at, number in session.execute(
            select(AutomationRun.automation_id, func.max(AutomationRun.finished_at), func.count())
            .where(
                AutomationRun.automation_id.in_([row.id for row in rows]),
                AutomationRun.status == RunStatus.DONE,
            )
            .group_by(AutomationRun.automation_id)
        )
    }
    return [_view(row, tier, *done.get(row.id, (None, 0))) for row in rows]


def _view(row: Automation, tier: Tier, last: datetime | None, done: int) -> AutomationView:
    return AutomationView(
        id=row.id,
        version=row.version,
        name=row.name,
        enabled=row.enabled,
        shape=shape_of(row),
        required_tier=row.required_tier,
        in_tier=includes(tier, row.required_tier),
        off_reason=row.off_reason,
        last_run_at=last,
        done=done,
    )


def _run(row: AutomationRun, member: Member | None, names: dict[UUID, str]) -> RunView:
    lead = names.get(row.lead_id) if row.lead_id else None
    return RunView(
        id=row.id,
        at=row.finished_at or row.due_at,
        person=member.name if member is not None else lead or "",
        status=row.status,
        reason=row.reason,
    )
