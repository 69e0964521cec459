"""Taking what Twilio's webhooks have stored, in the order it came.

Messages go to the router, reports to the rows that they are about.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy import null, select, text, update
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.orm import Session
from sqlalchemy.orm.exc import StaleDataError
from werkzeug.datastructures import MultiDict

from app.core.db import Database, now_of
from bot.channels.twilio.parse import MessageStatus, PhoneMessage, parse_message, parse_status
from bot.channels.twilio.webhooks import PROVIDER
from bot.conversation import outbound
from bot.conversation.attachments import Attachment, Seen, kind_of
from bot.conversation.inbound import Address, Inbound, Unseen
from bot.conversation.models import InboundEvent, InboundState, OutboundMessage, OutboundState

PATIENCE: Final = timedelta(minutes=10)
"""A report may come before we know the id it is about; after this long it is not about ours."""
KEPT: Final = timedelta(days=90)
_TRIES: Final = 3

_STATES: Final[dict[MessageStatus, OutboundState]] = {
    "sent": OutboundState.SENT,
    "delivered": OutboundState.DELIVERED,
    "partially_delivered": OutboundState.DELIVERED,
    "read": OutboundState.READ,
    "undelivered": OutboundState.UNDELIVERED,
    "failed": OutboundState.UNDELIVERED,
    "canceled": OutboundState.UNDELIVERED,
}

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Intake:
    db: Database
    route: Callable[[Session, Inbound], None]
    undelivered: Callable[[Session, OutboundMessage], None]
    """Called in the transaction that records it: another way, or another try."""
    view: Callable[[Inbound], tuple[Seen, ...]]
    """Looks at what came with a message; between transactions, as it waits for the provider."""


def take_all(intake: Intake, sender: str) -> None:
    """Take everything this sender has stored, each in a transaction of its own."""
    after = -1
    while (taken := _take_next(intake, sender, after)) is not None:
        after = taken


def _take_next(intake: Intake, sender: str, after: int) -> int | None:
    """Raises for the database's trouble, not the event's: it is taken again later."""
    for _ in range(_TRIES - 1):
        try:
            return _take_one(intake, sender, after)
        except (StaleDataError, OperationalError) as error:
            _log.info("routing_again", error=type(error).__name__)
    return _take_one(intake, sender, after)


def _take_one(intake: Intake, sender: str, after: int) -> int | None:
    """With what came with it, where it is wanted: then it is looked at, and taken from the start.

    So what a stranger sends, or a member, is never fetched.
    """
    looked: Inbound | None = None
    while True:
        try:
            return _take_as_seen(intake, sender, after, looked)
        except Unseen as unseen:
            looked = unseen.inbound
        try:
            looked = replace(looked, seen=intake.view(looked))
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not block the sender
            _log.error("viewing_failed", inbound=str(looked.event_id), exc_info=error)
            return _set_aside(intake.db, looked.event_id)


def _take_as_seen(intake: Intake, sender: str, after: int, looked: Inbound | None) -> int | None:
    event_id: UUID | None = None
    try:
        with intake.db.platform() as session:
            event = _next(session, sender, after)
            if event is None:
                return None
            event_id, position = event.id, event.position
            event.state = _take(intake, session, event, looked)
            return position
    except (OperationalError, InterfaceError, StaleDataError, Unseen):
        raise
    except Exception as error:
        if event_id is None:
            raise
        _log.error("routing_failed", inbound=str(event_id), exc_info=error)
        return _set_aside(intake.db, event_id)


def _next(session: Session, sender: str, after: int) -> InboundEvent | None:
    """The oldest that is left, with the sender's lane locked to the end of the transaction."""
    lane = int.from_bytes(hashlib.sha256(sender.encode()).digest()[:8], signed=True)
    session.execute(text("SELECT pg_advisory_xact_lock(:lane)"), {"lane": lane})
    return session.scalar(
        select(InboundEvent)
        .where(
            InboundEvent.sender == sender,
            InboundEvent.state == InboundState.STORED,
            InboundEvent.position > after,
        )
        .order_by(InboundEvent.position)
        .limit(1)
    )


def _take(
    intake: Intake, session: Session, event: InboundEvent, looked: Inbound | None
) -> InboundState:
    form = MultiDict(event.form or {})
    if event.kind == "status":
        return _report(intake, session, event, form)
    message = parse_message(form)
    if message is None:
        return InboundState.IGNORED
    seen = looked is not None and looked.event_id == event.id
    intake.route(session, looked if looked and seen else _inbound(event, message))
    return InboundState.ROUTED


def _inbound(event: InboundEvent, message: PhoneMessage) -> Inbound:
    prefix = "whatsapp:" if message.channel == "whatsapp" else ""
    return Inbound(
        event_id=event.id,
        provider=PROVIDER,
        account=event.account,
        surface=message.channel,
        sender=prefix + message.sender.value,
        recipient=prefix + message.to,
        addresses=tuple(Address(one.kind, one.value) for one in message.identities),
        text=message.body,
        at=event.created_at,
        message_id=message.sid,
        tap=message.button_payload,
        quoted=message.quoted_sid,
        attachments=tuple(_attachments(message)),
        forwarded=message.forwarded,
        place=message.place,
        carrier_did=message.opt_out_type,
    )


def _attachments(message: PhoneMessage) -> Iterator[Attachment]:
    """As many as there are said to be; a message that was listed names none of them."""
    for medium in message.media:
        kind = kind_of(medium.content_type, message.kind)
        yield Attachment(medium.url, medium.content_type, kind)
    for _ in range(message.media_count - len(message.media)):
        yield Attachment("", "", "picture")


def _report(
    intake: Intake, session: Session, event: InboundEvent, form: MultiDict[str, str]
) -> InboundState:
    report = parse_status(form)
    if report is None or report.status not in _STATES:
        return InboundState.IGNORED
    message = outbound.by_sid(session, report.sid)
    if message is None:
        old = event.created_at < now_of(session) - PATIENCE
        return InboundState.IGNORED if old else InboundState.STORED
    state = _STATES[report.status]
    moved = outbound.record(session, message, state, error_code=report.error_code)
    if moved and state is OutboundState.UNDELIVERED:
        intake.undelivered(session, message)
    return InboundState.ROUTED


def forget_forms(db: Database) -> None:
    """Drop the raw forms that are 90 days old; their keys stay, or they could be replayed."""
    with db.platform() as session:
        old = InboundEvent.created_at < now_of(session) - KEPT
        gone = update(InboundEvent).where(old, InboundEvent.form.is_not(None))
        session.execute(gone.values(form=null()))


def _set_aside(db: Database, event_id: UUID) -> int:
    """Out of its neighbours' way; unless another worker has had better luck meanwhile."""
    with db.platform() as session:
        mine = InboundEvent.id == event_id
        left = mine & (InboundEvent.state == InboundState.STORED)
        session.execute(update(InboundEvent).where(left).values(state=InboundState.FAILED))
        return session.scalars(select(InboundEvent.position).where(mine)).one()
