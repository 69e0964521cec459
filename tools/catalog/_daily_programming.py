"""Cards of the workout of the day: what is shown, asked and told."""

from datetime import datetime, timedelta

from app.programs.queries import daily as queries
from app.programs.queries.daily import Days
from app.programs.service import daily as service
from app.programs.service.daily import WeekCopy
from app.programs.terms import DailyStatus
from app.programs.views import DailyView
from tools.catalog import _workouts
from tools.catalog._daily_args import CopyWeek, OneDaily, OneDay, OneWeekOfDays
from tools.catalog._when import today_of, zone_of
from tools.kit.cards import Confirm, Done, Table, TableRow, WorkoutCard
from tools.kit.declare import Context
from tools.kit.values import Count, Day, Instant, Line, Name, Names, Quote, Span, Term, Value

_DAY_COLUMNS = (
    "label.class_type",
    "label.workout",
    "label.status",
    "label.publish_at",
    "label.member_notes",
    "label.coach_notes",
)
_WEEK_COLUMNS = ("label.date", "label.class_type", "label.workout", "label.status")


def values(context: Context, view: DailyView) -> dict[str, Value]:
    """The names that every card about a day uses; `at` where it waits for its time."""
    named: dict[str, Value] = {
        "class": Name(text=view.class_type),
        "date": Day(date=view.day),
        "workout": Name(text=view.workout or ""),
        "status": Term(key=f"daily.{view.status}"),
    }
    at = _publish_at(context, view)
    return named if at is None else {**named, "at": at}


def done(of: str, context: Context, view: DailyView, *notes: Line) -> Done:
    return Done(of=of, values=values(context, view), notes=notes)


def publish_time(context: Context, local: datetime | None) -> datetime | None:
    """The instant that a local time means."""
    if local is None:
        return None
    return service.publish_time(context.session, context.actor, local, now=context.now)


def day(context: Context, args: OneDay) -> Table | WorkoutCard:
    """The workout itself where it is the only one, else what each kind of class has."""
    days = Days(args.date, args.date, args.class_type_id)
    found = queries.with_gaps(context.session, days, context.actor.language, now=context.now)
    whole = _whole(context, found[0]) if len(found) == 1 else None
    if whole is not None:
        return whole
    title = Line(key="daily_programming.get_day.title", values={"date": Day(date=args.date)})
    rows = tuple(_day_row(context, one) for one in found)
    return Table(title=title, columns=_DAY_COLUMNS, rows=rows, total=len(rows))


def week(context: Context, args: OneWeekOfDays) -> Table:
    today = today_of(context)
    first = service.week_of(context.session, context.actor, args.week_start or today)
    days = Days.week_from(first, args.class_type_id)
    found = queries.with_gaps(context.session, days, context.actor.language, now=context.now)
    span: dict[str, Value] = {"dates": Span(start=days.first, end=days.last)}
    rows = tuple(map(_week_row, found))
    return Table(
        title=Line(key="daily_programming.get_week.title", values=span),
        columns=_WEEK_COLUMNS,
        rows=rows,
        total=len(rows),
    )


def ask_clear(context: Context, args: OneDaily) -> Confirm:
    view = queries.daily_view(
        context.session, args.date, args.class_type_id, context.actor.language, now=context.now
    )
    seen = "seen" if view.status is DailyStatus.PUBLISHED else "unseen"
    return Confirm(
        of="daily_programming.clear",
        values=values(context, view),
        effects=(Line(key=f"daily_programming.clear.effect_{seen}"),),
    )


def ask_copy(context: Context, args: CopyWeek) -> Confirm:
    plan = service.plan_copy(
        context.session,
        context.actor,
        args.weeks,
        args.class_type_ids,
        overwrite=args.overwrite,
        now=context.now,
    )
    return Confirm(
        of="daily_programming.copy_week", values=_copy_values(plan), effects=_copy_notes(plan)
    )


def copied(plan: WeekCopy) -> Done:
    return Done(
        of="daily_programming.copy_week", values=_copy_values(plan), notes=_copy_notes(plan)
    )


def _whole(context: Context, view: DailyView) -> WorkoutCard | None:
    """None where nothing is set, or somebody else keeps the workout to themselves."""
    if view.workout_id is None:
        return None
    named: dict[str, Value] = {"date": Day(date=view.day), "workout": Name(text=view.workout or "")}
    told: dict[str, Value | None] = {
        "label.class_type": Name(text=view.class_type),
        "label.status": Term(key=f"daily.{view.status}"),
        "label.publish_at": _publish_at(context, view),
        "label.notes_of_the_day": Quote(text=view.member_notes) if view.member_notes else None,
        "label.team_notes_of_the_day": Quote(text=view.coach_notes) if view.coach_notes else None,
    }
    line = Line(key="daily_programming.get_day.one", values=named)
    return _workouts.placed(context, view.workout_id, line, told)


def _publish_at(context: Context, view: DailyView) -> Instant | None:
    if view.status is not DailyStatus.SCHEDULED or view.publish_at is None:
        return None
    zone = zone_of(context)
    return Instant(at=view.publish_at, zone=zone)


def _day_row(context: Context, view: DailyView) -> TableRow:
    """Addressed by its class type: the day is the table's."""
    cells = (
        Name(text=view.class_type),
        Name(text=view.workout) if view.workout else None,
        Term(key=f"daily.{view.status}"),
        _publish_at(context, view),
        Quote(text=view.member_notes) if view.member_notes else None,
        Quote(text=view.coach_notes) if view.coach_notes else None,
    )
    return TableRow(id=str(view.class_type_id), cells=cells)


def _week_row(view: DailyView) -> TableRow:
    cells = (
        Day(date=view.day),
        Name(text=view.class_type),
        Name(text=view.workout) if view.workout else None,
        Term(key=f"daily.{view.status}"),
    )
    return TableRow(id=str(view.class_type_id), cells=cells)


def _copy_values(plan: WeekCopy) -> dict[str, Value]:
    days = timedelta(days=6)
    return {
        "from": Span(start=plan.source, end=plan.source + days),
        "to": Span(start=plan.target, end=plan.target + days),
        "days": Count(n=len(plan.added) + len(plan.replaced), of="workouts"),
    }


def _copy_notes(plan: WeekCopy) -> tuple[Line, ...]:
    """What goes there, in place of what, and what stays."""
    parts = {
        "note.week_added": plan.added,
        "note.week_replaced": plan.replaced,
        "note.week_kept": plan.kept,
    }
    return tuple(
        Line(key=key, values={"names": _titles(some)}) for key, some in parts.items() if some
    )


def _titles(some: tuple[DailyView, ...]) -> Names:
    return Names(all=tuple(f"{one.class_type}: {one.workout}" for one in some))
