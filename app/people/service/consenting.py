"""What people agree to be sent, and what they want no more of."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.people.models import Member, OptOut
from app.people.terms import Channel


def opt_out(
    session: Session, org_id: UUID, channel: Channel, address: str, *, source: str, now: datetime
) -> None:
    """This address wants nothing more on this channel; said again, it is as before."""
    if _opt_out(session, channel, address) is None:
        made = OptOut(
            org_id=org_id, channel=channel, address=address, opted_out_at=now, source=source
        )
        session.add(made)
        session.flush()


def opt_in(session: Session, channel: Channel, address: str) -> None:
    found = _opt_out(session, channel, address)
    if found is not None:
        session.delete(found)
        session.flush()


def consent(session: Session, member_id: UUID, *, now: datetime | None) -> None:
    """A member agreed to offers at that time, or takes it back with None."""
    found = session.get(Member, member_id)
    if found is None:
        raise NotFound(what="member")
    found.marketing_consent_at = now
    session.flush()


def _opt_out(session: Session, channel: Channel, address: str) -> OptOut | None:
    query = select(OptOut).where(OptOut.channel == channel, OptOut.address == address)
    return session.scalar(query)
