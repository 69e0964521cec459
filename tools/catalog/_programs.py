"""Cards of programs: what is shown, asked and told."""

from uuid import UUID

from app.programs.body import EVERY_LIFT
from app.programs.queries import programs as queries
from app.programs.service import ending, programs
from app.programs.service.ending import OnAssigned, ProgramDeleted
from app.programs.terms import Weekday
from app.programs.views import DayView, ProgramView, SlotView, WeekView
from app.studio import queries as studio
from tools.catalog._cards import facts_of
from tools.catalog._program_args import DeleteProgram, OneSlot, OneWeek, ShowProgram
from tools.kit.cards import Confirm, Done, Facts, Option, Pick, Ref, Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Count, Line, Name, Names, Percent, Quote, Term, Value

COLUMNS = (
    "label.program",
    "label.weeks",
    "label.level",
    "label.status",
    "label.people_on_it",
    "label.author",
)
_FATES = {
    OnAssigned.KEEP_COPIES: "note.program_keep_copies",
    OnAssigned.CANCEL: "note.program_cancel",
}
_WEEK_COLUMNS = ("label.number", "label.focus", "label.training_days", "label.workouts")
_DAY_COLUMNS = ("label.day", "label.rest_day", "label.workouts")
_SLOT_COLUMNS = ("label.day", "label.workout", "label.load_change")


def values(view: ProgramView) -> dict[str, Value]:
    """The names that every card about a program uses."""
    return {
        "program": Name(text=view.title),
        "weeks": Count(n=view.weeks, of="weeks"),
        "level": Term(key=f"level.{view.level}"),
        "status": Term(key=f"program.{view.status}"),
        "people": view.people,
    }


def ref(view: ProgramView) -> Ref:
    return Ref(entity="program", id=view.id, version=view.version)


def row(view: ProgramView) -> TableRow:
    named = values(view)
    owner = Name(text=view.owner) if view.owner else None
    cells = (*(named[name] for name in ("program", "weeks", "level", "status", "people")), owner)
    return TableRow(id=str(view.id), cells=cells)


def weekday(day_no: int, week_start: int) -> Term:
    """The day of a program by its name, as the gym's week has it."""
    return Term(key=f"weekday.{list(Weekday)[(week_start + day_no - 1) % 7]}")


def load_change(loads: dict[str, int]) -> Percent | None:
    """How much heavier than written all of it is; a lift's own change is told with its loads."""
    return Percent(value=loads[EVERY_LIFT]) if EVERY_LIFT in loads else None


def facts(context: Context, args: ShowProgram) -> Facts:
    view = queries.program_view(context.session, args.program_id)
    told: dict[str, Value | None] = {
        "label.weeks": view.weeks,
        "label.level": Term(key=f"level.{view.level}"),
        "label.status": Term(key=f"program.{view.status}"),
        "label.goal": Name(text=view.goal) if view.goal else None,
        "label.description": Quote(text=view.description) if view.description else None,
        "label.people_on_it": view.people,
        "label.author": Name(text=view.owner) if view.owner else None,
    }
    return Facts(
        title=Line(key="programs.get.title", values={"program": Name(text=view.title)}),
        facts=facts_of(told),
        tables=_tables(context, view, args.week),
        ref=ref(view),
    )


def done(of: str, view: ProgramView, *notes: Line) -> Done:
    return Done(of=of, values=values(view), notes=notes, ref=ref(view))


def week_added(context: Context, program_id: UUID, week: WeekView) -> Done:
    return Done(
        of="programs.add_week",
        values=_week_values(queries.program_view(context.session, program_id), week),
        ref=Ref(entity="week", id=week.id),
    )


def ask_remove_week(context: Context, args: OneWeek) -> Confirm:
    week = programs.check_remove_week(context.session, args.program_id, args.week_id)
    view = queries.program_view(context.session, args.program_id)
    gone = Names(all=tuple(slot.title for slot in week.slots))
    return Confirm(
        of="programs.remove_week",
        values=_week_values(view, week),
        effects=(Line(key="programs.remove_week.effect", values={"names": gone}), *_copies(view)),
        ref=Ref(entity="program", id=view.id),
    )


def week_removed(context: Context, program_id: UUID, week: WeekView) -> Done:
    view = queries.program_view(context.session, program_id)
    return Done(of="programs.remove_week", values=_week_values(view, week), ref=ref(view))


def placed(of: str, context: Context, program_id: UUID, slot: SlotView) -> Done:
    """A workout on its day; the ref is the place that it has."""
    view = queries.program_view(context.session, program_id)
    return Done(of=of, values=_slot_values(context, view, slot), ref=Ref(entity="slot", id=slot.id))


