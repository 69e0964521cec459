"""Assignments: programs and workouts as members have them, day by day."""

from uuid import UUID

from app.programs.queries import assignments as queries
from app.programs.service import assigning, ending, moving
from i18n import N_
from tools.catalog import _assignments
from tools.catalog._assignment_args import (
    Assignments,
    Cancelling,
    Completing,
    Compliance,
    CreateAssignment,
    CreateMany,
    Marking,
    Overview,
    Pausing,
    Resuming,
    ShowAssignment,
    UpdateAssignment,
)
from tools.catalog._cards import listing
from tools.catalog._when import today_of
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import SNAPSHOT, Context, Effect, Item, Started, tool
from tools.kit.values import Line


def assign_one(context: Context, args: CreateMany, item: Item) -> None:
    """One member's copy."""
    copy = assigning.copy_of(context.session, context.actor, args.wish, today=today_of(context))
    assigning.assign(context.session, context.actor, UUID(item.id), copy)


@tool(
    Effect.READ,
    "GET /assignments/{assignment_id}",
    label=N_("Show an assigned program"),
    quick=True,
)
def get(context: Context, args: ShowAssignment) -> Facts:
    """Show one assignment with its calendar and the status of each day."""
    view = queries.assignment_view(context.session, args.assignment_id, today=today_of(context))
    return _assignments.facts(context, view, args.from_date)


@tool(
    Effect.READ,
    "GET /assignments/coach-overview",
    label=N_("Show a coach's people"),
    quick=True,
)
def coach_overview(context: Context, args: Overview) -> Facts:
    """Show a coach's people with compliance, last activity and who needs attention."""
    return _assignments.overview(context, args)


@tool(
    Effect.READ,
    "GET /assignments/{assignment_id}/compliance",
    label=N_("Show how much was done"),
    quick=True,
)
def get_compliance(context: Context, args: Compliance) -> Facts:
    """Show planned, done and missed workouts and the compliance of an assignment."""
    return _assignments.compliance(context, args)


@tool(Effect.WRITE, "POST /assignments", label=N_("Assign a program"), undo="cancel")
def create(context: Context, args: CreateAssignment) -> Done:
    """Assign a program or a single workout to one member; later changes don't reach it."""
    made = assigning.create(
        context.session, context.actor, args.member_id, args.wish, today=today_of(context)
    )
    return _assignments.moved("assignments.create", context, made)


@tool(
    Effect.WRITE,
    "POST /assignments/bulk",
    label=N_("Assign a program to many"),
    confirm=_assignments.ask_many,
    always=True,
    undo=SNAPSHOT,
    step=assign_one,
)
def bulk_create(context: Context, args: CreateMany) -> Started:
    """Assign the same program or workout to many members."""
    return _assignments.many(_assignments.plan_many(context, args))


@tool(
    Effect.WRITE,
    "PATCH /assignments/{assignment_id}",
    label=N_("Change an assigned program"),
    undo=SNAPSHOT,
)
def update(context: Context, args: UpdateAssignment) -> Done:
    """Change dates, training days, coach or notes of an assignment; what is over stays."""
    view = moving.update(
        context.session,
        args.assignment_id,
        args.changes,
        today=today_of(context),
        expected_version=args.expected_version,
    )
    return _assignments.moved("assignments.update", context, view)


@tool(
    Effect.WRITE,
    "POST /assignments/{assignment_id}/pause",
    label=N_("Pause an assigned program"),
    undo="resume",
)
def pause(context: Context, args: Pausing) -> Done:
    """Pause an assignment from today on: its days don't count, what is left moves."""
    view = moving.pause(
        context.session,
        context.actor,
        args.assignment_id,
        today=today_of(context),
        until=args.until,
        reason=args.reason,
    )
    return _assignments.paused(view)


@tool(
    Effect.WRITE,
    "POST /assignments/{assignment_id}/resume",
    label=N_("Resume an assigned program"),
    undo="pause",
)
def resume(context: Context, args: Resuming) -> Done:
    """Resume a paused assignment; what is left goes on from that day."""
    view = moving.resume(
        context.session,
        context.actor,
        args.assignment_id,
        today=today_of(context),
        on=args.resume_on,
    )
    return _assignments.moved("assignments.resume", context, view)


@tool(
    Effect.WRITE,
    "POST /assignments/{assignment_id}/complete",
    label=N_("Complete an assigned program"),
    undo=SNAPSHOT,
)
def complete(context: Context, args: Completing) -> Done:
    """Mark an assignment finished, early or on time; what was ahead is excused."""
    gone = ending.complete(
        context.session,
        args.assignment_id,
        today=today_of(context),
        on=args.completed_on,
        summary=args.summary,
    )
    return _assignments.ended("assignments.complete", gone)


@tool(
    Effect.WRITE,
    "PUT /assignments/{assignment_id}/days/{assignment_day_id}/status",
    label=N_("Mark an assigned day"),
    undo=SNAPSHOT,
)
def set_workout_status(context: Context, args: Marking) -> Done:
    """Mark one assigned day done, partial, skipped, missed or excused."""
    made = ending.mark(
        context.session,
        args.assignment_id,
        args.assignment_day_id,
        args.mark,
        now=context.now,
        today=today_of(context),
        expected_version=args.expected_version,
    )
    return _assignments.marked(made)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /assignments/{assignment_id}",
    label=N_("Cancel an assigned program"),
    confirm=_assignments.ask_cancel,
    undo=SNAPSHOT,
)
def cancel(context: Context, args: Cancelling) -> Done:
    """Cancel an assignment and remove its days ahead; what was done stays."""
    gone = ending.cancel(
        context.session,
        context.actor,
        args.assignment_id,
        today=today_of(context),
        reason=args.reason,
    )
    return _assignments.ended("assignments.cancel", gone)


@tool(Effect.READ, "GET /assignments", label=N_("List assigned programs"), quick=True)
def list(context: Context, args: Assignments) -> Table:  # noqa: A001 - the action's name
    """List assignments by member, program, coach or status."""
    found = queries.assignments(context.session, args.wanted, today=today_of(context), cut=args.cut)
    title = Line(key="assignments.list.title")
    return listing(title, _assignments.COLUMNS, found, _assignments.row)
