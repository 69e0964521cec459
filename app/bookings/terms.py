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


ACTIVE = (BookingStatus.BOOKED, BookingStatus.WAITLISTED, BookingStatus.ATTENDED)
"""Of these a member has at most one in a class."""
IN_PLACE = (BookingStatus.BOOKED, BookingStatus.ATTENDED)
"""These take up a place (rule 4)."""
