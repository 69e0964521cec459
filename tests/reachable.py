"""Members who can be written to, for tests: with a phone, and their yes to offers."""

from itertools import count
from typing import Any
from uuid import UUID

from app.people import service as people
from tests.studio import Studio

_numbers = count(1)


def reachable(studio: Studio, name: str = "Dana Levi", **more: Any) -> UUID:  # noqa: ANN401 - as NewMember
    """One who agreed to offers."""
    member_id = told_alone(studio, name, **more)
    with studio.act() as session:
        people.consent(session, member_id, now=studio.now)
    return member_id


def told_alone(studio: Studio, name: str = "Dana Levi", **more: Any) -> UUID:  # noqa: ANN401 - as NewMember
    """One who never agreed to offers."""
    given = {"phone": f"+97254{next(_numbers):07d}", "language": "en", **more}
    return studio.person(name, **given)
