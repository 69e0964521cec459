"""Arguments of the tools for bookings."""

from datetime import date
from enum import StrEnum
from typing import Self
from uuid import UUID

from pydantic import Field, model_validator

from app.bookings.service import BookingRequest, Choice
from app.bookings.terms import BookingStatus
from app.bookings.views import BookingFilter
from app.core.errors import BadInput
from app.leads.service import Trial
from tools.catalog._args import BookingId, Listed, MemberId, Override, SessionId, check_days
from tools.kit.declare import Args


class LatePolicy(StrEnum):
    APPLY = "apply"
    WAIVE = "waive"


class Bookings(Listed):
    member_id: UUID | None = Field(default=None, description="Only this member's.")
    class_session_id: UUID | None = Field(default=None, description="Only of this class.")
    from_date: date | None = Field(default=None, description="First local day of the class.")
    to_date: date | None = Field(default=None, description="Last local day, included.")
    status: tuple[BookingStatus, ...] = Field(
        default=(), max_length=7, description="Only these; empty: all."
    )

    @model_validator(mode="after")
    def _narrow(self) -> Self:
        if not (self.member_id or self.class_session_id or self.from_date):
            raise ValueError("give member_id, class_session_id or from_date")
        return self

    @property
    def wanted(self) -> BookingFilter:
        check_days(self.from_date, self.to_date)
        return BookingFilter(
            member_id=self.member_id,
            class_session_id=self.class_session_id,
            since=self.from_date,
            until=self.to_date,
            statuses=self.status,
        )


class Eligibility(Args):
    class_session_id: SessionId
    member_id: MemberId


class BookMember(Args):
    class_session_id: SessionId
    member_id: UUID | None = Field(
        default=None, description="The member, by id from read.find_members."
    )
    lead_id: UUID | None = Field(default=None, description="Or a lead, for a trial class.")
    membership_id: UUID | None = Field(
        default=None, description="Only to say which of several memberships pays."
    )
    override_reason: Override = None
    join_waitlist_if_full: bool = Field(
        default=False,
        description="Only if the person asked for the waitlist; else they are asked if it is full.",
    )

    @model_validator(mode="after")
    def _whom(self) -> Self:
        if self.member_id is None and self.lead_id is None:
            raise ValueError("give member_id or lead_id")
        return self

    @property
    def wish(self) -> BookingRequest | Trial:
        """Of a member, or of a lead for a trial."""
        if self.lead_id is not None:
            return Trial(
                self.lead_id,
                self.class_session_id,
                member_id=self.member_id,
                override_reason=self.override_reason,
                join_waitlist=self.join_waitlist_if_full,
            )
        if self.member_id is None:
            raise BadInput(fields=("member_id",))
        return BookingRequest(
            class_session_id=self.class_session_id,
            member_id=self.member_id,
            membership_id=self.membership_id,
            override_reason=self.override_reason,
            join_waitlist=self.join_waitlist_if_full,
        )


class UnbookMember(Args):
    booking_id: BookingId
    late_policy: LatePolicy = Field(
        default=LatePolicy.APPLY,
        description="waive: give the credit back though it is late; needs an admin.",
    )
    reason: str | None = Field(default=None, max_length=300, description="Kept with the booking.")


class MyBookings(Listed):
    from_date: date | None = Field(default=None, description="First local day of the class.")
    to_date: date | None = Field(default=None, description="Last local day, included.")
    status: tuple[BookingStatus, ...] = Field(
        default=(), max_length=7, description="Only these; empty: all."
    )

    def wanted(self, member_id: UUID) -> BookingFilter:
        check_days(self.from_date, self.to_date)
        return BookingFilter(
            member_id=member_id, since=self.from_date, until=self.to_date, statuses=self.status
        )


class BookSelf(Args):
    class_session_id: SessionId
    join_waitlist_if_full: bool = Field(
        default=False, description="Only if they asked for it; else they are asked if it is full."
    )


class OneBooking(Args):
    booking_id: BookingId


class JoinWaitlist(Args):
    class_session_id: SessionId
    member_id: MemberId
    accept_late: bool = Field(
        default=False, description="They want a place even when leaving is no longer free."
    )
    override_reason: Override = None

    @property
    def wish(self) -> BookingRequest:
        return BookingRequest(
            class_session_id=self.class_session_id,
            member_id=self.member_id,
            override_reason=self.override_reason,
            takes_late=self.accept_late,
        )


class OneWaiting(Args):
    class_session_id: SessionId
    booking_id: BookingId


class Promote(OneWaiting):
    over_capacity: bool = Field(default=False, description="Though the class is full.")
    override_reason: Override = None

    @property
    def choice(self) -> Choice:
        return Choice(self.over_capacity, self.override_reason)


class Refund(OneBooking):
    reason: str = Field(min_length=2, max_length=300, description="Kept with the booking.")
    credits: int | None = Field(default=None, ge=1, le=20, description="Else all it used.")


class Waive(OneBooking):
    reason: str = Field(min_length=2, max_length=300, description="Kept with the booking.")


class MoveBooking(Args):
    booking_id: BookingId
    to_class_session_id: SessionId


class Ledger(Listed):
    member_id: MemberId
    from_date: date | None = Field(default=None, description="First local day.")
    to_date: date | None = Field(default=None, description="Last local day, included.")
