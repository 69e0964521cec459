"""Classes on the schedule: showing, adding, changing, cancelling one of them."""

from app.bookings import queries, service
from app.schedule import service as schedule
from i18n import N_
from tools.catalog import _sessions
from tools.catalog._cards import BOOKING_COLUMNS, SESSION_COLUMNS, booking_row, listing, session_row
from tools.catalog._session_args import (
    Cancelling,
    Deleting,
    NewClass,
    NewTime,
    OneSession,
    Reinstating,
    Roster,
    SessionChanges,
    Sessions,
)
from tools.catalog._when import today_of
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import SNAPSHOT, Context, Effect, tool
from tools.kit.values import Line


@tool(Effect.READ, "GET /class-sessions/{class_session_id}", label=N_("Show a class"), quick=True)
def get(context: Context, args: OneSession) -> Facts:
    """Show one class: time, coach, room, places, notes, until when cancelling is free."""
    return _sessions.facts(context, _sessions.view(context, args.class_session_id))


@tool(
    Effect.READ,
    "GET /class-sessions/{class_session_id}/roster",
    label=N_("Show who is booked"),
    quick=True,
    core=True,
)
def get_roster(context: Context, args: Roster) -> Table:
    """Show who is booked, checked in, waiting or cancelled in a class; ids are of bookings."""
    view = _sessions.view(context, args.class_session_id)
    waiting = args.include_waitlist
    found = queries.roster(
        context.session, view.id, context.actor.language, waiting=waiting, cut=args.cut
    )
    title = Line(key="class_sessions.get_roster.title", values=_sessions.named(view))
    return listing(title, BOOKING_COLUMNS, found, booking_row)


@tool(Effect.WRITE, "POST /class-sessions", label=N_("Add a class"), undo="delete", core=True)
def create(context: Context, args: NewClass) -> Done:
    """Schedule one class at a local date and time."""
    made = schedule.create(context.session, context.actor, args.new, now=context.now)
    return _sessions.created(context, made.id)


@tool(
    Effect.WRITE,
    "PATCH /class-sessions/{class_session_id}",
    label=N_("Change a class"),
    undo=SNAPSHOT,
    core=True,
)
def update(context: Context, args: SessionChanges) -> Done:
    """Change coach, capacity, room, title or notes of a class; what is left out stays."""
    view = service.change_session(
        context.session,
        context.actor,
        args.class_session_id,
        args.changes,
        now=context.now,
        expected_version=args.expected_version,
    )
    return _sessions.done("class_sessions.update", view)


@tool(
    Effect.WRITE,
    "POST /class-sessions/{class_session_id}/reschedule",
    label=N_("Move a class"),
    confirm=_sessions.ask_reschedule,
    always=True,
    undo=SNAPSHOT,
    core=True,
)
def reschedule(context: Context, args: NewTime) -> Done:
    """Move a class, or a repeating one from it on, to another time; all booked are told."""
    return _sessions.moved(context, args)


@tool(
    Effect.DESTRUCTIVE,
    "POST /class-sessions/{class_session_id}/cancel",
    label=N_("Cancel a class"),
    confirm=_sessions.ask_cancel,
    undo="reinstate",
    core=True,
)
def cancel(context: Context, args: Cancelling) -> Done:
    """Cancel a class: all bookings end, all credits come back, everyone booked is told."""
    gone = service.cancel_session(
        context.session,
        context.actor,
        args.class_session_id,
        now=context.now,
        reason=args.reason,
        notify=args.notify,
    )
    return _sessions.cancelled(gone)


@tool(
    Effect.WRITE,
    "POST /class-sessions/{class_session_id}/reinstate",
    label=N_("Bring a class back"),
    undo="cancel",
)
def reinstate(context: Context, args: Reinstating) -> Done:
    """Bring back a cancelled class with the bookings it had, as far as they still fit."""
    back = service.reinstate_session(
        context.session,
        context.actor,
        args.class_session_id,
        now=context.now,
        restore_bookings=args.restore_bookings,
    )
    return _sessions.reinstated(back)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /class-sessions/{class_session_id}",
    label=N_("Delete a class"),
    confirm=_sessions.ask_delete,
    undo=SNAPSHOT,
)
def delete(context: Context, args: Deleting) -> Done:
    """Delete a class that nobody booked, or a repeating one; those with bookings are cancelled."""
    return _sessions.deleted(context, args)


@tool(Effect.READ, "GET /class-sessions", label=N_("Show the schedule"), quick=True, core=True)
def list(context: Context, args: Sessions) -> Table:  # noqa: A001 - the action's name
    """Show the schedule of some days (default: today) with coach, places taken and waiting."""
    today = today_of(context)
    wanted = args.wanted(today)
    found = queries.sessions(context.session, wanted, context.actor.language, cut=args.cut)
    return listing(Line(key="class_sessions.list.title"), SESSION_COLUMNS, found, session_row)
