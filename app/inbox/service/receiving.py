"""Taking in what members, leads and strangers write."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.inbox import queries
from app.inbox.models import InboxThread
from app.inbox.rules import WRITABLE
from app.inbox.service import rows
from app.inbox.terms import Direction, ThreadChannel, ThreadStatus
from app.leads import queries as leads
from app.people import service as people
from app.people.contacts import email_key
from i18n import answers


def receive(
    session: Session, org_id: UUID, channel: ThreadChannel, handle: str, body: str, *, at: datetime
) -> UUID:
    """Put a message into the thread of its sender, which opens again; return the thread.

    `handle` is E.164, an e-mail address, or the provider's own name for somebody. Who writes that
    they want no more messages gets none (rule 36).
    """
    handle = email_key(handle) if channel is ThreadChannel.EMAIL else handle
    members = people.claim(session, org_id, handle)
    known = queries.thread_with(session, channel, handle)
    row = rows.lock(session, known) if known else _begin(session, org_id, channel, handle, at)
    # Of those who share a phone, it doesn't say who writes.
    row.member_id = row.member_id or (members[0].id if len(members) == 1 else None)
    if row.member_id is None:
        row.lead_id = row.lead_id or leads.open_with_phone(session, handle)
    row.status = ThreadStatus.OPEN
    row.unread += 1
    row.last_inbound_at = max(at, row.last_inbound_at or at)
    rows.add(session, row, Direction.IN, body, at=at)
    _heed(session, row, body, at)
    return row.id


def _begin(
    session: Session, org_id: UUID, channel: ThreadChannel, handle: str, at: datetime
) -> InboxThread:
    made = InboxThread(
        org_id=org_id,
        channel=channel,
        handle=handle,
        status=ThreadStatus.OPEN,
        unread=0,
        last_message_at=at,
    )
    session.add(made)
    session.flush()
    return made


def _heed(session: Session, row: InboxThread, body: str, at: datetime) -> None:
    """Opting out and in again, by the words for it and nothing beside them."""
    channel, readings = WRITABLE.get(row.channel), answers.read_answer(body)
    if channel is None:
        return
    if answers.OptOut() in readings:
        people.opt_out(session, row.org_id, channel, row.handle, source="word", now=at)
    elif answers.OptIn() in readings:
        people.opt_in(session, channel, row.handle)
