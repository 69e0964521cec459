"""Taking a write back: once, by the same person, in time, as the system on their behalf."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.core import outbox
from app.core.actor import Actor, Via
from app.core.db import Database, now_of
from app.core.errors import NotAllowed, NotFound, StudioError
from app.core.ids import new_id
from tools.kit import audit, background, binding, failures, many, receipts, restoring, rows, writing
from tools.kit.audit import Source
from tools.kit.binding import Standing
from tools.kit.calls import Outcome
from tools.kit.capture import Change, capturing
from tools.kit.cards import AnyCard, Done, Undone
from tools.kit.declare import SNAPSHOT, Context, Effect, Started, Tool
from tools.kit.models import BackgroundTask, CallState, ToolCall
from tools.kit.registry import Registry
from tools.kit.trying import until_unlocked

Where = Literal["toast", "word", "audit"]
WINDOWS: Final[dict[Where, timedelta]] = {
    "toast": receipts.TOAST,
    "word": receipts.WORD,
    "audit": receipts.AUDIT,
}
ORIGIN: Final = "undo"


class NoUndo(StudioError):
    """Nothing takes this one back: it left the building, it changed nothing, or it failed."""

    code, status = "no_undo", 409


class UndoTooLate(StudioError):
    code, status = "undo_too_late", 409


class AlreadyUndone(StudioError):
    code, status = "already_undone", 409


class DoneByHand(StudioError):
    """A program may not take back what its person did themselves: it has to ask for any such."""

    code, status = "done_by_hand", 403


def undo(
    db: Database,
    registry: Registry,
    actor: Actor,
    call_id: UUID,
    *,
    where: Where = "audit",
    standing: Standing | None = None,
) -> Outcome:
    """Take a call of this person back, however many ask for it at once; a refusal changes nothing.

    The card is an `Undone`, or a `Failed`: not_found, no_undo, undo_too_late, already_undone,
    not_allowed, done_by_hand, undo_conflict, undo_in_use, or the code of a rule that the restored
    rows would break.
    """

    def attempt() -> Outcome:
        with db.transaction(actor.org_id) as session:
            return undo_in(session, registry, actor, call_id, where=where, standing=standing)

    return until_unlocked(attempt)


def undo_in(
    session: Session,
    registry: Registry,
    actor: Actor,
    call_id: UUID,
    *,
    where: Where,
    standing: Standing | None = None,
) -> Outcome:
    """The same within a transaction of the org that does more: a message that asks for it."""
    call: ToolCall | None = None
    cause = session.info.get("cause")
    halted = _halt(session, actor, call_id)
    try:
        with session.begin_nested():
            context = binding.context_of(session, actor, standing)
            call = _theirs(session, context.actor, call_id)
            return _take_back(session, registry, context, call, where)
    except StudioError as error:
        if halted is not None:
            background.tell_end(session, halted)
        _audit(session, actor, call, call_id, error.code)
        return Outcome(card=failures.failed(error), ok=False)
    finally:
        session.info["cause"] = cause


def _halt(session: Session, actor: Actor, call_id: UUID) -> BackgroundTask | None:
    """What still goes on in the background is stopped first, and stays stopped."""
    call = session.get(ToolCall, call_id)
    mine = call is not None and (call.org_id, call.user_id) == (actor.org_id, actor.user_id)
    return background.halt(session, call_id) if mine else None


def _theirs(session: Session, actor: Actor, call_id: UUID) -> ToolCall:
    query = select(ToolCall).where(ToolCall.id == call_id).with_for_update()
    call = session.scalars(query.execution_options(populate_existing=True)).first()
    if call is None or (call.org_id, call.user_id) != (actor.org_id, actor.user_id):
        raise NotFound
    return call


def _take_back(
    session: Session, registry: Registry, context: Context, call: ToolCall, where: Where
) -> Outcome:
    _check(call, context.now, where)
    tool = _tool(registry, context.actor, call)
    touched = restoring.touched_by(session, call.id)
    restoring.check_untouched(session, touched)
    undoing = replace(context, actor=replace(context.actor, undoing=True))
    record = _begin(session, context.actor, call)
    if call.undo == SNAPSHOT:
        restoring.check_unused(session, touched)
        restoring.restore(session, undoing.actor, touched)
        changes: list[Change] = []
    else:
        inverse = registry[f"{tool.router}.{call.undo}"]
        if inverse.effect is Effect.DESTRUCTIVE:
            restoring.check_left_alone(session, call, touched)
        changes = _run_inverse(session, inverse, undoing, call)
        restoring.forget_changes(session, touched)
    _correct(session, context.actor, call.id, record.id)
    return _finish(session, context.actor, call, record, changes)


def _check(call: ToolCall, now: datetime, where: Where) -> None:
    if call.undone_at is not None:
        raise AlreadyUndone
    if call.undo is None or call.state is not CallState.DONE:
        raise NoUndo
    if now > call.settled_at + WINDOWS[where]:
        raise UndoTooLate


def _tool(registry: Registry, actor: Actor, call: ToolCall) -> Tool[Any]:
    """The call's own, and who may no longer do it takes it back no more; an inverse has any role.

    Raises NoUndo where it is gone, NotAllowed, DoneByHand.
    """
    tool = registry.get(call.tool)
    if tool is None:
        raise NoUndo
    if not actor.role.at_least(tool.role):
        raise NotAllowed
    if (actor.via, call.via) == (Via.MACHINE, Via.PERSON):
        raise DoneByHand
    return tool


def _begin(session: Session, actor: Actor, call: ToolCall) -> ToolCall:
    """The undo is a call itself: what it queues and touches is found by it."""
    record = ToolCall(
        id=new_id(),
        org_id=actor.org_id,
        user_id=actor.user_id,
        via=actor.via,
        origin=ORIGIN,
        key=str(call.id),
        conversation_id=call.conversation_id,
        tool=call.tool,
        args=call.args,
        args_hash=call.args_hash,
        state=CallState.DONE,
        settled_at=now_of(session),
        undoes=call.id,
    )
    session.add(record)
    session.flush()
    session.info["cause"] = record.id
    return record


def _run_inverse(
    session: Session, inverse: Tool[Any], context: Context, call: ToolCall
) -> list[Change]:
    args = binding.read_args(inverse, inverse_args(inverse, call))
    with capturing(session) as capture:
        came = inverse.run(context, args)
        if isinstance(came, Started):
            many.do_or_fail(context, inverse, args, came)
        rows.check_now(session)
        return capture.changes()


def inverse_args(inverse: Tool[Any], call: ToolCall) -> dict[str, Any]:
    """What the inverse needs, by name: what the call was about, and the call's own arguments."""
    card = _card(call)
    ref = card.ref if isinstance(card, Done) else None
    known = {**call.args, **({f"{ref.entity}_id": str(ref.id)} if ref else {})}
    required = (name for name, field in inverse.args.model_fields.items() if field.is_required())
    return {name: known[name] for name in required if name in known}


