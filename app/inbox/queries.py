"""Reading threads, their messages and drafts."""

from collections.abc import Iterator
from uuid import UUID

from sqlalchemy import ColumnElement, Row, ScalarSelect, Select, case, func, select, tuple_
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.inbox.models import InboxDraft, InboxMessage, InboxThread
from app.inbox.terms import Direction, ThreadChannel, ThreadStatus
from app.inbox.views import DraftView, MessageView, ThreadFilter, ThreadView
from app.leads.models import Lead
from app.leads.terms import OPEN
from app.people.models import Member, Staff
from app.people.queries import HIDDEN
from app.studio.paging import Cut, Page, page


def threads(session: Session, wanted: ThreadFilter, *, cut: Cut) -> Page[ThreadView]:
    """What nobody has read first, then what was written last."""
    unread = case((InboxThread.unread > 0, 0), else_=1)
    query = _threads().where(*_terms(wanted))
    query = query.order_by(unread, InboxThread.last_message_at.desc(), InboxThread.id)
    return page(session, query, cut, _view)


def thread(session: Session, thread_id: UUID) -> ThreadView:
    row = session.execute(_threads().where(InboxThread.id == thread_id)).one_or_none()
    if row is None:
        raise NotFound(what="thread")
    return _view(row)


def thread_with(session: Session, channel: ThreadChannel, handle: str) -> UUID | None:
    query = select(InboxThread.id).where(InboxThread.channel == channel)
    return session.scalar(query.where(InboxThread.handle == handle))


def messages(
    session: Session, thread_id: UUID, *, limit: int, before: UUID | None = None
) -> tuple[MessageView, ...]:
    """The last ones before a message, in the order they were written. Raises NotFound."""
    query = _messages().where(InboxMessage.thread_id == thread_id)
    if before is not None:
        query = query.where(_earlier_than(session, thread_id, before))
    query = query.order_by(InboxMessage.at.desc(), InboxMessage.id.desc()).limit(limit)
    return tuple(map(_message, reversed(session.execute(query).all())))


def message_count(session: Session, thread_id: UUID) -> int:
    count = select(func.count()).where(InboxMessage.thread_id == thread_id)
    return session.scalar(count) or 0


def agreed(session: Session, thread: ThreadView) -> bool:
    """Whether whoever it is with wants to hear of offers: an open lead asked to."""
    if thread.member_id is not None:
        query = select(Member.id).where(
            Member.id == thread.member_id,
            Member.marketing_consent_at.is_not(None),
            Member.status.not_in(HIDDEN),
        )
    else:
        query = select(Lead.id).where(Lead.id == thread.lead_id, Lead.stage.in_(OPEN))
    return session.scalar(query) is not None


def draft(session: Session, thread_id: UUID) -> DraftView | None:
    query = (
        select(InboxDraft, Staff.name)
        .outerjoin(Staff, Staff.user_id == InboxDraft.author_id)
        .where(InboxDraft.thread_id == thread_id)
    )
    row = session.execute(query).one_or_none()
    if row is None:
        return None
    found, by = row
    return DraftView(found.id, found.version, found.body, by)


def _threads() -> Select[InboxThread, Member, Lead, str, str | None]:
    return (
        select(InboxThread, Member, Lead, Staff.name, _last_text())
        .outerjoin(Member, Member.id == InboxThread.member_id)
        .outerjoin(Lead, Lead.id == InboxThread.lead_id)
        .outerjoin(Staff, Staff.id == InboxThread.assignee_id)
    )


def _last_text() -> ScalarSelect[str | None]:
    return (
        select(InboxMessage.body)
        .where(InboxMessage.thread_id == InboxThread.id, InboxMessage.direction != Direction.NOTE)
        .order_by(InboxMessage.at.desc(), InboxMessage.id.desc())
        .limit(1)
        .correlate(InboxThread)
        .scalar_subquery()
    )


def _terms(wanted: ThreadFilter) -> Iterator[ColumnElement[bool]]:
    if wanted.statuses:
        yield InboxThread.status.in_(wanted.statuses)
    if wanted.channels:
        yield InboxThread.channel.in_(wanted.channels)
    if wanted.assignee_id is not None:
        yield InboxThread.assignee_id == wanted.assignee_id
    if wanted.unread is not None:
        yield (InboxThread.unread > 0) == wanted.unread


def _earlier_than(session: Session, thread_id: UUID, message_id: UUID) -> ColumnElement[bool]:
    known = session.get(InboxMessage, message_id)
    if known is None or known.thread_id != thread_id:
        raise NotFound(what="message")
    return tuple_(InboxMessage.at, InboxMessage.id) < tuple_(known.at, known.id)


def _messages() -> Select[InboxMessage, str]:
    return select(InboxMessage, Staff.name).outerjoin(
        Staff, Staff.user_id == InboxMessage.author_id
    )


def _message(row: Row[InboxMessage, str | None]) -> MessageView:
    found, by = row
    return MessageView(
        id=found.id,
        direction=found.direction,
        body=found.body,
        at=found.at,
        by=by,
        state=found.state,
        error_code=found.error_code,
    )


def _view(
    row: Row[InboxThread, Member | None, Lead | None, str | None, str | None],
) -> ThreadView:
    found, member, lead, assignee, last_text = row
    person = member or lead
    return ThreadView(
        id=found.id,
        version=found.version,
        channel=found.channel,
        handle=found.handle,
        contact=person.name if person else found.handle,
        language=person.language if person else None,
        member_id=found.member_id,
        lead_id=found.lead_id,
        status=found.status,
        assignee_id=found.assignee_id,
        assignee=assignee,
        unread=found.unread,
        last_inbound_at=found.last_inbound_at,
        last_message_at=found.last_message_at,
        last_text=last_text,
        outcome=found.outcome if found.status is ThreadStatus.CLOSED else None,
    )
