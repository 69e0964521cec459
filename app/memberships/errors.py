"""What may go wrong with plans, memberships and credits: one code each."""

from app.core.errors import StudioError


class NoCreditsLeft(StudioError):
    """The balance would go below zero (rule 25)."""

    code, status = "credits_spent", 409


class CreditsNotCounted(StudioError):
    """Classes cost no credits on `plan`."""

    code, status = "credits_not_counted", 409


class FreezeOverlaps(StudioError):
    """Freezes of one membership may not overlap (rule 28): `from_date`, `until_date`."""

    code, status = "freeze_overlaps", 409


class FreezeInPast(StudioError):
    """A freeze isn't retroactive: `today` is the first day it may begin."""

    code, status = "freeze_in_past", 422


class FreezeOutside(StudioError):
    """The membership doesn't cover the day on which it would begin."""

    code, status = "freeze_outside", 422


class FreezeNotInPlan(StudioError):
    """`plan` can't be frozen."""

    code, status = "freeze_not_in_plan", 409


class FreezeLength(StudioError):
    """`plan` allows `least` to `most` days at a time."""

    code, status = "freeze_length", 422


class FreezeTooOften(StudioError):
    """`plan` allows `times` freezes in twelve months."""

    code, status = "freeze_too_often", 409


class NotFrozen(StudioError):
    """There is no freeze to end."""

    code, status = "not_frozen", 409


class AlreadyRecurring(StudioError):
    """The member has a recurring membership for these class types: `plan`, `since` (rule 26)."""

    code, status = "already_recurring", 409


class NotPossibleNow(StudioError):
    """A membership that is in this `state` can't do that (rule 27)."""

    code, status = "membership_state", 409


class NotSold(StudioError):
    """`plan` is archived, or it isn't sold any more."""

    code, status = "plan_not_sold", 409


class AlreadyOnPlan(StudioError):
    """It is on `plan` already."""

    code, status = "already_on_plan", 409


class NoBillingDate(StudioError):
    """It isn't billed again, so nothing can be put off until then, nor a day be set."""

    code, status = "no_billing_date", 422


class NoEndDate(StudioError):
    """It goes on until it is cancelled: there is no end to move."""

    code, status = "no_end_date", 409


class EndsBefore(StudioError):
    """It ends by itself on `until`, before that."""

    code, status = "ends_before", 422


class StartTooFar(StudioError):
    """It may begin between `since` and `until`."""

    code, status = "start_too_far", 422


class PlanIncomplete(StudioError):
    """A plan of this kind can't do without `needs`."""

    code, status = "plan_incomplete", 422


class MembershipInUse(StudioError):
    """Classes are booked on it, so it can't be as though it had never been: `bookings`."""

    code, status = "membership_in_use", 409
