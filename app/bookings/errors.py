"""What may go wrong with bookings: one code each."""

from typing import ClassVar

from app.core.errors import StudioError


class NotBookable(StudioError):
    """A rule of booking says no; some, staff may overrule with a reason (rules 4, 12, 25)."""

    status = 409
    overridable: ClassVar[bool] = True


class AlreadyBooked(NotBookable):
    """`member` has a place, or a place in the queue."""

    code, overridable = "already_booked", False


class MemberSuspended(NotBookable):
    """Suspended, archived or erased: `member`."""

    code, overridable = "member_suspended", False


class SessionOff(NotBookable):
    """The gym cancelled it."""

    code, overridable = "session_off", False


class SessionOver(NotBookable):
    """It has begun already or is over."""

    code, overridable = "session_over", False


class NoMembership(NotBookable):
    """None that covers the day of the class, `date`."""

    code = "no_membership"


class MembershipFrozen(NotBookable):
    code = "membership_frozen"


class ClassNotInPlan(NotBookable):
    """`plan` doesn't cover this class type."""

    code = "class_not_in_plan"


class NoCredits(NotBookable):
    """`plan` has too few credits that are good on that day."""

    code = "no_credits"


class WeeklyLimit(NotBookable):
    """`limit` visits a week on this plan are booked."""

    code = "weekly_limit"


class Unpaid(NotBookable):
    code = "unpaid"


class HealthFormMissing(NotBookable):
    code = "health_form_missing"


class NotOpenYet(NotBookable):
    """Booking opens at `opens_at`."""

    code = "not_open_yet"


class NoShowBlock(NotBookable):
    """Too many no-shows: until `until` only classes of the day itself may be booked (rule 18)."""

    code = "no_show_block"


class DailyLimit(NotBookable):
    """`limit` bookings that day are the most."""

    code = "daily_limit"


class FutureLimit(NotBookable):
    """`limit` bookings ahead are the most."""

    code = "future_limit"


class Clash(NotBookable):
    """Another class at that time: `class`, `date`, `time`."""

    code = "clash"


class Full(NotBookable):
    """`booked` of `capacity`, `waiting`; a place that was just freed is kept for the queue."""

    code = "full"


class HasPlaces(StudioError):
    """`free` places: nobody has to wait."""

    code, status = "has_places", 409


class BookingClosed(StudioError):
    """It is cancelled already, or the visit has taken place: `state`."""

    code, status = "booking_closed", 409


class CheckInClosed(StudioError):
    """Attendance is noted from `opens_at` to `closes_at` (rule 22)."""

    code, status = "check_in_closed", 409


class CheckedInAlready(StudioError):
    """`member` came already."""

    code, status = "checked_in_already", 409


class NotBooked(StudioError):
    """`members` have no place in that class; whoever just came is a walk-in."""

    code, status = "not_booked", 409


class NotCheckedIn(StudioError):
    """There is no check-in of `member` to take back."""

    code, status = "not_checked_in", 409


class NobodyToCheckIn(StudioError):
    """All who are booked have come, or nobody is."""

    code, status = "nobody_to_check_in", 409


class NotStarted(StudioError):
    """Nobody is absent before `starts_at`."""

    code, status = "not_started", 409


class NoMemberProfile(StudioError):
    """The caller, `name`, is of the team but no member here, so there is nobody to book."""

    code, status = "no_member_profile", 409


class NothingToRefund(StudioError):
    """No credit was used for it, or it has come back already (rule 24)."""

    code, status = "nothing_to_refund", 409


class RefundTooLarge(StudioError):
    """`cost` credits were used, no more can come back."""

    code, status = "refund_too_large", 422


class TooMany(StudioError):
    """More than `most` at once: a mistake, or several calls."""

    code, status = "too_many_at_once", 422


class NothingToCancel(StudioError):
    """Nothing that is still to come fits."""

    code, status = "nothing_to_cancel", 409


class NotLate(StudioError):
    """Neither a late cancel nor a no-show: `state`."""

    code, status = "not_late", 409


class PlaceGone(StudioError):
    """The place was given to somebody else meanwhile; the waiting list is left (rule 8)."""

    code, status = "place_gone", 409


class SessionHasBookings(StudioError):
    """`bookings` are or were made, so it can be cancelled but not deleted (rule 21)."""

    code, status = "session_has_bookings", 409


class SeriesHasBookings(StudioError):
    """`classes` of the series are booked, the first on `date`, `time`: they are cancelled first."""

    code, status = "series_has_bookings", 409


class SameSession(StudioError):
    """It is in that class already."""

    code, status = "same_session", 422
