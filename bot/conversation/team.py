"""What automations have to say to the team: on the phone, or as a task where there is none."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.automations.service import TELL_STAFF, system
from app.core.db import now_of
from app.core.outbox import Outbox
from app.people import queries as people
from app.tasks import service as tasks
from app.tasks.terms import TaskSource
from bot.conversation.models import Conversation, Surface
from bot.conversation.phone import Phone
from bot.conversation.relay import Act
from tools.kit.cards import Notice
from tools.kit.values import Line, Quote

_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class Team:
    phone: Phone

    def acts(self) -> dict[str, Act]:
        return {TELL_STAFF: self._tell}

    def _tell(self, session: Session, row: Outbox) -> None:
        user_id, text = UUID(row.body["user_id"]), str(row.body["text"])
        if self.phone.actor_of(session, row.org_id, user_id) is None:
            return  # they work here no more
        conversation = _on_the_phone(session, user_id)
        if conversation is None:
            _as_task(session, row.org_id, user_id, text)
            return
        line = Line(key="automations.tells", values={"text": Quote(text=text)})
        card = Notice(lines=(line,))
        self.phone.tell(session, conversation, card, key=f"team:{row.id}")


def _on_the_phone(session: Session, user_id: UUID) -> Conversation | None:
    """Where they spoke last, if they ever did by phone."""
    query = select(Conversation).where(
        Conversation.user_id == user_id,
        Conversation.surface != Surface.WEB,
        Conversation.closed_at.is_(None),
    )
    return session.scalar(query.order_by(Conversation.updated_at.desc()).limit(1))


def _as_task(session: Session, org_id: UUID, user_id: UUID, text: str) -> None:
    staff = people.staff_of_user(session, user_id)
    new = tasks.NewTask(
        title=text[:_LONGEST_TITLE],
        assignee_id=staff.id if staff else None,
        source=TaskSource.AUTOMATION,
    )
    tasks.create(session, system(org_id), new, now=now_of(session))
