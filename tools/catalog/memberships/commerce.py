"""Tools for what members buy: plans, memberships, freezes, credits and the payment ledger."""

from dataclasses import replace
from uuid import UUID

from app.desk import cancelling, freezing
from app.memberships import queries, service
from app.memberships.discretion import asked_by
from i18n import N_
from tools.catalog._cards import listing
from tools.catalog._when import today_of, zone_of
from tools.catalog.memberships import _bought, _extending, _plans
from tools.catalog.memberships._commerce_args import (
    BulkExtension,
    Cancellation,
    CreditChange,
    Effective,
    Expiring,
    Extension,
    Freeze,
    Memberships,
    NewMembershipPlan,
    OneMembership,
    OnePlan,
    Payments,
    PlanEdits,
    Plans,
    PlanSwitch,
    Reinstatement,
    Sale,
    Unfreeze,
)
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import ADMIN, OWNER, SNAPSHOT, Context, Effect, Item, Started, tool
from tools.kit.values import Line


@tool(Effect.READ, "GET /membership-plans", label=N_("List plans"), quick=True)
def list_plans(context: Context, args: Plans) -> Table:
    """List membership plans and punch cards with period and credits; prices for admins."""
    return _plans.plans(context, queries.plans(context.session, active=args.active, kind=args.kind))


@tool(
    Effect.WRITE,
    "POST /membership-plans",
    label=N_("Add a plan"),
    role=ADMIN,
    undo="archive_plan",
)
def create_plan(context: Context, args: NewMembershipPlan) -> Done:
    """Create a membership plan or punch card to sell."""
    made = service.add_plan(context.session, context.actor.org_id, args.new)
    return _plans.done(context, "memberships.create_plan", made)


@tool(
    Effect.WRITE,
    "PATCH /membership-plans/{plan_id}",
    label=N_("Change a plan"),
    role=OWNER,
    undo=SNAPSHOT,
)
def update_plan(context: Context, args: PlanEdits) -> Done:
    """Change a plan for future sales; current members keep their price."""
    service.update_plan(
        context.session, args.plan_id, args.changes, expected_version=args.expected_version
    )
    kept = _plans.keeps(context, args.plan_id)
    return _plans.done(context, "memberships.update_plan", args.plan_id, *kept)


@tool(
    Effect.WRITE,
    "POST /membership-plans/{plan_id}/archive",
    label=N_("Archive a plan"),
    role=ADMIN,
    undo=SNAPSHOT,
)
def archive_plan(context: Context, args: OnePlan) -> Done:
    """Stop selling a plan; current members keep it."""
    service.archive_plan(context.session, args.plan_id)
    kept = _plans.keeps(context, args.plan_id)
    return _plans.done(context, "memberships.archive_plan", args.plan_id, *kept)


@tool(Effect.READ, "GET /memberships", label=N_("List memberships"), quick=True, core=True)
def list(context: Context, args: Memberships) -> Table:  # noqa: A001 - the action's name
    """List memberships by member, status, plan or billing date, with end, credits and freeze."""
    wanted = replace(args.wanted, statuses=asked_by(context.actor, args.status))
    found = queries.memberships(context.session, wanted, today_of(context), cut=args.cut)
    title = Line(key="memberships.list.title")
    return listing(title, _bought.columns(context), found, _bought.row_in(context))


@tool(
    Effect.READ,
    "GET /memberships/{membership_id}",
    label=N_("Show a membership"),
    quick=True,
)
def get(context: Context, args: OneMembership) -> Facts:
    """Show one membership with credits, freezes and dates; price and payment state for admins."""
    return _bought.facts(context, _bought.view_of(context, args.membership_id))


@tool(
    Effect.READ,
    "GET /memberships/expiring",
    label=N_("List what ends soon"),
    quick=True,
)
def list_expiring(context: Context, args: Expiring) -> Table:
    """List memberships and punch cards that end soon and are followed by nothing."""
    today = today_of(context)
    found = queries.expiring(context.session, args.wanted, today, cut=args.cut)
    title = Line(key="memberships.list_expiring.title")
    return listing(title, _bought.columns(context), found, _bought.row_in(context))


@tool(
    Effect.WRITE,
    "POST /memberships",
    label=N_("Sell a membership"),
    role=ADMIN,
    undo="cancel",
)
def create(context: Context, args: Sale) -> Done:
    """Put a member on a plan from a date; takes no payment."""
    made = service.create(
        context.session,
        context.actor,
        args.member_id,
        args.plan_id,
        args.terms,
        start=args.start_date,
        today=today_of(context),
    )
    return _bought.sold(context, made)


