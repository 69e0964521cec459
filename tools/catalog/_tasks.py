"""Cards of tasks: what is shown, asked and told."""

from collections.abc import Callable, Collection
from uuid import UUID

from app.core.errors import BadInput
from app.leads import queries as leads
from app.people import queries as people
from app.tasks import queries, service
from app.tasks.terms import Priority, TaskStatus
from app.tasks.views import TaskFilter, TaskStep, TaskView
from tools.catalog import _task_args as args_of
from tools.catalog._cards import facts_of
from tools.catalog._when import instant_of, shown_at, zone_of
from tools.kit.cards import Confirm, Done, Facts, Ref, Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Line, Name, Names, Quote, Term, Value

TASK_COLUMNS = (
    "label.task",
    "label.due",
    "label.assignee",
    "label.regarding",
    "label.priority",
    "label.status",
)
_HISTORY = ("label.at", "label.step", "label.by", "label.note")


def wanted(context: Context, args: args_of.Tasks) -> TaskFilter:
    return TaskFilter(
        assignee_id=own_place(context) if args.mine else args.assignee_id,
        statuses=args.status,
        due_before=instant_of(context, args.due_before) if args.due_before else None,
        member_id=args.member_id,
        lead_id=args.lead_id,
    )


def new(context: Context, args: args_of.NewTask) -> service.NewTask:
    """Raises NotFound for a lead that isn't there; a person without a place here has nobody's."""
    if args.lead_id is not None:
        leads.lead(context.session, args.lead_id)
    return service.NewTask(
        title=args.title,
        due_at=instant_of(context, args.due_at) if args.due_at else None,
        assignee_id=args.assignee_id or own_place(context),
        member_id=args.member_id,
        lead_id=args.lead_id,
        priority=args.priority,
        notes=args.notes,
    )


def changes(context: Context, args: args_of.TaskChanges) -> service.TaskChanges:
    return service.TaskChanges(
        title=args.title,
        due_at=instant_of(context, args.due_at) if args.due_at else None,
        assignee_id=args.assignee_id,
        priority=args.priority,
        notes=args.notes,
    )


def own_place(context: Context) -> UUID | None:
    """The caller as one of the team."""
    own = people.staff_of_user(context.session, context.actor.user_id)
    return own.id if own else None


def row_in(context: Context, shown: Collection[TaskView]) -> Callable[[TaskView], TableRow]:
    """How one of these tasks is shown; the leads they are about are looked up at once."""
    zone, names = zone_of(context), _leads(context, shown)
    return lambda view: _row(view, names, zone)


def facts(context: Context, view: TaskView, steps: tuple[TaskStep, ...]) -> Facts:
    zone = zone_of(context)
    told: dict[str, Value | None] = {
        "label.status": Term(key=f"task.{view.status}"),
        "label.due": shown_at(view.due_at, zone),
        "label.assignee": Name(text=view.assignee) if view.assignee else None,
        "label.regarding": _about(view, _leads(context, [view])),
        "label.priority": Term(key=f"priority.{view.priority}"),
        "label.notes": Quote(text=view.notes) if view.notes else None,
    }
    if view.status is TaskStatus.DONE:
        told["label.completed_at"] = shown_at(view.completed_at, zone)
        told["label.outcome"] = Quote(text=view.outcome) if view.outcome else None
    return Facts(
        title=Line(key="tasks.get.title", values={"task": Name(text=view.title)}),
        facts=facts_of(told),
        ref=_ref(view),
        tables=(_history(steps, zone),),
    )


def done(context: Context, of: str, view: TaskView) -> Done:
    return Done(of=of, values=values(context, view), ref=_ref(view))


def values(context: Context, view: TaskView) -> dict[str, Value]:
    """The names that every card about a task uses."""
    told: dict[str, Value | None] = {
        "task": Name(text=view.title),
        "due": shown_at(view.due_at, zone_of(context)),
        "assignee": Name(text=view.assignee) if view.assignee else None,
        "about": _about(view, _leads(context, [view])),
    }
    return {key: one for key, one in told.items() if one is not None}


def ask_complete_all(context: Context, args: args_of.CompletingMany) -> Confirm:
    found = _each_once(context, args)
    service.check_open(context.session, args.task_ids)
    return Confirm(of="tasks.bulk_complete", values=_all_of(found))


def completed_all(context: Context, args: args_of.CompletingMany) -> Done:
    return Done(of="tasks.bulk_complete", values=_all_of(_each_once(context, args)))


def ask_delete(context: Context, args: args_of.OneTask) -> Confirm:
    service.check_delete(context.session, context.actor, args.task_id)
    view = queries.task(context.session, args.task_id)
    return Confirm(of="tasks.delete", values=values(context, view), ref=_ref(view))


def _each_once(context: Context, args: args_of.CompletingMany) -> tuple[TaskView, ...]:
    if len(set(args.task_ids)) < len(args.task_ids):
        raise BadInput(fields=("task_ids",))
    return queries.some(context.session, args.task_ids)


def _all_of(found: tuple[TaskView, ...]) -> dict[str, Value]:
    return {"tasks": len(found), "titles": Names(all=tuple(one.title for one in found))}


def _row(view: TaskView, names: dict[UUID, str], zone: str) -> TableRow:
    usual, is_open = view.priority is Priority.NORMAL, view.status is TaskStatus.OPEN
    cells = (
        Name(text=view.title),
        shown_at(view.due_at, zone),
        Name(text=view.assignee) if view.assignee else None,
        _about(view, names),
        None if usual else Term(key=f"priority.{view.priority}"),
        None if is_open else Term(key=f"task.{view.status}"),
    )
    return TableRow(id=str(view.id), cells=cells)


def _history(steps: tuple[TaskStep, ...], zone: str) -> Table:
    rows = tuple(
        TableRow(
            id=str(step.id),
            cells=(
                shown_at(step.at, zone),
                Term(key=f"task_step.{step.kind}"),
                Name(text=step.by) if step.by else None,
                Name(text=step.note) if step.note else None,
            ),
        )
        for step in steps
    )
    title = Line(key="tasks.get.history")
    return Table(title=title, columns=_HISTORY, rows=rows, total=len(rows))


def _leads(context: Context, shown: Collection[TaskView]) -> dict[UUID, str]:
    ids = {one.lead_id for one in shown if one.lead_id is not None and one.member is None}
    return leads.names(context.session, ids) if ids else {}


def _about(view: TaskView, names: dict[UUID, str]) -> Name | None:
    """The member, or the lead that isn't one yet."""
    name = view.member or (names.get(view.lead_id) if view.lead_id else None)
    return Name(text=name) if name else None


def _ref(view: TaskView) -> Ref:
    return Ref(entity="task", id=view.id, version=view.version)
