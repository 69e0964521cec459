"""Workouts: reading them from text, building them, and putting down what was scored."""

from app.programs.service import dropping
from app.workouts.service import exercises, results
from app.workouts.service import workouts as service
from i18n import N_
from tools.catalog import _workout_results, _workouts
from tools.catalog._workout_args import (
    AddExercise,
    ChangeMovement,
    ChangePart,
    ChangeWorkout,
    CopyWorkout,
    CreateWorkout,
    DeleteWorkout,
    LogResult,
    NewPart,
    OnePart,
    ReadText,
    Results,
    ShowWorkout,
    Workouts,
)
from tools.kit.cards import Done, Table, WorkoutCard
from tools.kit.declare import SNAPSHOT, Context, Effect, tool


@tool(Effect.READ, "GET /workouts/{workout_id}", label=N_("Show a workout"), quick=True)
def get(context: Context, args: ShowWorkout) -> WorkoutCard:
    """Show a workout with its sections, movements, loads and scaling; for a member, in weights."""
    return _workouts.shown(context, args)


@tool(Effect.READ, "POST /workouts/parse", label=N_("Read a workout text"))
def parse_text(context: Context, args: ReadText) -> WorkoutCard:
    """Turn a pasted workout text into sections without saving; says what is assumed or unread."""
    return _workouts.read(context, args)


@tool(
    Effect.READ,
    "GET /workouts/{workout_id}/results",
    label=N_("Show a leaderboard"),
    quick=True,
)
def list_results(context: Context, args: Results) -> Table:
    """Show the results logged for a workout, the best first."""
    return _workout_results.leaderboard(context, args)


@tool(Effect.WRITE, "POST /workouts", label=N_("Save a workout"), undo="delete")
def create(context: Context, args: CreateWorkout) -> Done:
    """Create a workout from sections, or straight from its text."""
    return _workouts.created(context, args)


@tool(Effect.WRITE, "PATCH /workouts/{workout_id}", label=N_("Change a workout"), undo=SNAPSHOT)
def update(context: Context, args: ChangeWorkout) -> Done:
    """Change a workout's title, notes, tags or status, or replace its whole body."""
    view = service.update_workout(
        context.session,
        context.actor,
        args.workout_id,
        args.changes,
        expected_version=args.expected_version,
    )
    return _workouts.done("workouts.update", view)


@tool(
    Effect.WRITE, "POST /workouts/{workout_id}/duplicate", label=N_("Copy a workout"), undo="delete"
)
def duplicate(context: Context, args: CopyWorkout) -> Done:
    """Copy a workout under a new title."""
    made = service.duplicate(context.session, context.actor, args.workout_id, args.title)
    return _workouts.done("workouts.duplicate", made)


@tool(
    Effect.WRITE,
    "POST /workouts/{workout_id}/sections",
    label=N_("Add a section"),
    undo="remove_section",
)
def add_section(context: Context, args: NewPart) -> Done:
    """Add a section such as warm-up, strength or metcon at a position."""
    made = service.add_section(
        context.session, context.actor, args.workout_id, args.section, args.position
    )
    return _workouts.part_done("workouts.add_section", context, args.workout_id, made)


@tool(
    Effect.WRITE,
    "PATCH /workouts/{workout_id}/sections/{section_id}",
    label=N_("Change a section"),
    undo=SNAPSHOT,
)
def update_section(context: Context, args: ChangePart) -> Done:
    """Change a section's title, scheme, score or notes, or replace its movements."""
    view = service.update_section(
        context.session,
        context.actor,
        args.workout_id,
        args.section_id,
        args.changes,
        expected_version=args.expected_version,
    )
    return _workouts.part_done("workouts.update_section", context, args.workout_id, view)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /workouts/{workout_id}/sections/{section_id}",
    label=N_("Remove a section"),
    confirm=_workouts.ask_remove_part,
    undo=SNAPSHOT,
)
def remove_section(context: Context, args: OnePart) -> Done:
    """Remove a section and its movements from a workout."""
    gone = service.remove_section(context.session, context.actor, args.workout_id, args.section_id)
    return _workouts.part_done("workouts.remove_section", context, args.workout_id, gone)


@tool(
    Effect.WRITE,
    "PATCH /workouts/{workout_id}/movements/{movement_id}",
    label=N_("Change a movement"),
    undo=SNAPSHOT,
)
def update_movement(context: Context, args: ChangeMovement) -> Done:
    """Change the reps, load, distance, tempo or exercise of one movement."""
    view = service.update_movement(
        context.session,
        context.actor,
        args.workout_id,
        args.movement_id,
        args.changes,
        expected_version=args.expected_version,
    )
    return _workouts.movement_done(context, args.workout_id, view.movement, view.id)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /workouts/{workout_id}",
    label=N_("Delete a workout"),
    confirm=_workouts.ask_delete,
    undo=SNAPSHOT,
)
def delete(context: Context, args: DeleteWorkout) -> Done:
    """Delete a workout; refused while it is scheduled, assigned or scored unless force is set."""
    view, _ = dropping.delete_workout(
        context.session, context.actor, args.workout_id, force=args.force
    )
    return _workouts.deleted(view)


@tool(Effect.WRITE, "POST /workouts/{workout_id}/results", label=N_("Log a result"), undo=SNAPSHOT)
def log_result(context: Context, args: LogResult) -> Done:
    """Record a member's score for a workout; tells if it is their best so far."""
    made = results.log_result(context.session, context.actor, args.new, now=context.now)
    return _workout_results.logged(context, made)


@tool(Effect.WRITE, "POST /exercises", label=N_("Add an exercise"), undo=SNAPSHOT)
def create_exercise(context: Context, args: AddExercise) -> Done:
    """Add an exercise of the gym's own, with its aliases, to the library."""
    id_, known = exercises.create_exercise(context.session, context.actor, args.new)
    return _workout_results.exercise_added(context, id_, known)


@tool(Effect.READ, "GET /workouts", label=N_("List workouts"), quick=True)
def list(context: Context, args: Workouts) -> Table:  # noqa: A001 - the action's name
    """List or search workouts by title, tag, scheme, author or status."""
    return _workouts.listed(context, args)
