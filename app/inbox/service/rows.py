"""Rows of threads for those who change them."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.inbox.models import InboxMessage, InboxThread
from app.inbox.terms import Direction, MessageState
from app.people.terms import Category


def lock(session: Session, thread_id: UUID) -> InboxThread:
    row = session.get(InboxThread, thread_id, with_for_update=True, populate_existing=True)
    if row is None:
        raise NotFound(what="thread")
    return row


def add(
    session: Session,
    thread: InboxThread,
    direction: Direction,
    body: str,
    *,
    at: datetime,
    author_id: UUID | None = None,
    category: Category | None = None,
    state: MessageState | None = None,
    template_id: UUID | None = None,
) -> InboxMessage:
    """A message of a thread; a note doesn't count as something that was written."""
    made = InboxMessage(
        org_id=thread.org_id,
        thread_id=thread.id,
        direction=direction,
        body=body,
        at=at,
        author_id=author_id,
        category=category,
        state=state,
        template_id=template_id,
    )
    session.add(made)
    if direction is not Direction.NOTE:
        thread.last_message_at = max(thread.last_message_at, at)
    session.flush()
    return made
