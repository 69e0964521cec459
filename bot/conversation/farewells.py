"""Erasing what was said of a person: turns that name them, what was sent to them, what they sent.

The studio has erased its own by then (app.desk.erasing). What is still being said is waited for.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Final, Self, assert_never
from uuid import UUID

from redis import Redis
from sqlalchemy import ColumnElement, Text, and_, cast, delete, false, func, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.core import outbox
from app.core.db import after_commit, as_eraser, as_platform, now_of
from app.core.outbox import Outbox
from app.desk.erasing import MEMBER_ERASED
from app.people.names import keys_of_word, words_of
from bot.conversation import ledger, pictures
from bot.conversation.models import (
    ChannelIdentity,
    Conversation,
    InboundEvent,
    InboundState,
    Lease,
    LinkCode,
    OutboundMessage,
    OutboundState,
    Stranger,
    SummaryRow,
    Turn,
    TurnEvent,
    TurnState,
    Words,
)
from bot.conversation.queue import Enqueue, run_later
from bot.conversation.relay import Act
from bot.stream import forget
from bot.turn.events import (
    Answered,
    Asked,
    Delta,
    Ended,
    Event,
    Heard,
    Ran,
    Restart,
    Said,
    event_json,
)
from tools.kit.cards import Confirm, Done
from tools.kit.models import Question, QuestionState

AGAIN: Final = timedelta(minutes=10)
"""A turn that is under way names them until it ends; a question is answered within the hour."""
NEAR: Final = timedelta(days=1)
_MARKS: Final = re.compile(r"[^\w-]+|_")
_WRITTEN_ON: Final = 2
"""Letters."""
_UNSENT: Final = (
    OutboundState.QUEUED,
    OutboundState.SENDING,
    OutboundState.UNKNOWN,
    OutboundState.UNDELIVERED,
)

Column = InstrumentedAttribute[Any]


@dataclass(frozen=True, slots=True)
class Gone:
    """Whom it is about: found by their id, by what names them, and by where they wrote from."""

    member_id: UUID
    user_id: UUID | None
    words: tuple[str, ...]
    addresses: tuple[str, ...]
    nicknames: tuple[str, ...] = ()
    """Words that only as words of their own mean this person."""

    @classmethod
    def of(cls, body: dict[str, Any]) -> Self:
        user_id = body.get("user_id")
        return cls(
            UUID(body["member_id"]),
            UUID(user_id) if user_id else None,
            tuple(body.get("words", ())),
            tuple(body.get("addresses", ())),
            tuple(body.get("nicknames", ())),
        )

    @property
    def first_names(self) -> frozenset[str]:
        """What their first names are looked up by."""
        first = (name.split()[0] for name in self.words if " " in name)
        return frozenset(
            key for name in first for word in words_of(name) for key in keys_of_word(word)
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """Their addresses in the forms of the providers."""
        return (*self.addresses, *(f"whatsapp:{one}" for one in self.addresses))

    @property
    def lanes(self) -> tuple[str, ...]:
        """How every lane to them ends."""
        return tuple(f"|{one}" for one in self.lines)

    def named_in(self, *columns: Column) -> ColumnElement[bool]:
        """In text, or in JSON as it is written: with other letters than Latin ones escaped."""
        texts = [cast(one, Text) for one in columns]
        words = [str(self.member_id), *_spellings(self.words)]
        return or_(*(func.strpos(text, word) > 0 for text in texts for word in words))


def farewells(enqueue: Enqueue, redis: Redis) -> dict[str, Act]:
    return {MEMBER_ERASED: partial(_erase, enqueue, redis)}


def _erase(enqueue: Enqueue, redis: Redis, session: Session, row: Outbox) -> None:
    gone = Gone.of(row.body)
    turns = _naming(session, gone)
    turns += _nicknaming(session, gone, turns)
    turns += _nearby(session, gone, turns)
    over = [turn for turn in turns if turn.state is TurnState.ENDED]
    for turn in turns:
        if turn.state is TurnState.ASKED:
            _let_go_on(session, enqueue, turn)
    lines, sids = _our_lines(session), _reported(session, gone)
    with as_platform(session):
        sids += _reported(session, gone, of_nobody=True)
    _blank_turns(session, over)
    if over:
        after_commit(session, partial(forget, redis, [turn.id for turn in over]))
    _blank_conversations(session, gone, over)
    _forget_summaries(session, gone, over)
    _blank_messages(session, gone, over)
    with as_platform(session):
        _blank_sent(session, _theirs(gone, of_nobody=True), gone)
        _blank_forms(session, _about(gone, lines, sids))
        _forget_links(session, gone, row.org_id)
    if len(over) < len(turns):
        outbox.put(session, row.org_id, MEMBER_ERASED, dict(row.body), wait=AGAIN)
    row.body = {"member_id": str(gone.member_id)}


def _naming(session: Session, gone: Gone) -> list[Turn]:
    """Turns in which they are named, by whomever, locked."""
    said = select(TurnEvent.turn_id).where(gone.named_in(TurnEvent.body))
    heard = select(Words.turn_id).where(gone.named_in(Words.text, Words.beside))
    query = select(Turn).where(or_(Turn.id.in_(said), Turn.id.in_(heard)))
    return list(session.scalars(query.order_by(Turn.id).with_for_update()))


def _nicknaming(session: Session, gone: Gone, turns: Collection[Turn]) -> list[Turn]:
    """Turns in which a nickname of theirs stands as a word of its own, and nothing else of them."""
    if not gone.nicknames:
        return []
    called = Gone(gone.member_id, None, gone.nicknames, ())
    known = {turn.id for turn in turns}
    found = (turn for turn in _naming(session, called) if turn.id not in known)
    return [turn for turn in found if _calls(gone.nicknames, _told(session, turn))]


def _told(session: Session, turn: Turn) -> list[str]:
    """The words of a turn, folded; what is written on to one by a mark stands apart."""
    heard = session.scalars(select(Words.text).where(Words.turn_id == turn.id))
    events = ledger.history(session, turn.id)
    texts = (*heard, *(one.text for one in events if isinstance(one, Heard | Said)))
    return words_of(*(_MARKS.sub(" ", text) for text in texts))


def _calls(nicknames: Iterable[str], words: Collection[str]) -> bool:
    """Outside of Latin a preposition or a case may be written on to the word."""
    wanted = [word for one in nicknames for word in words_of(one)]
    return any(
        word == one or (not one.isascii() and one in word and len(word) - len(one) <= _WRITTEN_ON)
        for one in wanted
        for word in words
    )


def _nearby(session: Session, gone: Gone, turns: Collection[Turn]) -> list[Turn]:
    """Turns of the same day and chat in which a first name is all that is said, in any script.

    Another person of that name may be meant: better a turn too many than one too few.
    """
    found: dict[UUID, Turn] = {}
    for turn in turns if gone.first_names else ():
        day = Turn.created_at.between(turn.created_at - NEAR, turn.created_at + NEAR)
        near = select(Turn).where(Turn.conversation_id == turn.conversation_id, day)
        for other in session.scalars(near.with_for_update()):
            if other not in turns and other.id not in found and _says(session, gone, other):
                found[other.id] = other
    return list(found.values())


def _says(session: Session, gone: Gone, turn: Turn) -> bool:
    words = set(_told(session, turn))
    return any(gone.first_names.intersection(keys_of_word(word)) for word in words)


def _let_go_on(session: Session, enqueue: Enqueue, turn: Turn) -> None:
    """Its question was about somebody who isn't any more: it is closed, and the turn must know."""
    events = ledger.history(session, turn.id)
    asked = next(one for one in reversed(events) if isinstance(one, Asked))
    question = session.get(Question, asked.question_id)
    if question is not None and question.state is QuestionState.SUPERSEDED:
        answered = Answered(question_id=asked.question_id, outcome="superseded", at=now_of(session))
        ledger.append(session, turn, answered)
        run_later(session, enqueue, turn.org_id, turn.conversation_id)


