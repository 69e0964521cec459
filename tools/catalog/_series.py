"""Cards of repeating classes: what a series comes to, and what is done to all of it."""

from collections.abc import Iterable
from datetime import date
from typing import Final
from uuid import UUID

from app.bookings import service
from app.bookings.service import SeriesGone, SeriesMove
from app.schedule import queries
from app.schedule import service as schedule
from app.schedule.service import SeriesPlan
from app.schedule.times import Slot
from tools.catalog._cards import moment, session_ref, session_values, time_notes
from tools.catalog._holidays import holiday_lines
from tools.catalog._session_args import Deleting, NewSeries, NewTime
from tools.kit.cards import Confirm, Done, Ref
from tools.kit.declare import Context
from tools.kit.values import Count, Day, Hours, Line, Name, Names, Span, Term, Terms, Value

DAYS_SHOWN: Final = 8


def ask_create(context: Context, args: NewSeries) -> Confirm:
    plan = schedule.plan_series(context.session, context.actor, args.new, now=context.now)
    return Confirm(
        of="class_sessions.create_series",
        values=_values(args, plan),
        effects=(_made(plan), *_same(plan), *_left_out(plan.skipped), *_when(context, plan.slots)),
    )


def created(context: Context, args: NewSeries, made: tuple[UUID, SeriesPlan]) -> Done:
    series_id, plan = made
    return Done(
        of="class_sessions.create_series",
        values=_values(args, plan),
        notes=(_made(plan), *_when(context, plan.slots)),
        ref=Ref(entity="session_series", id=series_id),
    )


def ask_move(context: Context, args: NewTime) -> Confirm:
    move = service.preview_move_series(
        context.session,
        context.actor,
        args.class_session_id,
        args.to,
        args.scope,
        now=context.now,
    )
    told = Line(key="class_sessions.reschedule.effect", values={"told": move.told})
    return Confirm(
        of="class_sessions.reschedule",
        values=_moves(move),
        effects=(*((told,) if move.told else ()), *_move_notes(context, move)),
        ref=session_ref(move.anchor),
    )


def moved(context: Context, args: NewTime) -> Done:
    move = service.move_series(
        context.session,
        context.actor,
        args.class_session_id,
        args.to,
        args.scope,
        now=context.now,
    )
    return Done(
        of="class_sessions.reschedule",
        values=_moves(move),
        notes=_move_notes(context, move),
        ref=session_ref(move.anchor),
    )


def ask_delete(context: Context, args: Deleting) -> Confirm:
    gone = service.preview_delete_series(
        context.session, context.actor, args.class_session_id, args.scope, now=context.now
    )
    return Confirm(
        of="class_sessions.delete",
        values=_goes(gone),
        effects=_kept(gone),
        ref=session_ref(gone.anchor),
    )


def deleted(context: Context, args: Deleting) -> Done:
    gone = service.delete_series(
        context.session, context.actor, args.class_session_id, args.scope, now=context.now
    )
    return Done(of="class_sessions.delete", values=_goes(gone), notes=_kept(gone))


def repeats(context: Context, series_id: UUID | None) -> dict[str, Value | None]:
    """What a class says of the series that it belongs to."""
    if series_id is None:
        return {}
    series = queries.series(context.session, series_id)
    return {
        "label.repeats": _weekdays(series.weekdays),
        "label.repeats_until": Day(date=series.until),
    }


def _weekdays(days: Iterable[int]) -> Terms:
    return Terms(keys=tuple(f"weekday.{day}" for day in sorted(set(days))))


def _values(args: NewSeries, plan: SeriesPlan) -> dict[str, Value]:
    first, *_, last = (plan.slots[0], *plan.slots)
    return {
        "class": Name(text=plan.title),
        "weekdays": _weekdays(args.weekdays),
        "hours": Hours(start=first.start, end=first.end),
        "span": Span(start=first.date, end=last.date),
        "classes": Count(n=len(plan.slots), of="classes"),
        "coach": Name(text=plan.coach) if plan.coach else Term(key="session.no_coach"),
        "capacity": plan.capacity,
    }


def _made(plan: SeriesPlan) -> Line:
    """How many are on the schedule at once; the others are made as their day comes near."""
    counts = {"made": plan.made, "later": len(plan.slots) - plan.made}
    key = "note.series_made" if counts["later"] else "note.series_whole"
    return Line(key=key, values={**counts})


def _same(plan: SeriesPlan) -> tuple[Line, ...]:
    if not plan.same:
        return ()
    there = Count(n=plan.same, of="classes")
    return (Line(key="note.same_time", values={"classes": there}),)


def _left_out(days: tuple[date, ...]) -> tuple[Line, ...]:
    shown = tuple(
        Line(key="note.day_left_out", values={"day": Day(date=day)}) for day in days[:DAYS_SHOWN]
    )
    more = len(days) - len(shown)
    rest = (Line(key="note.more_days_left_out", values={"days": Count(n=more, of="days")}),)
    return (*shown, *(rest if more > 0 else ()))


def _when(context: Context, slots: tuple[Slot, ...]) -> tuple[Line, ...]:
    """The holidays among them, and the nights on which the clocks show their time twice."""
    doubled = (note for slot in slots for note in time_notes(slot))
    return (*holiday_lines(context, (slot.date for slot in slots)), *doubled)


def _moves(move: SeriesMove) -> dict[str, Value]:
    """`when` is the time before, `new` the one after, of the class that was named."""
    return {
        **session_values(move.anchor),
        "when": moment(move.was),
        "new": moment(move.slot),
        "booked": move.booked,
        "classes": Count(n=len(move.slots), of="classes"),
        "series": True,
    }


def _move_notes(context: Context, move: SeriesMove) -> tuple[Line, ...]:
    span = Span(start=move.slots[0].date, end=move.slots[-1].date)
    all_of_them = Line(key="note.series_span", values={"span": span})
    names = Names(all=move.clashing)
    clashing = (Line(key="note.clashing", values={"names": names}),) if move.clashing else ()
    return (all_of_them, *clashing, *_when(context, move.slots))


def _goes(gone: SeriesGone) -> dict[str, Value]:
    return {
        **session_values(gone.anchor),
        "classes": Count(n=gone.deleted + gone.cancelled, of="classes"),
        "span": Span(start=gone.first, end=gone.last),
        "series": True,
    }


def _kept(gone: SeriesGone) -> tuple[Line, ...]:
    if not gone.cancelled:
        return ()
    kept = Count(n=gone.cancelled, of="classes")
    return (Line(key="note.kept_as_cancelled", values={"classes": kept}),)
