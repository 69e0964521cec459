"""What leaves the building.

Rows written with the effect, carried out later, once, by a job of that name.
"""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import Index, select, text, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow, now_of

UNDO_WINDOW = timedelta(seconds=15)
"""What members would be told of an undoable write waits this long (product page, undo)."""
AT_ONCE = timedelta()
UNDONE = ".undone"
"""What follows a topic whose effect has gone out and was then taken back."""


class OutboxState(StrEnum):
    WAITING = "waiting"
    DONE = "done"
    DROPPED = "dropped"


class Outbox(OrgRow):
    __tablename__ = "outbox"
    __table_args__ = (Index("ix_outbox_due", "due_at", postgresql_where=text("state = 'waiting'")),)
    __undo__: ClassVar[str] = "ignore"

    topic: Mapped[str]
    """What is to be done, as `session_cancelled`: the relay looks up who does it."""
    body: Mapped[dict[str, Any]] = mapped_column(JSONB)
    due_at: Mapped[datetime]
    state: Mapped[OutboxState] = mapped_column(text_enum(OutboxState), default=OutboxState.WAITING)
    cause: Mapped[UUID | None] = mapped_column(index=True)
    """The tool call it came from, so that an undo finds it."""


def put(
    session: Session,
    org_id: UUID,
    topic: str,
    body: dict[str, Any],
    *,
    wait: timedelta = UNDO_WINDOW,
) -> None:
    """Queue one act of the studio, in the transaction of its cause.

    The cause is `session.info['cause']`, set by the tool runner.
    """
    session.add(
        Outbox(
            org_id=org_id,
            topic=topic,
            body=body,
            due_at=now_of(session) + wait,
            cause=session.info.get("cause"),
        )
    )


def take_back(session: Session, cause: UUID) -> list[Outbox]:
    """Drop what a call queued and has not gone out yet.

    Return what is already gone, for a correction.
    """
    session.execute(
        update(Outbox)
        .where(Outbox.cause == cause, Outbox.state == OutboxState.WAITING)
        .values(state=OutboxState.DROPPED)
    )
    gone = select(Outbox).where(Outbox.cause == cause, Outbox.state == OutboxState.DONE)
    return list(session.scalars(gone))
