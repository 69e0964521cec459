"""Cards of assignments: what is shown, asked and told."""

from datetime import date, timedelta
from uuid import UUID

from app.core.errors import BadInput
from app.messages.queries import reach
from app.people import queries as people
from app.programs.compliance import Tally
from app.programs.queries import assignments as queries
from app.programs.queries import athletes, lifts
from app.programs.service import assigning, ending
from app.programs.service.assigning import BulkPlan
from app.programs.service.ending import Ended, Marked
from app.programs.terms import DayStatus, Weekday
from app.programs.views import AssignedDay, AssignmentView, Athlete
from app.studio import queries as studio
from tools.catalog import _loads, _programs
from tools.catalog._assignment_args import Cancelling, Compliance, CreateMany, Overview
from tools.catalog._cards import facts_of
from tools.catalog._when import today_of
from tools.kit.cards import Confirm, Done, Facts, Ref, Table, TableRow
from tools.kit.declare import Context, Item, Started
from tools.kit.values import Count, Day, Line, Name, Names, Percent, Quote, Span, Term, Terms, Value

COLUMNS = (
    "label.member",
    "label.program",
    "label.dates",
    "label.status",
    "label.coach",
)
_DAY_COLUMNS = (
    "label.date",
    "label.workout",
    "label.load_change",
    "label.status",
    "label.notes",
)
_ATHLETE_COLUMNS = (
    "label.member",
    "label.program",
    "label.compliance",
    "label.days_due",
    "label.last_done",
    "label.status",
    "label.attention",
)
_SKIPPED = {
    "already_assigned": "note.skipped_already_assigned",
    "member_not_training": "note.skipped_member_not_training",
}
_LOAD_COLUMNS = ("label.date", *_loads.COLUMNS)
_AHEAD = (DayStatus.UPCOMING, DayStatus.DUE)
_LOOK_BACK = timedelta(days=14)
_MOST_DAYS = 60
_MOST_PEOPLE = 50
_COUNTED = {
    "label.day_done": DayStatus.DONE,
    "label.day_partial": DayStatus.PARTIAL,
    "label.day_missed": DayStatus.MISSED,
    "label.day_skipped": DayStatus.SKIPPED,
    "label.day_excused": DayStatus.EXCUSED,
    "label.day_due": DayStatus.DUE,
    "label.day_upcoming": DayStatus.UPCOMING,
}


def values(view: AssignmentView) -> dict[str, Value]:
    """The names that every card about an assignment uses."""
    return {
        "member": Name(text=view.member),
        "program": Name(text=view.title),
        "dates": Span(start=view.start, end=view.end),
        "status": Term(key=f"assignment.{view.status}"),
    }


def ref(view: AssignmentView) -> Ref:
    return Ref(entity="assignment", id=view.id, version=view.version)


def row(view: AssignmentView) -> TableRow:
    named = values(view)
    coach = Name(text=view.coach) if view.coach else None
    cells = (*(named[name] for name in ("member", "program", "dates", "status")), coach)
    return TableRow(id=str(view.id), cells=cells)


def done(of: str, view: AssignmentView, *notes: Line) -> Done:
    return Done(of=of, values=values(view), notes=notes, ref=ref(view))


def moved(of: str, context: Context, view: AssignmentView) -> Done:
    """With the day of the next workout."""
    due = queries.next_due(context.session, view.id, today=today_of(context))
    notes = (Line(key="note.next_workout", values={"date": Day(date=due)}),) if due else ()
    return done(of, view, *notes)


def paused(view: AssignmentView) -> Done:
    until = view.paused_until
    notes = (Line(key="note.paused_until", values={"date": Day(date=until)}),) if until else ()
    return done("assignments.pause", view, *notes)


