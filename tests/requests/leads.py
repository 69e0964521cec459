"""Leads, as coaches ask for them."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import func, select

from app.core.actor import Role
from app.leads import service
from app.leads.models import Lead
from app.leads.service import Added, NewLead
from app.leads.terms import LeadSource
from tests.requests.request import Request
from tests.studio import Studio


def phone(studio: Studio) -> str:
    """One that no lead of the gym has, the same in every gym."""
    with studio.act() as session:
        last = session.scalar(select(func.max(Lead.phone)))
    return f"+{int(last or '+972530000000') + 1}"


def lead(studio: Studio, name: str = "Noa Bar", **more: Any) -> UUID:  # noqa: ANN401 - as NewLead
    first, _, last = name.partition(" ")
    given = {"phone": phone(studio), "source": LeadSource.INSTAGRAM, **more}
    new = NewLead(first_name=first, last_name=last, **given)
    with studio.act() as session:
        made = service.create(session, studio.coach, new, now=studio.now)
    assert isinstance(made, Added)
    return made.lead_id


def one(studio: Studio) -> dict[str, Any]:
    return {"lead_id": lead(studio)}


def known(studio: Studio) -> dict[str, Any]:
    """A lead with a history and a next step."""
    lead_id = lead(studio, owner_id=studio.staff[Role.COACH])
    wish = service.FollowUp(studio.now + timedelta(days=2), "Follow up: Noa Bar")
    with studio.act() as session:
        service.schedule_follow_up(session, studio.coach, lead_id, wish, now=studio.now)
    return {"lead_id": lead_id}


def many(studio: Studio) -> dict[str, Any]:
    known(studio)
    return {}


def new(studio: Studio) -> dict[str, Any]:
    return {
        "first_name": "Tom",
        "last_name": "Ziv",
        "phone": phone(studio).replace("+972", "0"),
        "source": "instagram",
        "interest": "Mornings",
    }


def joining(studio: Studio) -> dict[str, Any]:
    return {**one(studio), "plan_id": studio.plan()}


REQUESTS = [
    Request("leads.list", "какие лиды ждут звонка?", many, ("Noa Bar",)),
    Request("leads.get", "מה קורה עם נועה?", known, ("Noa Bar", "Follow up"), role=Role.COACH),
    Request("leads.get_pipeline", "how does the pipeline look?", many, ("Noa Bar",)),
    Request("leads.create", "new lead from Instagram: Tom Ziv 0530000003", new, ("Tom Ziv",)),
    Request(
        "leads.update",
        "Noa wants mornings",
        lambda studio: {**one(studio), "interest": "Mornings"},
        ("Noa Bar", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "leads.set_stage",
        "נועה קבעה ניסיון",
        lambda studio: {**one(studio), "stage": "trial_booked"},
        ("Noa Bar",),
    ),
    Request(
        "leads.log_activity",
        "called Noa, no answer",
        lambda studio: {**one(studio), "kind": "call", "outcome": "no_answer"},
        ("Noa Bar", "UNDO"),
    ),
    Request(
        "leads.schedule_follow_up",
        "напомни позвонить Ное в среду в 10",
        lambda studio: {**one(studio), "due_at": f"{studio.day(2)}T10:00"},
        ("Noa Bar",),
    ),
    Request("leads.convert", "נועה הצטרפה", one, ("Noa Bar",), role=Role.ADMIN),
    Request("leads.convert", "Noa signed up, put her on the plan", joining, ("Noa Bar", "Plan")),
    Request(
        "leads.mark_lost",
        "Noa won't join, too expensive",
        lambda studio: {**one(studio), "lost_reason": "price"},
        ("Noa Bar", "UNDO"),
        role=Role.COACH,
    ),
    Request("leads.delete", "תמחקו את הליד של נועה", one, ("Noa Bar",)),
]
