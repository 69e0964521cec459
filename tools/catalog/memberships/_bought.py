"""Cards of memberships: what is shown, asked and told."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from uuid import UUID

from app.bookings.service import Cleared
from app.core.actor import Role
from app.desk import cancelling, freezing
from app.desk.cancelling import CancelledMembership
from app.desk.freezing import Freezing, Unfreezing
from app.memberships import queries, service
from app.memberships.discretion import told_to
from app.memberships.service import Extended, Frozen, PlanMove
from app.memberships.views import MembershipView
from tools.catalog._cards import facts_of, moment
from tools.catalog._when import today_of
from tools.catalog.memberships._commerce_args import (
    Cancellation,
    CreditChange,
    Freeze,
)
from tools.kit.cards import Confirm, Done, Facts, Ref, Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Amount, Code, Count, Day, Line, Name, Span, Term, Value

COLUMNS = (
    "label.member",
    "label.plan",
    "label.status",
    "label.until",
    "label.next_billing",
    "label.frozen_until",
    "label.credits_left",
)
_NAMED = 10
"""So many bookings are told one by one; of the rest, how many there are."""


def view_of(context: Context, membership_id: UUID) -> MembershipView:
    return _known(context, queries.membership(context.session, membership_id, today_of(context)))


def values_of(view: MembershipView) -> dict[str, Value]:
    """The names that every card about a membership uses."""
    return {
        "member": Name(text=view.member),
        "plan": Name(text=view.plan),
        "status": Term(key=f"membership.{view.status}"),
        "ends": _day(view.until),
    }


def ref_of(view: MembershipView) -> Ref:
    return Ref(entity="membership", id=view.id, version=view.version)


def columns(context: Context) -> tuple[str, ...]:
    """What it costs, and whether it is paid, is for admins (rule 2)."""
    return (*COLUMNS, *(("label.price", "label.payment") if _may_see(context) else ()))


def row_in(context: Context) -> Callable[[MembershipView], TableRow]:
    priced = _may_see(context)
    return lambda view: _row(_known(context, view), priced=priced)


def facts(context: Context, view: MembershipView) -> Facts:
    told = {**_told(view), **(_priced(view) if _may_see(context) else {})}
    frozen = queries.freezes(context.session, view.id)
    rows = tuple(
        TableRow(
            id=one.since.isoformat(),
            cells=(
                Span(start=one.since, end=one.until),
                Name(text=one.reason) if one.reason else None,
            ),
        )
        for one in frozen
    )
    table = Table(
        title=Line(key="memberships.get.freezes"),
        columns=("label.dates", "label.reason"),
        rows=rows,
        total=len(rows),
    )
    return Facts(
        title=Line(key="memberships.get.title", values=values_of(view)),
        facts=facts_of(told),
        tables=(table,) if rows else (),
        ref=ref_of(view),
    )


def done(context: Context, of: str, membership_id: UUID, *notes: Line, **values: Value) -> Done:
    view = view_of(context, membership_id)
    return Done(of=of, values={**values_of(view), **values}, notes=notes, ref=ref_of(view))


def sold(context: Context, membership_id: UUID) -> Done:
    view = view_of(context, membership_id)
    notes = [Line(key="note.no_payment_taken")]
    if view.next_billing is not None:
        notes.append(Line(key="note.next_billing", values={"date": Day(date=view.next_billing)}))
    price = Amount(minor=view.price_minor - view.discount_minor, currency=view.currency)
    first = Day(date=view.start)
    return done(context, "memberships.create", view.id, *notes, first=first, price=price)


def moved(context: Context, move: PlanMove, new: UUID) -> Done:
    plan = queries.plan(context.session, new)
    notes = [Line(key="note.no_payment_taken")]
    if move.credits is not None:
        notes.append(Line(key="note.credits_of_plan", values={"credits": move.credits}))
    return done(
        context,
        "memberships.change_plan",
        move.membership_id,
        *notes,
        before=Name(text=move.before),
        after=Name(text=plan.name),
        on=Day(date=move.on),
    )


def ask_freeze(context: Context, args: Freeze) -> Confirm:
    told = freezing.preview_freeze(context.session, context.actor, args.wish, now=context.now)
    return Confirm(
        of="memberships.freeze",
        values=_freeze_values(told),
        effects=(
            *_gone("memberships.freeze", told.cleared),
            *_each(told.cleared),
            *_dates(told.frozen),
        ),
        ref=ref_of(told.membership),
    )


def frozen(told: Freezing) -> Done:
    return Done(
        of="memberships.freeze",
        values=_freeze_values(told),
        notes=(*_gone("memberships.freeze", told.cleared), *_dates(told.frozen)),
        ref=ref_of(told.membership),
    )


def unfrozen(told: Unfreezing) -> Done:
    on = Day(date=told.frozen.since)
    return Done(
        of="memberships.unfreeze",
        values={**values_of(told.membership), "unused": told.frozen.days, "on": on},
        notes=_dates(told.frozen),
        ref=ref_of(told.membership),
    )


def extended(context: Context, told: Extended) -> Done:
    return done(
        context,
        "memberships.extend",
        told.membership_id,
        days=Count(n=told.days, of="days"),
        before=Day(date=told.end_before),
        after=Day(date=told.end_after),
    )


def ask_adjust(context: Context, args: CreditChange) -> Confirm:
    """With what will be left: one agrees to a number, not to a difference."""
    view = view_of(context, args.membership_id)
    left = service.preview_adjust(context.session, view.id, args.change, today=today_of(context))
    return Confirm(
        of="memberships.adjust_credits",
        values=_credit_values(view, args, left),
        effects=(Line(key="memberships.adjust_credits.effect", values={"left": left}),),
        ref=ref_of(view),
    )


def adjusted(context: Context, args: CreditChange, left: int) -> Done:
    view = view_of(context, args.membership_id)
    values = _credit_values(view, args, left)
    return Done(of="memberships.adjust_credits", values=values, ref=ref_of(view))


def ask_cancel(context: Context, args: Cancellation) -> Confirm:
    told = cancelling.preview_cancel(context.session, context.actor, args.notice, now=context.now)
    return Confirm(
        of="memberships.cancel",
        values=_leaving_values(context, told),
        effects=(
            *_agreed_before(told),
            *_later(args, told),
            *_each(told.cleared),
            *_lapsing(told),
            Line(key="note.no_money_back"),
        ),
        ref=ref_of(told.membership),
    )


def cancelled(context: Context, args: Cancellation, told: CancelledMembership) -> Done:
    return Done(
        of="memberships.cancel",
        values=_leaving_values(context, told),
        notes=(*_agreed_before(told), *_later(args, told), Line(key="note.no_money_back")),
        ref=ref_of(told.membership),
    )


def reinstated(view: MembershipView) -> Done:
    billing = view.next_billing
    notes = (Line(key="note.next_billing", values={"date": Day(date=billing)}),) if billing else ()
    values = values_of(view)
    return Done(of="memberships.reinstate", values=values, notes=notes, ref=ref_of(view))


def _freeze_values(told: Freezing) -> dict[str, Value]:
    """`first` and `last` are the frozen days at both ends."""
    return {
        **values_of(told.membership),
        "first": Day(date=told.frozen.since),
        "last": Day(date=told.frozen.until),
        "days": Count(n=told.frozen.days, of="days"),
        "bookings": len(told.cleared.bookings),
        "credits": told.cleared.credits,
    }


def _leaving_values(context: Context, told: CancelledMembership) -> dict[str, Value]:
    return {
        **values_of(told.membership),
        "last": Day(date=told.effective_on - timedelta(days=1)),
        "at_once": told.effective_on <= today_of(context),
        "bookings": len(told.cleared.bookings),
        "credits": told.cleared.credits,
    }


def _credit_values(view: MembershipView, args: CreditChange, left: int) -> dict[str, Value]:
    return {
        **values_of(view),
        "credits": Count(n=abs(args.delta), of="credits"),
        "taken": args.delta < 0,
        "left": left,
        "reason": Name(text=args.reason),
    }


def _gone(of: str, cleared: Cleared) -> tuple[Line, ...]:
    values: dict[str, Value] = {"bookings": len(cleared.bookings), "credits": cleared.credits}
    return (Line(key=f"{of}.effect_bookings", values=values),)


def _later(args: Cancellation, told: CancelledMembership) -> tuple[Line, ...]:
    if not args.cancel_future_bookings:
        return (Line(key="memberships.cancel.effect_kept"),)
    return _gone("memberships.cancel", told.cleared)


def _each(cleared: Cleared) -> tuple[Line, ...]:
    """The classes, by name and time: what one agrees to is about them."""
    lines = tuple(
        Line(
            key="card.one_class",
            values={"class": Name(text=one.title), "when": moment(one.slot)},
        )
        for one in cleared.bookings[:_NAMED]
    )
    more = len(cleared.bookings) - len(lines)
    return (*lines, *((Line(key="card.more_classes", values={"n": more}),) if more else ()))


def _dates(told: Frozen) -> tuple[Line, ...]:
    moves = (
        ("note.end_moves", told.end_before, told.end_after),
        ("note.billing_moves", told.billing_before, told.billing_after),
    )
    return tuple(
        Line(key=key, values={"before": Day(date=before), "after": Day(date=after)})
        for key, before, after in moves
        if before is not None and after is not None and before != after
    )


def _agreed_before(told: CancelledMembership) -> tuple[Line, ...]:
    """It was being cancelled already: this is another last day."""
    if told.before is None:
        return ()
    last = Day(date=told.before - timedelta(days=1))
    return (Line(key="memberships.cancel.moved", values={"before": last}),)


def _lapsing(told: CancelledMembership) -> tuple[Line, ...]:
    left = told.membership.credits
    return (Line(key="memberships.cancel.effect_credits", values={"left": left}),) if left else ()


def _may_see(context: Context) -> bool:
    return context.actor.role.at_least(Role.ADMIN)


def _known(context: Context, view: MembershipView) -> MembershipView:
    """As far as this person may know how it stands."""
    return replace(view, status=told_to(context.actor, view.status))


def _row(view: MembershipView, *, priced: bool) -> TableRow:
    cells: tuple[Value | None, ...] = (
        Name(text=view.member),
        Name(text=view.plan),
        Term(key=f"membership.{view.status}"),
        Day(date=view.until) if view.until else None,
        Day(date=view.next_billing) if view.next_billing else None,
        Day(date=view.frozen_until) if view.frozen_until else None,
        view.credits,
    )
    money = (_price(view), Term(key=f"payment_status.{view.payment}"))
    return TableRow(id=str(view.id), cells=(*cells, *(money if priced else ())))


def _told(view: MembershipView) -> dict[str, Value | None]:
    return {
        "label.status": Term(key=f"membership.{view.status}"),
        "label.since": Day(date=view.start),
        "label.until": Day(date=view.until) if view.until else None,
        "label.frozen_until": Day(date=view.frozen_until) if view.frozen_until else None,
        "label.credits_left": view.credits,
        "label.cancelled_from": Day(date=view.cancel_effective_on)
        if view.cancel_effective_on
        else None,
        "label.reason": Name(text=view.cancel_reason) if view.cancel_reason else None,
        "label.next_plan": Name(text=view.next_plan) if view.next_plan else None,
        "label.next_billing": Day(date=view.next_billing) if view.next_billing else None,
    }


def _priced(view: MembershipView) -> dict[str, Value | None]:
    return {
        "label.billing_day": view.billing_day,
        "label.price": _price(view),
        "label.discount": Amount(minor=view.discount_minor, currency=view.currency)
        if view.discount_minor
        else None,
        "label.payment": Term(key=f"payment_status.{view.payment}"),
        "label.external_ref": Code(text=view.external_ref) if view.external_ref else None,
    }


def _price(view: MembershipView) -> Amount:
    return Amount(minor=view.price_minor, currency=view.currency)


def _day(day: date | None) -> Day | Term:
    return Day(date=day) if day else Term(key="membership.open_end")
