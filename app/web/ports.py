"""What the shell needs from above: people, words, limits, single use, and what to ping."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from app.core.actor import Actor

FindPerson = Callable[[UUID, UUID], Actor | None]
"""(org, user) -> the person as they are now, with today's role and language; None when gone."""

Words = Callable[[str, Mapping[str, object], str], str]
"""(code, values, language) -> one sentence for a person."""


class Limiter(Protocol):
    def wait(self, key: str, now: datetime) -> float:
        """Take one from the key's bucket: 0 if there was one, else the seconds until there is."""
        ...


class NoLimit:
    """For small installs and tests: everybody may."""

    def wait(self, key: str, now: datetime) -> float:  # noqa: ARG002 - the port's signature
        return 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    find_person: FindPerson
    words: Words
    limiter: Limiter = field(default_factory=NoLimit)
    first_use: Callable[[str], bool] = lambda _: False
    """Whether this id of a sign-in link is seen for the first time; False where nobody can tell."""
    pings: Mapping[str, Callable[[], object]] = field(default_factory=dict)
    """What must answer before traffic is let in, by name; each raises when it doesn't."""
    languages: tuple[str, ...] = ("en", "he", "ru")
