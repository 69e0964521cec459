"""What may go wrong with leads: one code each."""

from app.core.errors import StudioError


class PhoneTaken(StudioError):
    """Another open lead, `name`, has this phone (rule 38)."""

    code, status = "lead_phone_taken", 409


class LeadClosed(StudioError):
    """`name` has become a member, or was given up."""

    code, status = "lead_closed", 409


class SameStage(StudioError):
    """`name` is at that stage already."""

    code, status = "same_stage", 422


class FollowUpInPast(StudioError):
    """That time is over: `at`."""

    code, status = "follow_up_in_past", 422


class ActivityInFuture(StudioError):
    """It hasn't happened yet: `at`."""

    code, status = "activity_in_future", 422
