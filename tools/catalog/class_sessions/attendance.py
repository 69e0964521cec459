"""Who came to a class: check-ins, walk-ins, no-shows."""

from app.bookings import service
from app.bookings.terms import BookingStatus
from app.leads import service as leads
from i18n import N_
from tools.catalog import _attendance
from tools.catalog._attendance import BulkCheckIn, CheckIn, OneAttendance
from tools.kit.cards import Done
from tools.kit.declare import SNAPSHOT, Context, Effect, tool


@tool(
    Effect.WRITE,
    "POST /class-sessions/{class_session_id}/check-ins",
    label=N_("Check a member in"),
    undo="undo_check_in",
)
def check_in(context: Context, args: CheckIn) -> Done:
    """Mark one booked member as arrived, or let a walk-in in, who is booked and pays a credit."""
    made = service.check_in(context.session, context.actor, args.arrival, now=context.now)
    if made.booking.trial:
        leads.let_in(context.session, context.actor, (made.booking.id,), now=context.now)
    return _attendance.checked_in(made)


@tool(
    Effect.WRITE,
    "DELETE /class-sessions/{class_session_id}/check-ins/{member_id}",
    label=N_("Take a check-in back"),
    undo="check_in",
)
def undo_check_in(context: Context, args: OneAttendance) -> Done:
    """Take a check-in back: the booking is as it was before; a walk-in's goes, with its credit."""
    view = service.undo_check_in(
        context.session, context.actor, args.class_session_id, args.member_id, now=context.now
    )
    if view.trial and view.status is BookingStatus.WAITLISTED:
        leads.forget_trial(context.session, view.id, waits=True)
    return _attendance.taken_back(view)


@tool(
    Effect.WRITE,
    "POST /class-sessions/{class_session_id}/check-ins/bulk",
    label=N_("Check many in"),
    confirm=_attendance.ask_bulk,
    always=True,
    undo=SNAPSHOT,
    core=True,
)
def bulk_check_in(context: Context, args: BulkCheckIn) -> Done:
    """Mark all booked members of a class as arrived, or several, or all but some."""
    present = service.bulk_check_in(
        context.session,
        context.actor,
        args.class_session_id,
        args.member_ids,
        args.except_member_ids,
        now=context.now,
    )
    return _attendance.bulk_done(present)


@tool(
    Effect.WRITE,
    "POST /class-sessions/{class_session_id}/no-shows",
    label=N_("Mark a no-show"),
    undo=SNAPSHOT,
)
def mark_no_show(context: Context, args: OneAttendance) -> Done:
    """Mark a booked member as absent from a class that has begun; the credit stays used."""
    marked = service.mark_no_show(
        context.session, context.actor, args.class_session_id, args.member_id, now=context.now
    )
    return _attendance.no_show(marked)
