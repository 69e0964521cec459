"""Lockers."""

from collections.abc import Sequence
from uuid import UUID

from pydantic import Field

from tests.tools.kit.sample import service
from tests.tools.kit.sample.models import Locker, Room
from tools.kit.cards import Done, Option, Pick, Picked, Ref
from tools.kit.declare import (
    ADMIN,
    SNAPSHOT,
    Args,
    Context,
    Effect,
    Item,
    Outside,
    Started,
    Sums,
    tool,
)
from tools.kit.values import Count, Line, Name, Value


class OneLocker(Args):
    locker_id: UUID = Field(description="The locker meant.")


class NewLocker(Args):
    room_id: UUID
    label: str = Field(min_length=1)


class Hire(OneLocker):
    holder: str


class Move(OneLocker):
    room_id: UUID


class Choices(Args):
    labels: tuple[str, ...] = Field(min_length=2, max_length=9)


class MoveSomewhere(OneLocker):
    room_id: UUID | None = None


def done(action: str, locker: Locker) -> Done:
    ref = Ref(entity="locker", id=locker.id, version=locker.version)
    return Done(of=f"lockers.{action}", values={"label": Name(text=locker.label)}, ref=ref)


def options(context: Context, args: Choices) -> Pick:  # noqa: ARG001 - a question's signature
    found = tuple(Option(id=label, label=Name(text=label)) for label in args.labels)
    return Pick(ask=Line(key="lockers.ask"), options=found)


def which_room(context: Context, args: MoveSomewhere) -> Pick | None:
    if args.room_id is not None:
        return None
    found = tuple(
        Option(id=str(room.id), label=Name(text=room.name), patch={"room_id": str(room.id)})
        for room in service.rooms(context.session)[:9]
    )
    return Pick(ask=Line(key="lockers.which_room"), options=found)


@tool(Effect.READ, "POST /lockers/picks", label="Ask which locker", confirm=options)
def ask(context: Context, args: Choices) -> Picked:
    """Ask which locker is meant."""
    chosen = next((label for label in args.labels if label == context.choice), None)
    option = Option(id=chosen, label=Name(text=chosen)) if chosen else None
    return Picked(option=option)


@tool(Effect.WRITE, "POST /rooms/{room_id}/lockers", label="Add a locker", undo=SNAPSHOT)
def create(context: Context, args: NewLocker) -> Done:
    """Add a locker to a room."""
    locker = service.create_locker(context.session, context.actor, args.room_id, args.label)
    return done("create", locker)


@tool(Effect.WRITE, "POST /lockers/{locker_id}/hire", label="Hire a locker", undo=SNAPSHOT)
def hire(context: Context, args: Hire) -> Done:
    """Give a locker to somebody, for a deposit."""
    locker = service.hire(context.session, context.actor, args.locker_id, args.holder)
    return done("hire", locker)


@tool(Effect.WRITE, "POST /lockers/{locker_id}/lend", label="Lend a locker", undo="give_back")
def lend(context: Context, args: Hire) -> Done:
    """Give a locker to somebody for today."""
    locker = service.hire(context.session, context.actor, args.locker_id, args.holder)
    return done("lend", locker)


@tool(Effect.WRITE, "POST /lockers/{locker_id}/give-back", label="Give a locker back")
def give_back(context: Context, args: OneLocker) -> Done:
    """Take a locker from its holder."""
    return done("give_back", service.hire(context.session, context.actor, args.locker_id, None))


@tool(Effect.WRITE, "POST /lockers/{locker_id}/move", label="Move a locker", undo=SNAPSHOT)
def move(context: Context, args: Move) -> Done:
    """Put a locker into another room."""
    locker = service.move(context.session, context.actor, args.locker_id, args.room_id)
    return done("move", locker)


@tool(
    Effect.WRITE,
    "POST /lockers/{locker_id}/place",
    label="Place a locker",
    confirm=which_room,
    undo=SNAPSHOT,
)
def place(context: Context, args: MoveSomewhere) -> Done:
    """Put a locker into a room, asking which if none is given."""
    room = service.one(context.session, context.actor, Room, args.room_id or args.locker_id)
    return done("place", service.move(context.session, context.actor, args.locker_id, room.id))


class HireAll(Args):
    room_id: UUID
    holder: str


class GiveAllBack(Args):
    room_id: UUID


def hire_one(context: Context, args: HireAll, item: Item) -> Sums:
    """A locker with somebody in it stays theirs; one labelled so breaks the step."""
    locker = service.hire(context.session, context.actor, UUID(item.id), args.holder)
    service.note_hire(context.session, context.actor, args.room_id)
    if item.more["holder"]:
        raise service.Taken(holder=item.more["holder"])
    if locker.label == "broken":
        raise ZeroDivisionError
    return {"credits": Count(n=50, of="credits")}


def give_one_back(context: Context, args: GiveAllBack, item: Item) -> None:  # noqa: ARG001 - a step's signature
    service.hire(context.session, context.actor, UUID(item.id), None)


def count_chunk(context: Context, args: GiveAllBack, items: Sequence[Item]) -> None:
    if items:
        service.note_hire(context.session, context.actor, args.room_id)


def every(context: Context, room_id: UUID) -> tuple[Item, ...]:
    lockers = service.lockers(context.session, context.actor, room_id)
    return tuple(
        Item(id=str(one.id), name=one.label, more={"holder": one.holder}) for one in lockers
    )


@tool(
    Effect.WRITE,
    "POST /rooms/{room_id}/hire",
    label="Hire a room's lockers",
    undo=SNAPSHOT,
    step=hire_one,
)
def hire_all(context: Context, args: HireAll) -> Started:
    """Give every locker of a room to somebody."""
    nothing_yet = Count(n=0, of="credits")
    items = every(context, args.room_id)
    values: dict[str, Value] = {"name": Name(text=args.holder), "credits": nothing_yet}
    return Started(items=items, counted="lockers", values=values)


@tool(
    Effect.WRITE,
    "POST /rooms/{room_id}/lend",
    label="Lend a room's lockers",
    undo="give_all_back",
    step=hire_one,
)
def lend_all(context: Context, args: HireAll) -> Started:
    """Give every locker of a room to somebody for today."""
    items = every(context, args.room_id)
    return Started(items=items, counted="lockers", at_once=0)


@tool(
    Effect.WRITE,
    "POST /rooms/{room_id}/give-back",
    label="Give a room's lockers back",
    role=ADMIN,
    step=give_one_back,
    after=count_chunk,
)
def give_all_back(context: Context, args: GiveAllBack) -> Started:
    """Take every locker of a room from its holder."""
    return Started(items=every(context, args.room_id), counted="lockers")


class Renumber(Args):
    room_id: UUID


def new_label(outside: Outside, args: Renumber, item: Item) -> str:  # noqa: ARG001 - a fetch's signature
    label: str = outside("labels")(item.name)
    return label


def renumber_one(context: Context, args: Renumber, item: Item) -> None:  # noqa: ARG001 - a step's signature
    locker = service.one(context.session, context.actor, Locker, UUID(item.id))
    locker.label = item.fetched


@tool(
    Effect.WRITE,
    "POST /rooms/{room_id}/labels",
    label="Label a room's lockers",
    step=renumber_one,
    fetch=new_label,
)
def renumber(context: Context, args: Renumber) -> Started:
    """Give the lockers of a room the labels that the maker has for them."""
    return Started(items=every(context, args.room_id), counted="lockers")
