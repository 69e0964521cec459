"""Closed sets about people."""

from enum import StrEnum


class MemberStatus(StrEnum):
    PROSPECT = "prospect"
    ACTIVE = "active"
    INACTIVE = "inactive"
    SUSPENDED = "suspended"
    ARCHIVED = "archived"
    ERASED = "erased"


class Gender(StrEnum):
    """As they said themselves; it is never guessed from a name or a verb (rule 53)."""

    FEMALE = "female"
    MALE = "male"


class NoteKind(StrEnum):
    GENERAL = "general"
    INJURY = "injury"
    PAYMENT = "payment"
    MEDICAL = "medical"


class InvitationKind(StrEnum):
    MEMBER = "member"
    STAFF = "staff"


class InvitationStatus(StrEnum):
    PENDING = "pending"
    ACCEPTED = "accepted"
    REVOKED = "revoked"
    EXPIRED = "expired"
    """Never stored: a pending one whose time is over is read so."""


class LegalBasis(StrEnum):
    """Why a person's data are erased."""

    REQUEST = "request"
    CONSENT_WITHDRAWN = "consent_withdrawn"
    NO_LONGER_NEEDED = "no_longer_needed"
    UNLAWFUL = "unlawful"
    LEGAL_DUTY = "legal_duty"


class Channel(StrEnum):
    """By what a member or lead is written to."""

    WHATSAPP = "whatsapp"
    SMS = "sms"
    EMAIL = "email"


class Category(StrEnum):
    """What a message is for: marketing needs consent and keeps the day of rest (rule 36)."""

    UTILITY = "utility"
    MARKETING = "marketing"
