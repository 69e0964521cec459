"""The workouts of a class: its own, instead of its day's."""

from app.programs.service import attaching
from i18n import N_
from tools.catalog import _session_workouts, _sessions
from tools.catalog._session_args import OneSession
from tools.catalog._session_workout_args import Attaching, OneAttached
from tools.kit.cards import Done, Table, WorkoutCard
from tools.kit.declare import Context, Effect, tool


@tool(
    Effect.READ,
    "GET /class-sessions/{class_session_id}/workouts",
    label=N_("Show a class's workouts"),
    quick=True,
)
def list_workouts(context: Context, args: OneSession) -> Table | WorkoutCard:
    """Show the workouts of a class: its own, else the one of its day; ids are of workouts."""
    return _session_workouts.listed(context, _sessions.view(context, args.class_session_id))


@tool(
    Effect.WRITE,
    "POST /class-sessions/{class_session_id}/workouts",
    label=N_("Give a class its own workout"),
    undo="detach_workout",
)
def attach_workout(context: Context, args: Attaching) -> Done:
    """Attach a workout to one class, instead of the workout of its day."""
    attaching.attach(context.session, context.actor, args.attachment(context), now=context.now)
    return _session_workouts.told("class_sessions.attach_workout", context, args)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /class-sessions/{class_session_id}/workouts/{workout_id}",
    label=N_("Take a workout off a class"),
    confirm=_session_workouts.ask_detach,
    undo="attach_workout",
)
def detach_workout(context: Context, args: OneAttached) -> Done:
    """Take a workout off one class; the workout itself stays."""
    attaching.detach(context.session, context.actor, args.class_session_id, args.workout_id)
    return _session_workouts.told("class_sessions.detach_workout", context, args)
