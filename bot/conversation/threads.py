"""Answers from the gym's inbox: the act that sends them, each row once."""

from dataclasses import dataclass
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.core.db import now_of
from app.core.outbox import Outbox
from app.inbox import service as inbox
from app.inbox.service import REPLY
from app.inbox.terms import MessageState
from app.messages import queries as messages
from bot.conversation import outbound
from bot.conversation.letters import MemberLines
from bot.conversation.outbound import Carried
from bot.conversation.queue import Enqueue
from bot.conversation.relay import Act

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Threads:
    enqueue: Enqueue
    lines: MemberLines

    def acts(self) -> dict[str, Act]:
        return {REPLY: self._send}

    def _send(self, session: Session, row: Outbox) -> None:
        content_ref = row.body["content_ref"]
        message_id = UUID(row.body["message_id"])
        found = inbox.outgoing(session, row.body, had=messages.had, now=now_of(session))
        if found is None:
            return
        line = self.lines.to(found.channel, found.address)
        if line is None:
            _log.error("no_line_to_members", channel=found.channel.value)
            inbox.report(session, message_id, MessageState.FAILED, error_code=None)
            return
        about = f"inbox:{message_id}"
        outbound.post(
            session,
            line,
            (found.body,),
            key=about,
            enqueue=self.enqueue,
            org_id=row.org_id,
            carried=Carried(about, content_ref, row.body["content_variables"]),
        )
