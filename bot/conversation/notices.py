"""What members are told of their bookings, on WhatsApp from the number that is for members."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import Any, Final
from uuid import UUID

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.bookings import queries
from app.bookings import service as bookings
from app.bookings.notices import MEMBER_NOTICE, PROMOTE, MemberNotice
from app.bookings.views import SessionView
from app.core.db import now_of
from app.core.outbox import UNDONE, Outbox, OutboxState
from app.leads import service as leads
from app.people import queries as people
from app.people.terms import Channel, MemberStatus
from app.people.views import MemberView
from app.studio import queries as studio
from bot.conversation import outbound
from bot.conversation.queue import Enqueue
from bot.conversation.relay import Act
from bot.render.reader import Look, Reader
from bot.render.speech import Speech
from bot.render.text.split import split
from i18n import Language
from tools.kit.values import Moment, Name, Value

_TOGETHER: Final = {MemberNotice.BOOKING_CANCELLED, MemberNotice.SESSION_CANCELLED}
"""What one call may do to many bookings of one member."""

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
        together = (row, *_beside(session, row))
        if not self.members_number or not _may_be_told(session, member):
            _log.info("member_not_told", notice=row.body["notice"], row=str(row.id))
            return
        org = studio.org(session, row.org_id)
        language = Language.of(member.language)
        speech = Speech(Reader(language, org.timezone, now_of(session)), Look.CHAT)
        classes = _classes(session, together, org.name, language)
        undone = row.topic.endswith(UNDONE)
        text = speech.member_notice(row.body["notice"], *classes, undone=undone)
        line = outbound.Line("whatsapp", self.members_number, f"whatsapp:{member.phone}")
        key, parts = f"notice:{row.id}", split(text)
        outbound.post(session, line, parts, key=key, enqueue=self.enqueue, org_id=row.org_id)


def _may_be_told(session: Session, member: MemberView) -> bool:
    if member.phone is None or member.status is MemberStatus.ERASED:
        return False
    return not people.opted_out(session, Channel.WHATSAPP, [member.phone])


def _beside(session: Session, row: Outbox) -> list[Outbox]:
    """What else this member is to be told of the same by the same call, taken along with it.

    A freeze takes somebody out of a dozen classes at once. What another relay holds at this moment
    is told by itself.
    """
    if row.cause is None or row.body["notice"] not in _TOGETHER:
        return []
    same = select(Outbox).where(
        Outbox.cause == row.cause,
        Outbox.topic == row.topic,
        Outbox.id != row.id,
        Outbox.state == OutboxState.WAITING,
        Outbox.due_at <= now_of(session),
        *(Outbox.body[one].astext == row.body[one] for one in ("notice", "member_id")),
    )
    found = list(session.scalars(same.with_for_update(skip_locked=True)))
    for one in found:
        one.state = OutboxState.DONE
    return found


def _let_in(session: Session, row: Outbox) -> None:
    now = now_of(session)
    moved = bookings.promote(session, UUID(row.body["class_session_id"]), now=now)
    leads.let_in(session, bookings.system(row.org_id), moved.promoted, now=now)


def _classes(
    session: Session, rows: Sequence[Outbox], gym: str, language: Language
) -> list[dict[str, Value]]:
    """What is said of each class, by their start."""
    bodies = {UUID(row.body["class_session_id"]): row.body for row in rows}
    seen = queries.sessions_of(session, bodies.keys(), language.value)
    return [_values(one, bodies[one.id], gym) for one in seen]


def _values(seen: SessionView, body: dict[str, Any], gym: str) -> dict[str, Value]:
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
