"""Programs: weeks of training that members are given."""

from app.programs.queries import programs as queries
from app.programs.service import ending, placing
from app.programs.service import programs as service
from i18n import N_
from tools.catalog import _programs
from tools.catalog._cards import listing
from tools.catalog._program_args import (
    AddWeek,
    CopyProgram,
    CreateProgram,
    DeleteProgram,
    MoveSlot,
    OneSlot,
    OneWeek,
    PlaceWorkout,
    Programs,
    ShowProgram,
    UpdateProgram,
)
from tools.catalog._when import today_of
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import SNAPSHOT, Context, Effect, tool
from tools.kit.values import Line


@tool(Effect.READ, "GET /programs/{program_id}", label=N_("Show a program"), quick=True)
def get(context: Context, args: ShowProgram) -> Facts:
    """Show a program's weeks and workouts; of one week also its days."""
    return _programs.facts(context, args)


@tool(Effect.WRITE, "POST /programs", label=N_("Make a program"), undo="delete")
def create(context: Context, args: CreateProgram) -> Done:
    """Create a program with weeks and training days, empty or with workouts placed."""
    made = service.create(context.session, context.actor, args.new)
    return _programs.done("programs.create", made)


@tool(Effect.WRITE, "PATCH /programs/{program_id}", label=N_("Change a program"), undo=SNAPSHOT)
def update(context: Context, args: UpdateProgram) -> Done:
    """Change a program's title, description, goal, level or status; what is left out stays."""
    view = service.update(
        context.session, args.program_id, args.changes, expected_version=args.expected_version
    )
    return _programs.done("programs.update", view)


@tool(
    Effect.WRITE, "POST /programs/{program_id}/duplicate", label=N_("Copy a program"), undo="delete"
)
def duplicate(context: Context, args: CopyProgram) -> Done:
    """Copy a program with all its weeks and workouts, as a draft."""
    made = service.duplicate(context.session, context.actor, args.program_id, args.title)
    return _programs.done("programs.duplicate", made)


@tool(
    Effect.WRITE,
    "POST /programs/{program_id}/weeks",
    label=N_("Add a week to a program"),
    undo="remove_week",
)
def add_week(context: Context, args: AddWeek) -> Done:
    """Add a week, blank or copied from another one, with a change of load if wanted."""
    made = service.add_week(context.session, args.program_id, args.new)
    return _programs.week_added(context, args.program_id, made)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /programs/{program_id}/weeks/{week_id}",
    label=N_("Remove a week from a program"),
    confirm=_programs.ask_remove_week,
    undo=SNAPSHOT,
)
def remove_week(context: Context, args: OneWeek) -> Done:
    """Remove a week with its placed workouts; later weeks move up."""
    gone = service.remove_week(context.session, args.program_id, args.week_id)
    return _programs.week_removed(context, args.program_id, gone)


@tool(
    Effect.WRITE,
    "POST /programs/{program_id}/days/{day_id}/workouts",
    label=N_("Put a workout into a program"),
    undo="remove_workout",
)
def add_workout(context: Context, args: PlaceWorkout) -> Done:
    """Place a workout on a day of a program."""
    made = placing.add_workout(
        context.session,
        context.actor,
        args.program_id,
        args.day_id,
        args.workout_id,
        position=args.position,
    )
    return _programs.placed("programs.add_workout", context, args.program_id, made)


@tool(
    Effect.WRITE,
    "POST /programs/{program_id}/workouts/{slot_id}/move",
    label=N_("Move a workout in a program"),
    undo=SNAPSHOT,
)
def move_workout(context: Context, args: MoveSlot) -> Done:
    """Move a placed workout to another week or day of its program."""
    moved = placing.move_workout(
        context.session,
        args.program_id,
        args.slot_id,
        to_week=args.to_week,
        to_day=args.to_day,
    )
    return _programs.placed("programs.move_workout", context, args.program_id, moved)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /programs/{program_id}/workouts/{slot_id}",
    label=N_("Take a workout out of a program"),
    confirm=_programs.ask_remove_workout,
    undo=SNAPSHOT,
)
def remove_workout(context: Context, args: OneSlot) -> Done:
    """Take a placed workout off its day; the workout itself stays."""
    gone = placing.remove_workout(context.session, args.program_id, args.slot_id)
    return _programs.placed("programs.remove_workout", context, args.program_id, gone)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /programs/{program_id}",
    label=N_("Delete a program"),
    confirm=_programs.ask_delete,
    undo=SNAPSHOT,
)
def delete(context: Context, args: DeleteProgram) -> Done:
    """Delete a program; whoever has it keeps their copy, or it is cancelled for them."""
    today = today_of(context)
    gone = ending.delete_program(
        context.session, args.program_id, args.on_active_assignments, today=today
    )
    return _programs.deleted(gone)


@tool(Effect.READ, "GET /programs", label=N_("List programs"), quick=True)
def list(context: Context, args: Programs) -> Table:  # noqa: A001 - the action's name
    """List training programs with length, level, status and how many people are on each."""
    found = queries.programs(context.session, args.wanted, cut=args.cut)
    return listing(Line(key="programs.list.title"), _programs.COLUMNS, found, _programs.row)
