"""Tables of the kit: calls and the rows they touched, questions, the audit, receipt numbers."""

from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.actor import Role, Via
from app.core.columns import text_enum
from app.core.db import OrgRow


class CallState(StrEnum):
    RUNNING = "running"
    """Never seen from outside its own transaction."""
    DONE = "done"
    FAILED = "failed"


class TaskState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"
    """It could not go on: the person may no longer do this, or nobody knows the tool any more."""

    @property
    def live(self) -> bool:
        return self in {TaskState.QUEUED, TaskState.RUNNING}


class QuestionState(StrEnum):
    OPEN = "open"
    APPROVED = "approved"
    DECLINED = "declined"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"


class ToolCall(OrgRow):
    """A write that somebody asked for, with its outcome: kept with the effect, once for a key."""

    __tablename__ = "tool_call"
    __table_args__ = (
        UniqueConstraint("org_id", "origin", "key"),
        Index("ix_tool_call_person", "org_id", "user_id", "settled_at"),
    )
    __undo__: ClassVar[str] = "ignore"

    user_id: Mapped[UUID]
    via: Mapped[Via] = mapped_column(text_enum(Via))
    origin: Mapped[str] = mapped_column(String(60))
    """The scope of its source: within it a key is one call's."""
    key: Mapped[str] = mapped_column(String(200))
    conversation_id: Mapped[UUID | None] = mapped_column(index=True)
    turn_id: Mapped[UUID | None]
    tool: Mapped[str] = mapped_column(String(80))
    args: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """As they were run: checked, with what the person chose."""
    args_hash: Mapped[str] = mapped_column(String(32))
    """Of what was asked, by whom: tells the same request again from another with the same key."""
    state: Mapped[CallState] = mapped_column(text_enum(CallState), default=CallState.RUNNING)
    outcome: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
    undo: Mapped[str | None] = mapped_column(String(80))
    """`snapshot`, or the action of the same router that takes it back; None where nothing does."""
    receipt: Mapped[int | None]
    settled_at: Mapped[datetime]
    """From when on an undo has its time: the end of what went on in the background."""
    undone_at: Mapped[datetime | None]
    undoes: Mapped[UUID | None] = mapped_column(ForeignKey("tool_call.id"), unique=True)
    """The call that this one took back."""


class TouchedRow(OrgRow):
    """One row that a call changed, as it was before, and the version it was left at."""

    __tablename__ = "touched_row"
    __table_args__ = (Index("ix_touched_row_row", "org_id", "row_id"),)
    __undo__: ClassVar[str] = "ignore"

    call_id: Mapped[UUID] = mapped_column(ForeignKey(ToolCall.id), index=True)
    table_name: Mapped[str] = mapped_column(String(63))
    row_id: Mapped[UUID]
    before: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """None: the call made it."""
    after: Mapped[int | None]
    """Its version; None: the call deleted it."""


class BackgroundTask(OrgRow):
    """A call that goes on in a worker, item by item: what is to be done, and how far it is."""

    __tablename__ = "background_task"
    __table_args__ = (
        Index(
            "ix_background_task_live",
            "updated_at",
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
    )
    __undo__: ClassVar[str] = "ignore"

    call_id: Mapped[UUID] = mapped_column(ForeignKey(ToolCall.id), unique=True)
    user_id: Mapped[UUID]
    via: Mapped[Via] = mapped_column(text_enum(Via))
    role: Mapped[Role] = mapped_column(text_enum(Role))
    """As it was asked for: what the person may today counts too, the lower of the two."""
    conversation_id: Mapped[UUID | None] = mapped_column(index=True)
    tool: Mapped[str] = mapped_column(String(80))
    choice: Mapped[str | None]
    items: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, deferred=True)
    """Frozen when it began: the first `seen` of them are through."""
    started: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """A `Started` without its items."""
    total: Mapped[int]
    done: Mapped[int] = mapped_column(default=0)
    failed: Mapped[int] = mapped_column(default=0)
    sums: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    left_out: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, default=list)
    """`{name, why}` of those that failed, the first hundred."""
    state: Mapped[TaskState] = mapped_column(text_enum(TaskState), default=TaskState.QUEUED)
    tries: Mapped[int] = mapped_column(default=0)
    """How often it was taken up since its last chunk."""
    ended_at: Mapped[datetime | None]

    @property
    def seen(self) -> int:
        return self.done + self.failed


class Question(OrgRow):
    """What waits for a person: one card over one or several calls."""

    __tablename__ = "question"
    __table_args__ = (
        Index("ix_question_person", "org_id", "user_id", "state"),
        Index("ix_question_due", "expires_at", postgresql_where=text("state = 'open'")),
        Index(
            "uq_question_open_key",
            "org_id",
            "origin",
            "key",
            unique=True,
            postgresql_where=text("state = 'open'"),
        ),
    )
    __undo__: ClassVar[str] = "ignore"

    user_id: Mapped[UUID]
    conversation_id: Mapped[UUID | None] = mapped_column(index=True)
    turn_id: Mapped[UUID | None] = mapped_column(index=True)
    via: Mapped[Via] = mapped_column(text_enum(Via))
    origin: Mapped[str | None] = mapped_column(String(60))
    key: Mapped[str | None] = mapped_column(String(200))
    """Of the one call, where it was asked outside of a conversation."""
    kind: Mapped[str] = mapped_column(String(20))
    card: Mapped[dict[str, Any]] = mapped_column(JSONB)
    calls: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    """`Pending`s in tool order."""
    token: Mapped[str] = mapped_column(String(40), unique=True)
    """Unguessable: what a button carries."""
    expires_at: Mapped[datetime]
    state: Mapped[QuestionState] = mapped_column(
        text_enum(QuestionState), default=QuestionState.OPEN
    )
    decisions: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    """A `Decision` for each call's id."""
    decided_by: Mapped[UUID | None]
    decided_where: Mapped[str | None] = mapped_column(String(20))
    decided_at: Mapped[datetime | None]


class AuditEntry(OrgRow):
    """Who did what, and through what: never changed, never deleted."""

    __tablename__ = "audit_log"
    __table_args__ = (
        Index("ix_audit_log_time", "org_id", "created_at"),
        Index("ix_audit_log_entity", "org_id", "entity", "entity_id"),
    )
    __undo__: ClassVar[str] = "ignore"

    user_id: Mapped[UUID] = mapped_column(index=True)
    via: Mapped[Via] = mapped_column(text_enum(Via))
    origin: Mapped[str] = mapped_column(String(60))
    tool: Mapped[str] = mapped_column(String(80))
    result: Mapped[str] = mapped_column(String(80))
    """`done`, `undone`, or the code of what went wrong."""
    entity: Mapped[str | None] = mapped_column(String(63))
    entity_id: Mapped[UUID | None]
    call_id: Mapped[UUID | None] = mapped_column(index=True)
    question_id: Mapped[UUID | None]
    detail: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)


class ReceiptCounter(OrgRow):
    """The last receipt number of a person."""

    __tablename__ = "receipt_counter"
    __table_args__ = (UniqueConstraint("org_id", "user_id"),)
    __undo__: ClassVar[str] = "ignore"

    user_id: Mapped[UUID]
    last: Mapped[int]
