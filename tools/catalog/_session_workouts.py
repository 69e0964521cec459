"""Cards of the workouts that a class has."""

from app.bookings.views import SessionView
from app.programs.queries import daily as queries
from app.programs.service import attaching
from app.programs.terms import DailyStatus
from app.programs.views import SessionWorkoutView
from app.workouts import queries as workouts
from tools.catalog import _sessions, _workouts
from tools.catalog._cards import session_ref
from tools.catalog._session_workout_args import OneAttached
from tools.kit.cards import Confirm, Done, Table, TableRow, WorkoutCard
from tools.kit.declare import Context
from tools.kit.values import Instant, Line, Name, Names, Quote, Term, Value

_COLUMNS = (
    "label.workout",
    "label.origin",
    "label.status",
    "label.publish_at",
    "label.member_notes",
    "label.coach_notes",
)


def listed(context: Context, of: SessionView) -> Table | WorkoutCard:
    """The workout itself where there is one; else what there is of them."""
    found = queries.of_session(context.session, of.id, context.actor.language, now=context.now)
    whole = _whole(context, of, found[0]) if len(found) == 1 else None
    if whole is not None:
        return whole
    title = Line(key="class_sessions.list_workouts.title", values=_sessions.named(of))
    rows = tuple(_row(one, of.slot.zone) for one in found)
    return Table(title=title, columns=_COLUMNS, rows=rows, total=len(rows))


def _whole(context: Context, of: SessionView, view: SessionWorkoutView) -> WorkoutCard | None:
    named = {**_sessions.named(of), "workout": Name(text=view.title)}
    at = None if view.visible else view.visible_from
    facts: dict[str, Value | None] = {
        "label.origin": _origin(view),
        "label.status": Term(key=f"daily.{_status(view)}"),
        "label.publish_at": Instant(at=at, zone=of.slot.zone) if at else None,
        "label.notes_of_the_day": Quote(text=view.member_notes) if view.member_notes else None,
        "label.team_notes_of_the_day": Quote(text=view.coach_notes) if view.coach_notes else None,
    }
    line = Line(key="class_sessions.list_workouts.one", values=named)
    return _workouts.placed(context, view.workout_id, line, facts)


def told(of: str, context: Context, args: OneAttached) -> Done:
    return Done(of=of, values=_values(context, args))


def ask_detach(context: Context, args: OneAttached) -> Confirm:
    """With what the class has instead then."""
    attaching.attached(context.session, args.class_session_id, args.workout_id)
    return Confirm(
        of="class_sessions.detach_workout",
        values=_values(context, args),
        effects=(_then(context, args),),
        ref=session_ref(_sessions.view(context, args.class_session_id)),
    )


def _then(context: Context, args: OneAttached) -> Line:
    now, language = context.now, context.actor.language
    own = queries.of_session(context.session, args.class_session_id, language, now=now)
    if len(own) > 1:
        rest = Names(all=tuple(one.title for one in own if one.workout_id != args.workout_id))
        return Line(key="class_sessions.detach_workout.effect", values={"names": rest})
    of_day = queries.of_the_day(context.session, args.class_session_id, language, now=now)
    if not of_day:
        return Line(key="class_sessions.detach_workout.effect_none")
    day = Name(text=of_day[0].title)
    return Line(key="class_sessions.detach_workout.effect_day", values={"workout": day})


def _values(context: Context, args: OneAttached) -> dict[str, Value]:
    one = _sessions.view(context, args.class_session_id)
    workout = workouts.brief(context.session, args.workout_id)
    return {**_sessions.named(one), "workout": Name(text=workout.title)}


def _row(view: SessionWorkoutView, zone: str) -> TableRow:
    at = None if view.visible else view.visible_from
    cells = (
        Name(text=view.title),
        _origin(view),
        Term(key=f"daily.{_status(view)}"),
        Instant(at=at, zone=zone) if at else None,
        Quote(text=view.member_notes) if view.member_notes else None,
        Quote(text=view.coach_notes) if view.coach_notes else None,
    )
    return TableRow(id=str(view.workout_id), cells=cells)


def _origin(view: SessionWorkoutView) -> Term:
    return Term(key=f"session_workout.{'own' if view.own else 'of_the_day'}")


def _status(view: SessionWorkoutView) -> DailyStatus:
    if view.visible:
        return DailyStatus.PUBLISHED
    return DailyStatus.SCHEDULED if view.visible_from else DailyStatus.DRAFT
