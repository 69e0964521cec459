"""Telling the studio what became of a message that it sent."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.db import as_org, now_of
from app.forms import service as forms
from app.inbox import service as inbox
from app.inbox import terms as inbox_terms
from app.messages import service as messages
from app.messages.terms import MessageState
from app.people import queries as directory
from app.people import service as people
from app.people.terms import Channel
from bot.conversation.models import OutboundMessage, OutboundState

STATES: Final[dict[OutboundState, MessageState]] = {
    OutboundState.QUEUED: MessageState.QUEUED,
    OutboundState.SENDING: MessageState.QUEUED,
    OutboundState.UNKNOWN: MessageState.QUEUED,
    OutboundState.ACCEPTED: MessageState.SENT,
    OutboundState.SENT: MessageState.SENT,
    OutboundState.DELIVERED: MessageState.DELIVERED,
    OutboundState.READ: MessageState.READ,
    OutboundState.UNDELIVERED: MessageState.FAILED,
    OutboundState.REJECTED: MessageState.FAILED,
    OutboundState.DROPPED: MessageState.FAILED,
}


def tell(session: Session, message: OutboundMessage) -> None:
    """In the transaction that records it; what carries nothing of the studio's is told nobody."""
    if message.about is None or message.org_id is None:
        return
    kind, _, row_id = message.about.partition(":")
    with as_org(session, message.org_id):
        _REPORTS[kind](session, UUID(row_id), message)


def opted_out(session: Session, message: OutboundMessage) -> None:
    """The provider knows that somebody outside wants nothing more from us on this channel."""
    if message.about is None or message.org_id is None:
        return
    address, channel = message.recipient.removeprefix("whatsapp:"), Channel(message.channel)
    with as_org(session, message.org_id):
        people.opt_out(
            session, message.org_id, channel, address, source="provider", now=now_of(session)
        )


def unwanted(session: Session, message: OutboundMessage) -> bool:
    """Whether who it is for has said meanwhile that they want nothing more on this channel."""
    if message.about is None or message.org_id is None:
        return False
    address = message.recipient.removeprefix("whatsapp:")
    with as_org(session, message.org_id):
        return bool(directory.opted_out(session, Channel(message.channel), [address]))


def _of_form(session: Session, instance_id: UUID, message: OutboundMessage) -> None:
    if STATES[message.state] is MessageState.FAILED:
        forms.not_delivered(session, instance_id, now=now_of(session))


def _of_invitation(session: Session, invitation_id: UUID, message: OutboundMessage) -> None:
    if STATES[message.state] is MessageState.FAILED:
        people.not_delivered(session, invitation_id)


def _of_message(session: Session, message_id: UUID, message: OutboundMessage) -> None:
    state, code = STATES[message.state], message.error_code
    messages.report(session, message_id, state, error_code=code, now=now_of(session))


def _of_reply(session: Session, message_id: UUID, message: OutboundMessage) -> None:
    state = inbox_terms.MessageState(STATES[message.state].value)
    inbox.report(session, message_id, state, error_code=message.error_code)


_REPORTS: Final[dict[str, Callable[[Session, UUID, OutboundMessage], None]]] = {
    "invitation": _of_invitation,
    "message": _of_message,
    "inbox": _of_reply,
    "form": _of_form,
}
