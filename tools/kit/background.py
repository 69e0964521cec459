"""Tasks of the background: calls over many things, carried on chunk by chunk by any worker.

A call that returns `Started` (tools.kit.many) leaves a `BackgroundTask` with its items. Whoever
holds the task's lease advances it: each chunk is one transaction with its effects, the rows they
touched, the progress and, after the last one, the end: the call's own `Done`, its receipt, its
audit entry and one outbox row, by which the person is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy import cast, func, select, update
from sqlalchemy.dialects.postgresql import JSONPATH
from sqlalchemy.orm import Session

from app.core import outbox
from app.core.actor import Actor
from app.core.db import now_of
from app.core.errors import NotFound, StudioError
from tools.kit import audit, binding, failures, many, receipts, writing
from tools.kit.audit import Source
from tools.kit.binding import Standing
from tools.kit.calls import Outcome
from tools.kit.capture import Change, capturing
from tools.kit.cards import Done, Failed, Progress, Ref
from tools.kit.declare import Args, Context, Item, Outside, Started, Tool
from tools.kit.many import Missed, Tally
from tools.kit.models import BackgroundTask, CallState, TaskState, ToolCall, TouchedRow
from tools.kit.registry import Registry
from tools.kit.values import Line, Value

CHUNK: Final = 20
ENDED: Final = "background_task_ended"
"""The outbox topic of an end that is to be told; its body is {task_id}."""
MISSED_KEPT: Final = 100
TRIES: Final = 8

_values = TypeAdapter(dict[str, Value])


class BrokeOff(StudioError):
    """A task that could not go on, however often it was tried."""

    code, status = "internal", 500


@dataclass(frozen=True, slots=True)
class Ahead:
    """What the next item needs from elsewhere; `seen` says which one that is."""

    tool: Tool[Any]
    args: Args
    item: Item
    seen: int

    def fetch(self, outside: Outside) -> "Brought":
        """Outside of any transaction. An ordinary failure is the item's."""
        if self.tool.fetch is None:
            raise TypeError(f"{self.tool.name} fetches nothing")
        try:
            return Brought(self.seen, self.tool.fetch(outside, self.args, self.item))
        except StudioError as error:
            return Brought(self.seen, error=error)


@dataclass(frozen=True, slots=True)
class Brought:
    seen: int
    value: Any = None
    error: StudioError | None = None


def look_ahead(
    session: Session, registry: Registry, task_id: UUID, *, standing: Standing | None = None
) -> Ahead | None:
    """What is to be fetched before the next chunk; None where nothing is."""
    task = session.get_one(BackgroundTask, task_id)
    tool = registry.get(task.tool)
    if not task.state.live or tool is None or tool.fetch is None:
        return None
    try:
        _, tool, args = _prepare(session, registry, task, standing)
    except StudioError:
        return None
    items = _next_items(session, task, 1)
    return Ahead(tool, args, items[0], task.seen) if items else None


def advance(
    session: Session,
    registry: Registry,
    task_id: UUID,
    *,
    brought: Brought | None = None,
    standing: Standing | None = None,
    zone: str = "UTC",
) -> BackgroundTask:
    """Do the next chunk in this transaction, and the end after the last one.

    The caller holds the task's lease; the row's lock keeps a stop, an undo and a second worker out
    until the commit. A task that has ended is returned as it is, and so is one that needs
    something `brought` for its next item and has it not.
    """
    task = _locked(session, task_id)
    if not task.state.live:
        return task
    session.info["cause"] = task.call_id
    try:
        context, tool, args = _prepare(session, registry, task, standing)
    except StudioError as error:
        _end(session, task, TaskState.FAILED, zone=zone, why=error)
        return task
    if tool.fetch is not None and (brought is None or brought.seen != task.seen):
        return task
    items = _next_items(session, task, CHUNK if brought is None else 1)
    if not items:  # what it was about was erased
        _end(session, task, TaskState.FAILED, zone=zone, why=BrokeOff())
        return task
    with capturing(session) as capture:
        tally = _do_chunk(context, tool, args, (items, _tally(task), brought))
        changes = capture.changes()
    _keep_touched(session, context.actor, task, changes, images=tool.undo is not None)
    _keep_tally(task, tally)
    if task.seen >= task.total:
        _end(session, task, TaskState.DONE, zone=zone)
    session.flush()
    return task


