"""What a conversation on the dashboard is called: named once by the small model, from its words."""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.db import after_commit
from bot.conversation.models import Conversation, Surface, Turn, Words
from bot.conversation.queue import NAME_CONVERSATION, Enqueue
from i18n import language_of_text


@dataclass(frozen=True, slots=True)
class Unnamed:
    """A conversation without a title, and the first words in it that have letters."""

    turn_id: UUID
    words: str


def name_later(session: Session, enqueue: Enqueue, conversation: Conversation) -> None:
    """Once this is committed, where it has no title. Missed, it is done after the next turn."""
    if conversation.surface is Surface.WEB and conversation.title is None:
        ids = str(conversation.org_id), str(conversation.id)
        after_commit(session, lambda: enqueue(NAME_CONVERSATION, *ids))


def unnamed(session: Session, conversation_id: UUID) -> Unnamed | None:
    """None for one that has a title, has said nothing, or is a phone's."""
    row = session.get(Conversation, conversation_id)
    if row is None or row.title is not None or row.surface is not Surface.WEB:
        return None
    said = (
        select(Words.turn_id, Words.text)
        .join(Turn, Turn.id == Words.turn_id)
        .where(Turn.conversation_id == conversation_id)
        .order_by(Words.position)
        .limit(10)
    )
    found = (Unnamed(*one) for one in session.execute(said))
    return next((one for one in found if language_of_text(one.words)), None)


def keep(
    session: Session, conversation_id: UUID, found: Unnamed, title: str
) -> Conversation | None:
    """The conversation under its title; None where it was named, or its words erased, meanwhile."""
    whole = select(Conversation).where(Conversation.id == conversation_id).with_for_update()
    row = session.scalars(whole.execution_options(populate_existing=True)).one()
    turn = select(Turn.id).where(Turn.id == found.turn_id)
    free = session.scalar(turn.with_for_update(read=True, skip_locked=True))
    if free is None or unnamed(session, conversation_id) != found:
        return None
    row.title = title
    return row
