"""What the model is told beside a person's words: clock, page, channel, who may be meant."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.db import now_of
from app.search import queries as search
from app.studio import queries as studio
from bot.conversation import pictures
from bot.conversation.models import Conversation, Words
from bot.conversation.playbooks import next_steps
from bot.conversation.viewing import MOST_PICTURES
from bot.model.turn_context import Beside, compose
from bot.turn.events import Heard, Shown
from i18n import Language
from tools.playbooks import Playbook, playbook

LONGEST_NAME: Final = 80
"""Characters of a name: somebody's own words, perhaps."""
LONGEST_FORWARDED: Final = 200
"""Characters by which forwarded words are known among the others."""
_PAGE: Final = frozenset({"page", "selection", "playbook"})


def heard(session: Session, words: Sequence[Words], conversation: Conversation) -> Heard:
    """Neighbouring messages as one; the page is the newest one's, the playbook the last started."""
    page = next((one.beside for one in reversed(words) if one.beside.keys() & _PAGE), {})
    book = next(filter(None, map(_started, reversed(words))), None)
    text = "\n".join(one.text for one in words if one.text)
    shown = pictures.of(session, words)
    beside = Beside(
        channel=conversation.surface.value,
        page=str(page.get("page") or ""),
        selection=str(page.get("selection") or ""),
        notes=(
            *_noted(book, conversation),
            *_came(words, shown),
            *_perhaps(session, words, conversation, text),
        ),
    )
    org = studio.org(session, conversation.org_id)
    told = compose(beside, now_of(session), org.timezone, org.week_start)
    name = "" if book is None else book.name
    return Heard(text=text, beside=told, playbook=name, pictures=shown[:MOST_PICTURES])


def _came(words: Sequence[Words], shown: Sequence[Shown]) -> Iterator[str]:
    """What came otherwise than as the person's own words, and what of it can't be seen."""
    for one in words:
        if one.beside.get("forwarded"):
            told = json.dumps(one.text[:LONGEST_FORWARDED] or "a picture", ensure_ascii=False)
            yield f"forwarded, somebody else's words and no wish of this person's: {told}"
        if heard := one.beside.get("heard"):
            told = json.dumps(heard[:LONGEST_FORWARDED], ensure_ascii=False)
            yield f"heard in a voice note, perhaps misheard: {told}"
        if unread := one.beside.get("unread"):
            yield f"came with it, can't be read, and the person was told so: {', '.join(unread)}"
    if len(shown) > MOST_PICTURES:
        yield f"pictures: only the first {MOST_PICTURES} of {len(shown)} are shown"


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
