"""What may be done with rooms and lockers."""

from typing import TypeVar
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from app.core import outbox
from app.core.actor import Actor
from app.core.errors import NotFound, StaleVersion, StudioError
from tests.tools.kit.sample.models import (
    Deposit,
    Key,
    Locker,
    Room,
    SampleRow,
    Tag,
    check_capacity,
)

R = TypeVar("R", bound=SampleRow)


class Taken(StudioError):
    code, status = "taken", 409


def one(session: Session, actor: Actor, model: type[R], row_id: UUID) -> R:
    row = session.get(model, row_id)
    if row is None or row.org_id != actor.org_id:
        raise NotFound
    return row


def rooms(session: Session) -> list[Room]:
    return list(session.scalars(select(Room).order_by(Room.name)))


def held(session: Session, room: Room) -> int:
    query = select(func.count()).select_from(Locker)
    return session.scalars(query.where(Locker.room_id == room.id, Locker.holder.is_not(None))).one()


def create_room(session: Session, actor: Actor, name: str, capacity: int) -> Room:
    room = Room(org_id=actor.org_id, name=name, capacity=capacity)
    session.add(room)
    session.flush()
    return room


def update_room(
    session: Session, actor: Actor, room_id: UUID, changes: dict[str, object], expected: int | None
) -> Room:
    room = one(session, actor, Room, room_id)
    if expected is not None and room.version != expected:
        raise StaleVersion
    for name, value in changes.items():
        setattr(room, name, value)
    session.flush()
    check_capacity(session, room)
    return room


def delete_room(session: Session, actor: Actor, room_id: UUID) -> Room:
    """With its lockers, whose tags go and whose keys are untied by the database itself."""
    room = one(session, actor, Room, room_id)
    session.execute(delete(Locker).where(Locker.room_id == room_id))
    session.delete(room)
    outbox.put(session, actor.org_id, "room_deleted", {"name": room.name})
    return room


def empty_room(session: Session, actor: Actor, room_id: UUID) -> int:
    room = one(session, actor, Room, room_id)
    taken = held(session, room)
    session.execute(update(Locker).where(Locker.room_id == room_id).values(holder=None))
    return taken


def create_locker(session: Session, actor: Actor, room_id: UUID, label: str) -> Locker:
    room = one(session, actor, Room, room_id)
    locker = Locker(org_id=actor.org_id, room_id=room_id, label=label)
    session.add(locker)
    session.flush()
    check_capacity(session, room)
    session.add(Tag(org_id=actor.org_id, locker_id=locker.id, word="new"))
    session.add(Key(org_id=actor.org_id, locker_id=locker.id, number=1))
    session.flush()
    return locker


def hire(session: Session, actor: Actor, locker_id: UUID, holder: str | None) -> Locker:
    """With a deposit, given back at the end; people are told."""
    locker = one(session, actor, Locker, locker_id)
    outbox.put(session, actor.org_id, "hired" if holder else "given_back", {"to": locker.label})
    delta = 50 if holder else -50
    locker.holder = holder
    session.add(Deposit(org_id=actor.org_id, locker_id=locker.id, delta=delta))
    session.flush()
    return locker


def move(session: Session, actor: Actor, locker_id: UUID, room_id: UUID) -> Locker:
    room = one(session, actor, Room, room_id)
    locker = one(session, actor, Locker, locker_id)
    locker.room_id = room.id
    session.flush()
    check_capacity(session, room)
    return locker


def lockers(session: Session, actor: Actor, room_id: UUID) -> list[Locker]:
    room = one(session, actor, Room, room_id)
    return list(
        session.scalars(select(Locker).where(Locker.room_id == room.id).order_by(Locker.id))
    )


def note_hire(session: Session, actor: Actor, room_id: UUID) -> None:
    """The room counts its hires: a row that every step touches."""
    room = one(session, actor, Room, room_id)
    room.hires += 1
    session.flush()
