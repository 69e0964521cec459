"""Cards of class types: their defaults and rules, and what became of them."""

from uuid import UUID

from app.schedule import queries
from app.schedule import service as schedule
from app.schedule.views import ClassTypeView
from app.studio.policy import BookingPolicy, HoursBefore
from tools.catalog._class_type_args import OneClassType, TypeChanges
from tools.kit.cards import Confirm, Done, Ref, TableRow
from tools.kit.declare import Context
from tools.kit.values import Count, Line, Name, Term, Terms, Value

COLUMNS = (
    "label.class_type",
    "label.duration",
    "label.capacity",
    "label.credit_cost",
    "label.min_participants",
    "label.opens_before",
    "label.free_cancel",
    "label.waitlist",
    "label.archived",
)


def row(view: ClassTypeView) -> TableRow:
    cells = (
        Name(text=view.name),
        Count(n=view.duration_min, of="minutes"),
        view.capacity,
        view.credit_cost,
        view.min_participants,
        view.policy.opens_hours_before,
        _free_cancel(view.policy),
        Term(key=f"waitlist.{view.policy.waitlist_mode}"),
        not view.active,
    )
    return TableRow(id=str(view.id), cells=cells)


def view_of(context: Context, class_type_id: UUID) -> ClassTypeView:
    return queries.class_type_view(context.session, class_type_id, context.actor.language)


def done(of: str, view: ClassTypeView, *notes: Line) -> Done:
    return Done(of=of, values=values(view), notes=notes, ref=_ref(view))


def values(view: ClassTypeView) -> dict[str, Value]:
    return {
        "class": Name(text=view.name),
        "capacity": view.capacity,
        "duration": Count(n=view.duration_min, of="minutes"),
        "credit_cost": view.credit_cost,
    }


def updated(context: Context, args: TypeChanges, rules: tuple[str, ...]) -> Done:
    view = view_of(context, args.class_type_id)
    keys = tuple(f"policy.{name}" for name in rules)
    changed = (Line(key="note.rules_changed", values={"rules": Terms(keys=keys)}),) if keys else ()
    ahead = queries.ahead(context.session, view.id, now=context.now)
    kept = (Line(key="note.classes_keep", values={"ahead": ahead}),) if ahead else ()
    return done("class_types.update", view, *changed, *kept)


def archived(context: Context, class_type_id: UUID) -> Done:
    view = view_of(context, class_type_id)
    ahead = queries.ahead(context.session, view.id, now=context.now)
    kept = (Line(key="note.classes_stay", values={"ahead": ahead}),) if ahead else ()
    return done("class_types.archive", view, *kept)


def ask_delete(context: Context, args: OneClassType) -> Confirm:
    schedule.check_deletable(context.session, args.class_type_id)
    view = view_of(context, args.class_type_id)
    return Confirm(of="class_types.delete", values=values(view), ref=_ref(view))


def _ref(view: ClassTypeView) -> Ref:
    return Ref(entity="class_type", id=view.id, version=view.version)


def _free_cancel(policy: BookingPolicy) -> Value:
    """Hours before the start; where it depends on when the class begins, a word for it."""
    match policy.cancel_cutoffs:
        case ():
            return Term(key="cutoff.none")
        case (HoursBefore(hours=hours, starts_before=None), *_) if hours.is_integer():
            return int(hours)
        case _:
            return Term(key="cutoff.by_hour")
