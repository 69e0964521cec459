"""Sending invitations: a link is made as the message is written, known to its reader alone."""

from dataclasses import dataclass
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.core.db import now_of
from app.core.errors import NotFound
from app.core.outbox import Outbox
from app.people import queries as people
from app.people import service
from app.people.service import INVITATION
from app.people.terms import Channel
from app.people.views import InvitationView
from app.studio import queries as studio
from bot.conversation import outbound
from bot.conversation.letters import MemberLines
from bot.conversation.outbound import Carried, Line
from bot.conversation.queue import Enqueue
from bot.conversation.relay import Act
from bot.render.reader import Look, Reader
from bot.render.speech import Speech
from i18n import Language
from tools.kit.values import Code, Name, Value

UNDONE = ".undone"

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Invitations:
    enqueue: Enqueue
    lines: MemberLines
    base_url: str
    """Where the browser reaches us: what a link begins with."""

    def acts(self) -> dict[str, Act]:
        return {INVITATION: self._send, INVITATION + UNDONE: self._withdraw}

    def _send(self, session: Session, row: Outbox) -> None:
        found = _found(session, row)
        line = self._line(found) if found else None
        if found is None or line is None:
            _log.error("invitation_not_sent", row=str(row.id), known=found is not None)
            return
        token = service.new_link(session, found.id, now=now_of(session))
        if token is None:
            return
        slug = studio.org(session, row.org_id).slug
        link = Code(text=f"{self.base_url.rstrip('/')}/join/{slug}/{token}")
        self._post(session, row, line, found, {"link": link})

    def _withdraw(self, session: Session, row: Outbox) -> None:
        """It was sent, and then the sending was undone."""
        found = _found(session, row)
        line = self._line(found) if found and found.sent_at else None
        if found is not None and line is not None:
            self._post(session, row, line, found, {})

    def _line(self, found: InvitationView) -> Line | None:
        """Where WhatsApp has no number of ours, an SMS does."""
        if found.channel is Channel.WHATSAPP and not self.lines.whatsapp:
            return self.lines.to(Channel.SMS, found.address)
        return self.lines.to(found.channel, found.address)

    def _post(
        self,
        session: Session,
        row: Outbox,
        line: Line,
        found: InvitationView,
        values: dict[str, Value],
    ) -> None:
        org = studio.org(session, row.org_id)
        reader = Reader(Language.of(found.language), org.timezone, now_of(session))
        look = Look.SMS if line.channel == "sms" else Look.CHAT
        undone = row.topic.endswith(UNDONE)
        gym: dict[str, Value] = {"gym": Name(text=org.name)}
        text = Speech(reader, look).member_notice(INVITATION, {**gym, **values}, undone=undone)
        outbound.post(
            session,
            line,
            (text,),
            key=f"invitation:{row.id}",
            enqueue=self.enqueue,
            org_id=row.org_id,
            carried=None if undone else Carried(f"invitation:{found.id}"),
        )


def _found(session: Session, row: Outbox) -> InvitationView | None:
    try:
        return people.invitation(session, UUID(row.body["invitation_id"]), now=now_of(session))
    except NotFound:  # erased since
        return None
