"""Class types: what kinds of class there are, with their defaults and rules."""

from pydantic import Field

from app.schedule import queries
from app.schedule import service as schedule
from i18n import N_
from tools.catalog import _class_types
from tools.catalog._class_type_args import NewType, OneClassType, TypeChanges
from tools.kit.cards import Done, Table
from tools.kit.declare import ADMIN, SNAPSHOT, Args, Context, Effect, tool
from tools.kit.values import Line


class ClassTypes(Args):
    active: bool | None = Field(
        default=True, description="true: in use; false: archived; null: both."
    )


@tool(Effect.WRITE, "POST /class-types", label=N_("Add a class type"), role=ADMIN, undo="delete")
def create(context: Context, args: NewType) -> Done:
    """Add a class type with its length, places, credit cost and booking rules."""
    made = schedule.create_class_type(context.session, context.actor.org_id, args.new)
    return _class_types.done("class_types.create", _class_types.view_of(context, made))


@tool(
    Effect.WRITE,
    "PATCH /class-types/{class_type_id}",
    label=N_("Change a class type"),
    role=ADMIN,
    undo=SNAPSHOT,
)
def update(context: Context, args: TypeChanges) -> Done:
    """Change a class type's names, defaults or booking rules; scheduled classes keep theirs."""
    rules = schedule.update_class_type(
        context.session, args.class_type_id, args.changes, expected_version=args.expected_version
    )
    return _class_types.updated(context, args, rules)


@tool(
    Effect.WRITE,
    "POST /class-types/{class_type_id}/archive",
    label=N_("Archive a class type"),
    role=ADMIN,
    undo="unarchive",
)
def archive(context: Context, args: OneClassType) -> Done:
    """Hide a class type from new scheduling; classes on the schedule stay."""
    schedule.set_active(context.session, args.class_type_id, active=False)
    return _class_types.archived(context, args.class_type_id)


@tool(
    Effect.WRITE,
    "POST /class-types/{class_type_id}/unarchive",
    label=N_("Bring a class type back"),
    role=ADMIN,
    undo="archive",
)
def unarchive(context: Context, args: OneClassType) -> Done:
    """Make an archived class type usable again."""
    schedule.set_active(context.session, args.class_type_id, active=True)
    view = _class_types.view_of(context, args.class_type_id)
    return _class_types.done("class_types.unarchive", view)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /class-types/{class_type_id}",
    label=N_("Delete a class type"),
    role=ADMIN,
    confirm=_class_types.ask_delete,
    undo=SNAPSHOT,
)
def delete(context: Context, args: OneClassType) -> Done:
    """Delete a class type that never had a class; one that had is archived instead."""
    view = _class_types.view_of(context, args.class_type_id)
    schedule.delete_class_type(context.session, args.class_type_id)
    return _class_types.done("class_types.delete", view)


@tool(Effect.READ, "GET /class-types", label=N_("List class types"), quick=True, core=True)
def list(context: Context, args: ClassTypes) -> Table:  # noqa: A001 - the action's name
    """List class types with default length in minutes, places, credit cost and booking rules."""
    actor = context.actor
    found = queries.list_class_types(
        context.session, actor.org_id, actor.language, active=args.active
    )
    rows = tuple(map(_class_types.row, found))
    title = Line(key="class_types.list.title")
    return Table(title=title, columns=_class_types.COLUMNS, rows=rows, total=len(rows))
