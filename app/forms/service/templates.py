"""Making forms and changing them: what was sent once stays as it was (rule 44)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import NotFound, StaleVersion
from app.forms import queries
from app.forms.errors import FormSigned
from app.forms.fields import Field, of_kind, stored
from app.forms.models import FormInstance, FormTemplate, FormVersion
from app.forms.terms import FormKind
from app.forms.views import TemplateView
from app.studio import queries as studio

HEALTH_DAYS: Final = 730
"""How long a health declaration counts unless its form says otherwise."""


@dataclass(frozen=True, slots=True)
class NewForm:
    title: str
    kind: FormKind
    fields: tuple[Field, ...]
    requires_signature: bool = True
    valid_for_days: int | None = None
    """None: for good, or the usual time of a health declaration."""
    language: str | None = None
    """None: the gym's."""


@dataclass(frozen=True, slots=True)
class FormChanges:
    """None: as it was."""

    title: str | None = None
    fields: tuple[Field, ...] | None = None
    requires_signature: bool | None = None
    valid_for_days: int | None = None
    active: bool | None = None


def create(session: Session, actor: Actor, new: NewForm, *, now: datetime) -> TemplateView:
    org = studio.org(session, actor.org_id)
    made = FormTemplate(
        org_id=org.id, kind=new.kind, language=new.language or org.language, edited_at=now
    )
    session.add(made)
    session.flush()
    first = FormVersion(
        org_id=org.id,
        template_id=made.id,
        number=1,
        title=new.title,
        fields=stored(of_kind(new.kind, new.fields)),
        requires_signature=new.requires_signature,
        valid_for_days=new.valid_for_days or _usual_days(new.kind),
    )
    session.add(first)
    session.flush()
    return queries.template(session, made.id)


def update(
    session: Session,
    template_id: UUID,
    changes: FormChanges,
    *,
    now: datetime,
    expected_version: int | None = None,
) -> TemplateView:
    """What was sent already keeps its version: then there is a new one. Raises StaleVersion."""
    row = _lock(session, template_id)
    if expected_version not in {None, row.version}:
        raise StaleVersion
    asked = _current(session, row)
    different = {
        name: value
        for name, value in _content(row, changes).items()
        if value is not None and value != getattr(asked, name)
    }
    if different:
        _change_content(session, row, asked, different)
        row.edited_at = now
    if changes.active is not None:
        row.active = changes.active
    session.flush()
    return queries.template(session, template_id)


def check_deletable(session: Session, template_id: UUID) -> TemplateView:
    """Raises FormSigned, NotFound."""
    _lock(session, template_id)
    found = queries.template(session, template_id)
    if signed := queries.answered_count(session, template_id):
        raise FormSigned(form=found.title, signed=signed)
    return found


def delete(session: Session, template_id: UUID) -> TemplateView:
    """With what was sent of it and not answered: those links lead nowhere any more."""
    found = check_deletable(session, template_id)
    for model in (FormInstance, FormVersion):
        for row in session.scalars(select(model).where(model.template_id == template_id)):
            session.delete(row)
        session.flush()
    session.delete(_lock(session, template_id))
    session.flush()
    return found


def _usual_days(kind: FormKind) -> int | None:
    return HEALTH_DAYS if kind is FormKind.HEALTH_DECLARATION else None


def _content(row: FormTemplate, changes: FormChanges) -> dict[str, Any]:
    fields = None if changes.fields is None else stored(of_kind(row.kind, changes.fields))
    return {
        "title": changes.title,
        "fields": fields,
        "requires_signature": changes.requires_signature,
        "valid_for_days": changes.valid_for_days,
    }


def _change_content(
    session: Session, row: FormTemplate, asked: FormVersion, different: dict[str, Any]
) -> None:
    used = session.scalar(select(exists().where(FormInstance.version_id == asked.id)))
    if not used:
        for name, value in different.items():
            setattr(asked, name, value)
        return
    names = ("title", "fields", "requires_signature", "valid_for_days")
    kept = {name: getattr(asked, name) for name in names}
    row.current += 1
    made = FormVersion(
        org_id=row.org_id, template_id=row.id, number=row.current, **{**kept, **different}
    )
    session.add(made)


def _lock(session: Session, template_id: UUID) -> FormTemplate:
    row = session.get(FormTemplate, template_id, with_for_update=True, populate_existing=True)
    if row is None:
        raise NotFound(what="form_template")
    return row


def _current(session: Session, row: FormTemplate) -> FormVersion:
    query = select(FormVersion).where(FormVersion.template_id == row.id)
    return session.scalars(query.where(FormVersion.number == row.current)).one()
