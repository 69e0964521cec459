"""What is told to members and queued for the queue: outbox rows, once the undo window is over."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from app.core import outbox
from app.core.actor import Actor
from app.core.db import now_of
from app.schedule.times import Slot
from app.studio.policy import BookingPolicy, queue_move

MEMBER_NOTICE = "member_notice"
"""Body: `notice` (a MemberNotice), `member_id`, `class_session_id`, `was` (a time, or null)."""
PROMOTE = "promote_waitlist"
"""Body: `class_session_id`; carried out by `app.bookings.service.promote`."""


class MemberNotice(StrEnum):
    BOOKED = "booked"
    WAITLISTED = "waitlisted"
    PROMOTED = "promoted"
    PLACE_OFFERED = "place_offered"
    BOOKING_CANCELLED = "booking_cancelled"
    BOOKING_MOVED = "booking_moved"
    SESSION_CANCELLED = "session_cancelled"
    SESSION_REINSTATED = "session_reinstated"
    SESSION_MOVED = "session_moved"
    SERIES_MOVED = "series_moved"


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells members of one class about one thing; silent when something is being taken back.

    Whoever takes a call back drops what it had queued, or sends corrections for what is gone.
    """

    session: Session
    actor: Actor
    class_session_id: UUID

    def tell(self, notice: MemberNotice, *member_ids: UUID, was: Slot | None = None) -> None:
        """One row a member, however often they are named."""
        if self.actor.undoing:
            return
        for member_id in dict.fromkeys(member_ids):
            self._put(notice, member_id, was)

    def _put(self, notice: MemberNotice, member_id: UUID, was: Slot | None) -> None:
        body: dict[str, Any] = {
            "notice": notice.value,
            "member_id": str(member_id),
            "class_session_id": str(self.class_session_id),
            "was": _told(was),
        }
        outbox.put(self.session, self.actor.org_id, MEMBER_NOTICE, body)


def _told(slot: Slot | None) -> dict[str, str] | None:
    if slot is None:
        return None
    return {"date": slot.date.isoformat(), "time": f"{slot.start:%H:%M}"}


def queue_moves(
    session: Session, org_id: UUID, session_id: UUID, policy: BookingPolicy, *, slot: Slot
) -> None:
    """Let the queue know of a place once the undo window is over (rule 8), if it may be told.

    No call is named as its cause: it does no harm when the place is taken again by an undo.
    """
    due = now_of(session) + outbox.UNDO_WINDOW
    if due < slot.starts_at and queue_move(policy, slot.starts_at, now=due) != "staff":
        body = {"class_session_id": str(session_id)}
        session.add(outbox.Outbox(org_id=org_id, topic=PROMOTE, body=body, due_at=due))
