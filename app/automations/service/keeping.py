"""Making automations and changing them, within what the gym's plan includes (rule 39)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.automations.errors import (
    AlreadyOff,
    AlreadyOn,
    AutomationTaken,
    NotInTier,
    OnlyLeads,
    TooManyAutomations,
)
from app.automations.models import Automation
from app.automations.queries import automation, includes, said_of, shape_of
from app.automations.service.seeding import seed
from app.automations.shapes import (
    MOST_ON_PRO,
    AddTag,
    AssignForm,
    CreateTask,
    Holds,
    InSegment,
    NotifyStaff,
    SendMessage,
    SetStage,
    Shape,
)
from app.automations.views import AutomationView
from app.core.actor import Actor
from app.core.errors import NotFound, StaleVersion
from app.forms import queries as forms
from app.memberships import queries as memberships
from app.messages import queries as messages
from app.messages import service as sending
from app.people import queries as people
from app.studio import queries as studio
from app.studio.terms import Tier


@dataclass(frozen=True, slots=True)
class Seeded:
    """An automation that was switched on; `seen` occasions stood already and are left alone."""

    automation: AutomationView
    seen: int


def create(session: Session, actor: Actor, name: str, shape: Shape) -> AutomationView:
    """A new one, switched off.

    Raises NotInTier, TooManyAutomations, AutomationTaken, NotFound, OnlyLeads, MissingValues.
    """
    tier = studio.org_held(session, actor.org_id).tier
    _check_tier(tier, shape)
    _check_room(session, tier)
    _check_name(session, name)
    _check_shape(session, actor.org_id, shape)
    row = Automation(
        org_id=actor.org_id, name=name, required_tier=shape.required_tier, **_columns(shape)
    )
    session.add(row)
    session.flush()
    return automation(session, actor.org_id, row.id)


def update(
    session: Session,
    actor: Actor,
    automation_id: UUID,
    shape: Shape,
    *,
    now: datetime,
    name: str | None = None,
    expected_version: int | None = None,
) -> AutomationView:
    """What is on stays on, and what already is so for the new trigger counts as seen."""
    row = _locked(session, automation_id)
    if expected_version not in {None, row.version}:
        raise StaleVersion
    _check_tier(studio.org(session, actor.org_id).tier, shape)
    if name is not None and name != row.name:
        _check_name(session, name)
        row.name = name
    _check_shape(session, actor.org_id, shape)
    before = shape_of(row)
    for column, value in _columns(shape).items():
        setattr(row, column, value)
    row.required_tier = shape.required_tier
    session.flush()
    if row.enabled and (before.trigger, before.conditions) != (shape.trigger, shape.conditions):
        seed(session, row, now=now)
    return automation(session, actor.org_id, row.id)


def preview_enable(session: Session, actor: Actor, automation_id: UUID) -> AutomationView:
    """Raises NotFound, AlreadyOn, NotInTier."""
    return automation(session, actor.org_id, _to_enable(session, actor, automation_id).id)


def enable(session: Session, actor: Actor, automation_id: UUID, *, now: datetime) -> Seeded:
    """From now on; whoever meets its trigger already is left alone."""
    row = _to_enable(session, actor, automation_id)
    row.enabled, row.off_reason = True, None
    row.seeded_at = row.next_look_at = now
    session.flush()
    seen = seed(session, row, now=now)
    return Seeded(automation(session, actor.org_id, row.id), seen)


def disable(session: Session, actor: Actor, automation_id: UUID) -> AutomationView:
    row = _locked(session, automation_id)
    if not row.enabled:
        raise AlreadyOff
    row.enabled, row.next_look_at = False, None
    session.flush()
    return automation(session, actor.org_id, row.id)


def delete(session: Session, actor: Actor, automation_id: UUID) -> AutomationView:
    """What it did stays in its history."""
    view = automation(session, actor.org_id, automation_id)
    session.delete(_locked(session, automation_id))
    session.flush()
    return view


def tier_changed(session: Session, org_id: UUID) -> int:
    """Switch off what the gym's plan no longer includes, and delete nothing; how many those are."""
    tier = studio.org_held(session, org_id).tier
    query = select(Automation).where(Automation.enabled)
    on = session.scalars(query.order_by(Automation.created_at, Automation.id)).all()
    within = [row for row in on if includes(tier, row.required_tier)]
    kept = within[:MOST_ON_PRO] if tier is Tier.PRO else within
    off = [row for row in on if row not in kept]
    for row in off:
        row.enabled, row.next_look_at, row.off_reason = False, None, "tier"
    session.flush()
    return len(off)


def _to_enable(session: Session, actor: Actor, automation_id: UUID) -> Automation:
    tier = studio.org_held(session, actor.org_id).tier
    row = _locked(session, automation_id)
    if row.enabled:
        raise AlreadyOn
    shape = shape_of(row)
    _check_tier(tier, shape)
    _check_shape(session, actor.org_id, shape)
    on = session.scalar(select(func.count()).where(Automation.enabled)) or 0
    if tier is Tier.PRO and on >= MOST_ON_PRO:
        raise TooManyAutomations(most=MOST_ON_PRO)
    return row


def _check_tier(tier: Tier, shape: Shape) -> None:
    if not includes(tier, shape.required_tier):
        raise NotInTier(tier=shape.required_tier.value)


def _check_room(session: Session, tier: Tier) -> None:
    kept = session.scalar(select(func.count(Automation.id))) or 0
    if tier is Tier.PRO and kept >= MOST_ON_PRO:
        raise TooManyAutomations(most=MOST_ON_PRO)


def _check_name(session: Session, name: str) -> None:
    if session.scalar(select(Automation.id).where(Automation.name == name)) is not None:
        raise AutomationTaken(name=name)


def _check_shape(session: Session, org_id: UUID, shape: Shape) -> None:
    """Whether all that it names is there, and fits whom it is about."""
    for condition in shape.conditions:
        of_leads = condition.kind == "lead_sources"
        if condition.kind != "languages" and of_leads is not shape.of_leads:
            raise OnlyLeads
        if isinstance(condition, Holds):
            memberships.check_plans(session, condition.any)
        if isinstance(condition, InSegment):
            messages.segment(session, org_id, condition.segment_id)
    for action in shape.actions:
        _check_action(session, shape, action)


def _check_action(session: Session, shape: Shape, action: object) -> None:
    match action:
        case SendMessage():
            sending.draft(session, said_of(action), places=shape.places)
        case CreateTask(assignee_id=UUID() as staff_id) | NotifyStaff(staff_id=staff_id):
            people.staff(session, staff_id)
        case SetStage() if not shape.of_leads:
            raise OnlyLeads
        case AddTag() | AssignForm() if shape.of_leads:
            raise OnlyLeads
        case AssignForm(form_template_id=form_id):
            forms.template(session, form_id)
        case _:
            return


def _columns(shape: Shape) -> dict[str, Any]:
    told = shape.model_dump(mode="json")
    return {
        "trigger": told["trigger"],
        "conditions": told["conditions"],
        "actions": told["actions"],
        "delay_min": shape.delay_min,
        "quiet_from": shape.quiet_from,
        "quiet_to": shape.quiet_to,
        "cap_days": shape.cap_days,
    }


def _locked(session: Session, automation_id: UUID) -> Automation:
    row = session.get(Automation, automation_id, with_for_update=True)
    if row is None:
        raise NotFound(what="automation")
    return row