def _correct(session: Session, actor: Actor, call_id: UUID, undo_id: UUID) -> None:
    """What wasn't told yet is never told; who was told gets a correction, and nothing beside it."""
    session.flush()
    outbox.take_back(session, undo_id)
    for gone in outbox.take_back(session, call_id):
        outbox.put(session, actor.org_id, gone.topic + outbox.UNDONE, gone.body, wait=timedelta())


def _finish(
    session: Session, actor: Actor, call: ToolCall, record: ToolCall, changes: list[Change]
) -> Outcome:
    card = _card(call)
    values = card.values if isinstance(card, Done) else {}
    outcome = Outcome(card=Undone(of=call.tool, values=values))
    session.execute(
        update(ToolCall)
        .where(ToolCall.id == call.id)
        .values(undone_at=now_of(session), version=ToolCall.version + 1)
        .execution_options(synchronize_session=False)
    )
    session.execute(
        update(ToolCall)
        .where(ToolCall.id == record.id)
        .values(outcome=outcome.model_dump(mode="json"))
        .execution_options(synchronize_session=False)
    )
    writing.keep_touched(session, actor, record.id, changes, images=False)
    _audit(session, actor, call, record.id, "undone")
    session.flush()
    return outcome


def _card(call: ToolCall) -> AnyCard | None:
    return Outcome.model_validate(call.outcome).card if call.outcome else None


def _audit(
    session: Session, actor: Actor, call: ToolCall | None, call_id: UUID, result: str
) -> None:
    card = _card(call) if call is not None else None
    audit.record(
        session,
        actor,
        Source(ORIGIN),
        tool=call.tool if call is not None else ORIGIN,
        result=result,
        ref=card.ref if isinstance(card, Done) else None,
        call_id=call_id,
    )
