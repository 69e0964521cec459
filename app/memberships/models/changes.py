"""The history of memberships: the session itself writes it with whatever changes one."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, ClassVar, Final
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    Delete,
    ForeignKey,
    Identity,
    Index,
    Insert,
    Update,
    event,
    inspect,
    select,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import (
    Mapped,
    ORMExecuteState,
    Session,
    mapped_column,
    object_session,
    relationship,
)

from app.core.columns import text_enum
from app.core.db import OrgRow, now_of
from app.core.erasing import Erasure, kept
from app.memberships.history import BESIDE, WATCHED, parsed, written
from app.memberships.models.bought import Membership, MembershipPlan
from app.memberships.terms import MembershipStatus
from app.people.models import Member
from app.studio import queries as studio

_DEFAULTS: Final = {
    "status": MembershipStatus.ACTIVE,
    "discount_minor": 0,
    "frozen": False,
}
"""What a new row gets only as it is inserted."""


class MembershipChange(OrgRow):
    """A membership as it was from a day on: its history, from which past months are rebuilt.

    Written by the session itself with whatever changes a membership, and by nothing else. The
    state at the end of a day is the last row by (effective_on, created_at, step) up to it.
    """

    __tablename__ = "membership_change"
    __undo__: ClassVar[str] = "reverse"
    __erase__: ClassVar[Erasure] = kept("currency", "before")
    __table_args__ = (
        Index("ix_membership_change_of", "membership_id", "effective_on", "created_at"),
        Index("ix_membership_change_day", "org_id", "effective_on"),
    )

    membership_id: Mapped[UUID] = mapped_column(ForeignKey(Membership.id))
    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id), index=True)
    effective_on: Mapped[date]
    """The org's local day since which it is so."""
    step: Mapped[int] = mapped_column(BigInteger, Identity())
    """The order in which rows were written: several may be of one instant."""
    status: Mapped[MembershipStatus] = mapped_column(text_enum(MembershipStatus))
    plan_id: Mapped[UUID] = mapped_column(ForeignKey(MembershipPlan.id))
    price_minor: Mapped[int]
    discount_minor: Mapped[int]
    currency: Mapped[str]
    frozen: Mapped[bool]
    end_date: Mapped[date | None]
    cancel_effective_on: Mapped[date | None]
    before: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """The same before the change, with its billing dates; null: it is the first."""
    call_id: Mapped[UUID | None]
    """The tool call that did it, where one did."""
    settles_id: Mapped[UUID | None] = mapped_column(ForeignKey("membership_change.id"), unique=True)
    """The change that this one takes back."""

    membership: Mapped[Membership] = relationship(lazy="raise")
    """For the order of inserts alone: a new membership goes before its first row."""

    def reverse(self, actor_id: UUID) -> "MembershipChange":  # noqa: ARG002 - as every ledger's
        """How it was before the call, since the same day: what is taken back was never so."""
        now = {name: getattr(self, name) for name in WATCHED}
        before = self._of_its_call()[0].before
        then = {**now, **parsed(before or {"status": MembershipStatus.CANCELLED})}
        return MembershipChange(
            org_id=self.org_id,
            membership_id=self.membership_id,
            member_id=self.member_id,
            effective_on=self.effective_on,
            currency=self.currency,
            before=written(now),
            call_id=None,
            settles_id=self.id,
            **{name: then[name] for name in WATCHED},
        )

    def _of_its_call(self) -> list["MembershipChange"]:
        """This row and the others that the same call wrote of this membership, in order."""
        session = object_session(self)
        if session is None or self.call_id is None:
            return [self]
        query = select(MembershipChange).where(
            MembershipChange.membership_id == self.membership_id,
            MembershipChange.call_id == self.call_id,
        )
        return list(session.scalars(query.order_by(MembershipChange.step)))


@contextmanager
def effective(
    session: Session, row: Membership, day: date, *, settles: UUID | None = None
) -> Iterator[None]:
    """Let what changes of a membership within count from a day, or take another change back."""
    marked = session.info.setdefault("effective", {})
    marked[row] = (day, settles)
    try:
        yield
        session.flush()
    finally:
        marked.pop(row, None)


@event.listens_for(Session, "before_flush", insert=True)
def _keep_history(session: Session, *_: object) -> None:
    """Before the times are set: what is added here gets them like every row."""
    for row in [one for one in session.new if isinstance(one, Membership)]:
        _keep(session, row, None)
    for row in [one for one in session.dirty if isinstance(one, Membership)]:
        before = {name: _before(row, name) for name in (*WATCHED, *BESIDE)}
        if any(before[name] != getattr(row, name) for name in WATCHED):
            _keep(session, row, before)


def _keep(session: Session, row: Membership, before: dict[str, Any] | None) -> None:
    day, settles = session.info.get("effective", {}).get(row, (None, None))
    state = {name: getattr(row, name) for name in WATCHED}
    session.add(
        MembershipChange(
            org_id=row.org_id,
            membership=row,
            member_id=row.member_id,
            effective_on=day or studio.today(session, row.org_id, now_of(session)),
            currency=row.currency or "ILS",
            before=None if before is None else written(before),
            call_id=session.info.get("cause"),
            settles_id=settles,
            **{**_DEFAULTS, **{key: one for key, one in state.items() if one is not None}},
        )
    )


def _before(row: Membership, name: str) -> Any:  # noqa: ANN401 - any column's
    changed = inspect(row).attrs[name].history
    return changed.deleted[0] if changed.deleted else getattr(row, name)


@event.listens_for(Session, "do_orm_execute")
def _one_by_one(state: ORMExecuteState) -> None:
    """A statement that changes many memberships at once would pass by their history."""
    statement = state.statement
    if isinstance(statement, Insert | Update | Delete) and _of_memberships(statement):
        raise TypeError("memberships are changed row by row: their history hangs on it")


def _of_memberships(statement: Insert | Update | Delete) -> bool:
    return getattr(statement.table, "name", "") == Membership.__tablename__
