"""Keys: UUIDv7, made here because PostgreSQL before 18 has none."""

from secrets import token_urlsafe
from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """A key that sorts by the time it was made."""
    return uuid7()


def new_token() -> str:
    """An unguessable word of 22 characters, fit for a card id or a link."""
    return token_urlsafe(16)
