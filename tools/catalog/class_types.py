"""Class types: what kinds of class there are."""

from pydantic import Field

from app.schedule import queries
from app.schedule.views import ClassTypeView
from i18n import N_
from tools.kit.cards import Table, TableRow
from tools.kit.declare import Args, Context, Effect, tool
from tools.kit.values import Count, Line, Name


class ClassTypes(Args):
    active: bool | None = Field(
        default=True, description="true: in use; false: archived; null: both."
    )


@tool(Effect.READ, "GET /class-types", label=N_("List class types"), quick=True)
def list(context: Context, args: ClassTypes) -> Table:  # noqa: A001 - the action's name
    """List class types with default length in minutes, capacity and credit cost."""
    actor = context.actor
    found = queries.list_class_types(
        context.session, actor.org_id, actor.language, active=args.active
    )
    columns = ("label.class_type", "label.duration", "label.capacity", "label.credit_cost")
    rows = tuple(map(_row, found))
    return Table(
        title=Line(key="class_types.list.title"), columns=columns, rows=rows, total=len(rows)
    )


def _row(view: ClassTypeView) -> TableRow:
    minutes = Count(n=view.duration_min, of="minutes")
    cells = (Name(text=view.name), minutes, view.capacity, view.credit_cost)
    return TableRow(id=str(view.id), cells=cells)
