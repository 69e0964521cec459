"""Messages to phones as rows: written with their cause, sent in order, their fate recorded."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from app.core.db import after_commit, now_of
from app.core.ids import new_id
from bot.conversation import reports
from bot.conversation.models import OutboundMessage, OutboundState
from bot.conversation.queue import SEND_LANE, Enqueue

RANK: Final[dict[OutboundState, int]] = {
    OutboundState.QUEUED: 0,
    OutboundState.SENDING: 1,
    OutboundState.UNKNOWN: 2,
    OutboundState.ACCEPTED: 3,
    OutboundState.SENT: 4,
    OutboundState.UNDELIVERED: 5,
    OutboundState.DELIVERED: 6,
    OutboundState.READ: 7,
    OutboundState.REJECTED: 8,
    OutboundState.DROPPED: 8,
}
"""Reports come in any order: a state is only ever replaced by one of a higher rank."""

LOOK_BACK: Final = 50
_UNSEEN: Final = (
    OutboundState.QUEUED,
    OutboundState.UNDELIVERED,
    OutboundState.REJECTED,
    OutboundState.DROPPED,
)


@dataclass(frozen=True, slots=True)
class Line:
    """Between two numbers on one channel, in the provider's own forms."""

    channel: str
    sender: str
    """Our number."""
    recipient: str

    @property
    def lane(self) -> str:
        return f"{self.channel}|{self.sender}|{self.recipient}"


@dataclass(frozen=True, slots=True)
class Carried:
    """What of the studio a message carries, and the approved template that says the same."""

    about: str
    """As `message:<id>` (see `reports`)."""
    content_sid: str | None = None
    content_variables: dict[str, str] | None = None


def post(
    session: Session,
    line: Line,
    bodies: Sequence[str],
    *,
    key: str,
    enqueue: Enqueue,
    org_id: UUID | None = None,
    conversation_id: UUID | None = None,
    question_id: UUID | None = None,
    wait: timedelta = timedelta(),
    carried: Carried | None = None,
    buttons: Mapping[str, Any] | None = None,
) -> None:
    """Queue texts to one phone, in order; posted again under the same `key` they are not doubled.

    `question_id` marks the last text as the one that shows the question, `buttons` go with it.
    """
    now = now_of(session)
    for part, body in enumerate(bodies):
        last = part == len(bodies) - 1
        session.execute(
            insert(OutboundMessage)
            .values(
                id=new_id(),
                created_at=now,
                updated_at=now,
                org_id=org_id,
                lane=line.lane,
                channel=line.channel,
                sender=line.sender,
                recipient=line.recipient,
                body=body,
                content_sid=carried.content_sid if carried else None,
                content_variables=carried.content_variables if carried else None,
                about=carried.about if carried else None,
                buttons=buttons if last else None,
                conversation_id=conversation_id,
                question_id=question_id if last else None,
                dedupe_key=f"{key}:{part}",
                state=OutboundState.QUEUED,
                attempts=0,
                due_at=now + wait,
                maybe_twice=False,
            )
            .on_conflict_do_nothing(index_elements=["dedupe_key"])
        )
    if bodies:
        after_commit(session, lambda: enqueue(SEND_LANE, line.lane))


def record(
    session: Session,
    message: OutboundMessage,
    state: OutboundState,
    *,
    error_code: int | None = None,
) -> bool:
    """Move a message's state forward; False where it is further already."""
    if RANK[state] <= RANK[message.state]:
        return False
    message.state = state
    if error_code is not None:
        message.error_code = error_code
    session.flush()
    reports.tell(session, message)
    return True


def forgo(session: Session, lane: str) -> None:
    """Keep back what the studio still has waiting for a phone: it wants nothing more from us."""
    waiting = select(OutboundMessage).where(
        OutboundMessage.lane == lane,
        OutboundMessage.state == OutboundState.QUEUED,
        OutboundMessage.about.is_not(None),
    )
    for row in session.scalars(waiting.with_for_update()):
        record(session, row, OutboundState.DROPPED)


def shown_questions(session: Session, lane: str) -> list[UUID]:
    """The last questions that were sent down this lane and not refused by it, newest first."""
    rows = session.scalars(
        select(OutboundMessage.question_id)
        .where(
            OutboundMessage.lane == lane,
            OutboundMessage.question_id.is_not(None),
            OutboundMessage.state.not_in(_UNSEEN),
        )
        .order_by(OutboundMessage.position.desc())
        .limit(LOOK_BACK)
    )
    return list(dict.fromkeys(id_ for id_ in rows if id_ is not None))


def last_shown(session: Session, lane: str) -> UUID | None:
    """The question in the newest message that was seen on this lane; None where it has none."""
    return session.scalar(
        select(OutboundMessage.question_id)
        .where(OutboundMessage.lane == lane, OutboundMessage.state.not_in(_UNSEEN))
        .order_by(OutboundMessage.position.desc())
        .limit(1)
    )


def last_key(session: Session, lane: str) -> str:
    """By which key the newest message that was seen on this lane was posted; '' where none was."""
    seen = (
        select(OutboundMessage.dedupe_key)
        .where(OutboundMessage.lane == lane, OutboundMessage.state.not_in(_UNSEEN))
        .order_by(OutboundMessage.position.desc())
        .limit(1)
    )
    return (session.scalar(seen) or "").rpartition(":")[0]


def gyms_on(session: Session, lanes: Collection[str]) -> list[UUID]:
    """The gyms that have written on these lanes, and who did so last first."""
    query = (
        select(OutboundMessage.org_id)
        .where(OutboundMessage.lane.in_(lanes), OutboundMessage.org_id.is_not(None))
        .group_by(OutboundMessage.org_id)
        .order_by(func.max(OutboundMessage.position).desc())
    )
    return [one for one in session.scalars(query) if one is not None]


def by_sid(session: Session, sid: str) -> OutboundMessage | None:
    return session.scalar(select(OutboundMessage).where(OutboundMessage.sid == sid))