def _blank_turns(session: Session, turns: Collection[Turn]) -> None:
    for turn in turns:
        _rewrite(session, turn.org_id, _events(session, [turn.id]), blank)
        said = session.scalars(select(Words).where(Words.turn_id == turn.id)).all()
        inbound = [one.inbound_id for one in said if one.inbound_id is not None]
        for words in said:
            words.text, words.beside = "", {}
        pictures.forget(session, [words.id for words in said])
        with as_platform(session):
            _blank_forms(session, InboundEvent.id.in_(inbound))
    for conversation_id in {turn.conversation_id for turn in turns}:
        first = min(turn.number for turn in turns if turn.conversation_id == conversation_id)
        _unbind(session, conversation_id, first)


def _unbind(session: Session, conversation_id: UUID, number: int) -> None:
    """Thinking is bound to all that stood before it: after a gap it goes back no more."""
    after = select(Turn.id, Turn.org_id).where(
        Turn.conversation_id == conversation_id, Turn.number > number
    )
    later = session.execute(after).all()
    if later:
        events = _events(session, [turn_id for turn_id, _ in later])
        _rewrite(session, later[0].org_id, events, unbound)


def blank(event: Event) -> Event:
    """The same event without a word in it: what happened, and nothing of what was said."""
    match event:
        case Heard():
            return Heard(text="")
        case Said():
            return Said()
        case Ran():
            return Ran(call_id="", card=Done(of="erased"), ok=event.ok)
        case Asked():
            card = Confirm(of="erased")
            return Asked(
                question_id=event.question_id, kind="confirm", card=card, call_ids=(), targets=()
            )
        case Answered():
            return event.model_copy(update={"decisions": {}})
        case Ended() | Delta() | Restart():
            return event
        case _:
            assert_never(event)


def unbound(event: Event) -> Event:
    return event.model_copy(update={"epoch": ""}) if isinstance(event, Said) else event


def _events(session: Session, turn_ids: Collection[UUID]) -> list[TurnEvent]:
    return list(session.scalars(select(TurnEvent).where(TurnEvent.turn_id.in_(turn_ids))))


