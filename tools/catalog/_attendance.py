"""Arguments and cards of who came: check-ins, walk-ins, no-shows."""

from uuid import UUID

from pydantic import Field

from app.bookings import service
from app.bookings.service import Arrival, Booked, Marked, Present
from app.bookings.views import BookingView
from tools.catalog._args import MemberId, Override, SessionId
from tools.catalog._cards import (
    booked_notes,
    booking_ref,
    booking_values,
    session_ref,
    session_values,
)
from tools.kit.cards import Confirm, Done
from tools.kit.declare import Args, Context
from tools.kit.values import Count, Instant, Line, Names, Value

_MANY = 100


class OneAttendance(Args):
    class_session_id: SessionId
    member_id: MemberId


class CheckIn(OneAttendance):
    walk_in: bool = Field(
        default=False, description="They came without a booking: book them and take the credit."
    )
    override_reason: Override = None

    @property
    def arrival(self) -> Arrival:
        return Arrival(self.class_session_id, self.member_id, self.walk_in, self.override_reason)


class BulkCheckIn(Args):
    class_session_id: SessionId
    member_ids: tuple[UUID, ...] = Field(
        default=(),
        min_length=1,
        max_length=_MANY,
        description="Only these; left out: everybody who is booked.",
    )
    except_member_ids: tuple[UUID, ...] = Field(
        default=(), max_length=_MANY, description="But not these."
    )


def checked_in(made: Booked) -> Done:
    """`walk_in` stands only where they were one: its words tell of the credit."""
    view = made.booking
    values = {**booking_values(view), **({"walk_in": True} if view.walk_in else {})}
    return Done(
        of="class_sessions.check_in",
        values=values,
        notes=booked_notes(made),
        ref=booking_ref(view),
    )


def taken_back(view: BookingView) -> Done:
    values = booking_values(view)
    return Done(of="class_sessions.undo_check_in", values=values, ref=booking_ref(view))


def no_show(marked: Marked) -> Done:
    return Done(
        of="class_sessions.mark_no_show",
        values=booking_values(marked.booking),
        notes=_block(marked),
        ref=booking_ref(marked.booking),
    )


def ask_bulk(context: Context, args: BulkCheckIn) -> Confirm:
    present = service.preview_bulk(
        context.session,
        context.actor,
        args.class_session_id,
        args.member_ids,
        args.except_member_ids,
        now=context.now,
    )
    who = Line(key="card.people", values={"people": Names(all=present.names)})
    return Confirm(
        of="class_sessions.bulk_check_in",
        values=_bulk_values(present),
        effects=(who,),
        ref=session_ref(present.session),
    )


def bulk_done(present: Present) -> Done:
    return Done(
        of="class_sessions.bulk_check_in",
        values=_bulk_values(present),
        ref=session_ref(present.session),
    )


def _block(marked: Marked) -> tuple[Line, ...]:
    if marked.blocked_until is None:
        return ()
    until = Instant(at=marked.blocked_until, zone=marked.booking.slot.zone)
    return (Line(key="note.blocked_until", values={"until": until}),)


def _bulk_values(present: Present) -> dict[str, Value]:
    marked = Count(n=len(present.names), of="members")
    return {**session_values(present.session), "marked": marked}
