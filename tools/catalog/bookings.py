"""Bookings: who is in which class, and putting people in and out."""

from app.bookings import queries, service
from app.leads import service as leads
from app.memberships import queries as memberships
from app.people import queries as people
from app.studio import queries as studio
from i18n import N_
from tools.catalog import _bookings, _bulk_cancelling
from tools.catalog._args import check_days
from tools.catalog._booking_args import (
    Bookings,
    BookMember,
    BookSelf,
    Eligibility,
    JoinWaitlist,
    LatePolicy,
    Ledger,
    MoveBooking,
    MyBookings,
    OneBooking,
    OneWaiting,
    Promote,
    Refund,
    UnbookMember,
    Waive,
)
from tools.catalog._bulk_cancelling import CancelBookings
from tools.catalog._cards import BOOKING_COLUMNS, booking_row, listing, moment
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import ADMIN, SNAPSHOT, Context, Effect, Started, tool
from tools.kit.values import Line, Name


@tool(
    Effect.READ,
    "GET /class-sessions/{class_session_id}/eligibility",
    label=N_("Check who may book"),
)
def check_eligibility(context: Context, args: Eligibility) -> Facts:
    """Say whether a member may book a class, which rule blocks it and what would pay."""
    verdict = service.check(context.session, args.class_session_id, args.member_id, now=context.now)
    return _bookings.eligibility(context, args, verdict)


@tool(
    Effect.WRITE,
    "POST /class-sessions/{class_session_id}/bookings",
    label=N_("Book a member"),
    confirm=_bookings.ask_when_full,
    undo="cancel_for_member",
    core=True,
)
def book_member(context: Context, args: BookMember) -> Done:
    """Book a member, or a lead for a trial; if it is full, the person is asked what to do."""
    return _bookings.booked("bookings.book_member", _bookings.book(context, args))


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /bookings/{booking_id}",
    label=N_("Cancel a booking"),
    confirm=_bookings.ask_cancel,
    undo=SNAPSHOT,
    core=True,
)
def cancel_for_member(context: Context, args: UnbookMember) -> Done:
    """Cancel a member's booking or waitlist place; says if it is late and what its credit does."""
    gone = service.cancel(
        context.session,
        context.actor,
        args.booking_id,
        now=context.now,
        waive=args.late_policy is LatePolicy.WAIVE,
        reason=args.reason,
    )
    if context.actor.undoing:
        leads.forget_trial(context.session, args.booking_id)
    return _bookings.cancelled("bookings.cancel_for_member", gone)


@tool(
    Effect.WRITE,
    "POST /me/bookings",
    label=N_("Book myself"),
    confirm=_bookings.ask_self_when_full,
    undo="cancel_self",
)
def book_self(context: Context, args: BookSelf) -> Done:
    """Book the caller, as a member of the gym, into a class; no rule is set aside for oneself."""
    made = service.book_self(
        context.session,
        context.actor,
        args.class_session_id,
        now=context.now,
        join_waitlist=args.join_waitlist_if_full,
    )
    return _bookings.booked("bookings.book_self", made)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /me/bookings/{booking_id}",
    label=N_("Cancel my booking"),
    confirm=_bookings.ask_cancel_self,
    undo=SNAPSHOT,
)
def cancel_self(context: Context, args: OneBooking) -> Done:
    """Cancel the caller's own booking or waitlist place; says if it is late."""
    gone = service.cancel_self(context.session, context.actor, args.booking_id, now=context.now)
    return _bookings.cancelled("bookings.cancel_self", gone)


@tool(
    Effect.WRITE,
    "POST /class-sessions/{class_session_id}/waitlist",
    label=N_("Put on the waitlist"),
    undo="leave_waitlist",
)
def join_waitlist(context: Context, args: JoinWaitlist) -> Done:
    """Put a member on a full class's waiting list; credits are taken only when they get in."""
    made = service.join(context.session, context.actor, args.wish, now=context.now)
    return _bookings.booked("bookings.join_waitlist", made)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /class-sessions/{class_session_id}/waitlist/{booking_id}",
    label=N_("Take off the waitlist"),
    confirm=_bookings.ask_leave,
    undo=SNAPSHOT,
)
def leave_waitlist(context: Context, args: OneWaiting) -> Done:
    """Take a member off a waiting list; those behind move up."""
    gone = service.leave(
        context.session, context.actor, args.class_session_id, args.booking_id, now=context.now
    )
    return _bookings.left(gone)


