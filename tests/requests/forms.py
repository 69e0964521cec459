"""Forms, as coaches and admins ask for them."""

from typing import Any
from uuid import UUID

from app.core.actor import Role
from app.forms import service
from app.forms.fields import Field
from app.forms.service import FormRequest, NewForm
from app.forms.terms import FieldType, FormKind
from app.people.terms import Channel
from tests.requests.request import Request
from tests.studio import Studio

HEART = Field(label="Has a doctor ever spoken of your heart?", type=FieldType.YES_NO)
DETAILS = Field(label="What should we know?", type=FieldType.LONG_TEXT, required=False)


def template(studio: Studio, kind: FormKind = FormKind.HEALTH_DECLARATION, **more: Any) -> UUID:  # noqa: ANN401 - as NewForm
    new = NewForm("Health", kind, (HEART, DETAILS), **more)
    with studio.act() as session:
        return service.create(session, studio.owner, new, now=studio.now).id


def one(studio: Studio) -> dict[str, Any]:
    return {"form_template_id": template(studio)}


def dana(studio: Studio, name: str = "Dana Levi") -> UUID:
    return studio.person(name, phone="0541234567", language="en")


def to_dana(studio: Studio) -> dict[str, Any]:
    return {**one(studio), "member_id": dana(studio), "channel": "sms"}


def to_many(studio: Studio) -> dict[str, Any]:
    """Two who get it, and one without a phone."""
    people = (dana(studio), dana(studio, "Noa Cohen"), studio.person("Tom Ziv"))
    return {**one(studio), "member_ids": [str(each) for each in people], "channel": "sms"}


def waiting(studio: Studio, again: tuple[UUID, UUID] | None = None) -> UUID:
    """Sent to Dana, not answered; `again` is a form and a member that are there already."""
    form, member_id = again or (template(studio), dana(studio))
    wish = FormRequest(form, Channel.SMS)
    with studio.act() as session:
        made, _ = service.send(session, studio.coach, wish, member_id, now=studio.now)
        return made


def answered(studio: Studio, heart: str = "no", again: tuple[UUID, UUID] | None = None) -> UUID:
    """Signed by Dana."""
    made = waiting(studio, again)
    with studio.act() as session:
        token = service.new_link(session, made, now=studio.now)
        assert token is not None
        given = {"q1": heart, "q2": "Asthma as a child."}
        service.submit(session, token, given, signed_by="Dana Levi", address="::1", now=studio.now)
    return made


def listed(studio: Studio) -> dict[str, Any]:
    template(studio)
    return {"kind": "health_declaration"}


def sent(studio: Studio) -> dict[str, Any]:
    waiting(studio)
    return {"status": ["sent"]}


def unsigned(studio: Studio) -> dict[str, Any]:
    dana(studio)
    return one(studio)


QUESTIONS = [
    {"label": "Any injuries?", "type": "yes_no"},
    {"label": "Which one?", "type": "choice", "options": ["Knee", "Shoulder"], "required": False},
]
REQUESTS = [
    Request(
        "forms.list_templates",
        "какие у нас есть анкеты?",
        listed,
        ("Health",),
    ),
    Request("forms.get_template", "מה יש בהצהרת הבריאות?", one, ("Health", "heart")),
    Request(
        "forms.create_template",
        "add a waiver with two questions about injuries",
        lambda _: {"title": "Injuries", "kind": "waiver", "fields": QUESTIONS},
        ("Injuries", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "forms.update_template",
        "call it Health 2027",
        lambda studio: {**one(studio), "title": "Health 2027"},
        ("Health 2027", "UNDO"),
        role=Role.ADMIN,
    ),
    Request("forms.delete_template", "удали анкету", one, ("Health",)),
    Request(
        "forms.list_instances",
        "which forms are out?",
        sent,
        ("Dana Levi", "Health"),
        role=Role.COACH,
    ),
    Request(
        "forms.get_instance",
        "תראה לי את הצהרת הבריאות של דנה",
        lambda studio: {"form_instance_id": answered(studio)},
        ("Dana Levi", "Asthma"),
    ),
    Request(
        "forms.list_missing",
        "who still hasn't signed the health form?",
        unsigned,
        ("Dana Levi",),
        role=Role.COACH,
    ),
    Request(
        "forms.send_instance",
        "send Dana the health form by SMS",
        to_dana,
        ("Dana Levi", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "forms.bulk_send",
        "send them all the health form",
        to_many,
        ("Health", "Tom Ziv", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "forms.cancel_instance",
        "отмени анкету Даны",
        lambda studio: {"form_instance_id": waiting(studio)},
        ("Dana Levi",),
    ),
    Request(
        "forms.mark_reviewed",
        "Dana's form is fine",
        lambda studio: {"form_instance_id": answered(studio, "yes"), "decision": "approved"},
        ("Dana Levi", "UNDO"),
        role=Role.ADMIN,
    ),
]
