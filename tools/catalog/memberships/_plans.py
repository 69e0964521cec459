"""Cards of plans and of the payment ledger."""

from collections.abc import Callable
from uuid import UUID

from app.core.actor import Role
from app.memberships import queries
from app.memberships.views import PaymentView, PlanView
from tools.kit.cards import Done, Ref, Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Amount, Code, Count, Day, Instant, Line, Name, Term, Value

PAYMENT_COLUMNS = (
    "label.due_on",
    "label.member",
    "label.plan",
    "label.payment_kind",
    "label.amount",
    "label.status",
    "label.paid_at",
    "label.last4",
    "label.invoice",
)
_MASKED = ("label.plan", "label.plan_kind", "label.period", "label.credits", "label.validity")


def plans(context: Context, found: tuple[PlanView, ...]) -> Table:
    """What a coach may know of them: not the prices (rule 2)."""
    priced = context.actor.role.at_least(Role.ADMIN)
    return Table(
        title=Line(key="memberships.list_plans.title"),
        columns=(*_MASKED, *(("label.price", "label.members_count") if priced else ())),
        rows=tuple(_plan_row(one, priced=priced) for one in found),
        total=len(found),
    )


def done(context: Context, of: str, plan_id: UUID, *notes: Line) -> Done:
    view = queries.plan(context.session, plan_id)
    return Done(
        of=of,
        values=plan_values(view),
        notes=notes,
        ref=Ref(entity="plan", id=view.id, version=view.version),
    )


def plan_values(view: PlanView) -> dict[str, Value]:
    return {
        "plan": Name(text=view.name),
        "kind": Term(key=f"plan_kind.{view.kind}"),
        "price": Amount(minor=view.price_minor, currency=view.currency),
        "members": view.holders,
    }


def keeps(context: Context, plan_id: UUID) -> tuple[Line, ...]:
    """Who has it keeps it (rule 31)."""
    holders = queries.plan(context.session, plan_id).holders
    return (Line(key="note.plan_kept", values={"members": holders}),) if holders else ()


def payment_row_in(zone: str) -> Callable[[PaymentView], TableRow]:
    return lambda view: _payment_row(view, zone)


def _plan_row(view: PlanView, *, priced: bool) -> TableRow:
    cells: tuple[Value | None, ...] = (
        Name(text=view.name),
        Term(key=f"plan_kind.{view.kind}"),
        _period(view),
        view.credits,
        Count(n=view.validity_days, of="days") if view.validity_days else None,
    )
    price = (Amount(minor=view.price_minor, currency=view.currency), view.holders)
    return TableRow(id=str(view.id), cells=(*cells, *(price if priced else ())))


def _period(view: PlanView) -> Value | None:
    if view.period_unit is None:
        return None
    return Count(n=view.period_count, of=f"{view.period_unit}s")


def _payment_row(view: PaymentView, zone: str) -> TableRow:
    cells = (
        Day(date=view.due),
        Name(text=view.member),
        Name(text=view.plan) if view.plan else None,
        Term(key=f"payment_kind.{view.kind}"),
        Amount(minor=view.amount_minor, currency=view.currency),
        Term(key=f"payment.{view.status}"),
        Instant(at=view.paid_at, zone=zone) if view.paid_at else None,
        Code(text=view.last4) if view.last4 else None,
        Code(text=view.invoice_no) if view.invoice_no else None,
    )
    return TableRow(id=str(view.id), cells=cells)
