"""Closed sets of leads."""

from enum import StrEnum


class LeadStage(StrEnum):
    NEW = "new"
    CONTACTED = "contacted"
    TRIAL_BOOKED = "trial_booked"
    TRIAL_DONE = "trial_done"
    OFFER = "offer"
    WON = "won"
    LOST = "lost"


OPEN = (
    LeadStage.NEW,
    LeadStage.CONTACTED,
    LeadStage.TRIAL_BOOKED,
    LeadStage.TRIAL_DONE,
    LeadStage.OFFER,
)
"""The stages of a lead that may still join, in their order."""


class LeadSource(StrEnum):
    WALK_IN = "walk_in"
    WEBSITE = "website"
    FACEBOOK = "facebook"
    INSTAGRAM = "instagram"
    GOOGLE = "google"
    REFERRAL = "referral"
    WHATSAPP = "whatsapp"
    ARBOX = "arbox"
    OTHER = "other"


class ActivityKind(StrEnum):
    CALL = "call"
    WHATSAPP = "whatsapp"
    SMS = "sms"
    EMAIL = "email"
    VISIT = "visit"
    NOTE = "note"
    STAGE_CHANGE = "stage_change"


class ActivityOutcome(StrEnum):
    REACHED = "reached"
    NO_ANSWER = "no_answer"
    LEFT_MESSAGE = "left_message"
    INTERESTED = "interested"
    NOT_INTERESTED = "not_interested"


class LostReason(StrEnum):
    PRICE = "price"
    SCHEDULE = "schedule"
    LOCATION = "location"
    COMPETITOR = "competitor"
    NO_RESPONSE = "no_response"
    NOT_INTERESTED = "not_interested"
    DUPLICATE = "duplicate"
    SPAM = "spam"
    OTHER = "other"
