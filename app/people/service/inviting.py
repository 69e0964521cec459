"""Invitations: a link for one person, sent by somebody else's hands, good once and for a week."""

import hashlib
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core import outbox
from app.core.actor import Actor
from app.core.errors import BadInput, NotFound
from app.core.ids import new_id, new_token
from app.people import queries
from app.people.consent import OptedOut
from app.people.contacts import email_key, read_phone
from app.people.errors import ContactShared, InvitationClosed, InvitationWaiting, WrongChannel
from app.people.models import Invitation, InvitationLink, Member
from app.people.service.members import NewMember, add_member, check_unknown, claim
from app.people.terms import Category, Channel, InvitationKind, InvitationStatus, MemberStatus
from app.people.views import InvitationView
from app.studio import queries as studio

GOOD_FOR: Final = timedelta(days=7)
INVITATION: Final = "invitation"
"""Body: `invitation_id`; who carries it out sends a link with a token from `new_link`."""
NOT_YET_HERE: Final = frozenset({MemberStatus.PROSPECT, MemberStatus.INACTIVE})
"""Whoever is on record as this may be invited: they become a member by it."""
JOINS: Final = NOT_YET_HERE | {MemberStatus.ARCHIVED}
"""Who was archived since is a member again; who was suspended stays so."""


@dataclass(frozen=True, slots=True)
class NewInvitation:
    first_name: str
    channel: Channel
    last_name: str = ""
    phone: str | None = None
    email: str | None = None
    language: str | None = None
    """None: the gym's."""
    plan_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Invited:
    """`goes_at`: when it is sent, since nothing is at night (rule 36); None: at once."""

    invitation: InvitationView
    goes_at: datetime | None


def preview_invite(session: Session, actor: Actor, new: NewInvitation, *, now: datetime) -> Invited:
    """What `invite` would send to whom, and when; raises what it would."""
    row = _new(session, actor, new, now=now)
    return Invited(queries.invitation_view(row, actor.name, now=now), _held(session, row, now))


def invite(session: Session, actor: Actor, new: NewInvitation, *, now: datetime) -> Invited:
    """Queue a link for this person.

    Raises BadPhone, BadInput without the address that the channel needs, OptedOut, MemberExists
    for who is a member already (rule 51), InvitationWaiting.
    """
    row = _new(session, actor, new, now=now)
    session.add(row)
    session.flush()
    held = _held(session, row, now)
    _queue(session, row, outbox.UNDO_WINDOW if held is None else held - now)
    return Invited(queries.invitation_view(row, actor.name, now=now), held)


def preview_resend(
    session: Session, invitation_id: UUID, *, channel: Channel | None, now: datetime
) -> Invited:
    """What `resend` would do; raises what it would."""
    row = _open(session, invitation_id)
    chosen = _channel(session, row, channel or row.channel)
    view = queries.invitation(session, row.id, now=now)
    return Invited(view.by(chosen), _held(session, row, now))


def resend(
    session: Session,
    invitation_id: UUID,
    *,
    channel: Channel | None = None,
    now: datetime,
) -> Invited:
    """Send a new link in place of the one before, for another week.

    Raises NotFound, InvitationClosed, WrongChannel, OptedOut.
    """
    row = _open(session, invitation_id)
    row.channel = _channel(session, row, channel or row.channel)
    row.expires_at = now + GOOD_FOR
    session.flush()
    held = _held(session, row, now)
    _queue(session, row, timedelta() if held is None else held - now)
    return Invited(queries.invitation(session, row.id, now=now), held)


def preview_revoke(session: Session, invitation_id: UUID, *, now: datetime) -> InvitationView:
    return queries.invitation(session, _open(session, invitation_id).id, now=now)


def revoke(session: Session, invitation_id: UUID, *, now: datetime) -> InvitationView:
    """Its link opens nothing any more. Raises NotFound, InvitationClosed."""
    row = _open(session, invitation_id)
    row.status = InvitationStatus.REVOKED
    session.flush()
    return queries.invitation(session, row.id, now=now)


def new_link(session: Session, invitation_id: UUID, *, now: datetime) -> str | None:
    """A token for the link that is sent now, in place of the one before; only its hash is kept.

    None where there is nothing to send any more.
    """
    row = _locked(session, invitation_id)
    if row is None or row.status is not InvitationStatus.PENDING or row.expires_at <= now:
        return None
    token = new_token()
    session.add(
        InvitationLink(
            org_id=row.org_id, invitation_id=row.id, token_hash=_hash(token), sent_at=now
        )
    )
    session.flush()
    return token


def not_delivered(session: Session, invitation_id: UUID) -> None:
    """What WhatsApp won't take to a stranger goes by SMS; else it counts as not sent."""
    row = _locked(session, invitation_id)
    last = queries.last_link(session, invitation_id)
    if row is None or last is None or row.status is not InvitationStatus.PENDING:
        return
    last.failed = True
    if row.channel is Channel.WHATSAPP:
        row.channel = Channel.SMS
        _queue(session, row, timedelta())
    session.flush()


