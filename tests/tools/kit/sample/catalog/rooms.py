"""Rooms."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, field_validator, model_validator

from app.core.actor import Role
from tests.tools.kit.sample import service
from tests.tools.kit.sample.models import Room
from tools.kit.cards import Confirm, Done, Fact, Facts, Ref, Table, TableRow
from tools.kit.declare import ADMIN, OWNER, SNAPSHOT, Args, Context, Effect, tool
from tools.kit.values import Line, Name, Value


class NoArgs(Args):
    pass


class OneRoom(Args):
    room_id: UUID = Field(description="The room meant.")


class NewRoom(Args):
    name: Annotated[str, Field(min_length=1, max_length=40)]
    capacity: int = Field(default=3, ge=1, le=100)


class ChangeRoom(OneRoom):
    name: str | None = None
    capacity: int | None = None
    expected_version: int | None = None


class Fill(OneRoom):
    text: str
    times: int


class Measures(Args):
    height: int | None = None
    width: int | None = None
    note: str = ""

    @field_validator("note")
    @classmethod
    def _quiet(cls, note: str) -> str:
        if note:
            raise ValueError(f"no {note}")
        return note

    @model_validator(mode="after")
    def _one(self) -> Self:
        if self.height and self.width:
            raise ValueError("give height or width")
        return self


def done(action: str, room: Room) -> Done:
    ref = Ref(entity="room", id=room.id, version=room.version)
    return Done(of=f"rooms.{action}", values={"name": Name(text=room.name)}, ref=ref)


def before_delete(context: Context, args: OneRoom) -> Confirm:
    room = service.one(context.session, context.actor, Room, args.room_id)
    held = service.held(context.session, room)
    left = context.now.microsecond
    values: dict[str, Value] = {"name": Name(text=room.name), "held": held, "left": left}
    ref = Ref(entity="room", id=room.id, version=room.version)
    return Confirm(of="rooms.delete", values=values, ref=ref)


def before_empty(context: Context, args: OneRoom) -> Confirm | None:
    room = service.one(context.session, context.actor, Room, args.room_id)
    held = service.held(context.session, room)
    return Confirm(of="rooms.empty", values={"held": held}) if held else None


@tool(Effect.READ, "GET /rooms", label="List rooms", quick=True)
def list(context: Context, args: NoArgs) -> Table:  # noqa: A001, ARG001 - the tool's name
    """List rooms."""
    rows = [
        TableRow(id=str(r.id), cells=(Name(text=r.name),)) for r in service.rooms(context.session)
    ]
    line = Line(key="rooms.title")
    return Table(title=line, columns=("label.name",), rows=tuple(rows), total=len(rows))


@tool(Effect.READ, "GET /rooms/{room_id}", label="Show a room")
def get(context: Context, args: OneRoom) -> Facts:
    """Show one room."""
    room = service.one(context.session, context.actor, Room, args.room_id)
    ref = Ref(entity="room", id=room.id, version=room.version)
    line = Line(key="room.title", values={"name": Name(text=room.name)})
    return Facts(title=line, facts=(Fact(label="label.capacity", value=room.capacity),), ref=ref)


@tool(Effect.READ, "GET /rooms/{room_id}/echo", label="Repeat a text")
def echo(context: Context, args: Fill) -> Table:  # noqa: ARG001 - every tool has a context
    """Repeat a text in many rows."""
    row = TableRow(id="1", cells=(Name(text=args.text),))
    line = Line(key="rooms.title")
    return Table(title=line, columns=("label.name",), rows=(row,) * args.times, total=args.times)


@tool(Effect.READ, "GET /rooms/measures", label="Measure", offered=False)
def measure(context: Context, args: Measures) -> Facts:  # noqa: ARG001 - every tool has a context
    """Measure by one side."""
    return Facts(title=Line(key="room.title", values={"height": args.height or 0}))


@tool(Effect.READ, "GET /rooms/{room_id}/meddle", label="Read and write", offered=False)
def meddle(context: Context, args: OneRoom) -> Facts:
    """Write where only reading is declared."""
    service.update_room(context.session, context.actor, args.room_id, {"name": "mine"}, None)
    return Facts(title=Line(key="room.title"))


@tool(Effect.WRITE, "POST /rooms", label="Add a room", undo="delete")
def create(context: Context, args: NewRoom) -> Done:
    """Add a room."""
    room = service.create_room(context.session, context.actor, args.name, args.capacity)
    return done("create", room)


@tool(Effect.WRITE, "PATCH /rooms/{room_id}", label="Change a room", undo=SNAPSHOT)
def update(context: Context, args: ChangeRoom) -> Done:
    """Change a room's name or capacity."""
    changes = args.model_dump(exclude_none=True, exclude={"room_id", "expected_version"})
    room = service.update_room(
        context.session, context.actor, args.room_id, changes, args.expected_version
    )
    return done("update", room)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /rooms/{room_id}",
    label="Delete a room",
    confirm=before_delete,
    undo=SNAPSHOT,
)
def delete(context: Context, args: OneRoom) -> Done:
    """Delete a room and its lockers."""
    return done("delete", service.delete_room(context.session, context.actor, args.room_id))


@tool(
    Effect.WRITE,
    "POST /rooms/{room_id}/empty",
    label="Empty a room",
    confirm=before_empty,
    always=True,
    undo=SNAPSHOT,
    role=ADMIN,
)
def empty(context: Context, args: OneRoom) -> Done:
    """Take every locker of a room from its holder."""
    count = service.empty_room(context.session, context.actor, args.room_id)
    return Done(of="rooms.empty", values={"held": count})


@tool(Effect.WRITE, "POST /rooms/{room_id}/break", label="Break", role=OWNER)
def smash(context: Context, args: OneRoom) -> Done:
    """Write, then break."""
    service.update_room(context.session, context.actor, args.room_id, {"name": "broken"}, None)
    raise ZeroDivisionError(Role.OWNER)
