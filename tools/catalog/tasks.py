"""Tasks and reminders of the staff."""

from app.tasks import queries, service
from i18n import N_
from tools.catalog import _tasks
from tools.catalog._cards import listing
from tools.catalog._task_args import (
    Completing,
    CompletingMany,
    NewTask,
    OneTask,
    TaskChanges,
    Tasks,
)
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import SNAPSHOT, Context, Effect, tool
from tools.kit.values import Line


@tool(Effect.READ, "GET /tasks/{task_id}", label=N_("Show a task"), quick=True)
def get(context: Context, args: OneTask) -> Facts:
    """Show one task: when it is due, whose it is, whom it is about, and its history."""
    view = queries.task(context.session, args.task_id)
    return _tasks.facts(context, view, queries.history(context.session, view.id))


@tool(Effect.WRITE, "POST /tasks", label=N_("Add a task"), undo="delete", core=True)
def create(context: Context, args: NewTask) -> Done:
    """Add a task or reminder for one of the team, about a member or lead where it is so."""
    new = _tasks.new(context, args)
    made = service.create(context.session, context.actor, new, now=context.now)
    return _tasks.done(context, "tasks.create", queries.task(context.session, made))


@tool(Effect.WRITE, "PATCH /tasks/{task_id}", label=N_("Change a task"), undo=SNAPSHOT)
def update(context: Context, args: TaskChanges) -> Done:
    """Change an open task's words, due time, priority or whose it is; the rest stays."""
    service.change(
        context.session,
        context.actor,
        args.task_id,
        _tasks.changes(context, args),
        now=context.now,
        expected_version=args.expected_version,
    )
    return _tasks.done(context, "tasks.update", queries.task(context.session, args.task_id))


@tool(Effect.WRITE, "POST /tasks/{task_id}/complete", label=N_("Mark a task done"), undo="reopen")
def complete(context: Context, args: Completing) -> Done:
    """Mark an open task done, with what came of it."""
    service.complete(
        context.session, context.actor, args.task_id, now=context.now, outcome=args.outcome
    )
    return _tasks.done(context, "tasks.complete", queries.task(context.session, args.task_id))


@tool(Effect.WRITE, "POST /tasks/{task_id}/reopen", label=N_("Open a task again"), undo="complete")
def reopen(context: Context, args: OneTask) -> Done:
    """Open a task again that was marked done."""
    service.reopen(context.session, context.actor, args.task_id, now=context.now)
    return _tasks.done(context, "tasks.reopen", queries.task(context.session, args.task_id))


@tool(
    Effect.WRITE,
    "POST /tasks/bulk-complete",
    label=N_("Mark several tasks done"),
    confirm=_tasks.ask_complete_all,
    always=True,
    undo=SNAPSHOT,
)
def bulk_complete(context: Context, args: CompletingMany) -> Done:
    """Mark several open tasks done at once: all of them or none."""
    done = _tasks.completed_all(context, args)
    service.complete_all(context.session, context.actor, args.task_ids, now=context.now)
    return done


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /tasks/{task_id}",
    label=N_("Delete a task"),
    confirm=_tasks.ask_delete,
    undo=SNAPSHOT,
)
def delete(context: Context, args: OneTask) -> Done:
    """Delete a task with its history; one that was carried out is better marked done."""
    told = _tasks.values(context, queries.task(context.session, args.task_id))
    service.delete(context.session, context.actor, args.task_id)
    return Done(of="tasks.delete", values=told)


@tool(Effect.READ, "GET /tasks", label=N_("List tasks"), quick=True)
def list(context: Context, args: Tasks) -> Table:  # noqa: A001 - the action's name
    """List tasks (default: open ones) by whose they are, when due, or whom they are about."""
    found = queries.tasks(context.session, _tasks.wanted(context, args), cut=args.cut)
    row = _tasks.row_in(context, found.rows)
    return listing(Line(key="tasks.list.title"), _tasks.TASK_COLUMNS, found, row)
