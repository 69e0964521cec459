"""Closing the gym: many classes cancelled at once."""

from i18n import N_
from tools.catalog import _bulk_cancelling
from tools.catalog._bulk_cancelling import CancelClasses
from tools.kit.declare import ADMIN, SNAPSHOT, Context, Effect, Started, tool


@tool(
    Effect.DESTRUCTIVE,
    "POST /class-sessions/bulk-cancel",
    label=N_("Cancel many classes"),
    role=ADMIN,
    confirm=_bulk_cancelling.ask_classes,
    always=True,
    undo=SNAPSHOT,
    step=_bulk_cancelling.cancel_class,
)
def bulk_cancel(context: Context, args: CancelClasses) -> Started:
    """Cancel all classes of some days, or those that fit a filter, for example for a holiday."""
    return _bulk_cancelling.classes(context, args)
