"""One text for many: planned, approved for just these people, and sent to each once (rule 37)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from app.core import outbox
from app.core.actor import Actor
from app.core.columns import among
from app.core.db import now_of
from app.core.errors import NotFound
from app.messages import queries, rules
from app.messages.errors import (
    AudienceChanged,
    AudienceEmpty,
    BroadcastClosed,
    BroadcastJustSent,
    TooSoon,
)
from app.messages.models import Broadcast, Message
from app.messages.queries.sent import broadcast_view
from app.messages.rules import counted
from app.messages.service.drafting import Said, draft, house
from app.messages.service.writing import Letter, Origin, letters, write
from app.messages.terms import BroadcastStatus
from app.messages.texts import Wording
from app.messages.views import Audience, BroadcastView, Draft, Person, Plan
from app.people.models import Member

CARRY: Final = "carry_broadcast"
"""Body: `broadcast_id`; carried out by `carry`, so many people at a time."""
CHUNK: Final = 100
AGAIN_AFTER: Final = timedelta(minutes=10)
"""The same to the same people sooner than that is one yes given twice, by one person or two."""


def plan(session: Session, actor: Actor, audience: Audience, said: Said, *, now: datetime) -> Plan:
    """Who would get it, who not and why. Raises NotFound, NotAllowed, NoText, MissingValues."""
    people = queries.members(session, actor, audience, now)
    return plan_for(session, actor.org_id, people, draft(session, said), at=now)


def plan_later(
    session: Session,
    actor: Actor,
    audience: Audience,
    said: Said,
    *,
    send_at: datetime,
    now: datetime,
) -> Plan:
    """The same of a time to come; raises TooSoon as well, and AudienceEmpty."""
    if send_at <= now:
        raise TooSoon(at=send_at)
    people = queries.members(session, actor, audience, now)
    return checked(plan_for(session, actor.org_id, people, draft(session, said), at=send_at))


def plan_for(
    session: Session, org_id: UUID, people: Sequence[Person], said: Draft, *, at: datetime
) -> Plan:
    gym = house(session, org_id)
    known = queries.known(session, people, said.channel, gym.policy.cap, at)
    return rules.plan(said, people, known, gym, at)


def checked(found: Plan, audience_hash: str | None = None) -> Plan:
    """Raises AudienceChanged where it isn't who was previewed, AudienceEmpty where it's nobody."""
    now = len(found.recipients)
    if audience_hash is not None and audience_hash != found.audience_hash:
        before = counted(audience_hash)
        raise AudienceChanged(before=before, now=now, audience_hash=found.audience_hash)
    if not now:
        raise AudienceEmpty(left_out=len(found.left_out))
    return found


def start(session: Session, actor: Actor, found: Plan) -> BroadcastView:
    """Say to whom it goes; whoever asked for it lets `write_one` follow for each of them.

    Raises BroadcastJustSent.
    """
    _check_new(session, actor.org_id, found, Broadcast.status == BroadcastStatus.SENT)
    row = _keep(session, actor.org_id, actor.user_id, found, BroadcastStatus.SENT)
    row.finished_at = now_of(session)
    session.flush()
    return broadcast_view(row)


def write_one(session: Session, broadcast_id: UUID, member_id: UUID, *, now: datetime) -> None:
    """Write to one of its people, judged again; a second time nothing happens.

    Raises a Refusal where they may not be written to any more.
    """
    row = session.get(Broadcast, broadcast_id)
    if row is None:
        raise NotFound(what="broadcast")
    same = select(Message.id).where(Message.broadcast_id == row.id, Message.member_id == member_id)
    if session.scalar(same) is not None:
        return
    mail = _mail(session, row, [member_id], now)
    for letter in mail.letters:
        if letter.refused is not None:
            raise letter.refused
        mail.post(session, letter, now)


def schedule(session: Session, actor: Actor, found: Plan, *, now: datetime) -> BroadcastView:
    """Send it then, to these people. Raises BroadcastJustSent where that is planned already."""
    planned = Broadcast.status == BroadcastStatus.SCHEDULED
    _check_new(session, actor.org_id, found, planned, Broadcast.send_at == found.leaves_at)
    row = _keep(session, actor.org_id, actor.user_id, found, BroadcastStatus.SCHEDULED)
    _carry_later(session, row, wait=found.leaves_at - now)
    return broadcast_view(row)


def push(
    session: Session,
    actor: Actor,
    found: Plan,
    announcement_id: UUID,
    *,
    wait: timedelta,
) -> None:
    """Write to these people of a piece of news, unless it is taken back before."""
    status = BroadcastStatus.SCHEDULED
    row = _keep(session, actor.org_id, actor.user_id, found, status, announcement_id)
    _carry_later(session, row, wait=wait)


def preview_cancel(session: Session, broadcast_id: UUID) -> BroadcastView:
    """Raises NotFound, BroadcastClosed."""
    return broadcast_view(_scheduled(session, broadcast_id))


def cancel(session: Session, broadcast_id: UUID) -> BroadcastView:
    row = _scheduled(session, broadcast_id)
    row.status = BroadcastStatus.CANCELLED
    session.flush()
    return broadcast_view(row)


def cancel_pushes(session: Session, announcement_id: UUID) -> int:
    """Keep what is queued of a piece of news from leaving; how many people that spares."""
    rows = session.scalars(
        select(Broadcast)
        .where(
            Broadcast.announcement_id == announcement_id,
            Broadcast.status == BroadcastStatus.SCHEDULED,
        )
        .with_for_update()
    ).all()
    for row in rows:
        row.status = BroadcastStatus.CANCELLED
    session.flush()
    return sum(len(row.member_ids) for row in rows)


def pending_push(session: Session, announcement_id: UUID) -> bool:
    found = select(Broadcast.id).where(
        Broadcast.announcement_id == announcement_id,
        Broadcast.status == BroadcastStatus.SCHEDULED,
    )
    return session.scalar(found.limit(1)) is not None


def carry(session: Session, broadcast_id: UUID, *, now: datetime, chunk: int = CHUNK) -> int:
    """Write to the next of its people; how many are left. Done again, it goes on, doubling nobody.

    Each message and what is to send it are kept in this transaction.
    """
    row = session.get(Broadcast, broadcast_id, with_for_update=True)
    if row is None or row.status not in {BroadcastStatus.SCHEDULED, BroadcastStatus.SENDING}:
        return 0
    row.status = BroadcastStatus.SENDING
    left = _left(session, row)
    mail = _mail(session, row, left[:chunk], now)
    for letter in mail.letters:
        mail.post(session, letter, now)
    if len(left) <= chunk:
        row.status, row.finished_at = BroadcastStatus.SENT, now
    session.flush()
    return max(len(left) - chunk, 0)


def carry_on(session: Session, broadcast_id: UUID, *, now: datetime) -> None:
    """A chunk, and the next one queued with it."""
    if carry(session, broadcast_id, now=now):
        row = session.get_one(Broadcast, broadcast_id)
        _carry_later(session, row, wait=timedelta())


def _left(session: Session, row: Broadcast) -> list[UUID]:
    written = set(session.scalars(select(Message.member_id).where(Message.broadcast_id == row.id)))
    there = set(session.scalars(select(Member.id).where(among(Member.id, row.member_ids))))
    waiting = there - written
    return [one for one in row.member_ids if one in waiting]


@dataclass(frozen=True, slots=True)
class _Mail:
    """Letters of a broadcast, and when they may leave."""

    said: Draft
    letters: list[Letter]
    origin: Origin
    at: datetime

    def post(self, session: Session, letter: Letter, now: datetime) -> None:
        write(session, self.said, letter, self.origin, now=now, at=self.at)


def _mail(session: Session, row: Broadcast, ids: Sequence[UUID], now: datetime) -> _Mail:
    """Each is judged again: since the yes somebody may have left or opted out."""
    said = Draft(row.channel, row.category, Wording.model_validate(row.texts), row.template)
    found = queries.persons(session, ids)
    people = [found[one] for one in ids if one in found]
    gym = house(session, row.org_id)
    at = rules.leaves(said, gym, now)
    known = queries.known(session, people, said.channel, gym.policy.cap, at)
    origin = Origin(row.org_id, row.author_id, row.id)
    return _Mail(said, letters(said, people, known, gym, at), origin, at)


def _check_new(
    session: Session, org_id: UUID, found: Plan, *same_kind: ColumnElement[bool]
) -> None:
    """Two who send at once come one after the other here, up to the end of their transactions."""
    lane = func.hashtextextended(f"broadcast:{org_id}", 0)
    session.execute(select(func.pg_advisory_xact_lock(lane)))
    said = found.draft
    same = select(Broadcast.created_at).where(
        *same_kind,
        Broadcast.created_at > now_of(session) - AGAIN_AFTER,
        Broadcast.channel == said.channel,
        Broadcast.category == said.category,
        Broadcast.audience_hash == found.audience_hash,
        Broadcast.texts == said.wording.model_dump(mode="json"),
        Broadcast.template.is_not_distinct_from(said.template),
        Broadcast.announcement_id.is_(None),
    )
    at = session.scalar(same.order_by(Broadcast.created_at.desc()).limit(1))
    if at is not None:
        raise BroadcastJustSent(at=at)


def _keep(  # noqa: PLR0917 - what a row holds
    session: Session,
    org_id: UUID,
    author_id: UUID | None,
    found: Plan,
    status: BroadcastStatus,
    announcement_id: UUID | None = None,
) -> Broadcast:
    said = found.draft
    row = Broadcast(
        org_id=org_id,
        status=status,
        channel=said.channel,
        category=said.category,
        texts=said.wording.model_dump(mode="json"),
        template=said.template,
        audience_hash=found.audience_hash,
        member_ids=[one.person.id for one in found.recipients],
        send_at=found.leaves_at,
        author_id=author_id,
        announcement_id=announcement_id,
    )
    session.add(row)
    session.flush()
    return row


def _carry_later(session: Session, row: Broadcast, *, wait: timedelta) -> None:
    outbox.put(session, row.org_id, CARRY, {"broadcast_id": str(row.id)}, wait=wait)


def _scheduled(session: Session, broadcast_id: UUID) -> Broadcast:
    row = session.get(Broadcast, broadcast_id, with_for_update=True)
    if row is None:
        raise NotFound(what="broadcast")
    due = row.send_at <= now_of(session)
    if row.status is not BroadcastStatus.SCHEDULED or due:
        state = BroadcastStatus.SENDING if due else row.status
        raise BroadcastClosed(state=state.value)
    return row
