"""When WhatsApp can't bring a question: once by SMS, to a linked phone, under the same question."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session, aliased

from app.core.db import as_org, now_of
from bot.conversation.models import Conversation, OutboundMessage, OutboundState
from bot.conversation.phone import Phone
from bot.render.reader import Look
from tools.kit.models import Question, QuestionState

_WAITING: Final = (OutboundState.ACCEPTED, OutboundState.SENT)
_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True)
class Fallback:
    phone: Phone
    after: timedelta

    def refused(self, session: Session, message: OutboundMessage) -> None:
        """A message did not arrive and never will; a question in it goes out by SMS.

        In a platform transaction.
        """
        if message.channel == "whatsapp" and message.question_id and message.org_id:
            self._send(session, message, message.org_id, message.question_id)

    def watch(self, session: Session) -> None:
        """Open questions that left long ago and were never reported as delivered.

        A number that has blocked us stays 'sent' for ever.
        """
        now, other = now_of(session), aliased(OutboundMessage)
        late = (
            select(OutboundMessage)
            .join(Question, Question.id == OutboundMessage.question_id)
            .where(
                OutboundMessage.channel == "whatsapp",
                OutboundMessage.state.in_(_WAITING),
                OutboundMessage.sent_at < now - self.after,
                Question.state == QuestionState.OPEN,
                Question.expires_at > now,
                ~exists().where(
                    other.question_id == OutboundMessage.question_id, other.channel == "sms"
                ),
            )
            .order_by(OutboundMessage.sent_at.desc())
            .limit(_AT_ONCE)
        )
        for message in session.scalars(late).all():
            self.refused(session, message)

    def _send(
        self, session: Session, message: OutboundMessage, org_id: UUID, question_id: UUID
    ) -> None:
        with as_org(session, org_id):
            question = session.get(Question, question_id)
            conversation = session.get(Conversation, message.conversation_id)
            if question is None or conversation is None:
                return
            line = self.phone.sms_line(session, conversation)
            if line is not None and self.phone.is_open(session, question):
                key = f"fallback:{question.id}"
                look = Look.FALLBACK
                self.phone.ask(session, conversation, question, key=key, line=line, look=look)