def by_token(session: Session, token: str, *, now: datetime) -> InvitationView:
    """The invitation that a link is for. Raises NotFound, InvitationClosed."""
    row = _of_token(session, token)
    view = queries.invitation(session, row.id, now=now)
    if view.status is not InvitationStatus.PENDING:
        raise InvitationClosed(state=view.status.value)
    return view


def accept(session: Session, token: str, *, today: date, now: datetime) -> InvitationView:
    """The person with the link joins: once. Raises NotFound, InvitationClosed."""
    row = _locked(session, _of_token(session, token).id)
    if row is None:
        raise NotFound(what="invitation")
    by_token(session, token, now=now)
    row.member_id = _join(session, row, today=today)
    row.status, row.accepted_at = InvitationStatus.ACCEPTED, now
    session.flush()
    return queries.invitation(session, row.id, now=now)


def _join(session: Session, row: Invitation, *, today: date) -> UUID:
    found = row.member_id or next((one.id for one in claim(session, row.org_id, row.address)), None)
    if found is not None:
        known = session.get_one(Member, found)
        if known.status in JOINS:
            known.status = MemberStatus.ACTIVE
        return known.id
    by_mail = row.channel is Channel.EMAIL
    new = NewMember(
        first_name=row.first_name,
        last_name=row.last_name,
        phone=None if by_mail else row.address,
        email=row.address if by_mail else None,
        language=row.language,
        source=INVITATION,
    )
    return add_member(session, row.org_id, new, today=today)


def _new(session: Session, actor: Actor, new: NewInvitation, *, now: datetime) -> Invitation:
    org = studio.org(session, actor.org_id)
    address = _address(new, org.phone_region)
    _check_wanted(session, new.channel, address, new.first_name)
    known = [one for one in claim(session, org.id, address) if one.status in NOT_YET_HERE]
    if not known:
        check_unknown(session, org.id, address)
    if len(known) > 1:
        raise ContactShared(members=tuple(one.name for one in known))
    waiting = queries.waiting_invitation(session, address, now=now)
    if waiting is not None:
        raise InvitationWaiting(name=waiting.name, invitation_id=waiting.id)
    return Invitation(
        id=new_id(),
        version=1,
        org_id=actor.org_id,
        kind=InvitationKind.MEMBER,
        member_id=known[0].id if known else None,
        first_name=new.first_name,
        last_name=new.last_name,
        language=new.language or org.language,
        channel=new.channel,
        address=address,
        plan_id=new.plan_id,
        status=InvitationStatus.PENDING,
        expires_at=now + GOOD_FOR,
        invited_by=actor.user_id,
    )


def _address(new: NewInvitation, region: str) -> str:
    given = new.email if new.channel is Channel.EMAIL else new.phone
    if given is None:
        raise BadInput(fields=("email" if new.channel is Channel.EMAIL else "phone",))
    return email_key(given) if new.channel is Channel.EMAIL else read_phone(given, region).e164


def _check_wanted(session: Session, channel: Channel, address: str, name: str) -> None:
    if queries.opted_out(session, channel, [address]):
        raise OptedOut(name=name)


def _channel(session: Session, row: Invitation, channel: Channel) -> Channel:
    if (channel is Channel.EMAIL) != (row.channel is Channel.EMAIL):
        raise WrongChannel(address=row.address)
    _check_wanted(session, channel, row.address, row.name)
    return channel


def _held(session: Session, row: Invitation, now: datetime) -> datetime | None:
    at = queries.leaves_at(session, row.org_id, Category.UTILITY, now=now)
    return at if at > now else None


def _queue(session: Session, row: Invitation, wait: timedelta) -> None:
    outbox.put(session, row.org_id, INVITATION, {"invitation_id": str(row.id)}, wait=wait)


def _open(session: Session, invitation_id: UUID) -> Invitation:
    """One that waits for an answer, though its week be over. Raises NotFound, InvitationClosed."""
    row = _locked(session, invitation_id)
    if row is None:
        raise NotFound(what="invitation")
    if row.status is not InvitationStatus.PENDING:
        raise InvitationClosed(state=row.status.value)
    return row


def _locked(session: Session, invitation_id: UUID) -> Invitation | None:
    query = select(Invitation).where(Invitation.id == invitation_id).with_for_update()
    return session.scalar(query.execution_options(populate_existing=True))


def _of_token(session: Session, token: str) -> Invitation:
    link = session.scalar(select(InvitationLink).where(InvitationLink.token_hash == _hash(token)))
    last = queries.last_link(session, link.invitation_id) if link else None
    if link is None or last is None or last.id != link.id:
        raise NotFound(what="invitation")
    return session.get_one(Invitation, link.invitation_id)


def _hash(token: str) -> str:
    return hashlib.sha256(f"invitation:{token}".encode()).hexdigest()
