"""Cards of program templates: what is shown, asked and told."""

from app.programs.queries import templates as queries
from app.programs.queries.templates import Due
from app.programs.service import templates as service
from app.programs.service.templates import Made
from app.programs.views import TemplateView
from app.studio import queries as studio
from tools.catalog import _loads, _programs
from tools.catalog._cards import facts_of
from tools.catalog._template_args import EditDay, OneTemplate, Preview, parameters
from tools.kit.cards import Confirm, Done, Fact, Facts, Ref, Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import (
    Count,
    Day,
    Line,
    Name,
    Names,
    Percent,
    Quote,
    Span,
    Term,
    Value,
)

COLUMNS = ("label.template", "label.weeks", "label.level", "label.goal", "label.author")
_DAY_COLUMNS = ("label.week", "label.day", "label.workouts")
_PARAMETER_COLUMNS = ("label.lift", "label.starts_at")
_DUE_COLUMNS = ("label.date", "label.week", "label.workout", "label.load_change")
_MOST = 120
_LOAD_COLUMNS = ("label.week", *_loads.COLUMNS)


def values(view: TemplateView) -> dict[str, Value]:
    """The names that every card about a template uses."""
    return {
        "template": Name(text=view.title),
        "weeks": Count(n=len(view.body.weeks), of="weeks"),
        "level": Term(key=f"level.{view.level}"),
    }


def ref(view: TemplateView) -> Ref:
    return Ref(entity="template", id=view.id, version=view.version)


def row(view: TemplateView) -> TableRow:
    named = values(view)
    cells = (
        named["template"],
        named["weeks"],
        named["level"],
        Name(text=view.goal) if view.goal else None,
        Name(text=view.owner) if view.owner else None,
    )
    return TableRow(id=str(view.id), cells=cells)


def facts(context: Context, view: TemplateView) -> Facts:
    told: dict[str, Value | None] = {
        "label.weeks": len(view.body.weeks),
        "label.level": Term(key=f"level.{view.level}"),
        "label.goal": Name(text=view.goal) if view.goal else None,
        "label.description": Quote(text=view.description) if view.description else None,
        "label.author": Name(text=view.owner) if view.owner else None,
    }
    lists = (_days(context, view), *((_parameters(context, view),) if view.parameters else ()))
    return Facts(
        title=_title("program_templates.get.title", view),
        facts=facts_of(told),
        tables=lists,
        ref=ref(view),
    )


def preview(context: Context, args: Preview) -> Facts:
    """The template on its dates; with a member, what they would lift."""
    view = queries.template_view(context.session, args.template_id)
    body = service.filled_in(context.session, view, parameters(args.parameters))
    org_id = context.actor.org_id
    due = queries.calendar(context.session, org_id, body, args.start_date, args.weekdays)
    tables = [_table("program_templates.preview.days", _DUE_COLUMNS, tuple(map(_due_row, due)))]
    if args.member_id is not None:
        loads = queries.loads_for(context.session, org_id, args.member_id, body)
        rows = _loads.rows(context, loads, int)
        tables.append(_table("program_templates.preview.loads", _LOAD_COLUMNS, rows))
    days = [one.day for one in due]
    spans = (Fact(label="label.dates", value=Span(start=min(days), end=max(days))),) if days else ()
    return Facts(
        title=_title("program_templates.preview.title", view),
        facts=spans,
        tables=tuple(tables),
        ref=ref(view),
    )


def done(of: str, view: TemplateView, *notes: Line) -> Done:
    return Done(of=of, values=values(view), notes=notes, ref=ref(view))


def day_edited(context: Context, args: EditDay, view: TemplateView) -> Done:
    start = studio.org(context.session, context.actor.org_id).week_start
    day = next(one for one in view.body.weeks[args.week - 1].days if one.day_no == args.day)
    named: dict[str, Value] = {
        **values(view),
        "number": args.week,
        "day": _programs.weekday(args.day, start),
        "names": Names(all=tuple(slot.title for slot in day.slots)),
    }
    return Done(of="program_templates.edit_day", values=named, ref=ref(view))


def made(one: Made) -> Done:
    left_out: dict[str, Value] = {"names": Names(all=one.left_out)}
    notes = (Line(key="note.workouts_left_out", values=left_out),) if one.left_out else ()
    return _programs.done("program_templates.instantiate", one.program, *notes)


def ask_delete(context: Context, args: OneTemplate) -> Confirm:
    view = queries.template_view(context.session, args.template_id)
    return Confirm(
        of="program_templates.delete",
        values=values(view),
        effects=(Line(key="program_templates.delete.effect"),),
        ref=ref(view),
    )


def _title(key: str, view: TemplateView) -> Line:
    return Line(key=key, values={"template": Name(text=view.title)})


def _days(context: Context, view: TemplateView) -> Table:
    start = studio.org(context.session, context.actor.org_id).week_start
    rows = tuple(
        TableRow(
            id=f"{number}-{day.day_no}",
            cells=(
                number,
                _programs.weekday(day.day_no, start),
                Names(all=tuple(slot.title for slot in day.slots)),
            ),
        )
        for number, week in enumerate(view.body.weeks, 1)
        for day in week.days
        if day.slots
    )
    return _table("program_templates.get.days", _DAY_COLUMNS, rows)


def _parameters(context: Context, view: TemplateView) -> Table:
    rows = tuple(
        TableRow(id=one.lift, cells=(_loads.name(context, one.lift), Percent(value=one.percent)))
        for one in view.parameters
    )
    return _table("program_templates.get.parameters", _PARAMETER_COLUMNS, rows)


def _due_row(one: Due) -> TableRow:
    slot = one.placed.slot
    cells = (
        Day(date=one.day),
        one.placed.spot.week_no,
        Name(text=slot.title),
        _programs.load_change(slot.loads),
    )
    return TableRow(id=str(slot.workout_id), cells=cells)


def _table(key: str, columns: tuple[str, ...], rows: tuple[TableRow, ...]) -> Table:
    return Table(title=Line(key=key), columns=columns, rows=rows[:_MOST], total=len(rows))
