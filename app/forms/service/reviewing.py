"""Reviewing what was handed in."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import NotAllowed, NotFound
from app.forms import queries
from app.forms.errors import FormNotAnswered
from app.forms.service.answering import count, of_id
from app.forms.terms import ANSWERED, FormDecision, FormKind, FormStatus
from app.forms.views import InstanceView
from app.people import queries as people
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

    What is said of a copy before the member's last one changes nothing of theirs. Who may not
    read the answers can't review them: NotAllowed. Raises FormNotAnswered, NotFound.
    """
    today = studio.today(session, actor.org_id, now)
    row = of_id(session, instance_id)
    if row is None:
        raise NotFound(what="form_instance")
    view = queries.instance(session, instance_id, today=today)
    if view.kind is FormKind.HEALTH_DECLARATION and not queries.may_read_medical(actor):
        raise NotAllowed(role="admin")
    people.present(session, row.member_id)
    if row.status not in ANSWERED:
        raise FormNotAnswered(form=view.title, member=view.member)
    row.status, row.decision, row.review_note = FormStatus.REVIEWED, decision, note
    row.reviewed_by, row.reviewed_at = actor.user_id, now
    session.flush()
    count(session, row)
    return queries.instance(session, instance_id, today=today)
