"""When WhatsApp can't bring a question: once by SMS, to a phone that was linked, under the same question."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session, aliased

from app.core.db import as_org, now_of
from bot.conversation import outbound
from bot.conversation.models import ChannelIdentity, Conversation, OutboundMessage, OutboundState
from bot.conversation.phone import Phone
from bot.render.reader import Look
from tools.kit.models import Question, QuestionState

_WAITING: Final = (OutboundState.ACCEPTED, OutboundState.SENT)


@dataclass(frozen=True, slots=True)
class Fallback:
    phone: Phone
    sms_number: str
    """Ours; empty where the operator has none: then the dashboard is the only other way."""
    after: timedelta

    def refused(self, session: Session, message: OutboundMessage) -> None:
        """A message did not arrive and never will; a question in it goes out by SMS. Platform transaction."""
        if (
            message.channel == "whatsapp"
            and message.question_id
            and message.org_id
            and self.sms_number
        ):
            self._send(session, message, message.org_id, message.question_id)

    def watch(self, session: Session) -> None:
        """Questions that left long ago and were never reported as delivered (a blocked number stays 'sent')."""
        other = aliased(OutboundMessage)
        late = select(OutboundMessage).where(
            OutboundMessage.channel == "whatsapp",
            OutboundMessage.question_id.is_not(None),
            OutboundMessage.state.in_(_WAITING),
            OutboundMessage.sent_at < now_of(session) - self.after,
            ~exists().where(
                other.question_id == OutboundMessage.question_id, other.channel == "sms"
            ),
        )
        for message in session.scalars(late.limit(100)).all():
            self.refused(session, message)

    def _send(
        self, session: Session, message: OutboundMessage, org_id: UUID, question_id: UUID
    ) -> None:
        with as_org(session, org_id):
            question = session.get(Question, question_id)
            conversation = session.get(Conversation, message.conversation_id)
        if question is None or conversation is None or not _is_open(session, question):
            return
        number = _verified_phone(session, org_id, question.user_id)
        if number is None:
            return
        with as_org(session, org_id):
            line = outbound.Line("sms", self.sms_number, number)
            key = f"fallback:{question.id}"
            self.phone.ask(session, conversation, question, key=key, line=line, look=Look.FALLBACK)


def _is_open(session: Session, question: Question) -> bool:
    return question.state is QuestionState.OPEN and question.expires_at > now_of(session)


def _verified_phone(session: Session, org_id: UUID, user_id: UUID) -> str | None:
    """A phone of this person's that was linked by code and takes SMS."""
    return session.scalar(
        select(ChannelIdentity.value)
        .where(
            ChannelIdentity.org_id == org_id,
            ChannelIdentity.user_id == user_id,
            ChannelIdentity.kind == "phone",
            ~ChannelIdentity.opted_out_sms,
        )
        .order_by(ChannelIdentity.created_at.desc())
        .limit(1)
    )
