"""Closed sets about people."""

from enum import StrEnum


class MemberStatus(StrEnum):
    PROSPECT = "prospect"
    ACTIVE = "active"
    INACTIVE = "inactive"
    SUSPENDED = "suspended"
    ARCHIVED = "archived"
    ERASED = "erased"


class Channel(StrEnum):
    """By what a member or lead is written to."""

    WHATSAPP = "whatsapp"
    SMS = "sms"
    EMAIL = "email"


class Category(StrEnum):
    """What a message is for: marketing needs consent and keeps the day of rest (rule 36)."""

    UTILITY = "utility"
    MARKETING = "marketing"
