"""One write: claimed by its key, run, captured, audited and stored in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import now_of
from app.core.errors import KeyReused
from app.core.ids import new_id
from tools.kit import audit, failures, many, receipts, rows
from tools.kit.audit import Source
from tools.kit.binding import Declined, Moved, Ready
from tools.kit.calls import Call, Outcome, digest
from tools.kit.capture import Change, capturing
from tools.kit.cards import AnyCard, Done, Failed, Progress, Ref
from tools.kit.cutting import cut
from tools.kit.declare import Started
from tools.kit.models import BackgroundTask, CallState, ToolCall, TouchedRow

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Deed:
    """What a call did: its card, and the rows it touched."""

    ready: Ready | None
    card: AnyCard
    changes: tuple[Change, ...] = ()
    forgets: bool = False
    """It was about somebody who was erased by then: its arguments may name them."""

    @property
    def ok(self) -> bool:
        return not isinstance(self.card, Failed)

    @property
    def undo(self) -> str | None:
        """How it is taken back; a write that changed nothing isn't. A task may change yet."""
        changing = bool(self.changes) or isinstance(self.card, Progress)
        return self.ready.tool.undo if self.ready and self.ok and changing else None

    @property
    def ref(self) -> Ref | None:
        return getattr(self.card, "ref", None)


def claim(session: Session, actor: Actor, source: Source, call: Call, tool: str) -> UUID | Outcome:
    """Take the call's key, waiting for whoever is at it; or return what came of it before.

    Raises KeyReused where the key came with another tool, other arguments or another person.
    """
    asked = digest({"tool": tool, "input": call.input, "user": str(actor.user_id)})
    now = now_of(session)
    values: dict[str, Any] = {
        "id": new_id(),
        "created_at": now,
        "updated_at": now,
        "settled_at": now,
        "org_id": actor.org_id,
        "version": 1,
        "user_id": actor.user_id,
        "via": actor.via,
        "origin": source.scope,
        "key": call.id,
        "conversation_id": source.conversation_id,
        "turn_id": source.turn_id,
        "tool": tool,
        "args": call.input,
        "args_hash": asked,
        "state": CallState.RUNNING,
    }
    taken = insert(ToolCall).values(values).on_conflict_do_nothing().returning(ToolCall.id)
    call_id = session.scalar(taken)
    return call_id or _known(session, source, call, asked)


def carry_out(session: Session, ready: Ready) -> Deed:
    """Run it and see what it touched; what the database checks at the end is checked here."""
    with capturing(session) as capture:
        came = ready.run()
        card = cut(_begin(ready, came) if isinstance(came, Started) else came)
        changes = tuple(capture.changes())
    rows.check_now(session)
    return Deed(ready, card, changes)


def _begin(ready: Ready, started: Started) -> Done | Progress:
    """A few items at once; many, or what needs others, as a task, for a worker to find."""
    if len(started.items) <= started.at_once and ready.tool.fetch is None:
        return many.do_at_once(ready.context, ready.tool, ready.args, started)
    context = ready.context
    call = context.session.get_one(ToolCall, context.session.info["cause"])
    task = BackgroundTask(
        org_id=call.org_id,
        call_id=call.id,
        user_id=call.user_id,
        via=call.via,
        role=context.actor.role,
        conversation_id=call.conversation_id,
        tool=ready.tool.name,
        choice=context.choice,
        items=[item.model_dump(mode="json") for item in started.items],
        started=started.model_dump(mode="json", exclude={"items"}),
        total=len(started.items),
    )
    context.session.add(task)
    context.session.flush()
    ref = Ref(entity="background_task", id=task.id)
    return Progress(of=task.tool, done=0, total=task.total, ref=ref)


def went_wrong(error: Exception, call: Call) -> Deed:
    """What came of a call that failed: a code. Raises the error where another try may mend it."""
    ordinary = failures.ordinary(error)
    if ordinary is not None:
        return Deed(None, failures.failed(ordinary), forgets=ordinary.forgets)
    if isinstance(error, Moved | Declined) or failures.may_pass(error):
        raise error
    _log.error("tool_broke", tool=call.name, key=call.id, exc_info=error)
    return Deed(None, Failed(code="internal"))


def settle(
    session: Session, actor: Actor, source: Source, call_id: UUID, deed: Deed, *, zone: str
) -> Outcome:
    """Store what came of a call, with its receipt, its touched rows and its audit entry."""
    receipt = _receipt(session, actor, deed)
    card = deed.card
    if isinstance(card, Done) and receipt is not None:
        undo = receipts.offer(session, call_id, receipt, zone=zone)
        card = card.model_copy(update={"undo": undo})
    outcome = Outcome(card=card, ok=deed.ok)
    _store(session, call_id, outcome, deed, receipt)
    keep_touched(session, actor, call_id, deed.changes, images=deed.undo is not None)
    _audit(session, actor, source, call_id, deed)
    session.flush()
    return outcome


def keep_touched(
    session: Session, actor: Actor, call_id: UUID, changes: Sequence[Change], *, images: bool
) -> None:
    """Say which rows were touched; how they were before is kept only where it is of use."""
    session.add_all(
        TouchedRow(
            org_id=actor.org_id,
            call_id=call_id,
            table_name=change.table_name,
            row_id=change.row_id,
            before=change.before if images or change.before is None else {},
            after=change.after,
        )
        for change in changes
    )


def result_of(card: AnyCard) -> str:
    """A card in one word, for the audit and the log."""
    match card:
        case Failed(code=code):
            return code
        case Progress():
            return "begun"
        case _:
            return "done"


def _known(session: Session, source: Source, call: Call, asked: str) -> Outcome:
    query = select(ToolCall.args_hash, ToolCall.outcome)
    row = session.execute(
        query.where(ToolCall.origin == source.scope, ToolCall.key == call.id)
    ).one()
    if row.args_hash != asked:
        raise KeyReused
    return Outcome.model_validate(row.outcome)


def _receipt(session: Session, actor: Actor, deed: Deed) -> int | None:
    offered = deed.undo is not None and isinstance(deed.card, Done | Progress)
    return receipts.next_number(session, actor) if offered else None


def _store(
    session: Session, call_id: UUID, outcome: Outcome, deed: Deed, receipt: int | None
) -> None:
    values: dict[str, Any] = {
        "state": CallState.DONE if outcome.ok else CallState.FAILED,
        "outcome": outcome.model_dump(mode="json"),
        "undo": deed.undo,
        "receipt": receipt,
    }
    if deed.forgets:
        values["args"] = {}
    elif deed.ready is not None:
        values["args"] = deed.ready.args.model_dump(mode="json", exclude_unset=True)
    session.execute(update(ToolCall).where(ToolCall.id == call_id).values(values))


def _audit(session: Session, actor: Actor, source: Source, call_id: UUID, deed: Deed) -> None:
    tool = session.scalars(select(ToolCall.tool).where(ToolCall.id == call_id)).one()
    audit.record(
        session,
        actor,
        source,
        tool=tool,
        result=result_of(deed.card),
        ref=deed.ref,
        call_id=call_id,
        detail={"touched": len(deed.changes)},
    )
