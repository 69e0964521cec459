"""What may go wrong with the schedule: one code each."""

from app.core.errors import StudioError


class TimeDoesNotExist(StudioError):
    """The clocks skip it that night: `date`, `time`."""

    code, status = "time_does_not_exist", 422


class BadDuration(StudioError):
    """Shorter than 5 minutes or longer than 8 hours: `minutes`."""

    code, status = "bad_duration", 422


class SessionInPast(StudioError):
    """It is over, or would be: `class`, `date`, `time`."""

    code, status = "session_in_past", 409


class DateTooFar(StudioError):
    """More than a year ahead: `date`."""

    code, status = "date_too_far", 422


class EmptySeries(StudioError):
    """It falls on no day at all."""

    code, status = "empty_series", 422


class NotInSeries(StudioError):
    """It doesn't repeat, so there are no others to do the same to."""

    code, status = "not_in_series", 409


class ClassTypeArchived(StudioError):
    code, status = "class_type_archived", 409


class ClassTypeExists(StudioError):
    """Another type in use has that name: `class`."""

    code, status = "class_type_exists", 409


class ClassTypeInUse(StudioError):
    """`classes` were scheduled of it, or `plans` name it: it is archived, not deleted."""

    code, status = "class_type_in_use", 409


class CoachInactive(StudioError):
    """`coach` no longer works here."""

    code, status = "coach_inactive", 409


class CoachBusy(StudioError):
    """`coach` gives `class` then already, `date`, `time` (rule 12)."""

    code, status = "coach_busy", 409


class SessionCancelledAlready(StudioError):
    code, status = "session_cancelled_already", 409


class SessionNotCancelled(StudioError):
    """There is nothing to bring back."""

    code, status = "session_not_cancelled", 409


class SessionNotScheduled(StudioError):
    """It is cancelled or over, so it can't be changed: `state`."""

    code, status = "session_not_scheduled", 409


class SessionStarted(StudioError):
    code, status = "session_started", 409


class CapacityBelowBooked(StudioError):
    """`capacity` is less than `booked`; `names` have places, where they are known (rule 9)."""

    code, status = "capacity_below_booked", 409
