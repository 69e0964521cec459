"""Who looks after a thread, what is noted of it, and when it is done with."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import StaleVersion
from app.inbox import queries
from app.inbox.errors import NoDraft, ThreadClosedAlready, ThreadNotClosed, ThreadTaken
from app.inbox.models import InboxDraft, InboxMessage, InboxThread
from app.inbox.service import rows
from app.inbox.terms import Direction, ThreadStatus
from app.people import queries as people
from app.tasks.errors import StaffLeft


def assign(
    session: Session, thread_id: UUID, staff_id: UUID, *, expected_version: int | None = None
) -> None:
    """From one to another only by who has read whose it is: of several at once, one wins.

    Raises NotFound, StaffLeft, StaleVersion, ThreadTaken.
    """
    row = rows.lock(session, thread_id)
    if expected_version not in {None, row.version}:
        raise StaleVersion
    person = people.staff(session, staff_id)
    if not person.active:
        raise StaffLeft(name=person.name)
    if expected_version is None and row.assignee_id not in {None, staff_id}:
        raise ThreadTaken(name=queries.thread(session, row.id).assignee)
    row.assignee_id = staff_id
    session.flush()


def add_note(session: Session, actor: Actor, thread_id: UUID, body: str, *, now: datetime) -> None:
    """Staff see it, nobody else ever does."""
    row = rows.lock(session, thread_id)
    rows.add(session, row, Direction.NOTE, body, at=now, author_id=actor.user_id)


def mark_read(session: Session, thread_id: UUID, *, read: bool) -> None:
    """Unread again is one message that waits."""
    row = rows.lock(session, thread_id)
    row.unread = 0 if read else max(row.unread, 1)
    session.flush()


def close(
    session: Session, actor: Actor, thread_id: UUID, *, now: datetime, outcome: str | None = None
) -> None:
    """Raises ThreadClosedAlready. An undo of its opening brings back how it was closed."""
    row = rows.lock(session, thread_id)
    if row.status is ThreadStatus.CLOSED:
        raise ThreadClosedAlready(name=queries.thread(session, row.id).contact)
    row.status = ThreadStatus.CLOSED
    if not (actor.undoing and row.closed_at is not None):
        row.closed_at, row.outcome = now, outcome
    session.flush()


def reopen(session: Session, actor: Actor, thread_id: UUID) -> None:
    """Raises ThreadNotClosed. It waits for whoever's turn it was."""
    row = rows.lock(session, thread_id)
    if row.status is not ThreadStatus.CLOSED:
        raise ThreadNotClosed(name=queries.thread(session, row.id).contact)
    row.status = ThreadStatus.PENDING if _answered(session, row) else ThreadStatus.OPEN
    if actor.undoing:
        row.closed_at, row.outcome = None, None
    session.flush()


def save_draft(
    session: Session,
    actor: Actor,
    thread_id: UUID,
    body: str,
    *,
    expected_version: int | None = None,
) -> None:
    """Keep the beginning of an answer; an empty one takes it away.

    Raises StaleVersion where somebody else has written since, NoDraft.
    """
    thread = rows.lock(session, thread_id)
    row = draft_of(session, thread.id)
    _check_unmoved(row, actor, expected_version)
    if row is None and body:
        session.add(
            InboxDraft(
                org_id=thread.org_id, thread_id=thread.id, body=body, author_id=actor.user_id
            )
        )
    elif row is None:
        raise NoDraft
    elif body:
        row.body, row.author_id = body, actor.user_id
    else:
        session.delete(row)
    session.flush()


def draft_of(session: Session, thread_id: UUID) -> InboxDraft | None:
    return session.scalar(select(InboxDraft).where(InboxDraft.thread_id == thread_id))


def _check_unmoved(row: InboxDraft | None, actor: Actor, expected: int | None) -> None:
    """A colleague's draft is only written over by who has read it."""
    theirs = row is not None and row.author_id != actor.user_id
    if (expected is None and theirs) or expected not in {None, row.version if row else None}:
        raise StaleVersion


def _answered(session: Session, row: InboxThread) -> bool:
    query = (
        select(InboxMessage.direction)
        .where(InboxMessage.thread_id == row.id, InboxMessage.direction != Direction.NOTE)
        .order_by(InboxMessage.at.desc(), InboxMessage.id.desc())
        .limit(1)
    )
    return session.scalar(query) is Direction.OUT
