"""Speaking to a person on their phone: cards into texts, texts into rows, questions shown again."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import as_platform, now_of
from app.core.errors import StudioError
from bot.conversation import identity, outbound
from bot.conversation.models import Conversation, Surface
from bot.conversation.queue import Enqueue
from bot.render.card import render
from bot.render.native import native
from bot.render.reader import Look, Reader, Rendered
from bot.render.speech import Speech
from i18n import Language
from tools.kit import questions
from tools.kit.calls import Outcome
from tools.kit.cards import AnyCard, LinkCard, Table
from tools.kit.models import Question, QuestionState
from tools.kit.registry import Registry
from tools.kit.values import Code, Instant, Value

SKEW: Final = timedelta(seconds=3)
"""So far apart the clocks of the machines may be that ask a question and take its answer."""


@dataclass(frozen=True, slots=True)
class Phone:
    """What speaking needs besides a session; one a process."""

    enqueue: Enqueue
    registry: Registry
    actor_of: Callable[[Session, UUID, UUID], Actor | None]
    """(session, org, user): None where they work there no more."""
    zone_of: Callable[[Session, UUID], str]
    gym_of: Callable[[Session, UUID], str]
    link_to: Callable[[Question | None], str]
    """A signed address on the dashboard where a question is answered, or the dashboard itself."""
    values_of: Callable[[StudioError], Mapping[str, Value]]
    undo: Callable[[Session, Actor, UUID], Outcome]
    """Take a call back, in this transaction, within the time that the word counts."""
    stop_tasks: Callable[[Session, Actor, UUID], bool]
    """Stop what goes on in the background for a conversation; False where nothing does."""
    settled: Callable[[Session, Question], None]
    """A question was decided on a phone: the person's other surfaces are to show it."""
    sms_number: str
    """Ours; empty where the operator has none: then the dashboard is the only other way."""
    sms_chat: bool

    def reader(self, session: Session, org_id: UUID, language: str) -> Reader:
        return Reader(Language.of(language), self.zone_of(session, org_id), now_of(session))

    def tell(
        self,
        session: Session,
        conversation: Conversation,
        card: AnyCard,
        *,
        key: str,
        start: int = 0,
    ) -> None:
        """Send a card that doesn't wait; a list from this row on."""
        shown = self.shown(session, conversation, card, start=start)
        self.post(session, conversation, shown.texts, key=key)

    def shown(
        self, session: Session, conversation: Conversation, card: AnyCard, *, start: int = 0
    ) -> Rendered:
        """A card in this conversation's words; where a list is cut, MORE goes on from there."""
        reader = self.reader(session, conversation.org_id, conversation.language)
        look, link = look_of(conversation), self.link_to(None)
        if isinstance(card, LinkCard) and card.url.text.startswith("/"):
            address = Code(text=link.rstrip("/") + card.url.text)
            card = card.model_copy(update={"url": address})
        shown = render(card, look, reader, link=link, start=start)
        if isinstance(card, Table):
            rest = {"card": card.model_dump(mode="json"), "start": shown.rest}
            conversation.more = None if shown.rest is None else rest
        return shown

    def ask(
        self,
        session: Session,
        conversation: Conversation,
        question: Question,
        *,
        key: str,
        before: tuple[str, ...] = (),
        line: outbound.Line | None = None,
        look: Look | None = None,
    ) -> None:
        """Show an open question as the last message of what is sent."""
        reader = self.reader(session, conversation.org_id, conversation.language)
        card = questions.card_of(question)
        until = Instant(at=question.expires_at, zone=reader.zone)
        look = look or look_of(conversation)
        shown = render(card, look, reader, until=until, link=self.link_to(question))
        taps = native(card, shown.texts[-1], reader) if look is Look.CHAT else None
        self.post(
            session,
            conversation,
            (*before, *shown.texts),
            key=key,
            question=question,
            line=line,
            buttons=None if taps is None else taps.bound_to(question.token),
        )

    def show_again(
        self, session: Session, conversation: Conversation, question: Question, *, key: str
    ) -> None:
        """What was typed is no answer to it: say so, and show it once more."""
        speech = self.speech(session, conversation)
        self.ask(session, conversation, question, key=key, before=(speech.unclear(),))

    def speech(self, session: Session, conversation: Conversation) -> Speech:
        reader = self.reader(session, conversation.org_id, conversation.language)
        return Speech(reader, look_of(conversation))

    def post(
        self,
        session: Session,
        conversation: Conversation,
        texts: tuple[str, ...],
        *,
        key: str,
        question: Question | None = None,
        line: outbound.Line | None = None,
        buttons: Mapping[str, Any] | None = None,
    ) -> None:
        where = line or line_of(conversation)
        if where is not None:
            outbound.post(
                session,
                where,
                texts,
                key=key,
                enqueue=self.enqueue,
                org_id=conversation.org_id,
                conversation_id=conversation.id,
                question_id=None if question is None else question.id,
                buttons=buttons,
            )

    def open_here(
        self, session: Session, actor: Actor, lane: str, *, before: datetime
    ) -> list[Question]:
        """The open questions of this person that were shown on this line before then."""
        shown = self._shown(session, actor, lane)
        asked = [row for row in shown if row.created_at <= before + SKEW]
        return [row for row in asked if self.is_open(session, row)]

    def sms_line(self, session: Session, conversation: Conversation) -> outbound.Line | None:
        """Where this person takes SMS, on a phone that was linked; None where nowhere."""
        if not self.sms_number:
            return None
        with as_platform(session):
            org_id, user_id = conversation.org_id, conversation.user_id
            number = identity.phone_for_sms(session, org_id, user_id)
        return None if number is None else outbound.Line("sms", self.sms_number, number)

    def is_open(self, session: Session, question: Question) -> bool:
        return question.state is QuestionState.OPEN and question.expires_at > now_of(session)

    def last_here(self, session: Session, actor: Actor, lane: str) -> Question | None:
        return next(iter(self._shown(session, actor, lane)), None)

    def _shown(self, session: Session, actor: Actor, lane: str) -> list[Question]:
        ids = outbound.shown_questions(session, lane)
        rows = {
            row.id: row
            for row in session.scalars(
                select(Question).where(Question.id.in_(ids), Question.user_id == actor.user_id)
            )
        }
        return [rows[id_] for id_ in ids if id_ in rows]


def look_of(conversation: Conversation) -> Look:
    return Look.SMS if conversation.surface is Surface.SMS else Look.CHAT


def line_of(conversation: Conversation) -> outbound.Line | None:
    """Where the person is reached; None on the web."""
    address = conversation.address
    return (
        None
        if address is None
        else outbound.Line(address["channel"], address["sender"], address["recipient"])
    )
