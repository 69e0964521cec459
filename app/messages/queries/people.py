"""Whoever may be written to, and what is known of them on a channel."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from app.core.columns import among
from app.core.errors import NotFound
from app.inbox.models import InboxMessage, InboxThread
from app.inbox.terms import MessageState as AnswerState
from app.inbox.terms import ThreadChannel
from app.leads.models import Lead
from app.leads.terms import OPEN
from app.messages.models import Message
from app.messages.rules import Known
from app.messages.terms import MessageState
from app.messages.views import Person
from app.people import queries as people
from app.people.consent import Cap
from app.people.models import Member, shown_name
from app.people.queries import HIDDEN
from app.people.terms import Category, Channel

_NONE = UUID(int=0)
_NEVER_LEFT = (MessageState.FAILED, MessageState.SKIPPED)


def person(session: Session, member_id: UUID) -> Person:
    found = session.get(Member, member_id)
    if found is None:
        raise NotFound(what="member")
    return person_of_member(found)


def persons(
    session: Session, member_ids: Sequence[UUID], lead_ids: Sequence[UUID] = ()
) -> dict[UUID, Person]:
    """Those of them that still exist, by id."""
    found = {one.id: one for one in persons_among(session, among(Member.id, member_ids))}
    if lead_ids:
        leads = session.scalars(select(Lead).where(among(Lead.id, lead_ids)))
        found |= {row.id: person_of_lead(row) for row in leads}
    return found


def persons_among(session: Session, *terms: ColumnElement[bool]) -> list[Person]:
    """Members by name, read without the rest of them: there may be thousands."""
    query = (
        select(
            Member.id,
            Member.first_name,
            shown_name(),
            Member.language,
            Member.phone,
            Member.email,
            Member.status.in_(HIDDEN),
            Member.marketing_consent_at.is_not(None),
        )
        .where(*terms)
        .order_by(Member.first_name, Member.last_name, Member.id)
    )
    return [Person(*row) for row in session.execute(query)]


def person_of_member(row: Member) -> Person:
    return Person(
        id=row.id,
        first_name=row.first_name,
        name=row.name,
        language=row.language,
        phone=row.phone,
        email=row.email,
        gone=row.status in HIDDEN,
        consents=row.marketing_consent_at is not None,
    )


def person_of_lead(row: Lead) -> Person:
    """An open lead asked to hear of the gym; one who is won or lost did not."""
    return Person(
        id=row.id,
        first_name=row.first_name,
        name=row.name,
        language=row.language,
        phone=row.phone,
        email=row.email,
        gone=False,
        consents=row.stage in OPEN,
        is_lead=True,
    )


def known(
    session: Session,
    wanted: Sequence[Person],
    channel: Channel,
    cap: Cap,
    now: datetime,
    *,
    but: UUID | None = None,
) -> dict[UUID, Known]:
    """What the rules ask of each, looked up for all at once; `but` is a message not to count."""
    addresses = {address for one in wanted if (address := one.address(channel)) is not None}
    refused = people.opted_out(session, channel, addresses)
    since = now - timedelta(days=cap.days)
    members, leads = ([one.id for one in wanted if one.is_lead is is_] for is_ in (False, True))
    marketed = _had(session, members, leads, since=since, but=but)
    heard = _heard(session, addresses) if channel is Channel.WHATSAPP else {}
    return {
        one.id: Known(
            opted_out=one.address(channel) in refused,
            had=tuple(marketed[one.id]),
            heard_at=heard.get(one.address(channel)),
        )
        for one in wanted
    }


def _heard(session: Session, addresses: Collection[str]) -> dict[str | None, datetime]:
    """When each of these last wrote on WhatsApp."""
    query = select(InboxThread.handle, InboxThread.last_inbound_at).where(
        InboxThread.channel == ThreadChannel.WHATSAPP,
        among(InboxThread.handle, addresses),
        InboxThread.last_inbound_at.is_not(None),
    )
    return {handle: at for handle, at in session.execute(query) if at is not None}


def had(session: Session, person_id: UUID, *, since: datetime, but: UUID | None) -> list[datetime]:
    """When one person was, or is to be, sent marketing; `but` is a message not to count."""
    return _had(session, [person_id], [person_id], since=since, but=but)[person_id]


def _had(
    session: Session,
    members: Sequence[UUID],
    leads: Sequence[UUID],
    *,
    since: datetime,
    but: UUID | None,
) -> dict[UUID, list[datetime]]:
    """The same of many: by messages, and by answers in the inbox."""
    written = select(Message.member_id, Message.lead_id, Message.due_at).where(
        or_(among(Message.member_id, members), among(Message.lead_id, leads)),
        Message.category == Category.MARKETING,
        Message.state.not_in(_NEVER_LEFT),
        Message.due_at > since,
        Message.id != (but or _NONE),
    )
    answered = (
        select(InboxThread.member_id, InboxThread.lead_id, InboxMessage.at)
        .join(InboxMessage, InboxMessage.thread_id == InboxThread.id)
        .where(
            or_(among(InboxThread.member_id, members), among(InboxThread.lead_id, leads)),
            InboxMessage.category == Category.MARKETING,
            InboxMessage.state != AnswerState.FAILED,
            InboxMessage.at > since,
            InboxMessage.id != (but or _NONE),
        )
    )
    found: dict[UUID, list[datetime]] = defaultdict(list)
    for query in (written, answered):
        for member_id, lead_id, at in session.execute(query):
            for person_id in filter(None, (member_id, lead_id)):
                found[person_id].append(at)
    return found
