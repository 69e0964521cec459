"""Sending invitations: a link is made as the message is written, known to its reader alone."""

from dataclasses import dataclass
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.core.db import now_of
from app.core.errors import NotFound
from app.core.outbox import UNDONE, Outbox
from app.people import queries as people
from app.people import service
from app.people.service import INVITATION
from app.people.views import InvitationView
from app.studio import queries as studio
from bot.conversation.link_letters import Letter, LinkLetters
from bot.conversation.relay import Act
from tools.kit.values import Value

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Invitations:
    letters: LinkLetters

    def acts(self) -> dict[str, Act]:
        return {INVITATION: self._send, INVITATION + UNDONE: self._withdraw}

    def _send(self, session: Session, row: Outbox) -> None:
        found = _found(session, row)
        line = self.letters.line(found.channel, found.address) if found else None
        if found is None or line is None:
            _log.error("invitation_not_sent", row=str(row.id), known=found is not None)
            return
        token = service.new_link(session, found.id, now=now_of(session))
        if token is None:
            return
        link = self.letters.link("join", studio.org(session, row.org_id).slug, token)
        self.letters.post(session, row, line, _letter(found, {"link": link}))

    def _withdraw(self, session: Session, row: Outbox) -> None:
        """It was sent, and then the sending was undone."""
        found = _found(session, row)
        if found is None or not found.sent_at:
            return
        line = self.letters.line(found.channel, found.address)
        if line is not None:
            self.letters.post(session, row, line, _letter(found, {}))


def _letter(found: InvitationView, values: dict[str, Value]) -> Letter:
    return Letter(INVITATION, found.language, f"invitation:{found.id}", values)


def _found(session: Session, row: Outbox) -> InvitationView | None:
    try:
        return people.invitation(session, UUID(row.body["invitation_id"]), now=now_of(session))
    except NotFound:  # erased since
        return None
