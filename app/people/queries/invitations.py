"""Reading invitations; the link that one was sent with is nowhere to be read."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.people.models import Invitation, InvitationLink
from app.people.queries.team import names_of_users
from app.people.terms import InvitationKind, InvitationStatus
from app.people.views import InvitationView
from app.studio.paging import Cut, Page, page


def invitations(
    session: Session,
    *,
    now: datetime,
    status: InvitationStatus | None = None,
    kind: InvitationKind | None = None,
    cut: Cut,
) -> Page[InvitationView]:
    """The newest first."""
    query = select(Invitation).order_by(Invitation.id.desc())
    if status is not None:
        query = query.where(_is(status, now))
    if kind is not None:
        query = query.where(Invitation.kind == kind)
    found = page(session, query, cut, lambda row: row[0])
    names = names_of_users(session, {row.invited_by for row in found.rows if row.invited_by})
    links = _links(session, [row.id for row in found.rows])
    views = (_view(row, links[row.id], names, now) for row in found.rows)
    return Page(tuple(views), found.total, found.cursor)


def invitation(session: Session, invitation_id: UUID, *, now: datetime) -> InvitationView:
    """Raises NotFound."""
    row = session.get(Invitation, invitation_id)
    if row is None:
        raise NotFound(what="invitation")
    by = [row.invited_by] if row.invited_by else []
    links = _links(session, [row.id])[row.id]
    return _view(row, links, names_of_users(session, by), now)


def waiting_invitation(session: Session, address: str, *, now: datetime) -> InvitationView | None:
    """The one to this phone or e-mail that can still be accepted."""
    query = select(Invitation).where(
        Invitation.address == address, _is(InvitationStatus.PENDING, now)
    )
    row = session.scalar(query.order_by(Invitation.id.desc()).limit(1))
    return None if row is None else _view(row, _links(session, [row.id])[row.id], {}, now)


def last_link(session: Session, invitation_id: UUID) -> InvitationLink | None:
    """The one that counts."""
    links = _links(session, [invitation_id])[invitation_id]
    return links[-1] if links else None


def invitation_view(
    row: Invitation,
    invited_by: str | None,
    *,
    now: datetime,
    links: Sequence[InvitationLink] = (),
) -> InvitationView:
    last = links[-1] if links else None
    return InvitationView(
        id=row.id,
        version=row.version,
        kind=row.kind,
        role=row.role,
        name=row.name,
        channel=row.channel,
        address=row.address,
        language=row.language,
        status=_status(row, now),
        sent_at=last.sent_at if last and not last.failed else None,
        send_count=len(links),
        expires_at=row.expires_at,
        invited_by=invited_by,
        member_id=row.member_id,
        plan_id=row.plan_id,
    )


def _view(
    row: Invitation, links: Sequence[InvitationLink], names: dict[UUID, str], now: datetime
) -> InvitationView:
    by = names.get(row.invited_by) if row.invited_by else None
    return invitation_view(row, by, now=now, links=links)


def _links(session: Session, ids: Collection[UUID]) -> dict[UUID, list[InvitationLink]]:
    """Of some invitations, each in the order in which they were sent."""
    query = select(InvitationLink).where(InvitationLink.invitation_id.in_(ids))
    found: dict[UUID, list[InvitationLink]] = defaultdict(list)
    for link in session.scalars(query.order_by(InvitationLink.id)):
        found[link.invitation_id].append(link)
    return found


def _status(row: Invitation, now: datetime) -> InvitationStatus:
    over = row.status is InvitationStatus.PENDING and row.expires_at <= now
    return InvitationStatus.EXPIRED if over else row.status


def _is(status: InvitationStatus, now: datetime) -> ColumnElement[bool]:
    """Whether an invitation is so now: that its week is over is written nowhere."""
    pending = Invitation.status == InvitationStatus.PENDING
    match status:
        case InvitationStatus.PENDING:
            return and_(pending, Invitation.expires_at > now)
        case InvitationStatus.EXPIRED:
            return and_(pending, Invitation.expires_at <= now)
        case _:
            return Invitation.status == status
