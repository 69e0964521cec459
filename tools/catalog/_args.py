"""Arguments that several tools share, described for whoever calls them."""

from datetime import date, time
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field, WithJsonSchema

from app.core.errors import BadInput
from app.core.storable import one_line
from app.studio.paging import Cut
from tools.kit.declare import Args

SessionId = Annotated[UUID, Field(description="The class, by its id from class_sessions.list.")]
MemberId = Annotated[UUID, Field(description="The member, by id from read.find_members.")]
BookingId = Annotated[UUID, Field(description="The booking, by id from bookings.list or a roster.")]
FromDate = Annotated[date | None, Field(description="First local day, YYYY-MM-DD; else today.")]
ToDate = Annotated[date | None, Field(description="Last local day, included; else only the first.")]
Override = Annotated[
    str | None,
    Field(
        min_length=2,
        max_length=200,
        description="Why a rule is set aside, if the person wants it.",
    ),
]
OneLine = Annotated[str, AfterValidator(one_line)]
"""What something is called: it stands within our sentences, so it has no lines of its own."""
Version = Annotated[
    int | None,
    Field(ge=1, description="The version you read; refused if it was changed since."),
]


def _plain(local: time) -> time:
    """Hours and minutes: a zone would say another time, and seconds are a slip."""
    if local.tzinfo is not None or local.second or local.microsecond:
        raise ValueError("hours and minutes only")
    return local


ClockTime = Annotated[
    time,
    AfterValidator(_plain),
    WithJsonSchema({"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$"}),
]
"""A local time, HH:MM."""


class Listed(Args):
    limit: int = Field(default=20, ge=1, le=100, description="Rows wanted.")
    cursor: str | None = Field(
        default=None, max_length=12, description="From the last page, for the next one."
    )

    @property
    def cut(self) -> Cut:
        return Cut(self.limit, self.cursor)


def check_days(first: date | None, last: date | None, *, most: int = 366) -> None:
    """Raise BadInput for days in the wrong order, or more of them than anybody reads."""
    if first is not None and last is not None and not 0 <= (last - first).days < most:
        raise BadInput(fields=("from_date", "to_date"))
