"""Sending forms: to whom, when, and the link that leads to one."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core import outbox
from app.core.actor import Actor
from app.core.columns import among
from app.core.errors import NotFound
from app.core.ids import new_token
from app.forms import queries
from app.forms.errors import FormDueInPast, FormInactive, FormNotOpen, FormWaiting, NotReachable
from app.forms.models import FormInstance, FormLink, FormVersion
from app.forms.terms import UNANSWERED, FormStatus
from app.forms.views import LeftOut, SendPlan
from app.people import queries as people
from app.people.consent import OptedOut, Refusal
from app.people.models import Member
from app.people.queries import HIDDEN, member_view
from app.people.terms import Category, Channel
from app.people.views import MemberView
from app.studio import queries as studio

FORM_LINK: Final = "form_link"
"""Body: `form_instance_id`, and for a correction `member_id` and `channel`."""
OPEN_FOR: Final = timedelta(days=30)
"""How long a link leads to its form after it was sent, or after it was due."""


@dataclass(frozen=True, slots=True)
class FormRequest:
    template_id: UUID
    channel: Channel
    due_on: date | None = None


def plan(
    session: Session, actor: Actor, wish: FormRequest, member_ids: Sequence[UUID], *, now: datetime
) -> SendPlan:
    """Who of these members would get it. Raises NotFound, FormInactive, FormDueInPast."""
    template = queries.template(session, wish.template_id)
    if not template.active:
        raise FormInactive(form=template.title)
    today = studio.today(session, actor.org_id, now)
    if wish.due_on is not None and wish.due_on < today:
        raise FormDueInPast(date=wish.due_on)
    members = _members(session, member_ids)
    refused = _refusals(session, wish, members, today)
    return SendPlan(
        template,
        tuple(one for one in members if one.id not in refused),
        tuple(LeftOut(one, refused[one.id]) for one in members if one.id in refused),
        people.leaves_at(session, actor.org_id, Category.UTILITY, now=now),
    )


def preview_send(
    session: Session, actor: Actor, wish: FormRequest, member_id: UUID, *, now: datetime
) -> SendPlan:
    """The same of one member; raises the Refusal, or MemberErased."""
    people.present(session, member_id)
    found = plan(session, actor, wish, [member_id], now=now)
    if found.left_out:
        raise found.left_out[0].reason
    return found


def send(
    session: Session, actor: Actor, wish: FormRequest, member_id: UUID, *, now: datetime
) -> tuple[UUID, SendPlan]:
    """Send it: the link is made as the message goes out. The sent form's id."""
    found = preview_send(session, actor, wish, member_id, now=now)
    today = studio.today(session, actor.org_id, now)
    made = FormInstance(
        org_id=actor.org_id,
        template_id=wish.template_id,
        version_id=found.template.version_id,
        member_id=member_id,
        channel=wish.channel,
        due_on=wish.due_on,
        expires_on=(wish.due_on or today) + OPEN_FOR,
        sent_at=now,
        sent_by=actor.user_id,
    )
    session.add(made)
    session.flush()
    body = {
        "form_instance_id": str(made.id),
        "member_id": str(member_id),
        "channel": wish.channel.value,
    }
    wait = max(found.leaves_at - now, outbox.UNDO_WINDOW)
    outbox.put(session, actor.org_id, FORM_LINK, body, wait=wait)
    return made.id, found


def check_cancellable(session: Session, instance_id: UUID) -> FormInstance:
    """Lock it. Raises NotFound, FormNotOpen."""
    row = session.get(FormInstance, instance_id, with_for_update=True, populate_existing=True)
    if row is None:
        raise NotFound(what="form_instance")
    if row.status not in UNANSWERED:
        named = session.get_one(Member, row.member_id).name
        title = session.get_one(FormVersion, row.version_id).title
        raise FormNotOpen(form=title, member=named)
    return row


def cancel(session: Session, instance_id: UUID) -> None:
    """Its link leads nowhere any more."""
    row = check_cancellable(session, instance_id)
    row.status = FormStatus.CANCELLED
    session.flush()


def new_link(session: Session, instance_id: UUID, *, now: datetime) -> str | None:
    """The secret of the link that is sent now, kept as a hash alone.

    None where there is nothing to send any more.
    """
    row = session.get(FormInstance, instance_id, with_for_update=True)
    if row is None or row.status not in UNANSWERED:
        return None
    if row.expires_on < studio.today(session, row.org_id, now):
        return None
    token = new_token()
    link = _link(session, row.id)
    if link is None:
        link = FormLink(org_id=row.org_id, instance_id=row.id)
        session.add(link)
    link.token_hash, link.undelivered_at = hash_of(token), None
    session.flush()
    return token


def not_delivered(session: Session, instance_id: UUID, *, now: datetime) -> None:
    """The message with its link didn't arrive, if there is one."""
    link = _link(session, instance_id)
    if link is not None:
        link.undelivered_at = now
        session.flush()


def hash_of(token: str) -> str:
    return hashlib.sha256(f"form:{token}".encode()).hexdigest()


def _link(session: Session, instance_id: UUID) -> FormLink | None:
    return session.scalar(select(FormLink).where(FormLink.instance_id == instance_id))


def _members(session: Session, ids: Sequence[UUID]) -> list[MemberView]:
    """In the order given, each once. Raises NotFound."""
    rows = session.scalars(select(Member).where(among(Member.id, ids)))
    found = {row.id: member_view(row) for row in rows}
    if found.keys() < set(ids):
        raise NotFound(what="member")
    return [found[one] for one in dict.fromkeys(ids)]


def _refusals(
    session: Session, wish: FormRequest, members: list[MemberView], today: date
) -> dict[UUID, Refusal]:
    addresses = {one.id: address_of(one, wish.channel) for one in members}
    known = [address for address in addresses.values() if address]
    opted_out = people.opted_out(session, wish.channel, known)
    ids = [one.id for one in members]
    waiting = queries.waiting(session, wish.template_id, ids, today=today)
    refused: dict[UUID, Refusal] = {}
    for one in members:
        address = addresses[one.id]
        if not address or one.status in HIDDEN:
            refused[one.id] = NotReachable(name=one.name)
        elif address in opted_out:
            refused[one.id] = OptedOut(name=one.name)
        elif one.id in waiting:
            refused[one.id] = FormWaiting(name=one.name)
    return refused


def address_of(member: MemberView, channel: Channel) -> str | None:
    return member.email if channel is Channel.EMAIL else member.phone
