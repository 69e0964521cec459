"""Reading what staff wrote about a member, as far as a role sees it."""

from uuid import UUID

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.people.models import MemberNote
from app.people.queries.team import names_of_users
from app.people.views import NoteView
from app.studio.paging import Cut, Page, page_of


def notes(session: Session, actor: Actor, member_id: UUID, *, cut: Cut) -> Page[NoteView]:
    """The pinned ones first, then the newest."""
    query = select(MemberNote).where(MemberNote.member_id == member_id, seen_by(actor))
    query = query.order_by(MemberNote.pinned.desc(), MemberNote.id.desc())
    rows = session.scalars(query).all()
    names = names_of_users(session, {row.author_id for row in rows})
    return page_of([note_view(row, names.get(row.author_id)) for row in rows], cut)


def seen_by(actor: Actor) -> ColumnElement[bool]:
    """Their own, and what is for a role that is no higher than theirs."""
    roles = [role.value for role in Role if actor.role.at_least(role)]
    return or_(MemberNote.author_id == actor.user_id, MemberNote.visible_to_roles.overlap(roles))


def note_view(row: MemberNote, author: str | None) -> NoteView:
    return NoteView(
        id=row.id,
        version=row.version,
        member_id=row.member_id,
        kind=row.kind,
        body=row.body,
        pinned=row.pinned,
        author=author,
        visible_to=tuple(map(Role, row.visible_to_roles)),
        at=row.created_at,
    )
