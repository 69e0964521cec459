"""Cards of classes: what is shown, asked and told."""

from datetime import datetime
from uuid import UUID

from app.bookings import queries, service
from app.bookings.service import SessionCancelled, SessionMove, SessionReinstated
from app.bookings.views import SessionView
from app.schedule.terms import Scope
from tools.catalog import _series
from tools.catalog._cards import facts_of, moment, session_ref, session_values, time_notes
from tools.catalog._session_args import Cancelling, Deleting, NewTime
from tools.kit.cards import Confirm, Done, Facts
from tools.kit.declare import Context
from tools.kit.values import Instant, Line, Name, Names, Term, Value


def view(context: Context, session_id: UUID) -> SessionView:
    return queries.session_view(context.session, session_id, context.actor.language)


def named(one: SessionView) -> dict[str, Value]:
    """What it takes to know which class is meant."""
    values = session_values(one)
    return {name: values[name] for name in ("class", "when", "coach")}


def facts(context: Context, one: SessionView) -> Facts:
    told: dict[str, Value | None] = {
        "label.booked": one.booked,
        "label.capacity": one.capacity,
        "label.waiting": one.waiting,
        "label.room": Name(text=one.location) if one.location else None,
        "label.status": Term(key=f"session.{one.status}"),
        "label.booking_opens": _instant(one, one.opens_at),
        "label.free_cancel_until": _instant(one, one.free_until),
        "label.waitlist": _waitlist(one),
        **_series.repeats(context, one.series_id),
        "label.notes": Name(text=one.notes) if one.notes else None,
        "label.reason": Name(text=one.cancel_reason) if one.cancel_reason else None,
    }
    return Facts(
        title=Line(key="class_sessions.get.title", values=named(one)),
        facts=facts_of(told),
        ref=session_ref(one),
    )


def _waitlist(one: SessionView) -> Term | None:
    """Said where it isn't as usual."""
    return None if one.waitlist == "auto" else Term(key=f"waitlist_is.{one.waitlist}")


def _instant(one: SessionView, at: datetime | None) -> Instant | None:
    return None if at is None else Instant(at=at, zone=one.slot.zone)


def done(of: str, one: SessionView, *notes: Line) -> Done:
    return Done(of=of, values=session_values(one), notes=notes, ref=session_ref(one))


def created(context: Context, session_id: UUID) -> Done:
    made = view(context, session_id)
    return done("class_sessions.create", made, *time_notes(made.slot))


def ask_cancel(context: Context, args: Cancelling) -> Confirm:
    gone = service.preview_cancel_session(
        context.session, context.actor, args.class_session_id, now=context.now
    )
    values = _gone(gone)
    how = "class_sessions.cancel.effect" if args.notify else "class_sessions.cancel.effect_silent"
    anybody = gone.booked or gone.waiting
    effects = (Line(key=how, values=values), *_who(context, gone.session.id)) if anybody else ()
    return Confirm(
        of="class_sessions.cancel", values=values, effects=effects, ref=session_ref(gone.session)
    )


def _who(context: Context, session_id: UUID) -> tuple[Line, ...]:
    """The people booked, by name: what one agrees to is about them."""
    booked = queries.booked_names(context.session, session_id)
    return (Line(key="card.people", values={"people": Names(all=booked)}),) if booked else ()


def cancelled(gone: SessionCancelled) -> Done:
    return Done(of="class_sessions.cancel", values=_gone(gone), ref=session_ref(gone.session))


def reinstated(back: SessionReinstated) -> Done:
    left_out = back.left_out
    notes = (Line(key="note.left_out", values={"names": Names(all=left_out)}),) if left_out else ()
    return done("class_sessions.reinstate", back.session, *notes)


def ask_reschedule(context: Context, args: NewTime) -> Confirm:
    if args.scope is not Scope.THIS:
        return _series.ask_move(context, args)
    move = service.preview_reschedule(
        context.session, context.actor, args.class_session_id, args.to, now=context.now
    )
    told = Line(key="class_sessions.reschedule.effect", values={"told": move.told})
    return Confirm(
        of="class_sessions.reschedule",
        values=_moves(move),
        effects=(*((told,) if move.told else ()), *_move_notes(move)),
        ref=session_ref(move.session),
    )


def moved(context: Context, args: NewTime) -> Done:
    if args.scope is not Scope.THIS:
        return _series.moved(context, args)
    move = service.reschedule_session(
        context.session, context.actor, args.class_session_id, args.to, now=context.now
    )
    return Done(
        of="class_sessions.reschedule",
        values=_moves(move),
        notes=_move_notes(move),
        ref=session_ref(move.session),
    )


def ask_delete(context: Context, args: Deleting) -> Confirm:
    if args.scope is not Scope.THIS:
        return _series.ask_delete(context, args)
    one = service.preview_delete_session(context.session, context.actor, args.class_session_id)
    return Confirm(of="class_sessions.delete", values=session_values(one), ref=session_ref(one))


def deleted(context: Context, args: Deleting) -> Done:
    if args.scope is not Scope.THIS:
        return _series.deleted(context, args)
    gone = service.delete_session(context.session, context.actor, args.class_session_id)
    return Done(of="class_sessions.delete", values=named(gone))


def _gone(gone: SessionCancelled) -> dict[str, Value]:
    """As many as were booked and waiting when it was cancelled: afterwards there are none."""
    counts = {"booked": gone.booked, "waiting": gone.waiting, "credits": gone.credits}
    return {**session_values(gone.session), **counts}


def _moves(move: SessionMove) -> dict[str, Value]:
    """`when` is the time before, `new` the one after."""
    return {
        **session_values(move.session),
        "when": moment(move.was),
        "new": moment(move.slot),
    }


def _move_notes(move: SessionMove) -> tuple[Line, ...]:
    names = Names(all=move.clashing)
    clashing = (Line(key="note.clashing", values={"names": names}),) if move.clashing else ()
    return (*clashing, *time_notes(move.slot))
