"""Who is meant: a closed set of fields, all of which must agree."""

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from app.people.terms import MemberStatus

_Tag = Annotated[str, Field(min_length=1, max_length=40)]


class AudienceFilter(BaseModel):
    """Members by what is known of them; what is left open doesn't matter.

    A list that is given names somebody: an empty one would mean everybody.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: tuple[MemberStatus, ...] = Field(
        default=(), min_length=1, max_length=4, description="Left out: active members."
    )
    tags: tuple[_Tag, ...] = Field(
        default=(), min_length=1, max_length=10, description="Any of these."
    )
    without_tags: tuple[_Tag, ...] = Field(default=(), min_length=1, max_length=10)
    languages: tuple[str, ...] = Field(
        default=(), min_length=1, max_length=3, description="en, he, ru."
    )
    plan_ids: tuple[UUID, ...] = Field(
        default=(), min_length=1, max_length=10, description="Holds one of these plans now."
    )
    coach_id: UUID | None = Field(default=None, description="Their own coach.")
    class_session_id: UUID | None = Field(default=None, description="Booked into this class.")
    joined_from: date | None = None
    joined_to: date | None = None
    absent_days: int | None = Field(
        default=None, ge=1, le=730, description="No visit for so many days."
    )
    visited_days: int | None = Field(
        default=None, ge=1, le=730, description="A visit within so many days."
    )
    expires_days: int | None = Field(
        default=None, ge=0, le=366, description="A membership ends within so many days."
    )
    credits_at_most: int | None = Field(default=None, ge=0, le=100)
    birthday_days: int | None = Field(
        default=None, ge=0, le=62, description="Birthday within so many days, 0: today."
    )
    frozen: bool | None = None
    health_form_missing: bool | None = None
    unpaid: bool | None = Field(default=None, description="Needs an admin.")

    @property
    def told(self) -> dict[str, object]:
        """What it says, as it is stored."""
        return self.model_dump(mode="json", exclude_defaults=True)
