"""Carrying out one action of an automation for one person."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, assert_never
from uuid import UUID

from sqlalchemy.orm import Session

from app.automations.queries import said_of
from app.automations.service.told import told
from app.automations.shapes import (
    AddTag,
    AnyAction,
    AssignForm,
    CreateTask,
    NotifyStaff,
    SendMessage,
    SetStage,
    Shape,
)
from app.core import outbox
from app.core.actor import Actor
from app.forms import service as forms
from app.forms.service import FormRequest
from app.leads import service as leads
from app.leads.errors import SameStage
from app.leads.terms import LeadStage
from app.messages import queries as messages
from app.messages import rules
from app.messages import service as sending
from app.messages.service import Origin
from app.messages.texts import filled
from app.messages.views import Person
from app.people import queries as people
from app.people import service as members
from app.people.service import MemberChanges
from app.studio import queries as studio
from app.tasks import service as tasks
from app.tasks.terms import TaskSource

TELL_STAFF: Final = "tell_staff"
"""Body: `user_id`, `text`; what an automation has to say to somebody of the team."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """For whom, on what occasion, and what is known of it."""

    key: str
    """Unique: what was done on it is never done twice."""
    person: Person
    facts: Mapping[str, Any]
    shape: Shape


def do(
    session: Session,
    actor: Actor,
    action: AnyAction,
    occasion: Occasion,
    *,
    number: int,
    now: datetime,
) -> None:
    """Raises a Refusal or another StudioError where it can't be done for them."""
    match action:
        case SendMessage():
            _send(session, actor, action, occasion, key=f"{occasion.key}:{number}", now=now)
        case CreateTask():
            _make_task(session, actor, action, occasion, now)
        case NotifyStaff():
            _tell_staff(session, actor, action, occasion, now)
        case AddTag(tag=tag):
            today = studio.today(session, actor.org_id, now)
            changes = MemberChanges(tags_add=(tag,))
            members.update_member(session, actor, occasion.person.id, changes, today=today)
        case SetStage(stage=stage):
            _set_stage(session, actor, occasion.person.id, stage, now)
        case AssignForm(form_template_id=form_id, channel=channel):
            forms.send(session, actor, FormRequest(form_id, channel), occasion.person.id, now=now)
        case _:
            assert_never(action)


def _send(
    session: Session,
    actor: Actor,
    action: SendMessage,
    occasion: Occasion,
    *,
    key: str,
    now: datetime,
) -> None:
    """Raises the Refusal of whoever may not be written to."""
    person = occasion.person
    said = sending.draft(session, said_of(action), places=occasion.shape.places)
    gym = sending.house(session, actor.org_id)
    at = rules.leaves(said, gym, now)
    known = messages.known(session, [person], said.channel, gym.policy.cap, at)
    (letter,) = sending.letters(said, [person], known, gym, at)
    if letter.refused is not None:
        raise letter.refused
    facts = told(occasion.facts, letter.language, studio.today(session, actor.org_id, now))
    origin = Origin(actor.org_id, cause_key=key, told=facts)
    sending.write(session, said, letter, origin, now=now, at=at)


def _make_task(
    session: Session, actor: Actor, action: CreateTask, occasion: Occasion, now: datetime
) -> None:
    person = occasion.person
    new = tasks.NewTask(
        title=_said(session, actor, action.title, occasion, now),
        due_at=now + timedelta(days=action.due_days, minutes=1),
        assignee_id=action.assignee_id,
        member_id=None if person.is_lead else person.id,
        lead_id=person.id if person.is_lead else None,
        source=TaskSource.AUTOMATION,
    )
    tasks.create(session, actor, new, now=now)


def _tell_staff(
    session: Session, actor: Actor, action: NotifyStaff, occasion: Occasion, now: datetime
) -> None:
    staff = people.staff(session, action.staff_id)
    text = _said(session, actor, action.text, occasion, now)
    body = {"user_id": str(staff.user_id), "text": text}
    outbox.put(session, actor.org_id, TELL_STAFF, body, wait=outbox.AT_ONCE)


def _set_stage(
    session: Session,
    actor: Actor,
    lead_id: UUID,
    stage: LeadStage,
    now: datetime,
) -> None:
    try:
        leads.set_stage(session, actor, lead_id, stage, now=now)
    except SameStage:
        return


def _said(session: Session, actor: Actor, text: str, occasion: Occasion, now: datetime) -> str:
    """A line for the team, in the gym's language."""
    org = studio.org(session, actor.org_id)
    facts = told(occasion.facts, org.language, studio.today(session, org.id, now))
    return filled(text, {**facts, **occasion.person.words(org.name)})
