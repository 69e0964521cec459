"""Taking in what members, leads and strangers write."""

from datetime import datetime
from typing import assert_never
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

Wish = answers.OptOut | answers.OptIn


def receive(
    session: Session,
    org_id: UUID,
    channel: ThreadChannel,
    handle: str,
    body: str,
    *,
    at: datetime,
    carrier: Wish | None = None,
) -> UUID:
    """Put a message into the thread of its sender, which opens again; return the thread.

    `handle` is E.164, an e-mail address, or the provider's own name for somebody. Who writes that
    they want no more messages gets none (rule 36); `carrier` as in `wish_in`.
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
    _heed(session, row, wish_in(channel, body, carrier=carrier), at)
    return row.id


def wish_in(channel: ThreadChannel, body: str, *, carrier: Wish | None = None) -> Wish | None:
    """Opting out or in again, by the words for it and nothing beside them.

    `carrier`: what the sender's own carrier has made of an SMS. It takes YES for a wish to hear
    again; to us that is an answer to something.
    """
    readings = answers.read_answer(body)
    if channel is ThreadChannel.SMS:
        by_itself = answers.carrier_keyword(body)
        carrier = carrier or (by_itself if isinstance(by_itself, answers.OptOut) else None)
    if answers.OptOut() in readings or isinstance(carrier, answers.OptOut):
        return answers.OptOut()
    if answers.OptIn() in readings or (carrier is not None and answers.Yes() not in readings):
        return answers.OptIn()
    return None


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


def _heed(session: Session, row: InboxThread, wish: Wish | None, at: datetime) -> None:
    channel = WRITABLE.get(row.channel)
    if channel is None:
        return
    match wish:
        case answers.OptOut():
            people.opt_out(session, row.org_id, channel, row.handle, source="word", now=at)
        case answers.OptIn():
            people.opt_in(session, channel, row.handle)
        case None:
            pass
        case _:
            assert_never(wish)
