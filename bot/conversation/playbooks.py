"""Offering playbooks to a person, and which one they start: by its number in the list, or its name.

A number counts only right after the list; a name is the whole text, in any of the languages.
"""

from functools import cache
from typing import Any, Final

from sqlalchemy.orm import Session

from app.core.actor import Role
from bot.conversation import outbound
from bot.conversation.phone import Phone
from bot.conversation.seat import Seat, notice
from i18n import Language, answers, phrase
from tools.playbooks import PLAYBOOKS, Playbook, for_role

MOST: Final = 9
"""So many are offered at once: a digit each."""
_LIST: Final = "playbooks"


def name_of(book: Playbook, language: Language) -> str:
    return phrase(book.key, language)


def next_steps(book: Playbook, language: Language) -> tuple[str, ...]:
    """What may be said after it."""
    return tuple(phrase(f"{book.key}.next", language).splitlines())


def begun(book: Playbook, language: Language) -> tuple[str, dict[str, Any]]:
    """The words of a turn that starts from it, and what is kept beside them."""
    return name_of(book, language), {"playbook": book.name}


def named(text: str, role: Role) -> Playbook | None:
    """The one whose name this text is, among those of the role."""
    book = _names().get(answers.fold(text))
    return book if book is not None and role.at_least(book.role) else None


def offered(role: Role, language: Language, page: str = "") -> list[dict[str, str]]:
    """A few for somebody of this role, what fits the page first: {name, title}."""
    few = for_role(role, page)[:MOST]
    return [{"name": one.name, "title": name_of(one, language)} for one in few]


def offer(session: Session, phone: Phone, seat: Seat) -> None:
    """The list, numbered; by SMS only to who may write there."""
    if seat.inbound.surface == "sms" and not phone.sms_chat:
        notice(session, phone, seat, "sms_only_answers")
        return
    speech = phone.speech(session, seat.conversation)
    listed = offered(seat.actor.role, speech.reader.language)
    text = speech.numbered(_LIST, [one["title"] for one in listed])
    phone.post(session, seat.conversation, (text,), key=f"{seat.key}:{_LIST}")


def chosen(session: Session, seat: Seat) -> Playbook | None:
    role, text = seat.actor.role, seat.inbound.text
    for reading in answers.read_answer(text):
        if isinstance(reading, answers.Numbers):
            return _numbered(session, seat, reading.values)
    return named(text, role)


def _numbered(session: Session, seat: Seat, values: tuple[int, ...]) -> Playbook | None:
    if not outbound.last_key(session, seat.inbound.lane).endswith(f":{_LIST}"):
        return None
    by_number = dict(enumerate(for_role(seat.actor.role)[:MOST], 1))
    return by_number.get(values[0]) if len(values) == 1 else None


@cache
def _names() -> dict[str, Playbook]:
    return {answers.fold(name_of(one, language)): one for one in PLAYBOOKS for language in Language}
