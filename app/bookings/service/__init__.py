"""The rules of bookings: making, moving, cancelling them, and changing classes that have some."""

from app.bookings.service.booking import Booked, Wish, book, check, move
from app.bookings.service.bringing_in import KnownBooking, bring_in
from app.bookings.service.cancelling import Cancelled, cancel, preview_cancel
from app.bookings.service.clearing import Cleared, bring_back, clear, preview_clear
from app.bookings.service.credits import (
    Refunded,
    preview_refund,
    preview_waive,
    refund,
    waive,
)
from app.bookings.service.own import book_self, cancel_self, me, preview_cancel_self
from app.bookings.service.sessions import (
    NewTime,
    SessionCancelled,
    SessionMove,
    SessionReinstated,
    cancel_session,
    change_session,
    delete_session,
    preview_cancel_session,
    preview_delete_session,
    preview_reschedule,
    reinstate_session,
    reschedule_session,
)
from app.bookings.service.waitlist import (
    Choice,
    Promotion,
    join,
    leave,
    preview_leave,
    promote,
    promote_one,
)

__all__ = [
    "Booked",
    "Cancelled",
    "Choice",
    "Cleared",
    "KnownBooking",
    "NewTime",
    "Promotion",
    "Refunded",
    "SessionCancelled",
    "SessionMove",
    "SessionReinstated",
    "Wish",
    "book",
    "book_self",
    "bring_back",
    "bring_in",
    "cancel",
    "cancel_self",
    "cancel_session",
    "change_session",
    "check",
    "clear",
    "delete_session",
    "join",
    "leave",
    "me",
    "move",
    "preview_cancel",
    "preview_cancel_self",
    "preview_cancel_session",
    "preview_clear",
    "preview_delete_session",
    "preview_leave",
    "preview_refund",
    "preview_reschedule",
    "preview_waive",
    "promote",
    "promote_one",
    "refund",
    "reinstate_session",
    "reschedule_session",
    "waive",
]
