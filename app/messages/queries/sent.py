"""What was sent: single messages and broadcasts, with what became of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, literal, null, select, union_all
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.leads.models import Lead
from app.messages.models import Broadcast, Message
from app.messages.terms import BroadcastStatus, MessageState
from app.messages.texts import Wording
from app.messages.views import BroadcastView, SentView
from app.people import queries as people
from app.people.models import Member
from app.studio.paging import Cut, Page, page

_ARRIVED = (MessageState.DELIVERED, MessageState.READ)


@dataclass(frozen=True, slots=True)
class SentFilter:
    member_id: UUID | None = None
    broadcast_id: UUID | None = None
    states: tuple[MessageState | BroadcastStatus, ...] = ()
    since: datetime | None = None
    until: datetime | None = None


def sent(session: Session, wanted: SentFilter, *, cut: Cut) -> Page[SentView]:
    """The newest first; without a member or broadcast, a broadcast is one row."""
    if wanted.member_id is not None:
        people.member(session, wanted.member_id)
    if wanted.broadcast_id is not None:
        broadcast(session, wanted.broadcast_id)
    found = page(session, _both(wanted), cut, lambda row: (row.kind, row.id))
    shown = _shown(session, found.rows)
    return Page(tuple(shown[row_id] for _, row_id in found.rows), found.total, found.cursor)


def broadcast(session: Session, broadcast_id: UUID) -> BroadcastView:
    found = session.get(Broadcast, broadcast_id)
    if found is None:
        raise NotFound(what="broadcast")
    return broadcast_view(found)


def broadcast_view(row: Broadcast) -> BroadcastView:
    return BroadcastView(
        id=row.id,
        version=row.version,
        status=row.status,
        channel=row.channel,
        recipients=len(row.member_ids),
        send_at=row.send_at,
        body=_body(row),
    )


def pushed(session: Session, announcement_ids: Collection[UUID]) -> dict[UUID, int]:
    """To how many people each of these pieces of news was written."""
    query = (
        select(Broadcast.announcement_id, func.count(Message.id))
        .join(Message, Message.broadcast_id == Broadcast.id)
        .where(
            Broadcast.announcement_id.in_(announcement_ids),
            Message.state != MessageState.SKIPPED,
        )
        .group_by(Broadcast.announcement_id)
    )
    return {key: number for key, number in session.execute(query) if key is not None}


def _both(wanted: SentFilter) -> Select[Any, Any, Any]:
    one = wanted.member_id is not None or wanted.broadcast_id is not None
    parts = [_messages(wanted)] if one else [_messages(wanted), _broadcasts(wanted)]
    both = union_all(*parts).subquery()
    return select(both.c.kind, both.c.id, both.c.at).order_by(both.c.at.desc(), both.c.id.desc())


def _messages(wanted: SentFilter) -> Select[Any, Any, Any]:
    terms: list[Any] = _between(Message.due_at, wanted)
    if wanted.member_id is not None:
        terms.append(Message.member_id == wanted.member_id)
    if wanted.broadcast_id is not None:
        terms.append(Message.broadcast_id == wanted.broadcast_id)
    if wanted.member_id is None and wanted.broadcast_id is None:
        terms.append(Message.broadcast_id.is_(null()))
    if wanted.states:
        states = [one for one in wanted.states if isinstance(one, MessageState)]
        terms.append(Message.state.in_(states))
    return select(literal("message").label("kind"), Message.id, Message.due_at.label("at")).where(
        *terms
    )


def _broadcasts(wanted: SentFilter) -> Select[Any, Any, Any]:
    terms: list[Any] = _between(Broadcast.send_at, wanted)
    if wanted.states:
        asked = {one.value for one in wanted.states}
        terms.append(Broadcast.status.in_([one for one in BroadcastStatus if one.value in asked]))
    kind = literal("broadcast").label("kind")
    return select(kind, Broadcast.id, Broadcast.send_at.label("at")).where(*terms)


def _between(column: Any, wanted: SentFilter) -> list[Any]:  # noqa: ANN401 - a mapped column
    since = [] if wanted.since is None else [column >= wanted.since]
    return since if wanted.until is None else [*since, column < wanted.until]


def _shown(session: Session, rows: Sequence[tuple[str, UUID]]) -> dict[UUID, SentView]:
    ids = [row_id for kind, row_id in rows if kind == "message"]
    more = [row_id for kind, row_id in rows if kind == "broadcast"]
    return {**_shown_messages(session, ids), **_shown_broadcasts(session, more)}


def _shown_messages(session: Session, ids: list[UUID]) -> dict[UUID, SentView]:
    if not ids:
        return {}
    query = (
        select(Message, Member, Lead)
        .outerjoin(Member, Member.id == Message.member_id)
        .outerjoin(Lead, Lead.id == Message.lead_id)
        .where(Message.id.in_(ids))
    )
    found: list[tuple[Message, Member | None, Lead | None]] = [
        (row[0], row[1], row[2]) for row in session.execute(query)
    ]
    return {
        row.id: _message(row, lead if member is None else member) for row, member, lead in found
    }


def _message(row: Message, person: Member | Lead | None) -> SentView:
    return SentView(
        id=row.id,
        at=row.due_at,
        channel=row.channel,
        body=row.body,
        to=person.name if person else row.address,
        state=row.state,
        reason=row.reason,
        error_code=row.error_code,
    )


def _shown_broadcasts(session: Session, ids: list[UUID]) -> dict[UUID, SentView]:
    if not ids:
        return {}
    counts: dict[tuple[UUID | None, MessageState], int] = {
        (key, state): number
        for key, state, number in session.execute(
            select(Message.broadcast_id, Message.state, func.count())
            .where(Message.broadcast_id.in_(ids))
            .group_by(Message.broadcast_id, Message.state)
        )
    }
    rows = session.scalars(select(Broadcast).where(Broadcast.id.in_(ids)))
    return {row.id: _broadcast(row, counts) for row in rows}


def _broadcast(row: Broadcast, counts: dict[tuple[UUID | None, MessageState], int]) -> SentView:
    return SentView(
        id=row.id,
        at=row.send_at,
        channel=row.channel,
        body=_body(row),
        to=None,
        state=row.status,
        recipients=len(row.member_ids),
        delivered=sum(counts.get((row.id, state), 0) for state in _ARRIVED),
        failed=counts.get((row.id, MessageState.FAILED), 0)
        + counts.get((row.id, MessageState.SKIPPED), 0),
    )


def _body(row: Broadcast) -> str:
    """The first of its texts."""
    wording = Wording.model_validate(row.texts)
    return next(iter(wording.variants.values())).body
