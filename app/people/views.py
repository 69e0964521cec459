"""People as other parts see them: values, not rows."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from app.core.actor import Role
from app.people.terms import MemberStatus


@dataclass(frozen=True, slots=True)
class MemberView:
    id: UUID
    version: int
    name: str
    phone: str | None
    email: str | None
    language: str
    status: MemberStatus
    joined_on: date
    tags: tuple[str, ...]
    health_form_until: date | None


@dataclass(frozen=True, slots=True)
class FoundMember:
    """`exact`: all words of the query stand in the name as typed."""

    member: MemberView
    exact: bool
    grade: int


@dataclass(frozen=True, slots=True)
class StaffView:
    id: UUID
    user_id: UUID
    name: str
    role: Role
    active: bool
    class_type_ids: tuple[UUID, ...]
