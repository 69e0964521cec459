"""Whose an address is: linked by a one-time code from the dashboard, and by nothing else."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, delete, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from app.core.db import now_of
from app.core.ids import new_id
from bot.conversation.inbound import Inbound
from bot.conversation.models import ChannelIdentity, LinkCode, Stranger

CODE_TTL = timedelta(minutes=10)
TRIES = 5
LOCKED_FOR = timedelta(minutes=60)
TOLD_EVERY = timedelta(hours=1)
_CODES_LANE = 6_000_006
"""Codes are drawn one after another, so that no two people hold the same."""


@dataclass(frozen=True, slots=True)
class Linked:
    org_id: UUID
    user_id: UUID


@dataclass(frozen=True, slots=True)
class WrongCode:
    tries_left: int


@dataclass(frozen=True, slots=True)
class Silent:
    """Locked, or told within the hour: nothing is answered."""


def new_code(session: Session, org_id: UUID, user_id: UUID) -> str:
    """A code of 6 digits for this person, good for 10 minutes; an earlier one of theirs is void."""
    session.execute(text("SELECT pg_advisory_xact_lock(:lane)"), {"lane": _CODES_LANE})
    session.execute(delete(LinkCode).where(LinkCode.user_id == user_id, LinkCode.used_at.is_(None)))
    code = _draw()
    while _living(session, code) is not None:
        code = _draw()
    expires = now_of(session) + CODE_TTL
    row = LinkCode(code_hash=_hash(code), org_id=org_id, user_id=user_id, expires_at=expires)
    session.add(row)
    session.flush()
    return code


def whose(session: Session, inbound: Inbound) -> list[ChannelIdentity]:
    """The people this sender is linked to, one a gym, the one they speak to now first.

    A phone whose WhatsApp id is another than when it was linked has changed hands: it is nobody's
    from then on, and no SMS goes there either.
    """
    given = {address.kind: address.value for address in inbound.addresses}
    places: dict[UUID, ChannelIdentity] = {}
    for row in session.scalars(_sent_by(inbound)).all():
        if _changed_hands(session, inbound, row, given):
            session.delete(row)
        else:
            places.setdefault(row.org_id, row)
    session.flush()
    return sorted(places.values(), key=lambda row: (row.chosen, row.created_at), reverse=True)


def seen(session: Session, inbound: Inbound, row: ChannelIdentity) -> None:
    """Note that they wrote; an id of theirs that is new is kept beside the one that is known."""
    row.last_inbound_at = now_of(session)
    for address in inbound.addresses:
        known = session.scalar(
            select(ChannelIdentity.id).where(*_at(inbound, address.kind, address.value)).limit(1)
        )
        if address.kind != "parent_bsuid" and known is None:
            owner = Linked(row.org_id, row.user_id)
            _own(session, inbound, address.kind, address.value, owner)


def choose(session: Session, inbound: Inbound, org_id: UUID | None) -> None:
    """Of several gyms, the one that this sender speaks to from now on; None: to be asked."""
    for row in session.scalars(_sent_by(inbound)).all():
        row.chosen = row.org_id == org_id
    session.flush()


def link(session: Session, inbound: Inbound, code: str) -> Linked | WrongCode | Silent:
    """Try a code from this sender: five tries, then locked for an hour."""
    stranger = _stranger(session, inbound.lane)
    now = now_of(session)
    if stranger.locked_until is not None and stranger.locked_until > now:
        return Silent()
    row = _living(session, code)
    if row is None:
        return _miss(stranger, now)
    row.used_at = now
    stranger.tries = 0
    for address in inbound.addresses:
        _own(session, inbound, address.kind, address.value, Linked(row.org_id, row.user_id))
    return Linked(row.org_id, row.user_id)


def may_tell_stranger(session: Session, inbound: Inbound) -> bool:
    """Whether the line on how to link may be sent now: at most once an hour to each."""
    stranger, now = _stranger(session, inbound.lane), now_of(session)
    if stranger.told_at is not None and stranger.told_at > now - TOLD_EVERY:
        return False
    stranger.told_at = now
    return True


def opt(session: Session, inbound: Inbound, *, out: bool) -> None:
    """Record that this sender wants nothing more on this channel, or wants it again."""
    for row in session.scalars(_sent_by(inbound)).all():
        if inbound.surface == "sms":
            row.opted_out_sms = out
        else:
            row.opted_out_whatsapp = out
    session.flush()


def opted_out_of_sms(session: Session, number: str) -> None:
    """The carrier says so (21610): only the web is left for what we would have sent there."""
    mine = (ChannelIdentity.kind == "phone", ChannelIdentity.value == number)
    session.execute(update(ChannelIdentity).where(*mine).values(opted_out_sms=True))


def phone_for_sms(session: Session, org_id: UUID, user_id: UUID) -> str | None:
    """A phone of this person's that was linked by code and takes SMS."""
    return session.scalar(
        select(ChannelIdentity.value)
        .where(
            ChannelIdentity.org_id == org_id,
            ChannelIdentity.user_id == user_id,
            ChannelIdentity.kind == "phone",
            ~ChannelIdentity.opted_out_sms,
        )
        .order_by(ChannelIdentity.created_at.desc())
        .limit(1)
    )


