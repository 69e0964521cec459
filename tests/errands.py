"""A tool over many things, which tests may slow down and kill: it books all into a class."""

import os
import signal
from pathlib import Path
from time import sleep
from uuid import UUID

from sqlalchemy import select

from app.bookings import service as bookings
from app.bookings.models import Booking
from app.people.models import Member
from bot.wiring import Wiring
from tests.studio import Studio
from tools.kit.declare import SNAPSHOT, Args, Context, Effect, Item, Started, Sums, tool
from tools.kit.registry import Registry
from tools.kit.values import Count


class BookAll(Args):
    class_session_id: UUID
    pause_ms: int = 0
    dies_at: str = ""
    """The name of one on whom the process dies, the first time."""
    mark: str = ""
    """The file by which it is known to have died."""


def book_one(context: Context, args: BookAll, item: Item) -> Sums:
    sleep(args.pause_ms / 1000)
    wish = bookings.BookingRequest(args.class_session_id, UUID(item.id))
    bookings.book(context.session, context.actor, wish, now=context.now)
    if item.name == args.dies_at and not Path(args.mark).exists():
        Path(args.mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"bookings": Count(n=1, of="bookings")}


@tool(
    Effect.WRITE,
    "POST /errands/{class_session_id}",
    label="Book everybody",
    undo=SNAPSHOT,
    step=book_one,
)
def book_all(context: Context, args: BookAll) -> Started:  # noqa: ARG001 - a tool's signature
    """Book every member of the gym into a class."""
    members = context.session.scalars(select(Member).order_by(Member.id))
    items = tuple(Item(id=str(one.id), name=one.first_name) for one in members)
    return Started(items=items, counted="members")


def with_errands(wiring: Wiring) -> Wiring:
    """Let a Spotter know the tool."""
    vars(wiring)["registry"] = Registry([*wiring.registry.values(), book_all])
    return wiring


def crowd(studio: Studio, count: int) -> UUID:
    """So many members, one named N0 and so on, and a class with room for all."""
    for number in range(count):
        studio.member(f"N{number} Levi")
    return studio.session(capacity=count)


def booked(studio: Studio) -> list[UUID]:
    """Who is booked, one entry a booking."""
    with studio.act() as session:
        return list(session.scalars(select(Booking.member_id).order_by(Booking.member_id)))