def take_up(session: Session, task_id: UUID) -> bool:
    """A worker begins or goes on with it; False where it has ended, or must.

    A chunk that takes its worker down each time would do so for ever.
    """
    task = _locked(session, task_id)
    task.tries += 1
    if task.state.live and task.tries > TRIES:
        _end(session, task, TaskState.FAILED, zone="UTC", why=BrokeOff())
    return task.state.live


def one(session: Session, actor: Actor, task_id: UUID) -> BackgroundTask:
    """Raises NotFound for a task of somebody else."""
    task = session.get(BackgroundTask, task_id)
    if task is None or (task.org_id, task.user_id) != (actor.org_id, actor.user_id):
        raise NotFound(what="background_task")
    return task


def card_of(session: Session, task: BackgroundTask) -> Progress | Done | Failed:
    """How far it is, or what came of it."""
    call = session.get_one(ToolCall, task.call_id)
    ref = Ref(entity="background_task", id=task.id)
    if task.state.live:
        return Progress(of=task.tool, done=task.seen, total=task.total, ref=ref)
    card = Outcome.model_validate(call.outcome).card
    if not isinstance(card, Done | Failed):
        raise TypeError(f"a task that ended has the card {card.kind}")
    return card


def cancel(session: Session, actor: Actor, task_id: UUID, *, zone: str = "UTC") -> BackgroundTask:
    """Stop after the chunk that is being done, which this waits for; what is done stays.

    One that has ended is returned as it is. Raises NotFound for a task of somebody else.
    """
    task = _locked(session, one(session, actor, task_id).id)
    if task.state.live:
        _end(session, task, TaskState.CANCELLED, zone=zone)
    return task


def live(session: Session, actor: Actor, conversation_id: UUID | None = None) -> list[UUID]:
    """The person's tasks that are under way, in one conversation or anywhere."""
    mine = BackgroundTask.user_id == actor.user_id
    moving = BackgroundTask.state.in_([state for state in TaskState if state.live])
    query = select(BackgroundTask.id).where(mine, moving).order_by(BackgroundTask.id)
    if conversation_id is not None:
        query = query.where(BackgroundTask.conversation_id == conversation_id)
    return list(session.scalars(query))


def runs(session: Session, tool: str) -> bool:
    """Whether anybody's task of this tool is under way in this org."""
    moving = BackgroundTask.state.in_([state for state in TaskState if state.live])
    query = select(BackgroundTask.id).where(BackgroundTask.tool == tool, moving)
    return session.scalar(query.limit(1)) is not None


def halt(session: Session, call_id: UUID) -> BackgroundTask | None:
    """Stop the call's task for the sake of its undo, telling nobody; None where none runs."""
    found = select(BackgroundTask.id).where(BackgroundTask.call_id == call_id)
    task_id = session.scalar(found)
    task = None if task_id is None else _locked(session, task_id)
    if task is None or not task.state.live:
        return None
    _end(session, task, TaskState.CANCELLED, zone="UTC", silent=True)
    return task


def tell_end(session: Session, task: BackgroundTask) -> None:
    """Queue what the person is to hear of the end; not as the call's act, which an undo drops."""
    cause = session.info.pop("cause", None)
    outbox.put(session, task.org_id, ENDED, {"task_id": str(task.id)}, wait=outbox.AT_ONCE)
    session.flush()
    session.info["cause"] = cause


def _locked(session: Session, task_id: UUID) -> BackgroundTask:
    query = select(BackgroundTask).where(BackgroundTask.id == task_id).with_for_update()
    return session.scalars(query.execution_options(populate_existing=True)).one()


def _prepare(
    session: Session, registry: Registry, task: BackgroundTask, standing: Standing | None
) -> tuple[Context, Tool[Any], Args]:
    """Whoever asked, as they are today. Raises StudioError where it may not go on."""
    actor = Actor(task.org_id, task.user_id, task.role, via=task.via)
    now = binding.context_of(session, actor, standing)
    tool = binding.find(registry, now.actor, task.tool)
    args = binding.read_args(tool, session.get_one(ToolCall, task.call_id).args)
    return Context(session, now.actor, now.now, task.choice), tool, args


def _do_chunk(
    context: Context,
    tool: Tool[Any],
    args: Args,
    work: tuple[list[Item], Tally, Brought | None],
) -> Tally:
    items, tally, brought = work
    if brought is None:
        return many.do_items(context, tool, args, items, tally)
    if brought.error is not None:
        return many.missed(tally, items[0], failures.failed(brought.error))
    item = items[0].model_copy(update={"fetched": brought.value})
    return many.do_items(context, tool, args, [item], tally)


