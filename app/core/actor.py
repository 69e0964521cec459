"""Who is asking, for which studio, and how the request came."""

from dataclasses import dataclass, replace
from enum import StrEnum
from uuid import UUID


class Role(StrEnum):
    MEMBER = "member"
    COACH = "coach"
    ADMIN = "admin"
    OWNER = "owner"

    def at_least(self, lowest: "Role") -> bool:
        """Whether this role may do what the lowest one may: member < coach < admin < owner."""
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(lowest)


class Via(StrEnum):
    """What acts for the person: they themselves, the assistant, or a program with their token."""

    PERSON = "person"
    AGENT = "agent"
    MACHINE = "machine"


@dataclass(frozen=True, slots=True)
class Actor:
    org_id: UUID
    user_id: UUID
    role: Role
    name: str = ""
    language: str = "en"
    via: Via = Via.PERSON
    undoing: bool = False
    """The system takes something back on the person's behalf: no penalties, any inverse."""

    def acting(self, via: Via) -> "Actor":
        return replace(self, via=via)

    def at_most(self, role: Role) -> "Actor":
        """With the lower of the two roles: a right that was not given is not found elsewhere."""
        return self if role.at_least(self.role) else replace(self, role=role)
