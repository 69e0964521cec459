"""What happened with a member, whichever domain keeps it: one dated list, the newest first."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Select, func, literal, select, union_all
from sqlalchemy.orm import Session

from app.bookings import queries as bookings
from app.bookings.models import Booking
from app.core.actor import Actor
from app.forms.models import FormInstance, FormVersion
from app.inbox.models import InboxMessage, InboxThread
from app.memberships.discretion import told_to
from app.memberships.models import Membership, MembershipFreeze, MembershipPlan
from app.memberships.terms import MembershipStatus
from app.messages.models import Message
from app.people.models import MemberNote
from app.people.queries import seen_by
from app.schedule.models import ClassSession
from app.studio.paging import Cut, Page, page


class Kind(StrEnum):
    BOOKING = "booking"
    MEMBERSHIP = "membership"
    FREEZE = "freeze"
    NOTE = "note"
    MESSAGE = "message"
    """One that the gym sent of itself: a broadcast, an automation."""
    CHAT = "chat"
    """One of a conversation in the inbox, from either side, or a note of the team there."""
    FORM = "form"


@dataclass(frozen=True, slots=True)
class Told:
    """What one entry says: a name, how it stands as a word of its domain, a text in full."""

    what: str | None = None
    state: StrEnum | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Happened:
    kind: Kind
    at: datetime
    id: UUID
    told: Told


Moments = Select[Any, Any]
"""Selects an instant and an id."""
Describe = Callable[[Session, Collection[UUID], str], Mapping[UUID, Told]]


@dataclass(frozen=True, slots=True)
class _Source:
    moments: Callable[[UUID, Actor], Moments]
    describe: Describe


def timeline(
    session: Session,
    actor: Actor,
    member_id: UUID,
    *,
    kinds: Collection[Kind] = (),
    since: datetime | None = None,
    cut: Cut,
) -> Page[Happened]:
    """As far as this person may know: a note that isn't for their role is left out."""
    whole = union_all(*_moments(actor, member_id, kinds)).subquery()
    query = select(whole).order_by(whole.c.at.desc(), whole.c.id.desc())
    if since is not None:
        query = query.where(whole.c.at >= since)
    found = page(session, query, cut, lambda row: (Kind(row.kind), row.at, row.id))
    return Page(tuple(_told(session, actor, found.rows)), found.total, found.cursor)


def _moments(actor: Actor, member_id: UUID, kinds: Collection[Kind]) -> Iterator[Select[Any]]:
    for kind, source in _SOURCES.items():
        if not kinds or kind in kinds:
            yield source.moments(member_id, actor).add_columns(literal(kind.value).label("kind"))


def _told(
    session: Session, actor: Actor, rows: Collection[tuple[Kind, datetime, UUID]]
) -> Iterator[Happened]:
    """One look-up a kind, however many rows there are of it."""
    said: dict[UUID, Told] = {}
    for kind in {kind for kind, _, _ in rows}:
        ids = [row_id for its, _, row_id in rows if its is kind]
        said |= _SOURCES[kind].describe(session, ids, actor.language)
    for kind, at, row_id in rows:
        yield Happened(kind, at, row_id, _known(actor, said.get(row_id, Told())))


def _known(actor: Actor, told: Told) -> Told:
    """As far as this person may know how it stands."""
    if isinstance(told.state, MembershipStatus):
        return replace(told, state=told_to(actor, told.state))
    return told


def _bookings(member_id: UUID, _: Actor) -> Moments:
    """At the time of the class."""
    return (
        select(ClassSession.starts_at.label("at"), Booking.id)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(Booking.member_id == member_id)
    )


def _of_bookings(session: Session, ids: Collection[UUID], language: str) -> Mapping[UUID, Told]:
    titles = bookings.titles(session, ids, language)
    states = session.execute(select(Booking.id, Booking.status).where(Booking.id.in_(ids)))
    return {row_id: Told(titles.get(row_id), state) for row_id, state in states}


