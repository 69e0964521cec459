"""What a turn shows when it waits or ends: the question; on a phone the texts, the card last."""

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import assert_never

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import now_of
from bot.conversation.models import Conversation, Surface, Turn
from bot.conversation.phone import Phone, look_of
from bot.render.reader import Look
from bot.render.recap import untold
from bot.render.speech import Speech
from bot.render.text.addresses import not_followed
from bot.render.text.plain import to_plain
from bot.render.text.split import split
from bot.render.text.whatsapp import to_whatsapp
from bot.turn.events import Answered, Asked, Ended, Event, Heard, Ran, Said
from bot.turn.recap import recap
from i18n import Language, language_of_text, opened, ranges_kept
from tools.kit import questions
from tools.kit.calls import Call
from tools.kit.cards import (
    AnyCard,
    Confirm,
    ConfirmBatch,
    Done,
    Facts,
    Failed,
    LinkCard,
    Notice,
    NotRun,
    Pick,
    Picked,
    Progress,
    Table,
    ToolsFound,
    Typed,
    Undone,
    WorkoutCard,
    for_model,
)
from tools.kit.models import Question


def keep_question(
    session: Session,
    turn: Turn,
    actor: Actor,
    events: Sequence[Event],
    asked: Asked,
    *,
    ttl: timedelta,
) -> Question:
    """The row that an `Asked` stands for: whoever answers it first decides."""
    said = next(event for event in reversed(events) if isinstance(event, Said))
    calls = {call.id: call for call in said.calls}
    return questions.open_question(
        session,
        actor,
        card=asked.card,
        calls=list(_pending(asked, calls)),
        expires_at=now_of(session) + ttl,
        question_id=asked.question_id,
        conversation_id=turn.conversation_id,
        turn_id=turn.id,
    )


def _pending(asked: Asked, calls: dict[str, Call]) -> Iterator[questions.Pending]:
    card = asked.card
    items: Sequence[AnyCard] = card.items if isinstance(card, ConfirmBatch) else [card]
    for call_id, target, item in zip(asked.call_ids, asked.targets, items, strict=True):
        always = isinstance(item, Confirm) and item.always
        yield questions.Pending(call=calls[call_id], target=target, always=always)


def deliver(
    session: Session,
    phone: Phone,
    conversation: Conversation,
    turn: Turn,
    events: Sequence[Event],
    *,
    question: Question | None,
) -> None:
    """Queue what the person has not seen of this turn yet; on the web the page has the stream."""
    if conversation.surface is Surface.WEB:
        return
    new, known = unseen(events), said_and_read(events)
    shown = [
        piece
        for event in shown_events(new)
        for piece in _pieces(session, phone, conversation, event, known)
    ]
    if isinstance(events[-1], Ended):
        shown += _why(phone.speech(session, conversation), events[-1], told=bool(shown))
        shown += _untold(session, phone, conversation, events)
    texts = tuple(split("\n\n".join(shown))) if shown else ()
    key = f"turn:{turn.id}:{len(events)}"
    if question is None:
        phone.post(session, conversation, texts, key=key)
    else:
        phone.ask(session, conversation, question, key=key, before=texts)
    _echo(session, phone, conversation, events, texts, key=f"{key}:sms")


def _why(speech: Speech, ended: Ended, *, told: bool) -> list[str]:
    """Why it ended, where that isn't clear; a turn of a phone never ends in silence."""
    why = speech.ended(ended)
    if why is None and ended.reason == "done" and not told:
        why = speech.ended(Ended(reason="model_failed"))
    near = ended.reason == "done" and ended.limit
    return [*([why] if why else []), *([speech.budget_near(near)] if near else [])]


def _untold(
    session: Session, phone: Phone, conversation: Conversation, events: Sequence[Event]
) -> list[str]:
    voice, registry = phone.speech(session, conversation).voice, phone.registry
    text = untold(recap(events, registry.reads), voice, registry.label)
    return [text] if text else []


def _echo(
    session: Session,
    phone: Phone,
    conversation: Conversation,
    events: Sequence[Event],
    texts: tuple[str, ...],
    *,
    key: str,
) -> None:
    """What came of a question that was answered by SMS is told there too: WhatsApp had failed."""
    answers = [event for event in events if isinstance(event, Answered)]
    by_sms = bool(answers) and answers[-1].where == "sms"
    line = (
        phone.sms_line(session, conversation) if by_sms and isinstance(events[-1], Ended) else None
    )
    if line is not None and conversation.surface is Surface.WHATSAPP:
        phone.post(session, conversation, texts, key=key, line=line)


def unseen(events: Sequence[Event]) -> Sequence[Event]:
    """What came after the last question, or the turn's beginning: all before was shown then."""
    before = [n for n, event in enumerate(events[:-1]) if isinstance(event, Asked | Heard)]
    return events[before[-1] + 1 :] if before else events


def shown_events(events: Sequence[Event]) -> list[Said | AnyCard]:
    """What people see: the words; what was done; of a turn that only read, the last results.

    What a playbook read is what they asked to see.
    """
    ran = [event.card for event in events if isinstance(event, Ran)]
    cards = [card for card in ran if not isinstance(card, ToolsFound)]
    lists = cards and all(isinstance(card, Facts | Table | WorkoutCard) for card in cards)
    last_said = max(
        (n for n, e in enumerate(events) if isinstance(e, Said) and e.calls), default=-1
    )
    ours = {c.id for e in events if isinstance(e, Said) and e.ours for c in e.calls}
    shown: list[Said | AnyCard] = []
    for n, event in enumerate(events):
        match event:
            case Said() if event.text.strip():
                shown.append(event)
            case Ran(card=card, call_id=call) if _is_shown(
                card, result_of_reads=call in ours or (bool(lists) and n > last_said)
            ):
                shown.append(card)
            case _:
                pass
    return shown


def _is_shown(card: AnyCard, *, result_of_reads: bool) -> bool:
    """Whether a result is for the person's eyes: a look-up on the way isn't, nor what failed.

    The model tells what failed, and what was declined they know.
    """
    match card:
        case Done() | Undone() | LinkCard() | Progress() | Notice():
            return True
        case Facts() | Table() | WorkoutCard():
            return result_of_reads
        case (
            Failed() | NotRun() | Picked() | Confirm() | ConfirmBatch() | Pick() | Typed()
            | ToolsFound()
        ):  # fmt: skip
            return False
        case _:
            assert_never(card)


def said_and_read(events: Sequence[Event]) -> str:
    """The person's words of a turn and what its tools gave, in one text to look things up in."""
    return "\n".join(
        event.text
        if isinstance(event, Heard)
        else json.dumps(for_model(event.card), ensure_ascii=False)
        for event in events
        if isinstance(event, Heard | Ran)
    )


def _pieces(
    session: Session, phone: Phone, conversation: Conversation, piece: Said | AnyCard, known: str
) -> list[str]:
    if isinstance(piece, Said):
        return [prose(piece.text, look_of(conversation), known)]
    return list(phone.shown(session, conversation, piece).texts)


def prose(markdown: str, look: Look, known: str) -> str:
    """The model's words for a phone, each Hebrew line saying its direction.

    An address that isn't in `known` is shown and no link.
    """
    text = to_plain(markdown) if look is Look.SMS else to_whatsapp(markdown)
    text = not_followed(text, known)
    language = language_of_text(text) or Language.EN
    return opened(ranges_kept(text, language), language)
