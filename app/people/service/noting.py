"""Notes that staff write about a member, each for the eyes of some roles."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.people import queries
from app.people.models import MemberNote
from app.people.service.members import locked
from app.people.terms import NoteKind
from app.people.views import NoteView

SEEN_BY: Final = {
    NoteKind.GENERAL: Role.COACH,
    NoteKind.INJURY: Role.COACH,
    NoteKind.PAYMENT: Role.ADMIN,
    NoteKind.MEDICAL: Role.ADMIN,
}
"""The lowest role that sees a kind, where a note doesn't say (rule 2)."""


@dataclass(frozen=True, slots=True)
class NewNote:
    body: str
    kind: NoteKind = NoteKind.GENERAL
    pinned: bool = False
    visible_to: tuple[Role, ...] = ()
    """Empty: as its kind says. Higher roles see what lower ones do."""


def add_note(session: Session, actor: Actor, member_id: UUID, new: NewNote) -> NoteView:
    """Raises NotFound, MemberErased."""
    row = locked(session, member_id)
    roles = new.visible_to or (SEEN_BY[new.kind],)
    made = MemberNote(
        org_id=actor.org_id,
        member_id=row.id,
        author_id=actor.user_id,
        kind=new.kind,
        body=new.body,
        pinned=new.pinned,
        visible_to_roles=[role.value for role in Role if role.at_least(min(roles, key=_rank))],
    )
    session.add(made)
    session.flush()
    return queries.note_view(made, actor.name)


def _rank(role: Role) -> int:
    return list(Role).index(role)