def facts(context: Context, view: AssignmentView, first: date | None) -> Facts:
    """With its calendar from a day on, or from two weeks ago."""
    tally = queries.compliance(context.session, view.id, None, None, today=today_of(context))
    days = queries.days(context.session, view.id, today=today_of(context))
    since = first or today_of(context) - _LOOK_BACK
    told: dict[str, Value | None] = {
        "label.status": Term(key=f"assignment.{view.status}"),
        "label.paused_until": Day(date=view.paused_until) if view.paused_until else None,
        "label.dates": Span(start=view.start, end=view.end),
        "label.training_days": _weekdays(view.days_of_week),
        "label.coach": Name(text=view.coach) if view.coach else None,
        "label.compliance": Percent(value=tally.percent),
        "label.program_changed": True if view.changed_since else None,
        "label.notes": Quote(text=view.notes) if view.notes else None,
        "label.reason": Name(text=view.reason) if view.reason else None,
        "label.summary": Quote(text=view.summary) if view.summary else None,
    }
    named = values(view)
    return Facts(
        title=Line(
            key="assignments.get.title",
            values={name: named[name] for name in ("member", "program")},
        ),
        facts=facts_of(told),
        tables=(_calendar(days, since), *_next_loads(context, view, days)),
        ref=ref(view),
    )


def compliance(context: Context, args: Compliance) -> Facts:
    view = queries.assignment_view(context.session, args.assignment_id, today=today_of(context))
    tally = queries.compliance(context.session, view.id, *args.span, today=today_of(context))
    named = values(view)
    return Facts(
        title=Line(
            key="assignments.get_compliance.title",
            values={name: named[name] for name in ("member", "program")},
        ),
        facts=facts_of(_counts(tally)),
        ref=ref(view),
    )


def overview(context: Context, args: Overview) -> Facts:
    """A coach's people, below the days of all of them pooled."""
    coach_id = args.coach_id or _own_place(context)
    coach = people.staff(context.session, coach_id)
    org = studio.org(context.session, context.actor.org_id)
    found = athletes.overview(
        context.session,
        coach.id,
        today=today_of(context),
        zone=org.timezone,
        window_days=args.window_days,
        sort=args.sort,
    )
    rows = tuple(map(_athlete_row, found.athletes))
    people_ = Table(
        title=Line(key="assignments.coach_overview.people"),
        columns=_ATHLETE_COLUMNS,
        rows=rows[:_MOST_PEOPLE],
        total=len(rows),
    )
    days = Count(n=args.window_days, of="days")
    return Facts(
        title=Line(
            key="assignments.coach_overview.title",
            values={"coach": Name(text=coach.name), "days": days},
        ),
        facts=facts_of(
            {
                "label.compliance": Percent(value=found.tally.percent),
                "label.days_due": found.tally.due,
            }
        ),
        tables=(people_,),
    )


def ask_many(context: Context, args: CreateMany) -> Confirm:
    plan = plan_many(context, args)
    given = Names(all=tuple(name for _, name in plan.given))
    effects = (
        Line(key="assignments.bulk_create.effect", values={"names": given}),
        *_skipped(plan),
    )
    return Confirm(of="assignments.bulk_create", values=_many_values(plan), effects=effects)


def many(plan: BulkPlan) -> Started:
    """One step a member; who has it already is told, and isn't tried."""
    return Started(
        items=tuple(Item(id=str(key), name=name) for key, name in plan.given),
        counted="members",
        values={key: one for key, one in _many_values(plan).items() if key != "members"},
        notes=_skipped(plan),
    )


def plan_many(context: Context, args: CreateMany) -> BulkPlan:
    found = reach.members(context.session, context.actor, args.audience, context.now)
    ids = {one.id for one in found}
    return assigning.plan_many(
        context.session, context.actor, ids, args.wish, today=today_of(context)
    )


def marked(one: Marked) -> Done:
    named: dict[str, Value] = {
        **values(one.assignment),
        "workout": Name(text=one.day.title),
        "date": Day(date=one.day.due),
        "status": Term(key=f"day.{one.day.status}"),
    }
    return Done(
        of="assignments.set_workout_status",
        values=named,
        ref=Ref(entity="assignment_day", id=one.day.id, version=one.day.version),
    )