def ask_remove_workout(context: Context, args: OneSlot) -> Confirm:
    slot = queries.slot(context.session, args.program_id, args.slot_id)
    view = queries.program_view(context.session, args.program_id)
    return Confirm(
        of="programs.remove_workout",
        values=_slot_values(context, view, slot),
        effects=(Line(key="programs.remove_workout.effect"), *_copies(view)),
        ref=Ref(entity="slot", id=slot.id),
    )


def ask_delete(context: Context, args: DeleteProgram) -> Confirm | Pick:
    """What comes of those who have it is theirs to say, where nobody has said it yet."""
    gone = ending.check_delete(context.session, args.program_id)
    fate = args.on_active_assignments
    if gone.people and fate is None:
        return _which_fate(gone)
    effects = [Line(key="programs.delete.effect_workouts")]
    if gone.people and fate is not None:
        people = Names(all=gone.people)
        effects = [Line(key=f"programs.delete.effect_{fate}", values={"names": people}), *effects]
    return Confirm(
        of="programs.delete",
        values=values(gone.program),
        effects=tuple(effects),
        ref=ref(gone.program),
    )


def deleted(gone: ProgramDeleted) -> Done:
    named: dict[str, Value] = {"names": Names(all=gone.people)}
    notes = (Line(key=_FATES[gone.fate], values=named),) if gone.fate else ()
    return Done(of="programs.delete", values=values(gone.program), notes=notes)


def _which_fate(gone: ProgramDeleted) -> Pick:
    named: dict[str, Value] = {**values(gone.program), "names": Names(all=gone.people)}
    return Pick(
        ask=Line(key="programs.delete.in_use", values=named),
        options=tuple(
            Option(
                id=fate.value,
                label=Line(key=f"programs.delete.option_{fate}"),
                patch={"on_active_assignments": fate.value},
            )
            for fate in OnAssigned
        ),
    )


def _tables(context: Context, view: ProgramView, number: int | None) -> tuple[Table, ...]:
    if number is None:
        weeks = queries.weeks(context.session, view.id)
        return (_table("programs.get.weeks", _WEEK_COLUMNS, tuple(map(_week_row, weeks))),)
    start = studio.org(context.session, context.actor.org_id).week_start
    week = queries.week(context.session, view.id, number)
    days = tuple(_day_row(day, start) for day in week.days)
    slots = tuple(_slot_row(slot, start) for slot in week.slots)
    return (
        _table("programs.get.week", _DAY_COLUMNS, days, number),
        _table("programs.get.workouts", _SLOT_COLUMNS, slots, number),
    )


def _table(
    key: str, columns: tuple[str, ...], rows: tuple[TableRow, ...], number: int | None = None
) -> Table:
    title = Line(key=key, values={} if number is None else {"number": number})
    return Table(title=title, columns=columns, rows=rows, total=len(rows))


def _week_row(week: WeekView) -> TableRow:
    workouts = Names(all=tuple(slot.title for slot in week.slots)) if week.slots else None
    cells = (
        week.number,
        Name(text=week.focus) if week.focus else None,
        sum(not day.is_rest for day in week.days),
        workouts,
    )
    return TableRow(id=str(week.id), cells=cells)


def _day_row(day: DayView, week_start: int) -> TableRow:
    cells = (weekday(day.day_no, week_start), day.is_rest, len(day.slots) or None)
    return TableRow(id=str(day.id), cells=cells)


def _slot_row(slot: SlotView, week_start: int) -> TableRow:
    cells = (weekday(slot.day_no, week_start), Name(text=slot.title), load_change(slot.loads))
    return TableRow(id=str(slot.id), cells=cells)


def _week_values(view: ProgramView, week: WeekView) -> dict[str, Value]:
    return {
        "program": Name(text=view.title),
        "number": week.number,
        "workouts": len(week.slots),
        "weeks": Count(n=view.weeks, of="weeks"),
    }


def _slot_values(context: Context, view: ProgramView, slot: SlotView) -> dict[str, Value]:
    start = studio.org(context.session, context.actor.org_id).week_start
    return {
        "workout": Name(text=slot.title),
        "program": Name(text=view.title),
        "number": slot.week_no,
        "day": weekday(slot.day_no, start),
    }


def _copies(view: ProgramView) -> tuple[Line, ...]:
    """Whoever was given the program has it as it was."""
    if not view.people:
        return ()
    return (Line(key="note.copies_stay", values={"people": view.people}),)
