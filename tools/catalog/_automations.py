"""Cards of automations: what they are, whom they would reach, what they did."""

from collections.abc import Callable, Iterator
from datetime import datetime
from uuid import UUID

from app.automations import queries, service
from app.automations.service import Seeded
from app.automations.views import AutomationView, Match, Reach, RunView
from app.core.errors import BadInput
from tools.catalog import _automation_parts as parts
from tools.catalog._automation_args import OneAutomation, Preview, RunNow
from tools.catalog._broadcasts import MOST_NAMES, left_out_lines, left_out_table
from tools.catalog._cards import facts_of
from tools.catalog._messages import refusal
from tools.catalog._when import instant_of, zone_of
from tools.kit.cards import Confirm, Done, Facts, Ref, Table, TableRow
from tools.kit.declare import Args, Context, Item, Started
from tools.kit.values import Code, Count, Instant, Line, Name, Names, Term, Terms, Value

COLUMNS = (
    "label.name",
    "label.status",
    "label.trigger",
    "label.does",
    "label.last_run",
    "label.reached",
)
RUN_COLUMNS = ("label.at", "label.person", "label.status", "label.reason")
SHOWN = 50
"""So many people of a preview are told one by one."""


def view(context: Context, automation_id: UUID) -> AutomationView:
    return queries.automation(context.session, context.actor.org_id, automation_id)


def table(context: Context, found: list[AutomationView]) -> Table:
    zone = zone_of(context)
    return Table(
        title=Line(key="automations.list.title"),
        columns=COLUMNS,
        rows=tuple(_row(one, zone) for one in found),
        total=len(found),
    )


def facts(context: Context, one: AutomationView) -> Facts:
    zone = zone_of(context)
    told: dict[str, Value | None] = {
        "label.status": _status(one),
        "label.reached": one.done,
        "label.last_run": Instant(at=one.last_run_at, zone=zone) if one.last_run_at else None,
        "label.tier": None if one.in_tier else Name(text=one.required_tier.capitalize()),
    }
    return Facts(
        title=Line(key="automations.get.title", values={"name": Name(text=one.name)}),
        facts=facts_of(told),
        tables=(parts.table(context, one.shape),),
        ref=_ref(one),
    )


def run_row_in(zone: str) -> Callable[[RunView], TableRow]:
    return lambda one: _run_row(one, zone)


def preview(context: Context, args: Preview) -> Facts:
    now = _as_of(context, args)
    one = view(context, args.automation_id)
    found = queries.reach(context.session, context.actor.org_id, one.id, now)
    told: dict[str, Value] = {
        "label.recipients": len(found.people),
        "label.not_getting": len(found.refused),
        "label.status": _status(one),
        "label.audience_hash": Code(text=found.audience_hash),
    }
    return Facts(
        title=Line(key="automations.preview_audience.title", values={"name": Name(text=one.name)}),
        facts=facts_of(told),
        tables=(_people_table(found), *left_out_table(found.refused)),
        ref=_ref(one),
    )


def ask_enable(context: Context, args: OneAutomation) -> Confirm:
    one = service.preview_enable(context.session, context.actor, args.automation_id)
    standing = queries.meant(context.session, context.actor.org_id, one.shape, context.now)
    left_alone = len({match.person_id for match in standing})
    seen: dict[str, Value] = {"seen": Count(n=left_alone, of="members")}
    return Confirm(
        of="automations.enable",
        values=_values(one),
        effects=(
            *parts.lines(context, one.shape),
            Line(key="automations.from_now", values=seen),
        ),
        ref=_ref(one),
    )


def enabled(on: Seeded) -> Done:
    return done("automations.enable", on.automation)


def ask_run(context: Context, args: RunNow) -> Confirm:
    found = _plan(context, args)
    one = view(context, args.automation_id)
    return Confirm(
        of="automations.run_now",
        values={
            **_values(one),
            "recipients": Count(n=_persons(found), of="recipients"),
            "audience": Code(text=found.audience_hash),
        },
        effects=(
            *parts.lines(context, one.shape),
            *_names(found),
            *left_out_lines(found.refused),
        ),
        ref=_ref(one),
    )


