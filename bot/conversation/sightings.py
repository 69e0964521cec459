"""What the model is told beside a person's words: the clock, the page, the channel."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from app.core.db import now_of
from app.studio import queries as studio
from bot.conversation.models import Conversation, Words
from bot.conversation.playbooks import next_steps
from bot.model.turn_context import Beside, compose
from bot.turn.events import Heard
from i18n import Language
from tools.playbooks import Playbook, playbook


def heard(session: Session, words: Sequence[Words], conversation: Conversation) -> Heard:
    """Neighbouring messages as one; the page is the newest one's, the playbook the last started."""
    page = next((one.beside for one in reversed(words) if one.beside), {})
    book = next(filter(None, map(_started, reversed(words))), None)
    beside = Beside(
        channel=conversation.surface.value,
        page=str(page.get("page") or ""),
        selection=str(page.get("selection") or ""),
        notes=() if book is None else (book.note(_steps(book, conversation)),),
    )
    org = studio.org(session, conversation.org_id)
    text = "\n".join(one.text for one in words)
    told = compose(beside, now_of(session), org.timezone, org.week_start)
    return Heard(text=text, beside=told, playbook="" if book is None else book.name)


def _started(words: Words) -> Playbook | None:
    """A name in what came beside the words is a hint, too: it counts for who may start it."""
    book = playbook(str(words.beside.get("playbook") or ""))
    return book if book is not None and words.role.at_least(book.role) else None


def _steps(book: Playbook, conversation: Conversation) -> tuple[str, ...]:
    return next_steps(book, Language.of(conversation.language))
