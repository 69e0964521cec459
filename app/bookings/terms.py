"""Closed sets of bookings."""

from enum import StrEnum


class BookingStatus(StrEnum):
    BOOKED = "booked"
    WAITLISTED = "waitlisted"
    ATTENDED = "attended"
    NO_SHOW = "no_show"
    CANCELLED = "cancelled"
    LATE_CANCELLED = "late_cancelled"
    REMOVED = "removed"


class BookingSource(StrEnum):
    MEMBER = "member"
    STAFF = "staff"
    AUTO = "auto"
    IMPORT = "import"
