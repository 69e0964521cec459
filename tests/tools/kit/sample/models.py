"""Rooms with lockers, tags on lockers, and a ledger of deposits."""

from collections.abc import Sequence
from typing import ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, MetaData, UniqueConstraint, func, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from app.core.db import Base, OrgRow
from app.core.errors import StudioError


class RoomFull(StudioError):
    code, status = "room_full", 409


class SampleRow(OrgRow):
    """Apart from the product's tables, so that no check of those sees them."""

    __abstract__ = True
    metadata = MetaData(naming_convention=Base.metadata.naming_convention)


class Room(SampleRow):
    __tablename__ = "sample_room"

    name: Mapped[str]
    capacity: Mapped[int] = mapped_column(default=3)
    hires: Mapped[int] = mapped_column(default=0)

    @classmethod
    def check_restored(cls, session: Session, rows: Sequence["Room"]) -> None:
        for room in rows:
            check_capacity(session, room)


class Locker(SampleRow):
    __tablename__ = "sample_locker"
    __table_args__ = (UniqueConstraint("org_id", "label", deferrable=True, initially="DEFERRED"),)

    room_id: Mapped[UUID] = mapped_column(ForeignKey(Room.id))
    label: Mapped[str]
    holder: Mapped[str | None]

    @classmethod
    def check_restored(cls, session: Session, rows: Sequence["Locker"]) -> None:
        for locker in rows:
            check_capacity(session, session.get_one(Room, locker.room_id))


class Tag(SampleRow):
    __tablename__ = "sample_tag"

    locker_id: Mapped[UUID] = mapped_column(ForeignKey(Locker.id, ondelete="CASCADE"))
    word: Mapped[str]


class Key(SampleRow):
    """Outlives its locker, untied."""

    __tablename__ = "sample_key"

    locker_id: Mapped[UUID | None] = mapped_column(ForeignKey(Locker.id, ondelete="SET NULL"))
    number: Mapped[int]


class Deposit(SampleRow):
    """Append-only: a balance is a sum."""

    __tablename__ = "sample_deposit"
    __undo__: ClassVar[str] = "reverse"

    locker_id: Mapped[UUID]
    delta: Mapped[int]
    reverses: Mapped[UUID | None] = mapped_column(unique=True)

    def reverse(self, actor_id: UUID) -> "Deposit":  # noqa: ARG002 - the ledger's hook
        return Deposit(
            org_id=self.org_id, locker_id=self.locker_id, delta=-self.delta, reverses=self.id
        )


def check_capacity(session: Session, room: Room) -> None:
    count = select(func.count()).select_from(Locker).where(Locker.room_id == room.id)
    if session.scalars(count).one() > room.capacity:
        raise RoomFull(name=room.name)
