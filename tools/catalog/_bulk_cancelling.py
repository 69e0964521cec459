"""Arguments and cards of cancelling many classes, or many bookings, one by one."""

import datetime as dt
from collections.abc import Iterable
from typing import Final, Self
from uuid import UUID

from pydantic import Field, model_validator

from app.bookings import service
from app.bookings.service import BookingsAhead, Closure, ToClose, ToLeave
from app.people import queries as people
from app.schedule.times import Slot
from tools.catalog._args import ClockTime, check_days
from tools.catalog._cards import moment
from tools.catalog._holidays import holiday_lines
from tools.kit.cards import Confirm
from tools.kit.declare import Args, Context, Item, Started, Sums
from tools.kit.values import Count, Line, Name, Names, Span, Value

SHOWN: Final = 10


class CancelClasses(Args):
    from_date: dt.date = Field(description="First local day, YYYY-MM-DD.")
    to_date: dt.date = Field(description="Last one, included.")
    class_type_id: UUID | None = Field(default=None, description="Only this kind of class.")
    location_id: UUID | None = Field(default=None, description="Only at this place.")
    coach_id: UUID | None = Field(default=None, description="Only this coach's.")
    starts_from: ClockTime | None = Field(
        default=None, description="Only those that start at HH:MM or later."
    )
    starts_before: ClockTime | None = Field(default=None, description="Only those before it.")
    reason: str = Field(min_length=2, max_length=300, description="For members to read.")
    notify: bool = Field(default=True, description="Message everyone booked or waiting.")

    @property
    def wanted(self) -> Closure:
        check_days(self.from_date, self.to_date)
        return Closure(
            first=self.from_date,
            last=self.to_date,
            class_type_id=self.class_type_id,
            location_id=self.location_id,
            coach_id=self.coach_id,
            start=self.starts_from,
            end=self.starts_before,
        )


class CancelBookings(Args):
    member_id: UUID | None = Field(default=None, description="Only this member's.")
    booking_ids: tuple[UUID, ...] = Field(
        default=(), min_length=1, max_length=200, description="Or only these bookings."
    )
    from_date: dt.date | None = Field(default=None, description="First local day of the class.")
    to_date: dt.date | None = Field(default=None, description="Last one, included.")
    refund_credits: bool = Field(
        description="true: all credits come back, however late; false: as the rules say."
    )
    reason: str = Field(min_length=2, max_length=300, description="Kept with each booking.")

    @model_validator(mode="after")
    def _narrow(self) -> Self:
        if not (self.member_id or self.booking_ids or (self.from_date and self.to_date)):
            raise ValueError("give member_id, booking_ids, or from_date and to_date")
        return self

    @property
    def wanted(self) -> BookingsAhead:
        check_days(self.from_date, self.to_date)
        return BookingsAhead(self.member_id, self.booking_ids, self.from_date, self.to_date)


def ask_classes(context: Context, args: CancelClasses) -> Confirm:
    found = _classes(context, args)
    how = "class_sessions.bulk_cancel.effect"
    told = {"booked": found.booked, "waiting": found.waiting, "credits": found.credits}
    effect = Line(key=how if args.notify else f"{how}_silent", values={**told})
    why = Line(key="card.reason", values={"reason": Name(text=args.reason)})
    return Confirm(
        of="class_sessions.bulk_cancel",
        values={**_classes_values(args, found), **told},
        effects=(
            *_listed((one.title, one.slot) for one in found.sessions),
            *_people(found.names),
            effect,
            *holiday_lines(context, (one.slot.date for one in found.sessions)),
            why,
        ),
    )


def classes(context: Context, args: CancelClasses) -> Started:
    found = _classes(context, args)
    items = (Item(id=str(one.id), name=_named(one.title, one.slot)) for one in found.sessions)
    return Started(
        items=tuple(items),
        counted="classes",
        values={**_classes_values(args, found), "booked": 0, "credits": 0},
        notes=holiday_lines(context, (one.slot.date for one in found.sessions)),
    )


def cancel_class(context: Context, args: CancelClasses, item: Item) -> Sums:
    """One of them, as though it were cancelled alone."""
    gone = service.cancel_session(
        context.session,
        context.actor,
        UUID(item.id),
        now=context.now,
        reason=args.reason,
        notify=args.notify,
    )
    return {"booked": gone.booked, "credits": gone.credits}


def ask_bookings(context: Context, args: CancelBookings) -> Confirm:
    found = _bookings(context, args)
    told: dict[str, Value] = {"credits": found.credits, "late_count": found.late}
    kind = "effect_late" if found.late else "effect"
    why = Line(key="card.reason", values={"reason": Name(text=args.reason)})
    return Confirm(
        of="bookings.bulk_cancel",
        values={**_bookings_values(context, args, found), **told},
        effects=(
            *_listed((_of_whom(args, one.member, one.title), one.slot) for one in found.bookings),
            Line(key=f"bookings.bulk_cancel.{kind}", values=told),
            why,
        ),
    )


def bookings(context: Context, args: CancelBookings) -> Started:
    found = _bookings(context, args)
    items = (Item(id=str(one.id), name=f"{one.member} - {one.title}") for one in found.bookings)
    return Started(
        items=tuple(items),
        counted="bookings",
        values={**_bookings_values(context, args, found), "credits": 0},
    )


def cancel_booking(context: Context, args: CancelBookings, item: Item) -> Sums:
    """One of them, as though it were cancelled alone."""
    gone = service.cancel(
        context.session,
        context.actor,
        UUID(item.id),
        now=context.now,
        waive=args.refund_credits,
        reason=args.reason,
    )
    return {"credits": gone.credits}


def _classes(context: Context, args: CancelClasses) -> ToClose:
    language = context.actor.language
    return service.to_close(context.session, args.wanted, language, now=context.now)


def _classes_values(args: CancelClasses, found: ToClose) -> dict[str, Value]:
    return {
        "span": Span(start=args.from_date, end=args.to_date),
        "classes": Count(n=len(found.sessions), of="classes"),
    }


def _bookings(context: Context, args: CancelBookings) -> ToLeave:
    return service.to_leave(
        context.session,
        args.wanted,
        context.actor.language,
        now=context.now,
        waive=args.refund_credits,
    )


def _bookings_values(context: Context, args: CancelBookings, found: ToLeave) -> dict[str, Value]:
    """Whose they are where that is one person, and the days that they are on."""
    days = [one.slot.date for one in found.bookings]
    values: dict[str, Value] = {
        "bookings": Count(n=len(found.bookings), of="bookings"),
        "span": Span(start=min(days), end=max(days)),
    }
    if args.member_id is None:
        return values
    member = people.member(context.session, args.member_id)
    return {"member": Name(text=member.name), **values}


def _of_whom(args: CancelBookings, member: str, title: str) -> str:
    return title if args.member_id else f"{member} - {title}"


def _listed(things: Iterable[tuple[str, Slot]]) -> tuple[Line, ...]:
    """The first of them by name and time; the others are counted."""
    every = [
        Line(key="card.at_time", values={"name": Name(text=name), "when": moment(slot)})
        for name, slot in things
    ]
    more = len(every) - SHOWN
    rest = (Line(key="card.and_more", values={"more": more}),) if more > 0 else ()
    return (*every[:SHOWN], *rest)


def _people(names: tuple[str, ...]) -> tuple[Line, ...]:
    return (Line(key="card.people", values={"people": Names(all=names)}),) if names else ()


def _named(title: str, slot: Slot) -> str:
    return f"{title} {slot.date:%d.%m} {slot.start:%H:%M}"
