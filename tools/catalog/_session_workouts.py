"""Cards of the workouts that a class has."""

from app.bookings.views import SessionView
from app.programs.queries import daily as queries
from app.programs.terms import DailyStatus
from app.programs.views import SessionWorkoutView
from tools.catalog import _sessions
from tools.kit.cards import Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Instant, Line, Name, Quote, Term

_COLUMNS = (
    "label.workout",
    "label.origin",
    "label.status",
    "label.publish_at",
    "label.member_notes",
    "label.coach_notes",
)


def listed(context: Context, of: SessionView) -> Table:
    found = queries.of_session(context.session, of.id, context.actor.language, now=context.now)
    title = Line(key="class_sessions.list_workouts.title", values=_sessions.named(of))
    rows = tuple(_row(one, of.slot.zone) for one in found)
    return Table(title=title, columns=_COLUMNS, rows=rows, total=len(rows))


def _row(view: SessionWorkoutView, zone: str) -> TableRow:
    at = None if view.visible else view.visible_from
    cells = (
        Name(text=view.title),
        Term(key=f"session_workout.{'own' if view.own else 'of_the_day'}"),
        Term(key=f"daily.{_status(view)}"),
        Instant(at=at, zone=zone) if at else None,
        Quote(text=view.member_notes) if view.member_notes else None,
        Quote(text=view.coach_notes) if view.coach_notes else None,
    )
    return TableRow(id=str(view.workout_id), cells=cells)


def _status(view: SessionWorkoutView) -> DailyStatus:
    if view.visible:
        return DailyStatus.PUBLISHED
    return DailyStatus.SCHEDULED if view.visible_from else DailyStatus.DRAFT
