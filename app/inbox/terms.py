"""Closed sets of the inbox."""

from enum import StrEnum


class ThreadChannel(StrEnum):
    WHATSAPP = "whatsapp"
    SMS = "sms"
    EMAIL = "email"
    INSTAGRAM = "instagram"
    IN_APP = "in_app"


class ThreadStatus(StrEnum):
    OPEN = "open"
    PENDING = "pending"
    """Answered: the next word is theirs."""
    CLOSED = "closed"


class Direction(StrEnum):
    IN = "in"
    OUT = "out"
    NOTE = "note"
    """For the staff alone; it never leaves."""


class MessageState(StrEnum):
    QUEUED = "queued"
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"
