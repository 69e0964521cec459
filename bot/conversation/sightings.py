"""What the model is told beside a person's words: the clock, the page, the channel."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from app.core.db import now_of
from app.studio import queries as studio
from bot.conversation.models import Conversation, Words
from bot.model.turn_context import Beside, compose
from bot.turn.events import Heard


def heard(session: Session, words: Sequence[Words], conversation: Conversation) -> Heard:
    """Neighbouring messages as one; the page is the newest one's."""
    page = next((one.beside for one in reversed(words) if one.beside), {})
    beside = Beside(
        channel=conversation.surface.value,
        page=str(page.get("page") or ""),
        selection=str(page.get("selection") or ""),
    )
    org = studio.org(session, conversation.org_id)
    text = "\n".join(one.text for one in words)
    told = compose(beside, now_of(session), org.timezone, org.week_start)
    return Heard(text=text, beside=told)
