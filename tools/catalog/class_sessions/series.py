"""Repeating classes."""

from app.schedule import service as schedule
from i18n import N_
from tools.catalog import _series
from tools.catalog._session_args import NewSeries
from tools.kit.cards import Done
from tools.kit.declare import ADMIN, SNAPSHOT, Context, Effect, tool


@tool(
    Effect.WRITE,
    "POST /class-sessions/series",
    label=N_("Add a repeating class"),
    role=ADMIN,
    confirm=_series.ask_create,
    always=True,
    undo=SNAPSHOT,
)
def create_series(context: Context, args: NewSeries) -> Done:
    """Schedule a repeating class on weekdays until a date."""
    made = schedule.create_series(context.session, context.actor, args.new, now=context.now)
    return _series.created(context, args, made)
