"""Whose an address is: linked by a one-time code from the dashboard, and by nothing else."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, select, update
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
    code = f"{secrets.randbelow(1_000_000):06d}"
    session.execute(delete(LinkCode).where(LinkCode.user_id == user_id, LinkCode.used_at.is_(None)))
    session.add(
        LinkCode(
            code_hash=_hash(code),
            org_id=org_id,
            user_id=user_id,
            expires_at=now_of(session) + CODE_TTL,
        )
    )
    session.flush()
    return code


def whose(session: Session, inbound: Inbound) -> ChannelIdentity | None:
    """The person this sender is linked to, in the gym they speak to now.

    A phone whose WhatsApp id is another than when it was linked has changed hands: nobody's.
    """
    given = {address.kind: address.value for address in inbound.addresses}
    rows = [row for kind, value in given.items() for row in _rows(session, inbound, kind, value)]
    for row in sorted(rows, key=lambda row: (row.chosen, row.created_at), reverse=True):
        if not _changed_hands(session, inbound, row, given):
            _attach(session, inbound, row, given)
            return row
    return None


def link(session: Session, inbound: Inbound, code: str) -> Linked | WrongCode | Silent:
    """Try a code from this sender: five tries, then locked for an hour."""
    stranger = _stranger(session, inbound.lane)
    now = now_of(session)
    if stranger.locked_until is not None and stranger.locked_until > now:
        return Silent()
    row = session.scalar(
        select(LinkCode)
        .where(
            LinkCode.code_hash == _hash(code), LinkCode.used_at.is_(None), LinkCode.expires_at > now
        )
        .with_for_update()
    )
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


def opt(session: Session, row: ChannelIdentity, surface: str, *, out: bool) -> None:
    """Record that a person wants nothing more on this channel, or wants it again."""
    if surface == "sms":
        row.opted_out_sms = out
    else:
        row.opted_out_whatsapp = out
    session.flush()


def _hash(code: str) -> str:
    return hashlib.sha256(f"link:{code}".encode()).hexdigest()


def _rows(session: Session, inbound: Inbound, kind: str, value: str) -> list[ChannelIdentity]:
    return list(
        session.scalars(
            select(ChannelIdentity).where(
                ChannelIdentity.provider == inbound.provider,
                ChannelIdentity.account == inbound.account,
                ChannelIdentity.kind == kind,
                ChannelIdentity.value == value,
            )
        )
    )


def _changed_hands(
    session: Session, inbound: Inbound, row: ChannelIdentity, given: dict[str, str]
) -> bool:
    known = session.scalars(
        select(ChannelIdentity.value).where(
            ChannelIdentity.provider == inbound.provider,
            ChannelIdentity.account == inbound.account,
            ChannelIdentity.kind == "bsuid",
            ChannelIdentity.user_id == row.user_id,
            ChannelIdentity.org_id == row.org_id,
        )
    ).all()
    return row.kind == "phone" and bool(known) and "bsuid" in given and given["bsuid"] not in known


def _attach(
    session: Session, inbound: Inbound, row: ChannelIdentity, given: dict[str, str]
) -> None:
    """The provider names both ids of one sender: keep the one that is new beside the one that is known."""
    row.last_inbound_at = now_of(session)
    for kind, value in given.items():
        if kind != "parent_bsuid" and not _rows(session, inbound, kind, value):
            _own(session, inbound, kind, value, Linked(row.org_id, row.user_id))


def _own(session: Session, inbound: Inbound, kind: str, value: str, owner: Linked) -> None:
    mine = (
        ChannelIdentity.provider == inbound.provider,
        ChannelIdentity.account == inbound.account,
        ChannelIdentity.kind == kind,
        ChannelIdentity.value == value,
    )
    # Linked again by somebody else: the number has moved, the former person is no longer meant by it.
    session.execute(delete(ChannelIdentity).where(*mine, ChannelIdentity.user_id != owner.user_id))
    session.execute(update(ChannelIdentity).where(*mine).values(chosen=False))
    session.execute(
        insert(ChannelIdentity)
        .values(
            id=new_id(),
            created_at=now_of(session),
            updated_at=now_of(session),
            provider=inbound.provider,
            account=inbound.account,
            kind=kind,
            value=value,
            org_id=owner.org_id,
            user_id=owner.user_id,
            chosen=True,
            opted_out_sms=False,
            opted_out_whatsapp=False,
            last_inbound_at=now_of(session),
        )
        .on_conflict_do_update(
            index_elements=["provider", "account", "kind", "value", "org_id"],
            set_={"chosen": True, "user_id": owner.user_id},
        )
    )


def _stranger(session: Session, address: str) -> Stranger:
    row = session.scalar(select(Stranger).where(Stranger.address == address).with_for_update())
    if row is None:
        row = Stranger(address=address)
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