def _memberships(member_id: UUID, _: Actor) -> Moments:
    return select(Membership.created_at.label("at"), Membership.id).where(
        Membership.member_id == member_id
    )


def _of_memberships(session: Session, ids: Collection[UUID], _: str) -> Mapping[UUID, Told]:
    query = (
        select(Membership.id, MembershipPlan.name, Membership.status)
        .join(MembershipPlan, MembershipPlan.id == Membership.plan_id)
        .where(Membership.id.in_(ids))
    )
    return {row_id: Told(name, state) for row_id, name, state in session.execute(query)}


def _freezes(member_id: UUID, _: Actor) -> Moments:
    return (
        select(MembershipFreeze.created_at.label("at"), MembershipFreeze.id)
        .join(Membership, Membership.id == MembershipFreeze.membership_id)
        .where(Membership.member_id == member_id)
    )


def _of_freezes(session: Session, ids: Collection[UUID], _: str) -> Mapping[UUID, Told]:
    query = (
        select(MembershipFreeze.id, MembershipPlan.name)
        .join(Membership, Membership.id == MembershipFreeze.membership_id)
        .join(MembershipPlan, MembershipPlan.id == Membership.plan_id)
        .where(MembershipFreeze.id.in_(ids))
    )
    return {row_id: Told(name) for row_id, name in session.execute(query)}


def _notes(member_id: UUID, actor: Actor) -> Moments:
    return select(MemberNote.created_at.label("at"), MemberNote.id).where(
        MemberNote.member_id == member_id, seen_by(actor)
    )


def _of_notes(session: Session, ids: Collection[UUID], _: str) -> Mapping[UUID, Told]:
    query = select(MemberNote.id, MemberNote.kind, MemberNote.body).where(MemberNote.id.in_(ids))
    return {row_id: Told(state=kind, text=body) for row_id, kind, body in session.execute(query)}


def _messages(member_id: UUID, _: Actor) -> Moments:
    at = func.coalesce(Message.sent_at, Message.due_at)
    return select(at.label("at"), Message.id).where(Message.member_id == member_id)


def _of_messages(session: Session, ids: Collection[UUID], _: str) -> Mapping[UUID, Told]:
    query = select(Message.id, Message.state, Message.body).where(Message.id.in_(ids))
    return {row_id: Told(state=state, text=body) for row_id, state, body in session.execute(query)}


def _chats(member_id: UUID, _: Actor) -> Moments:
    return (
        select(InboxMessage.at.label("at"), InboxMessage.id)
        .join(InboxThread, InboxThread.id == InboxMessage.thread_id)
        .where(InboxThread.member_id == member_id)
    )


def _of_chats(session: Session, ids: Collection[UUID], _: str) -> Mapping[UUID, Told]:
    query = select(InboxMessage.id, InboxMessage.direction, InboxMessage.body)
    found = session.execute(query.where(InboxMessage.id.in_(ids)))
    return {row_id: Told(state=way, text=body) for row_id, way, body in found}


def _forms(member_id: UUID, _: Actor) -> Moments:
    return select(FormInstance.sent_at.label("at"), FormInstance.id).where(
        FormInstance.member_id == member_id
    )


def _of_forms(session: Session, ids: Collection[UUID], _: str) -> Mapping[UUID, Told]:
    query = (
        select(FormInstance.id, FormVersion.title, FormInstance.status)
        .join(FormVersion, FormVersion.id == FormInstance.version_id)
        .where(FormInstance.id.in_(ids))
    )
    return {row_id: Told(title, state) for row_id, title, state in session.execute(query)}


_SOURCES: Final[dict[Kind, _Source]] = {
    Kind.BOOKING: _Source(_bookings, _of_bookings),
    Kind.MEMBERSHIP: _Source(_memberships, _of_memberships),
    Kind.FREEZE: _Source(_freezes, _of_freezes),
    Kind.NOTE: _Source(_notes, _of_notes),
    Kind.MESSAGE: _Source(_messages, _of_messages),
    Kind.CHAT: _Source(_chats, _of_chats),
    Kind.FORM: _Source(_forms, _of_forms),
}
