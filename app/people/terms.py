"""Closed sets about people."""

from enum import StrEnum


class MemberStatus(StrEnum):
    PROSPECT = "prospect"
    ACTIVE = "active"
    INACTIVE = "inactive"
    SUSPENDED = "suspended"
    ARCHIVED = "archived"
    ERASED = "erased"
