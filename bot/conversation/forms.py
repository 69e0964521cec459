"""Sending forms: a link is made as the message is written, known to its reader alone."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.core.db import now_of
from app.core.errors import NotFound
from app.core.outbox import UNDONE, Outbox
from app.forms import queries, service
from app.forms.service import FORM_LINK
from app.people import queries as people
from app.people.terms import Channel, MemberStatus
from app.people.views import MemberView
from app.studio import queries as studio
from bot.conversation.link_letters import Letter, LinkLetters
from bot.conversation.outbound import Line
from bot.conversation.relay import Act
from tools.kit.values import Day, Name, Value

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class FormLinks:
    letters: LinkLetters

    def acts(self) -> dict[str, Act]:
        return {FORM_LINK: self._send, FORM_LINK + UNDONE: self._withdraw}

    def _send(self, session: Session, row: Outbox) -> None:
        instance_id, now = UUID(row.body["form_instance_id"]), now_of(session)
        member = _member(session, row)
        line = self._line(row, member)
        token = service.new_link(session, instance_id, now=now)
        if token is None:
            return
        if member is None or line is None:
            _log.error("form_not_sent", row=str(row.id), known=member is not None)
            service.not_delivered(session, instance_id, now=now)
            return
        org = studio.org(session, row.org_id)
        found = queries.instance(session, instance_id, today=studio.today(session, org.id, now))
        link = self.letters.link("forms", org.slug, token)
        values = {"form": Name(text=found.title), "link": link, **_due(found.due_on)}
        self.letters.post(session, row, line, _letter(row, member, values))

    def _withdraw(self, session: Session, row: Outbox) -> None:
        """It was sent, and then the sending was undone: the form may be gone altogether."""
        member = _member(session, row)
        line = self._line(row, member)
        if member is not None and line is not None:
            self.letters.post(session, row, line, _letter(row, member, {}))

    def _line(self, row: Outbox, member: MemberView | None) -> Line | None:
        if member is None:
            return None
        channel = Channel(row.body["channel"])
        address = member.email if channel is Channel.EMAIL else member.phone
        return self.letters.line(channel, address) if address else None


def _letter(row: Outbox, member: MemberView, values: dict[str, Value]) -> Letter:
    about = f"form:{row.body['form_instance_id']}"
    return Letter(FORM_LINK, member.language, about, values)


def _member(session: Session, row: Outbox) -> MemberView | None:
    """None for who was erased since."""
    try:
        found = people.member(session, UUID(row.body["member_id"]))
    except NotFound:
        return None
    return None if found.status is MemberStatus.ERASED else found


def _due(on: date | None) -> dict[str, Value]:
    return {} if on is None else {"due": Day(date=on)}