def _rewrite(
    session: Session, org_id: UUID, rows: Iterable[TurnEvent], change: Callable[[Event], Event]
) -> None:
    for row in rows:
        event = event_json.validate_python(row.body)
        changed = change(event)
        if changed == event:
            continue
        body = changed.model_dump(mode="json", exclude_defaults=False)
        values = {"body": body, "version": TurnEvent.version + 1}
        statement = update(TurnEvent).where(TurnEvent.id == row.id).values(values)
        with as_eraser(session, org_id):
            session.execute(statement.execution_options(synchronize_session=False))


def _blank_conversations(session: Session, gone: Gone, turns: Collection[Turn]) -> None:
    """Titles, which a turn of theirs may have given, and lists that MORE would go on with."""
    named = gone.named_in(Conversation.title, Conversation.more)
    for row in session.scalars(select(Conversation).where(named)):
        row.title, row.more = None, None
    theirs = Conversation.id.in_({turn.conversation_id for turn in turns})
    titled = (theirs, Conversation.title.is_not(None))
    for row in session.scalars(select(Conversation).where(*titled)):
        row.title = None


def _forget_summaries(session: Session, gone: Gone, turns: Collection[Turn]) -> None:
    """Those that stand for a turn of theirs: others are made, of what is left."""
    told = [
        and_(SummaryRow.conversation_id == turn.conversation_id, SummaryRow.until >= turn.number)
        for turn in turns
    ]
    named = gone.named_in(SummaryRow.text, SummaryRow.things)
    session.execute(delete(SummaryRow).where(or_(named, *told)))


def _blank_messages(session: Session, gone: Gone, turns: Collection[Turn]) -> None:
    """To them, about them, and of those turns; what has not left stays here."""
    words = select(Words.inbound_id).where(Words.turn_id.in_({turn.id for turn in turns}))
    keys = [
        *(f"turn:{turn.id}:" for turn in turns),
        *(f"{inbound}:" for inbound in session.scalars(words) if inbound is not None),
    ]
    ours = [OutboundMessage.dedupe_key.startswith(key) for key in keys]
    about = or_(_theirs(gone), gone.named_in(OutboundMessage.body), *ours)
    _blank_sent(session, about, gone)


def _theirs(gone: Gone, *, of_nobody: bool = False) -> ColumnElement[bool]:
    """To them, from this gym; `of_nobody`: what they were told before they were linked to one."""
    to_them = OutboundMessage.recipient.in_(gone.lines)
    return to_them & OutboundMessage.org_id.is_(None) if of_nobody else to_them


def _blank_sent(session: Session, which: ColumnElement[bool], gone: Gone) -> None:
    for row in session.scalars(select(OutboundMessage).where(which)):
        if row.state in _UNSENT:
            row.state = OutboundState.DROPPED
        row.body, row.content_variables = "", None
        if row.recipient in gone.lines:
            row.recipient, row.lane = "", ""


def _our_lines(session: Session) -> list[str]:
    """Where the gym's team writes from."""
    recipient = Conversation.address["recipient"].astext
    return [one for one in session.scalars(select(recipient).distinct()) if one]


def _reported(session: Session, gone: Gone, *, of_nobody: bool = False) -> list[str]:
    """Messages to them, by the provider's ids: reports on these say where they went."""
    theirs = _theirs(gone, of_nobody=of_nobody)
    return [one for one in session.scalars(select(OutboundMessage.sid).where(theirs)) if one]


def _about(gone: Gone, lines: Collection[str], sids: Collection[str]) -> ColumnElement[bool]:
    """What they wrote, what the team wrote of them, and reports on what they were sent."""
    by_team = InboundEvent.sender.in_(lines) & gone.named_in(InboundEvent.form)
    report = func.split_part(InboundEvent.key, ":", 1).in_(sids)
    return or_(InboundEvent.sender.in_(gone.lines), by_team, report)


def _forget_links(session: Session, gone: Gone, org_id: UUID) -> None:
    """That they wrote, that they were told how to link, or were linked; lanes to them."""
    theirs = (InboundEvent.sender.in_(gone.lines), InboundEvent.state != InboundState.STORED)
    session.execute(update(InboundEvent).where(*theirs).values(sender=""))
    lanes = or_(false(), *(Lease.lane.endswith(one) for one in gone.lanes))
    session.execute(delete(Lease).where(lanes, Lease.holder.is_(None)))
    strangers = or_(false(), *(Stranger.address.endswith(one) for one in gone.lanes))
    session.execute(delete(Stranger).where(strangers))
    if gone.user_id is not None:
        for model in (ChannelIdentity, LinkCode):
            linked = (model.user_id == gone.user_id, model.org_id == org_id)
            session.execute(delete(model).where(*linked))


def _blank_forms(session: Session, which: ColumnElement[bool]) -> None:
    """What was taken already: what still waits to be routed is needed whole."""
    taken = InboundEvent.state != InboundState.STORED
    session.execute(update(InboundEvent).where(which, taken).values(form=None))


def _spellings(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        for one in dict.fromkeys((word, word.lower(), word.upper(), word.title())):
            yield one
            escaped = json.dumps(one)[1:-1]
            if escaped != one:
                yield escaped
