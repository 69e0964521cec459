"""Closed sets of messages, broadcasts and announcements."""

from enum import StrEnum


class ProviderStatus(StrEnum):
    """Whether WhatsApp lets a template begin a conversation; other channels need no approval."""

    DRAFT = "draft"
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


class MessageState(StrEnum):
    QUEUED = "queued"
    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    FAILED = "failed"
    SKIPPED = "skipped"
    """When it was due it was no longer allowed."""


class BroadcastStatus(StrEnum):
    SCHEDULED = "scheduled"
    SENDING = "sending"
    SENT = "sent"
    CANCELLED = "cancelled"


class AnnouncementStatus(StrEnum):
    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PUBLISHED = "published"
    UNPUBLISHED = "unpublished"