@tool(
    Effect.WRITE,
    "POST /class-sessions/{class_session_id}/waitlist/{booking_id}/promote",
    label=N_("Move in from the waitlist"),
    undo=SNAPSHOT,
)
def promote_from_waitlist(context: Context, args: Promote) -> Done:
    """Give one who waits a place, out of turn if need be, over capacity only if that was said."""
    made = service.promote_one(
        context.session,
        context.actor,
        args.class_session_id,
        args.booking_id,
        args.choice,
        now=context.now,
    )
    leads.let_in(context.session, context.actor, (made.booking.id,), now=context.now)
    return _bookings.booked("bookings.promote_from_waitlist", made)


@tool(
    Effect.DESTRUCTIVE,
    "POST /bookings/bulk-cancel",
    label=N_("Cancel many bookings"),
    role=ADMIN,
    confirm=_bulk_cancelling.ask_bookings,
    always=True,
    undo=SNAPSHOT,
    step=_bulk_cancelling.cancel_booking,
)
def bulk_cancel(context: Context, args: CancelBookings) -> Started:
    """Cancel many bookings to come, of one member, by id, or of some days."""
    return _bulk_cancelling.bookings(context, args)


@tool(
    Effect.WRITE,
    "POST /bookings/{booking_id}/credit-refund",
    label=N_("Return a credit"),
    role=ADMIN,
    confirm=_bookings.ask_refund,
    always=True,
    undo=SNAPSHOT,
)
def refund_credit(context: Context, args: Refund) -> Done:
    """Give back the class credit that a booking used, once; never money."""
    given = service.refund(
        context.session,
        context.actor,
        args.booking_id,
        reason=args.reason,
        now=context.now,
        credits_=args.credits,
    )
    return _bookings.refunded("bookings.refund_credit", given)


@tool(
    Effect.WRITE,
    "POST /bookings/{booking_id}/waive-late",
    label=N_("Waive a late cancel"),
    role=ADMIN,
    confirm=_bookings.ask_waive,
    always=True,
    undo=SNAPSHOT,
)
def waive_late_cancel(context: Context, args: Waive) -> Done:
    """Turn a late cancel or a no-show into a free cancel and return its credit."""
    given = service.waive(
        context.session, context.actor, args.booking_id, reason=args.reason, now=context.now
    )
    return _bookings.refunded("bookings.waive_late_cancel", given)


@tool(Effect.READ, "GET /me/bookings", label=N_("Show my bookings"), quick=True)
def list_mine(context: Context, args: MyBookings) -> Table:
    """List the caller's own bookings, to come and past; the latest class first."""
    own = service.me(context.session, context.actor)
    wanted = args.wanted(own.id)
    found = queries.bookings(context.session, wanted, context.actor.language, cut=args.cut)
    title = Line(key="bookings.list_mine.title")
    return listing(title, BOOKING_COLUMNS, found, booking_row)


@tool(
    Effect.WRITE,
    "POST /bookings/{booking_id}/move",
    label=N_("Move a booking"),
    undo=SNAPSHOT,
    core=True,
)
def move(context: Context, args: MoveBooking) -> Done:
    """Move a booking to another class: both happen or neither, without a late-cancel."""
    was = queries.booking_view(context.session, args.booking_id, context.actor.language)
    made = service.move(
        context.session,
        context.actor,
        args.booking_id,
        args.to_class_session_id,
        now=context.now,
    )
    leads.let_in(context.session, context.actor, (made.booking.id,), now=context.now)
    return _bookings.booked("bookings.move", made, was=moment(was.slot))


@tool(
    Effect.READ,
    "GET /members/{member_id}/credit-ledger",
    label=N_("Show credit movements"),
)
def list_credit_ledger(context: Context, args: Ledger) -> Table:
    """Show every class-credit movement of a member with its cause, the newest first."""
    check_days(args.from_date, args.to_date, most=3_660)
    member = people.member(context.session, args.member_id)
    org = studio.org(context.session, context.actor.org_id)
    span = studio.instants(org, args.from_date, args.to_date)
    found = memberships.ledger(context.session, member.id, *span, cut=args.cut)
    title = Line(key="bookings.list_credit_ledger.title", values={"member": Name(text=member.name)})
    row = _bookings.ledger_row_in(context, found.rows, org.timezone)
    return listing(title, _bookings.LEDGER_COLUMNS, found, row)


@tool(Effect.READ, "GET /bookings", label=N_("List bookings"), quick=True, core=True)
def list(context: Context, args: Bookings) -> Table:  # noqa: A001 - the action's name
    """List bookings by member, class, dates or status; the latest class first."""
    found = queries.bookings(context.session, args.wanted, context.actor.language, cut=args.cut)
    return listing(Line(key="bookings.list.title"), BOOKING_COLUMNS, found, booking_row)
