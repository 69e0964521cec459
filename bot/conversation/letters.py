"""What the gym writes to people outside: the acts that send it, each row once."""

from dataclasses import dataclass
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.automations import service as automations
from app.core.db import now_of
from app.core.outbox import Outbox
from app.messages import service as messages
from app.messages.service import CARRY, PUBLISH, SEND, Outgoing
from app.messages.terms import MessageState
from app.people.terms import Channel
from bot.conversation import outbound
from bot.conversation.outbound import Carried, Line
from bot.conversation.queue import Enqueue
from bot.conversation.relay import Act
from bot.render.text.split import split

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class MemberLines:
    """Ours, by channel, in the providers' own forms; empty where the operator has none."""

    whatsapp: str = ""
    sms: str = ""
    email: str = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        return tuple(number for number in (self.whatsapp, self.sms) if number)

    def to(self, channel: Channel, address: str) -> Line | None:
        """How somebody is reached; None where we have nothing to reach them from."""
        sender = {
            Channel.WHATSAPP: self.whatsapp,
            Channel.SMS: self.sms,
            Channel.EMAIL: self.email,
        }[channel]
        recipient = f"whatsapp:{address}" if channel is Channel.WHATSAPP else address
        return Line(channel.value, sender, recipient) if sender else None


@dataclass(frozen=True, slots=True)
class Letters:
    enqueue: Enqueue
    lines: MemberLines

    def acts(self) -> dict[str, Act]:
        return {SEND: self._send, CARRY: _carry, PUBLISH: _publish}

    def _send(self, session: Session, row: Outbox) -> None:
        now = now_of(session)
        message_id = UUID(row.body["message_id"])
        found = messages.outgoing(session, message_id, stands=automations.stands, now=now)
        if found is None:
            return
        line = self.lines.to(found.channel, found.address)
        if line is None:
            _log.error("no_line_to_members", channel=found.channel.value)
            failed = MessageState.FAILED
            messages.report(session, found.message_id, failed, error_code=None, now=now)
            return
        self._post(session, row.org_id, line, found)

    def _post(self, session: Session, org_id: UUID, line: Line, found: Outgoing) -> None:
        about = f"message:{found.message_id}"
        whole = found.channel is Channel.EMAIL or found.content_ref is not None
        outbound.post(
            session,
            line,
            (found.body,) if whole else split(found.body),
            key=about,
            enqueue=self.enqueue,
            org_id=org_id,
            carried=Carried(about, found.content_ref, found.content_variables),
        )


def _carry(session: Session, row: Outbox) -> None:
    messages.carry_on(session, UUID(row.body["broadcast_id"]), now=now_of(session))


def _publish(session: Session, row: Outbox) -> None:
    messages.publish_due(session, UUID(row.body["announcement_id"]), now=now_of(session))
