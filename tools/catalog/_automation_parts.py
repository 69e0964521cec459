"""What an automation is made of, part by part: a word for each, and what it says."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, assert_never

from app.automations.queries import said_of
from app.automations.shapes import (
    AddTag,
    AnyAction,
    AssignForm,
    Condition,
    Counts,
    CreateTask,
    Happens,
    Holds,
    InSegment,
    Kind,
    NotifyStaff,
    OneOf,
    Schedule,
    SendMessage,
    SetStage,
    Shape,
    Trigger,
)
from app.forms import queries as forms
from app.memberships import queries as memberships
from app.messages import queries as messages
from app.messages import service as sending
from app.people import queries as people
from tools.kit.cards import Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Count, Hours, Line, Name, Names, Quote, Term, Terms, Value

Role = Literal["when", "only", "does", "limit"]


@dataclass(frozen=True, slots=True)
class Part:
    """`role` is what it is to the whole: when, for whom only, what, within which limit."""

    role: Role
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
            return Line(key=f"automations.{one.role}", values={"what": one.what})
        case Quote():
            return Line(key="automations.text", values={"what": one.what, "text": one.says})
        case says:
            values: dict[str, Value] = {"what": one.what, "says": says}
            return Line(key=f"automations.{one.role}_says", values=values)


def _trigger(trigger: Trigger) -> Iterator[Part]:
    what = Term(key=f"trigger.{trigger.kind}")
    match trigger:
        case Happens():
            yield Part("when", what)
        case Counts(kind=Kind.CREDITS_LOW, count=number):
            yield Part("when", what, Count(n=number, of="credits"))
        case Counts(count=number):
            yield Part("when", what, Count(n=number, of="days"))
        case Schedule(weekdays=weekdays, at=at):
            yield Part("when", what, _terms("weekday", sorted(weekdays)))
            yield Part("when", Term(key="trigger.at"), Hours(start=at))
        case _:
            assert_never(trigger)


def _condition(context: Context, one: Condition) -> Iterator[Part]:
    what = Term(key=f"condition.{one.kind}")
    match one:
        case OneOf(kind="languages", any=languages):
            yield Part("only", what, _terms("language", languages))
        case OneOf(kind="lead_sources", any=sources):
            yield Part("only", what, _terms("lead_source", sources))
        case OneOf(any=tags):
            yield Part("only", what, Names(all=tags))
        case Holds(any=plans):
            known = memberships.plans(context.session, active=None)
            yield Part("only", what, Names(all=tuple(one.name for one in known if one.id in plans)))
        case InSegment(segment_id=segment_id):
            group = messages.segment(context.session, context.actor.org_id, segment_id)
            name = Name(text=group.name) if group.name else Term(key=f"segment.{group.slug}")
            yield Part("only", what, name)
        case _:
            assert_never(one)


def _action(context: Context, shape: Shape, one: AnyAction) -> Iterator[Part]:
    match one:
        case SendMessage():
            yield from _texts(context, shape, one)
        case CreateTask(title=title):
            yield Part("does", Term(key="automation_action.create_task"), Name(text=title))
        case NotifyStaff(staff_id=staff_id, text=text):
            staff = people.staff(context.session, staff_id)
            yield Part("does", Term(key="automation_action.notify_staff"), Name(text=staff.name))
            yield Part("does", Term(key="automation_action.text"), Quote(text=text))
        case AddTag(tag=tag):
            yield Part("does", Term(key="automation_action.add_tag"), Name(text=tag))
        case AssignForm(form_template_id=form_id):
            form = forms.template(context.session, form_id)
            yield Part("does", Term(key="automation_action.assign_form"), Name(text=form.title))
        case SetStage(stage=stage):
            yield Part(
                "does", Term(key="automation_action.set_stage"), Term(key=f"lead_stage.{stage}")
            )
        case _:
            assert_never(one)


def _texts(context: Context, shape: Shape, one: SendMessage) -> Iterator[Part]:
    """Every language of it in full."""
    said = sending.draft(context.session, said_of(one), places=shape.places)
    for variant in said.wording.variants.values():
        yield Part(
            "does", Term(key=f"automation_action.by_{one.channel}"), Quote(text=variant.body)
        )


def _limits(shape: Shape) -> Iterator[Part]:
    if shape.delay_min:
        yield Part("limit", Term(key="limit.delay"), Count(n=shape.delay_min, of="minutes"))
    if shape.quiet_from is not None and shape.quiet_to is not None:
        yield Part(
            "limit", Term(key="limit.quiet"), Hours(start=shape.quiet_from, end=shape.quiet_to)
        )
    if shape.cap_days:
        yield Part("limit", Term(key="limit.cap"), Count(n=shape.cap_days, of="days"))


def _terms(family: str, words: Iterable[object]) -> Terms:
    return Terms(keys=tuple(f"{family}.{word}" for word in words))
