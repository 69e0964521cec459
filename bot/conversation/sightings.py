"""What the model is told beside a person's words: clock, page, channel, who may be meant."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.db import now_of
from app.search import queries as search
from app.studio import queries as studio
from bot.conversation.models import Conversation, Words
from bot.conversation.playbooks import next_steps
from bot.model.turn_context import Beside, compose
from bot.turn.events import Heard
from i18n import Language
from tools.playbooks import Playbook, playbook

LONGEST_NAME: Final = 80
"""Characters of a name: somebody's own words, perhaps."""


def heard(session: Session, words: Sequence[Words], conversation: Conversation) -> Heard:
    """Neighbouring messages as one; the page is the newest one's, the playbook the last started."""
    page = next((one.beside for one in reversed(words) if one.beside), {})
    book = next(filter(None, map(_started, reversed(words))), None)
    text = "\n".join(one.text for one in words)
    beside = Beside(
        channel=conversation.surface.value,
        page=str(page.get("page") or ""),
        selection=str(page.get("selection") or ""),
        notes=(*_noted(book, conversation), *_perhaps(session, words, conversation, text)),
    )
    org = studio.org(session, conversation.org_id)
    told = compose(beside, now_of(session), org.timezone, org.week_start)
    return Heard(text=text, beside=told, playbook="" if book is None else book.name)


def _perhaps(
    session: Session, words: Sequence[Words], conversation: Conversation, text: str
) -> Iterator[str]:
    """Who and what is probably meant: names as data, whoever wrote them."""
    role = min((one.role for one in words), key=list(Role).index)
    actor = Actor(conversation.org_id, conversation.user_id, role, language=conversation.language)
    for one in search.candidates(session, actor, text, now=now_of(session)):
        told = {"kind": one.kind, "name": one.name[:LONGEST_NAME], "id": str(one.id)}
        yield f"perhaps meant: {json.dumps(told, ensure_ascii=False)}"


def _noted(book: Playbook | None, conversation: Conversation) -> tuple[str, ...]:
    return () if book is None else (book.note(_steps(book, conversation)),)


def _started(words: Words) -> Playbook | None:
    """A name in what came beside the words is a hint, too: it counts for who may start it."""
    book = playbook(str(words.beside.get("playbook") or ""))
    return book if book is not None and words.role.at_least(book.role) else None


def _steps(book: Playbook, conversation: Conversation) -> tuple[str, ...]:
    return next_steps(book, Language.of(conversation.language))
