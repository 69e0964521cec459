"""Who somebody is in this transaction, whatever they were when they wrote."""

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import NotAllowed
from app.people import queries as people
from bot.conversation.models import Conversation


def actor_of(session: Session, conversation: Conversation) -> Actor:
    """The conversation's person as they are today. Raises NotAllowed where they have left."""
    actor = people.actor(session, conversation.org_id, conversation.user_id)
    if actor is None:
        raise NotAllowed
    return actor


def standing(session: Session, actor: Actor) -> Actor:
    """The actor as they are in this transaction, and no higher than they came.

    Raises NotAllowed where they have left.
    """
    now = people.actor(session, actor.org_id, actor.user_id)
    if now is None:
        raise NotAllowed
    return now.at_most(actor.role).acting(actor.via)
