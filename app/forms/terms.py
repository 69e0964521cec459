"""Closed sets of forms."""

from enum import StrEnum


class FormKind(StrEnum):
    HEALTH_DECLARATION = "health_declaration"
    WAIVER = "waiver"
    INTAKE = "intake"
    CHECK_IN = "check_in"
    SURVEY = "survey"


class FieldType(StrEnum):
    TEXT = "text"
    LONG_TEXT = "long_text"
    YES_NO = "yes_no"
    CHOICE = "choice"
    NUMBER = "number"
    DATE = "date"


class FormStatus(StrEnum):
    SENT = "sent"
    OPENED = "opened"
    SUBMITTED = "submitted"
    REVIEWED = "reviewed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    """Its link leads nowhere any more; never stored, the day tells."""


UNANSWERED = (FormStatus.SENT, FormStatus.OPENED)
ANSWERED = (FormStatus.SUBMITTED, FormStatus.REVIEWED)


class FormDecision(StrEnum):
    APPROVED = "approved"
    NEEDS_DOCUMENT = "needs_document"
    ACTION_NEEDED = "action_needed"
