"""What a phone is told at once, without the model: an answer's fate, how to link."""

from typing import assert_never
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import as_platform
from app.core.errors import StudioError
from app.people import service as people
from bot.conversation import outbound, reading
from bot.conversation.inbound import Inbound
from bot.conversation.models import Conversation
from bot.conversation.phone import Phone
from bot.render.reader import Look, Reader
from bot.render.speech import Decided, Speech, Where
from i18n import Language, language_of_text
from tools.kit import failures, questions, receipts
from tools.kit.cards import AnyCard
from tools.kit.models import Question, QuestionState


def of_result(
    session: Session,
    phone: Phone,
    conversation: Conversation,
    result: questions.Result,
    *,
    key: str,
) -> None:
    """After an answer: silence where it counted, for what is done tells itself; else the truth."""
    match result:
        case questions.Decided():
            pass
        case questions.AlreadyClosed(question) | questions.Expired(question):
            closed(session, phone, conversation, question, key=key)
        case questions.NeedsSignIn(question):
            phone.ask(session, conversation, question, key=key)
        case _:
            assert_never(result)


def closed(
    session: Session, phone: Phone, conversation: Conversation, question: Question, *, key: str
) -> None:
    """Why an answer to this question counts no more: who was first, or that its time is over."""
    speech = phone.speech(session, conversation)
    match question.state:
        case QuestionState.SUPERSEDED:
            text = speech.superseded()
        case QuestionState.APPROVED | QuestionState.DECLINED if question.decided_at is not None:
            text = speech.answered(decided_as(question), question.decided_at, _where(question))
        case _:
            text = speech.expired(questions.card_of(question), question.expires_at)
    phone.post(session, conversation, (text,), key=key)


def decided_as(question: Question) -> Decided:
    """How a question was decided, as people are told."""
    if question.state is QuestionState.DECLINED:
        return "none" if question.kind == "pick" else "declined"
    if question.kind != "pick":
        return "approved"
    chosen = any(one.option is not None for one in questions.decisions_of(question).values())
    return "chosen" if chosen else "none"


def undone(
    session: Session,
    phone: Phone,
    conversation: Conversation,
    actor: Actor,
    number: int | None,
    *,
    key: str,
) -> None:
    """UNDO, or UNDO 12: the deed of the line's last receipt, or that one's, in its ten minutes."""
    here = reading.line(session, conversation)
    card: AnyCard
    try:
        call = receipts.meant(session, actor, number, here)
        card = phone.undo(session, actor, call.id).card
    except StudioError as error:
        card = failures.failed(error)
    phone.tell(session, conversation, card, key=key)


def set_language(
    session: Session,
    phone: Phone,
    conversation: Conversation,
    actor: Actor,
    code: str | None,
    *,
    key: str,
) -> None:
    """LANG alone goes round the three; a language's name sets it, for the person and here."""
    order = list(Language)
    here = order.index(Language.of(conversation.language))
    chosen = Language.of(code) if code else order[(here + 1) % len(order)]
    conversation.language = chosen.value
    with as_platform(session):
        people.set_language(session, actor.user_id, chosen.value)
    speech = phone.speech(session, conversation)
    phone.post(session, conversation, (speech.say("language_set"),), key=key)


def welcome(session: Session, phone: Phone, inbound: Inbound, org_id: UUID, user_id: UUID) -> None:
    actor = phone.actor_of(session, org_id, user_id)
    language = Language.of(actor.language if actor else None)
    text = _speech(session, phone, inbound, language, org_id).linked(phone.gym_of(session, org_id))
    _post(session, phone, inbound, text, org_id)


def tell_stranger(
    session: Session, phone: Phone, inbound: Inbound, *, tries_left: int | None = None
) -> None:
    """One line in the language they wrote; it says nothing of any gym."""
    language = language_of_text(inbound.text) or Language.EN
    speech = _speech(session, phone, inbound, language, None)
    text = speech.unknown_number() if tries_left is None else speech.bad_code(tries_left)
    _post(session, phone, inbound, text, None)


def speech_to(session: Session, phone: Phone, actor: Actor, inbound: Inbound) -> Speech:
    """Lines for a person outside of any conversation, in their own language."""
    return _speech(session, phone, inbound, Language.of(actor.language), actor.org_id)


def _speech(
    session: Session, phone: Phone, inbound: Inbound, language: Language, org_id: UUID | None
) -> Speech:
    zone = phone.zone_of(session, org_id) if org_id else "UTC"
    look = Look.SMS if inbound.surface == "sms" else Look.CHAT
    return Speech(Reader(language, zone, session.info["now"]), look)


def _post(session: Session, phone: Phone, inbound: Inbound, text: str, org_id: UUID | None) -> None:
    line = outbound.Line(inbound.surface, inbound.recipient, inbound.sender)
    outbound.post(
        session, line, (text,), key=str(inbound.event_id), enqueue=phone.enqueue, org_id=org_id
    )


def _where(question: Question) -> Where:
    match question.decided_where:
        case "whatsapp" | "sms" as where:
            return where
        case _:
            return "web"
