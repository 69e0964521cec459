"""What members are told of their bookings, on WhatsApp from the number that is for members."""

from dataclasses import dataclass
from datetime import date, time
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.bookings import queries
from app.bookings import service as bookings
from app.bookings.notices import MEMBER_NOTICE, PROMOTE
from app.core.db import now_of
from app.core.outbox import UNDONE, Outbox
from app.leads import service as leads
from app.people import queries as people
from app.people.terms import MemberStatus
from app.studio import queries as studio
from bot.conversation import outbound
from bot.conversation.queue import Enqueue
from bot.conversation.relay import Act
from bot.render.reader import Look, Reader
from bot.render.speech import Speech
from i18n import Language
from tools.kit.values import Moment, Name, Value

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Notices:
    """The acts of the bookings: telling members, and letting a queue in."""

    enqueue: Enqueue
    members_number: str
    """Ours, in WhatsApp's form; empty where the operator has none: nobody is told."""

    def acts(self) -> dict[str, Act]:
        return {
            MEMBER_NOTICE: self._tell,
            MEMBER_NOTICE + UNDONE: self._tell,
            PROMOTE: _let_in,
        }

    def _tell(self, session: Session, row: Outbox) -> None:
        member = people.member(session, UUID(row.body["member_id"]))
        reachable = member.phone is not None and member.status is not MemberStatus.ERASED
        if not reachable or not self.members_number:
            _log.info("member_not_told", notice=row.body["notice"], row=str(row.id))
            return
        org = studio.org(session, row.org_id)
        language = Language.of(member.language)
        speech = Speech(Reader(language, org.timezone, now_of(session)), Look.CHAT)
        values = _values(session, row.body, org.name, language)
        undone = row.topic.endswith(UNDONE)
        text = speech.member_notice(row.body["notice"], values, undone=undone)
        line = outbound.Line("whatsapp", self.members_number, f"whatsapp:{member.phone}")
        key = f"notice:{row.id}"
        outbound.post(session, line, (text,), key=key, enqueue=self.enqueue, org_id=row.org_id)


def _let_in(session: Session, row: Outbox) -> None:
    now = now_of(session)
    moved = bookings.promote(session, UUID(row.body["class_session_id"]), now=now)
    leads.let_in(session, bookings.system(row.org_id), moved.promoted, now=now)


def _values(
    session: Session, body: dict[str, Any], gym: str, language: Language
) -> dict[str, Value]:
    seen = queries.session_view(session, UUID(body["class_session_id"]), language.value)
    values: dict[str, Value] = {
        "gym": Name(text=gym),
        "class": Name(text=seen.title),
        "when": Moment(date=seen.slot.date, start=seen.slot.start),
    }
    if body.get("was"):
        was = body["was"]
        day, start = date.fromisoformat(was["date"]), time.fromisoformat(was["time"])
        values["was"] = Moment(date=day, start=start)
    return values