def ask_cancel(context: Context, args: Cancelling) -> Confirm:
    gone = ending.check_cancel(context.session, args.assignment_id, today=today_of(context))
    return Confirm(
        of="assignments.cancel",
        values=_ended_values(gone),
        effects=(Line(key="assignments.cancel.effect", values={"ahead": gone.days}),),
        ref=ref(gone.assignment),
    )


def ended(of: str, gone: Ended) -> Done:
    return Done(of=of, values=_ended_values(gone), ref=ref(gone.assignment))


def _ended_values(gone: Ended) -> dict[str, Value]:
    return {**values(gone.assignment), "ahead": gone.days}


def _own_place(context: Context) -> UUID:
    """The caller as one of the team; whoever isn't must say whom they mean."""
    own = people.staff_of_user(context.session, context.actor.user_id)
    if own is None:
        raise BadInput(fields=("coach_id",))
    return own.id


def _counts(tally: Tally) -> dict[str, Value | None]:
    by_status = {label: tally.by_status[one] or None for label, one in _COUNTED.items()}
    return {
        "label.compliance": Percent(value=tally.percent),
        "label.planned": tally.planned,
        "label.days_due": tally.due,
        **by_status,
        "label.day_paused": tally.paused or None,
    }


def _weekdays(numbers: tuple[int, ...]) -> Terms | None:
    names = list(Weekday)
    return Terms(keys=tuple(f"weekday.{names[one]}" for one in numbers)) if numbers else None


def _calendar(days: tuple[AssignedDay, ...], since: date) -> Table:
    shown = [one for one in days if one.due >= since]
    return Table(
        title=Line(key="assignments.get.days"),
        columns=_DAY_COLUMNS,
        rows=tuple(map(_day_row, shown[:_MOST_DAYS])),
        total=len(shown),
    )


def _next_loads(
    context: Context, view: AssignmentView, days: tuple[AssignedDay, ...]
) -> tuple[Table, ...]:
    """What is to be lifted on the next day that isn't marked, if anything by a maximum."""
    due = [one.due for one in days if one.status in _AHEAD and one.due >= today_of(context)]
    placed = (
        (one.due, one.workout_id, one.loads)
        for one in days
        if one.due in due[:1] and one.workout_id is not None
    )
    found = lifts.loads_of(context.session, context.actor.org_id, view.member_id, placed)
    rows = _loads.rows(context, found, lambda day: Day(date=day))
    if not rows:
        return ()
    title = Line(key="assignments.get.loads")
    return (Table(title=title, columns=_LOAD_COLUMNS, rows=rows, total=len(rows)),)


def _day_row(one: AssignedDay) -> TableRow:
    status = Term(key="day.paused") if one.paused else Term(key=f"day.{one.status}")
    cells = (
        Day(date=one.due),
        Name(text=one.title),
        _programs.load_change(one.loads),
        status,
        Name(text=one.note) if one.note else None,
    )
    return TableRow(id=str(one.id), cells=cells)


def _athlete_row(one: Athlete) -> TableRow:
    cells = (
        Name(text=one.member),
        Names(all=one.titles),
        Percent(value=one.tally.percent),
        one.tally.due,
        Day(date=one.last_done) if one.last_done else None,
        Term(key=f"assignment.{one.status}"),
        Terms(keys=tuple(f"concern.{why}" for why in one.concerns)) if one.concerns else None,
    )
    return TableRow(id=str(one.member_id), cells=cells)


def _many_values(plan: BulkPlan) -> dict[str, Value]:
    copy = plan.copy
    return {
        "program": Name(text=copy.title),
        "members": Count(n=len(plan.given), of="members"),
        "dates": Span(start=copy.first, end=copy.end),
    }


def _skipped(plan: BulkPlan) -> tuple[Line, ...]:
    """Who doesn't get it, by the reason."""
    whys = dict.fromkeys(one.reason for one in plan.skipped)
    return tuple(
        Line(key=_SKIPPED[why], values={"names": Names(all=_left_out(plan, why))}) for why in whys
    )


def _left_out(plan: BulkPlan, why: str) -> tuple[str, ...]:
    return tuple(one.member for one in plan.skipped if one.reason == why)
