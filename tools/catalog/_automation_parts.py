"""What an automation is made of, part by part: a word for each, and what it says."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from app.automations.queries import said_of
from app.automations.shapes import (
    AddTag,
    AnyAction,
    CameBy,
    Condition,
    CreateTask,
    CreditsLow,
    Happens,
    Holds,
    InDays,
    InSegment,
    NotifyStaff,
    Schedule,
    SendMessage,
    SetStage,
    Shape,
    Speaks,
    Tagged,
    Trigger,
)
from app.memberships import queries as memberships
from app.messages import queries as messages
from app.messages import service as sending
from app.people import queries as people
from tools.kit.cards import Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Count, Hours, Line, Name, Names, Quote, Term, Terms, Value


@dataclass(frozen=True, slots=True)
class Part:
    what: Term
    says: Value | None = None


def parts(context: Context, shape: Shape) -> list[Part]:
    """When, for whom, what, and within which limits."""
    found = [*_trigger(shape.trigger)]
    found += [part for one in shape.conditions for part in _condition(context, one)]
    found += [part for one in shape.actions for part in _action(context, shape, one)]
    return [*found, *_limits(shape)]


def lines(context: Context, shape: Shape) -> tuple[Line, ...]:
    return tuple(map(_line, parts(context, shape)))


def table(context: Context, shape: Shape) -> Table:
    rows = [
        TableRow(id=str(number), cells=(one.what, one.says))
        for number, one in enumerate(parts(context, shape), 1)
    ]
    return Table(
        title=Line(key="automations.get.parts"),
        columns=("label.part", "label.says"),
        rows=tuple(rows),
        total=len(rows),
    )


def _line(one: Part) -> Line:
    """A text that goes out is shown whole, on lines of its own."""
    match one.says:
        case None:
            return Line(key="automations.part", values={"what": one.what})
        case Quote():
            return Line(key="automations.text", values={"what": one.what, "text": one.says})
        case says:
            return Line(key="automations.part_says", values={"what": one.what, "says": says})


def _trigger(trigger: Trigger) -> Iterator[Part]:
    what = Term(key=f"trigger.{trigger.kind}")
    match trigger:
        case Happens():
            yield Part(what)
        case InDays(days=days):
            yield Part(what, Count(n=days, of="days"))
        case CreditsLow(credits=credits_):
            yield Part(what, Count(n=credits_, of="credits"))
        case Schedule(weekdays=weekdays, at=at):
            yield Part(what, Terms(keys=tuple(f"weekday.{day}" for day in sorted(weekdays))))
            yield Part(Term(key="trigger.at"), Hours(start=at))
        case _:
            assert_never(trigger)


def _condition(context: Context, one: Condition) -> Iterator[Part]:
    what = Term(key=f"condition.{one.kind}")
    match one:
        case Tagged(any=tags):
            yield Part(what, Names(all=tags))
        case Speaks(any=languages):
            yield Part(what, Terms(keys=tuple(f"language.{language}" for language in languages)))
        case CameBy(any=sources):
            yield Part(what, Terms(keys=tuple(f"lead_source.{source}" for source in sources)))
        case Holds(any=plans):
            names = memberships.plan_names(context.session, plans)
            yield Part(what, Names(all=tuple(names.values())))
        case InSegment(segment_id=segment_id):
            group = messages.segment(context.session, context.actor.org_id, segment_id)
            name = Name(text=group.name) if group.name else Term(key=f"segment.{group.slug}")
            yield Part(what, name)
        case _:
            assert_never(one)


def _action(context: Context, shape: Shape, one: AnyAction) -> Iterator[Part]:
    match one:
        case SendMessage():
            yield from _texts(context, shape, one)
        case CreateTask(title=title):
            yield Part(Term(key="automation_action.create_task"), Name(text=title))
        case NotifyStaff(staff_id=staff_id, text=text):
            staff = people.staff(context.session, staff_id)
            yield Part(Term(key="automation_action.notify_staff"), Name(text=staff.name))
            yield Part(Term(key="automation_action.text"), Quote(text=text))
        case AddTag(tag=tag):
            yield Part(Term(key="automation_action.add_tag"), Name(text=tag))
        case SetStage(stage=stage):
            yield Part(Term(key="automation_action.set_stage"), Term(key=f"lead_stage.{stage}"))
        case _:
            assert_never(one)


def _texts(context: Context, shape: Shape, one: SendMessage) -> Iterator[Part]:
    """Every language of it in full."""
    said = sending.draft(context.session, said_of(one), places=shape.places)
    for variant in said.wording.variants.values():
        yield Part(Term(key=f"automation_action.by_{one.channel}"), Quote(text=variant.body))


def _limits(shape: Shape) -> Iterator[Part]:
    if shape.delay_min:
        yield Part(Term(key="limit.delay"), Count(n=shape.delay_min, of="minutes"))
    if shape.quiet_from is not None and shape.quiet_to is not None:
        yield Part(Term(key="limit.quiet"), Hours(start=shape.quiet_from, end=shape.quiet_to))
    if shape.cap_days:
        yield Part(Term(key="limit.cap"), Count(n=shape.cap_days, of="days"))
