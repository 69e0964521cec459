"""What may go wrong with memberships and credits: one code each."""

from app.core.errors import StudioError


class NoCreditsLeft(StudioError):
    """The balance would go below zero (rule 25)."""

    code, status = "credits_spent", 409


class FreezeOverlaps(StudioError):
    """Freezes of one membership may not overlap (rule 28): `from_date`, `until_date`."""

    code, status = "freeze_overlaps", 409


class AlreadyRecurring(StudioError):
    """The member has a recurring membership for these class types: `plan`, `since` (rule 26)."""

    code, status = "already_recurring", 409
