"""POST /agui: the AG-UI protocol as it is, for clients that other people wrote."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from ag_ui.core import ResumeEntry, RunAgentInput, TextPart, UserMessage
from flask import Blueprint, Response, request
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import BadInput
from app.web.identity import current_actor
from bot.channels.web import lookup, sse
from bot.channels.web.agui import Fold
from bot.channels.web.chat import Chat
from bot.channels.web.interrupts import choice_of
from bot.conversation import accept
from bot.conversation.models import Conversation, Surface
from bot.stream import follow_turn
from bot.stream.entries import Position
from bot.turn.events import Asked
from tools.kit import questions


class NothingToRun(BadInput):
    """Neither new words nor an answer to what was asked."""

    code = "nothing_to_run"


@dataclass(frozen=True, slots=True)
class Run:
    """The turn that a request starts or goes on with, and from where on its events are new."""

    turn_id: UUID
    after: str | None


def open_protocol(chat: Chat) -> Blueprint:
    pages = Blueprint("agui", __name__, url_prefix="/api/v1")

    @pages.post("/agui")
    def run() -> Response:
        actor = current_actor()
        asked = RunAgentInput.model_validate(request.get_json())
        thread = _thread(chat, actor, asked.thread_id)
        started = _resumed(chat, actor, thread, asked) or _said(chat, actor, thread, asked)
        return sse.response(_frames(chat, actor, asked, started))

    return pages


def _frames(chat: Chat, actor: Actor, asked: RunAgentInput, run: Run) -> Iterator[str]:
    fold = Fold(
        thread=asked.thread_id,
        turn=run.turn_id,
        views=chat.watch(actor, run.turn_id).views,
        until=lambda question_id: chat.until(actor.org_id, question_id),
        asked_for=asked.run_id,
        given=asked.messages,
    )
    items = follow_turn(
        chat.redis,
        run.turn_id,
        run.after,
        lambda first: chat.table(actor.org_id, run.turn_id, first),
        chat.patience,
    )
    return sse.run_frames(sse.while_standing(items, lambda: chat.stands(actor)), fold)


def _thread(chat: Chat, actor: Actor, thread_id: str) -> UUID:
    """Our conversation of a client's thread: by our id, or by the name that the client gave it."""
    with chat.db.transaction(actor.org_id) as session:
        row = _by_id(session, actor, thread_id) or _by_name(session, actor, thread_id)
        if row is None:
            address = {"channel": "agui", "thread": thread_id[:200]}
            row = accept.open_conversation(session, actor, Surface.WEB, address=address)
        return row.id


def _by_id(session: Session, actor: Actor, thread_id: str) -> Conversation | None:
    try:
        row = session.get(Conversation, UUID(thread_id))
    except ValueError:
        return None
    return row if row is not None and row.user_id == actor.user_id else None


def _by_name(session: Session, actor: Actor, thread_id: str) -> Conversation | None:
    query = select(Conversation).where(
        Conversation.user_id == actor.user_id,
        Conversation.address["thread"].astext == thread_id[:200],
    )
    return session.scalars(query.order_by(Conversation.created_at.desc()).limit(1)).first()


def _resumed(chat: Chat, actor: Actor, thread: UUID, asked: RunAgentInput) -> Run | None:
    """Answer what waits; entries that name nothing we asked are passed over, as 1.0 wants."""
    entries = {entry.interrupt_id: entry for entry in asked.resume or ()}
    with chat.db.transaction(actor.org_id) as session:
        question = lookup.last_question(session, thread)
        entry = entries.get(str(question.id)) if question else None
        if question is None or entry is None or question.turn_id is None:
            return None
        turn_id, card = question.turn_id, questions.card_of(question)
    chat.answer(actor, question.id, choice_of(card, entry.status, entry.payload))
    return Run(turn_id, _after_question(chat, actor, turn_id, entry))


def _after_question(chat: Chat, actor: Actor, turn_id: UUID, entry: ResumeEntry) -> str:
    events = chat.table(actor.org_id, turn_id, 0)
    seqs = (
        seq
        for seq, event in enumerate(events)
        if isinstance(event, Asked) and str(event.question_id) == entry.interrupt_id
    )
    return str(Position.stored(next(seqs)))


def _said(chat: Chat, actor: Actor, thread: UUID, asked: RunAgentInput) -> Run:
    """The client's last message, if it is a person's. Raises NothingToRun."""
    last = asked.messages[-1] if asked.messages else None
    text = _text(last) if isinstance(last, UserMessage) else ""
    if not text.strip():
        raise NothingToRun
    beside = {entry.description[:80]: entry.value[:500] for entry in (asked.context or ())[:10]}
    told = chat.say(actor, thread, text, beside)
    if "turn_id" not in told:
        raise NothingToRun
    return Run(UUID(told["turn_id"]), None)


def _text(message: UserMessage) -> str:
    if isinstance(message.content, str):
        return message.content
    return "\n".join(part.text for part in message.content if isinstance(part, TextPart))