def started(context: Context, args: RunNow) -> Started:
    """One item for each person and occasion."""
    found = _plan(context, args)
    one = view(context, args.automation_id)
    items = tuple(
        Item(
            id=str(person.id),
            name=person.name,
            more={
                "automation_id": str(one.id),
                "ref": match.ref,
                "facts": match.facts,
                "lead": match.is_lead,
            },
        )
        for person, match in found.people
    )
    values: dict[str, Value] = {"name": Name(text=one.name)}
    return Started(items=items, counted="recipients", values=values, ref=_ref(one))


def run_one(context: Context, _: Args, item: Item) -> None:
    more = item.more
    match = Match(UUID(item.id), more["ref"], more["facts"], more["lead"])
    automation_id = UUID(more["automation_id"])
    service.run_for(context.session, context.actor, automation_id, match, now=context.now)


def ask_delete(context: Context, args: OneAutomation) -> Confirm:
    one = view(context, args.automation_id)
    return Confirm(
        of="automations.delete",
        values=_values(one),
        effects=(*parts.lines(context, one.shape), Line(key="automations.history_stays")),
        ref=_ref(one),
    )


def done(of: str, one: AutomationView) -> Done:
    return Done(of=of, values=_values(one), ref=_ref(one))


def _plan(context: Context, args: RunNow) -> Reach:
    return service.plan_now(
        context.session,
        context.actor,
        args.automation_id,
        args.audience_hash,
        now=context.now,
    )


def _as_of(context: Context, args: Preview) -> datetime:
    """Raises BadInput for a time that is over, since what was so then isn't known any more."""
    if args.as_of is None:
        return context.now
    at = instant_of(context, args.as_of)
    if at < context.now:
        raise BadInput(fields=("as_of",))
    return at


def _row(one: AutomationView, zone: str) -> TableRow:
    cells = (
        Name(text=one.name),
        _status(one),
        Term(key=f"trigger.{one.shape.trigger.kind}"),
        Terms(keys=tuple(f"automation_action.{action.kind}" for action in one.shape.actions)),
        Instant(at=one.last_run_at, zone=zone) if one.last_run_at else None,
        one.done,
    )
    return TableRow(id=str(one.id), cells=cells)


def _run_row(one: RunView, zone: str) -> TableRow:
    cells = (
        Instant(at=one.at, zone=zone),
        Name(text=one.person),
        Term(key=f"run.{one.status}"),
        refusal(one.reason) if one.reason else None,
    )
    return TableRow(id=str(one.id), cells=cells)


def _people_table(found: Reach) -> Table:
    rows = [
        TableRow(id=str(person.id), cells=(Name(text=person.name),))
        for person, _ in found.people[:SHOWN]
    ]
    return Table(
        title=Line(key="automations.preview_audience.people"),
        columns=("label.person",),
        rows=tuple(rows),
        total=len(found.people),
    )


def _names(found: Reach) -> Iterator[Line]:
    names = tuple(dict.fromkeys(person.name for person, _ in found.people))
    if len(names) <= MOST_NAMES:
        yield Line(key="messages.broadcast.people", values={"people": Names(all=names)})


def _persons(found: Reach) -> int:
    return len({person.id for person, _ in found.people})


def _status(one: AutomationView) -> Term:
    """`not_in_plan` is off as well, and stays so until the gym has another plan."""
    if not one.in_tier:
        return Term(key="automation.not_in_plan")
    return Term(key="automation.on" if one.enabled else "automation.off")


def _values(one: AutomationView) -> dict[str, Value]:
    return {
        "name": Name(text=one.name),
        "state": _status(one),
    }


def _ref(one: AutomationView) -> Ref:
    return Ref(entity="automation", id=one.id, version=one.version)
