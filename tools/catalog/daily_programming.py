"""Daily programming: the workout of the day of each kind of class."""

from app.programs.service import daily as service
from i18n import N_
from tools.catalog import _daily_programming
from tools.catalog._daily_args import (
    CopyWeek,
    OneDaily,
    OneDay,
    OneWeekOfDays,
    SetDaily,
    UpdateDaily,
)
from tools.kit.cards import Done, Table, WorkoutCard
from tools.kit.declare import SNAPSHOT, Context, Effect, tool


@tool(
    Effect.READ,
    "GET /daily-programming/{date}",
    label=N_("Show the workout of the day"),
    quick=True,
)
def get_day(context: Context, args: OneDay) -> Table | WorkoutCard:
    """Show the workout of the day of each kind of class on a date; ids are of class types."""
    return _daily_programming.day(context, args)


@tool(
    Effect.READ,
    "GET /daily-programming",
    label=N_("Show a week's programming"),
    quick=True,
)
def get_week(context: Context, args: OneWeekOfDays) -> Table:
    """Show a week of programming and the days still empty; ids are of class types."""
    return _daily_programming.week(context, args)


@tool(
    Effect.WRITE,
    "PUT /daily-programming/{date}/{class_type_id}",
    label=N_("Set the workout of the day"),
    undo="clear",
)
def set(context: Context, args: SetDaily) -> Done:  # noqa: A001 - the action's name
    """Set the workout of the day for a kind of class and a date; a draft unless published."""
    new = args.new(_daily_programming.publish_time(context, args.publish_at))
    made = service.put(
        context.session,
        context.actor,
        new,
        now=context.now,
        expected_version=args.expected_version,
    )
    return _daily_programming.done("daily_programming.set", context, made)


@tool(
    Effect.WRITE,
    "PATCH /daily-programming/{date}/{class_type_id}",
    label=N_("Change the workout of the day"),
    undo=SNAPSHOT,
)
def update(context: Context, args: UpdateDaily) -> Done:
    """Change when a programmed day is published, or its notes; what is left out stays."""
    view = service.update(
        context.session,
        context.actor,
        args.key,
        args.changes(_daily_programming.publish_time(context, args.publish_at)),
        now=context.now,
        expected_version=args.expected_version,
    )
    return _daily_programming.done("daily_programming.update", context, view)


@tool(
    Effect.WRITE,
    "POST /daily-programming/copy-week",
    label=N_("Copy a week's programming"),
    confirm=_daily_programming.ask_copy,
    always=True,
    undo=SNAPSHOT,
)
def copy_week(context: Context, args: CopyWeek) -> Done:
    """Copy one week of programming onto another week, as drafts."""
    plan = service.copy_week(
        context.session,
        context.actor,
        args.weeks,
        args.class_type_ids,
        overwrite=args.overwrite,
        now=context.now,
    )
    return _daily_programming.copied(plan)


@tool(
    Effect.WRITE,
    "POST /daily-programming/{date}/{class_type_id}/publish",
    label=N_("Publish the workout of the day"),
    undo="unpublish",
)
def publish(context: Context, args: OneDaily) -> Done:
    """Make a programmed day visible to members now."""
    view = service.publish(context.session, context.actor, args.key, now=context.now)
    return _daily_programming.done("daily_programming.publish", context, view)


@tool(
    Effect.WRITE,
    "POST /daily-programming/{date}/{class_type_id}/unpublish",
    label=N_("Hide the workout of the day"),
    undo="publish",
)
def unpublish(context: Context, args: OneDaily) -> Done:
    """Hide a published day again, or take its publish time away."""
    view = service.unpublish(context.session, context.actor, args.key, now=context.now)
    return _daily_programming.done("daily_programming.unpublish", context, view)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /daily-programming/{date}/{class_type_id}",
    label=N_("Clear the workout of the day"),
    confirm=_daily_programming.ask_clear,
    undo=SNAPSHOT,
)
def clear(context: Context, args: OneDaily) -> Done:
    """Take the workout of the day off its date; the workout itself stays."""
    gone = service.clear(context.session, context.actor, args.key, now=context.now)
    return _daily_programming.done("daily_programming.clear", context, gone)