def _draw() -> str:
    return f"{secrets.randbelow(1_000_000):06d}"


def _hash(code: str) -> str:
    return hashlib.sha256(f"link:{code}".encode()).hexdigest()


def _living(session: Session, code: str) -> LinkCode | None:
    return session.scalar(
        select(LinkCode)
        .where(
            LinkCode.code_hash == _hash(code),
            LinkCode.used_at.is_(None),
            LinkCode.expires_at > now_of(session),
        )
        .with_for_update()
    )


def _at(inbound: Inbound, kind: str, value: str) -> tuple[ColumnElement[bool], ...]:
    return (
        ChannelIdentity.provider == inbound.provider,
        ChannelIdentity.account == inbound.account,
        ChannelIdentity.kind == kind,
        ChannelIdentity.value == value,
    )


def _sent_by(inbound: Inbound) -> Select[ChannelIdentity]:
    named = [and_(*_at(inbound, one.kind, one.value)) for one in inbound.addresses]
    return select(ChannelIdentity).where(or_(*named)).order_by(ChannelIdentity.created_at)


def _changed_hands(
    session: Session, inbound: Inbound, row: ChannelIdentity, given: dict[str, str]
) -> bool:
    if row.kind != "phone" or "bsuid" not in given:
        return False
    known = session.scalars(
        select(ChannelIdentity.value).where(
            ChannelIdentity.provider == inbound.provider,
            ChannelIdentity.account == inbound.account,
            ChannelIdentity.kind == "bsuid",
            ChannelIdentity.user_id == row.user_id,
            ChannelIdentity.org_id == row.org_id,
        )
    ).all()
    return bool(known) and given["bsuid"] not in known


def _own(session: Session, inbound: Inbound, kind: str, value: str, owner: Linked) -> None:
    mine = _at(inbound, kind, value)
    # Linked again by somebody else: the number has moved, the former person is no longer meant.
    session.execute(delete(ChannelIdentity).where(*mine, ChannelIdentity.user_id != owner.user_id))
    session.execute(update(ChannelIdentity).where(*mine).values(chosen=False))
    now = now_of(session)
    values = {
        "id": new_id(),
        "created_at": now,
        "updated_at": now,
        "provider": inbound.provider,
        "account": inbound.account,
        "kind": kind,
        "value": value,
        "org_id": owner.org_id,
        "user_id": owner.user_id,
        "chosen": True,
        "opted_out_sms": False,
        "opted_out_whatsapp": False,
        "last_inbound_at": now,
    }
    session.execute(
        insert(ChannelIdentity)
        .values(values)
        .on_conflict_do_update(
            index_elements=["provider", "account", "kind", "value", "org_id"],
            set_={"chosen": True, "user_id": owner.user_id},
        )
    )


def _stranger(session: Session, address: str) -> Stranger:
    row = session.scalar(select(Stranger).where(Stranger.address == address).with_for_update())
    if row is None:
        row = Stranger(address=address, tries=0)
        session.add(row)
        session.flush()
    return row


def _miss(stranger: Stranger, now: datetime) -> WrongCode:
    stranger.tries += 1
    if stranger.tries < TRIES:
        return WrongCode(TRIES - stranger.tries)
    stranger.tries = 0
    stranger.locked_until = now + LOCKED_FOR
    return WrongCode(0)