def _next_items(session: Session, task: BackgroundTask, count: int) -> list[Item]:
    """Only these are read: the list may be long."""
    path = cast(f"$[{task.seen} to {task.seen + count - 1}]", JSONPATH)
    query = select(func.jsonb_path_query_array(BackgroundTask.items, path))
    found = session.scalars(query.where(BackgroundTask.id == task.id)).one()
    return [Item.model_validate(item) for item in found]


def _started(task: BackgroundTask) -> Started:
    return Started.model_validate({"items": (), **task.started})


def _tally(task: BackgroundTask) -> Tally:
    values = _values.validate_python(task.sums) if task.sums else _started(task).values
    missed = (Missed(one["name"], Failed.model_validate(one["why"])) for one in task.left_out)
    return Tally(task.done, task.failed, values, tuple(missed))


def _keep_tally(task: BackgroundTask, tally: Tally) -> None:
    task.state, task.tries = TaskState.RUNNING, 0
    task.done, task.failed = tally.done, tally.failed
    task.sums = _values.dump_python(dict(tally.values), mode="json")
    task.left_out = [
        {"name": one.name, "why": one.why.model_dump(mode="json")}
        for one in tally.missed[:MISSED_KEPT]
    ]


def _keep_touched(
    session: Session, actor: Actor, task: BackgroundTask, changes: Sequence[Change], *, images: bool
) -> None:
    """As of any write, but each row once: as it was before the first chunk that touched it.

    Where somebody else changed it between two chunks it stays at the version that the first one
    left it at, so that an undo finds the conflict.
    """
    ids = [change.row_id for change in changes]
    query = select(TouchedRow).where(TouchedRow.call_id == task.call_id, TouchedRow.row_id.in_(ids))
    known = {(row.table_name, row.row_id): row for row in session.scalars(query)}
    for change in changes:
        row = known.get((change.table_name, change.row_id))
        if row is not None and change.before and row.after == change.before["version"]:
            row.after = change.after
    new = [one for one in changes if (one.table_name, one.row_id) not in known]
    writing.keep_touched(session, actor, task.call_id, new, images=images)
    session.flush()


def _end(
    session: Session,
    task: BackgroundTask,
    state: TaskState,
    *,
    zone: str,
    why: StudioError | None = None,
    silent: bool = False,
) -> None:
    """Settle the call as any write is settled: its card, its receipt, its audit entry."""
    task.state, task.ended_at = state, now_of(session)
    call = session.get_one(ToolCall, task.call_id, with_for_update=True)
    touched = select(TouchedRow.id).where(TouchedRow.call_id == call.id).limit(1)
    undo = call.undo if session.scalar(touched) is not None else None
    card = _card(task, why)
    if undo is not None and call.receipt is not None and isinstance(card, Done):
        offer = receipts.offer(session, call.id, call.receipt, zone=zone)
        card = card.model_copy(update={"undo": offer})
    outcome = Outcome(card=card, ok=not isinstance(card, Failed))
    session.execute(
        update(ToolCall)
        .where(ToolCall.id == call.id)
        .values(
            state=CallState.DONE if outcome.ok else CallState.FAILED,
            outcome=outcome.model_dump(mode="json"),
            undo=undo,
            receipt=call.receipt if undo else None,
            settled_at=task.ended_at,
        )
    )
    _audit(session, task, call, card)
    session.flush()
    if not silent:
        tell_end(session, task)


def _card(task: BackgroundTask, why: StudioError | None) -> Done | Failed:
    """What came of it; a task that could not even begin has failed like any call."""
    if why is not None and not task.done:
        return failures.failed(why)
    notes = []
    if task.state is not TaskState.DONE:
        key = "background.stopped" if why is None else "background.broke_off"
        notes.append(Line(key=key, values={"seen": task.seen, "total": task.total}))
    return many.told(task.tool, _started(task), _tally(task), *notes)


def _audit(session: Session, task: BackgroundTask, call: ToolCall, card: Done | Failed) -> None:
    actor = Actor(task.org_id, task.user_id, task.role, via=task.via)
    audit.record(
        session,
        actor,
        Source(call.origin.partition(":")[0]),
        tool=task.tool,
        result=card.code if isinstance(card, Failed) else task.state.value,
        ref=card.ref if isinstance(card, Done) else None,
        call_id=call.id,
        detail={"done": task.done, "failed": task.failed, "total": task.total},
    )