@tool(
    Effect.WRITE,
    "POST /memberships/{membership_id}/change-plan",
    label=N_("Change a membership's plan"),
    role=ADMIN,
    undo=SNAPSHOT,
)
def change_plan(context: Context, args: PlanSwitch) -> Done:
    """Move a membership to another plan now or at the next billing date; takes no payment."""
    move = service.change_plan(
        context.session,
        context.actor,
        args.membership_id,
        args.plan_id,
        at_next_billing=args.effective is Effective.NEXT_BILLING,
        today=today_of(context),
        price_minor=args.price_agorot,
    )
    return _bought.moved(context, move, args.plan_id)


@tool(
    Effect.DESTRUCTIVE,
    "POST /memberships/{membership_id}/freeze",
    label=N_("Freeze a membership"),
    role=ADMIN,
    confirm=_bought.ask_freeze,
    undo="unfreeze",
)
def freeze(context: Context, args: Freeze) -> Done:
    """Freeze a membership between two days: no billing, and bookings inside are cancelled."""
    return _bought.frozen(
        freezing.freeze(context.session, context.actor, args.wish, now=context.now)
    )


@tool(
    Effect.WRITE,
    "POST /memberships/{membership_id}/unfreeze",
    label=N_("End a freeze"),
    role=ADMIN,
    undo=SNAPSHOT,
)
def unfreeze(context: Context, args: Unfreeze) -> Done:
    """End a freeze early and give the unused days back: end and billing dates move back."""
    told = freezing.unfreeze(
        context.session, context.actor, args.membership_id, args.on_date, now=context.now
    )
    return _bought.unfrozen(told)


@tool(
    Effect.WRITE,
    "POST /memberships/{membership_id}/extend",
    label=N_("Extend a membership"),
    role=ADMIN,
    undo=SNAPSHOT,
)
def extend(context: Context, args: Extension) -> Done:
    """Push out the end date of one membership, and of the credits that lapse with it."""
    until = args.until_date or args.days or 0
    told = service.extend(
        context.session, context.actor, args.membership_id, until, reason=args.reason
    )
    return _bought.extended(context, told)


@tool(
    Effect.WRITE,
    "POST /memberships/{membership_id}/credit-adjustments",
    label=N_("Change credits"),
    role=ADMIN,
    confirm=_bought.ask_adjust,
    always=True,
    undo=SNAPSHOT,
)
def adjust_credits(context: Context, args: CreditChange) -> Done:
    """Add or take class credits with a reason; this is not money."""
    today = today_of(context)
    left = service.adjust(
        context.session, context.actor, args.membership_id, args.change, today=today
    )
    return _bought.adjusted(context, args, left)


@tool(
    Effect.DESTRUCTIVE,
    "POST /memberships/{membership_id}/cancel",
    label=N_("Cancel a membership"),
    role=ADMIN,
    confirm=_bought.ask_cancel,
    undo="reinstate",
)
def cancel(context: Context, args: Cancellation) -> Done:
    """Cancel a membership, a month from today unless another day is given; refunds no money."""
    told = cancelling.cancel(context.session, context.actor, args.notice, now=context.now)
    return _bought.cancelled(context, args, told)


@tool(
    Effect.WRITE,
    "POST /memberships/{membership_id}/reinstate",
    label=N_("Take a cancellation back"),
    role=ADMIN,
    undo="cancel",
)
def reinstate(context: Context, args: Reinstatement) -> Done:
    """Undo a cancellation and set the next billing date."""
    view = cancelling.reinstate(
        context.session,
        context.actor,
        args.membership_id,
        args.next_billing_date,
        now=context.now,
    )
    return _bought.reinstated(view)


def extend_one(context: Context, args: BulkExtension, item: Item) -> None:
    service.extend(context.session, context.actor, UUID(item.id), args.days, reason=args.reason)


@tool(
    Effect.WRITE,
    "POST /memberships/bulk-extend",
    label=N_("Extend many memberships"),
    role=OWNER,
    confirm=_extending.ask,
    always=True,
    undo=SNAPSHOT,
    step=extend_one,
)
def bulk_extend(context: Context, args: BulkExtension) -> Started:
    """Extend many memberships by the same number of days, for example after a closure."""
    return _extending.started(context, args)


@tool(Effect.READ, "GET /payments", label=N_("Show payments"), role=ADMIN)
def list_payments(context: Context, args: Payments) -> Table:
    """Read the payment ledger for a member or period; no changes are possible here."""
    found = queries.payments(context.session, args.wanted, cut=args.cut)
    row = _plans.payment_row_in(zone_of(context))
    return listing(Line(key="memberships.list_payments.title"), _plans.PAYMENT_COLUMNS, found, row)
