"""Reviewing what was handed in."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import NotAllowed, NotFound
from app.forms import queries
from app.forms.errors import FormNotAnswered
from app.forms.models import FormInstance
from app.forms.service.answering import counts_for, of_id
from app.forms.terms import ANSWERED, FormDecision, FormKind, FormStatus
from app.forms.views import InstanceView
from app.people.models import Member
from app.studio import queries as studio


def mark_reviewed(
    session: Session,
    actor: Actor,
    instance_id: UUID,
    decision: FormDecision,
    *,
    now: datetime,
    note: str | None = None,
) -> InstanceView:
    """Say what comes of it: a flagged health declaration counts once it is approved (rule 43).

    Who may not read the answers can't review them: NotAllowed. Raises FormNotAnswered, NotFound.
    """
    today = studio.today(session, actor.org_id, now)
    row = of_id(session, instance_id)
    if row is None:
        raise NotFound(what="form_instance")
    view = queries.instance(session, instance_id, today=today)
    if view.kind is FormKind.HEALTH_DECLARATION and not queries.may_read_medical(actor):
        raise NotAllowed(role="admin")
    if row.status not in ANSWERED:
        raise FormNotAnswered(form=view.title, member=view.member)
    row.status, row.decision, row.review_note = FormStatus.REVIEWED, decision, note
    row.reviewed_by, row.reviewed_at = actor.user_id, now
    session.flush()
    _count(session, row)
    return queries.instance(session, instance_id, today=today)


def _count(session: Session, row: FormInstance) -> None:
    """An approval makes it count; a document that is missing takes that away again."""
    if row.valid_until is None:
        return
    if row.decision is FormDecision.APPROVED:
        counts_for(session, row, row.valid_until)
    elif row.decision is FormDecision.NEEDS_DOCUMENT and _rests_on(session, row):
        counts_for(session, row, None)


def _rests_on(session: Session, row: FormInstance) -> bool:
    """Whether the member's health declaration is this one."""
    return session.get_one(Member, row.member_id).health_form_until == row.valid_until
