"""Where a phone's message goes: a command, an answer to a card, or words for the agent. In this order, and never guessed."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import as_org, now_of
from app.core.errors import StudioError
from bot.conversation import answering, identity, outbound, replies, stopping, typed
from bot.conversation.accept import open_conversation, say
from bot.conversation.inbound import Inbound
from bot.conversation.models import ChannelIdentity, Conversation, Surface
from bot.conversation.phone import Phone
from i18n import answers
from tools.kit import questions
from tools.kit.cards import Failed, Notice
from tools.kit.models import Question
from tools.kit.values import Line, Name


@dataclass(frozen=True, slots=True)
class Seat:
    """Who writes, in which conversation of theirs on this channel."""

    actor: Actor
    conversation: Conversation
    inbound: Inbound

    @property
    def key(self) -> str:
        """What is said in answer to this message is said once."""
        return str(self.inbound.event_id)


def route(session: Session, phone: Phone, inbound: Inbound) -> None:
    """Take one message of one phone, in a platform transaction of its own.

    Everything it changes commits with it, so that a message is taken once.
    """
    who = identity.whose(session, inbound)
    if who is None:
        _stranger(session, phone, inbound)
        return
    if _opted(session, phone, who, inbound):
        return
    with as_org(session, who.org_id):
        actor = phone.actor_of(session, who.org_id, who.user_id)
        if actor is not None:
            seat = Seat(actor, _conversation(session, actor, inbound), inbound)
            _linked(session, phone, seat)


def _stranger(session: Session, phone: Phone, inbound: Inbound) -> None:
    """A sender we don't know learns nothing but how to link, once an hour."""
    code = answers.fold(inbound.text).replace(" ", "")
    if len(code) == 6 and code.isdigit():
        match identity.link(session, inbound, code):
            case identity.Linked(org_id, user_id):
                with as_org(session, org_id):
                    replies.welcome(session, phone, inbound, org_id, user_id)
            case identity.WrongCode(tries):
                replies.tell_stranger(session, phone, inbound, tries_left=tries)
            case identity.Silent():
                pass
    elif not inbound.carrier_answered and identity.may_tell_stranger(session, inbound):
        replies.tell_stranger(session, phone, inbound)


def _opted(session: Session, phone: Phone, who: ChannelIdentity, inbound: Inbound) -> bool:
    """Opt-out and opt-in words never reach the model. By SMS the carrier has answered them: recorded only.

    On WhatsApp 'stop' first stops what runs or is asked; only with neither does it opt the person out.
    """
    readings = answers.commands(answers.read_answer(inbound.text))
    out, back = answers.OptOut() in readings, answers.OptIn() in readings
    if inbound.surface == "sms" and answers.carrier_keyword(inbound.text) is not None:
        keyword = answers.carrier_keyword(inbound.text)
        if not isinstance(keyword, answers.Help):
            identity.opt(session, who, "sms", out=isinstance(keyword, answers.OptOut))
        return True
    if not (out or back or answers.Stop() in readings):
        return False
    if back:
        identity.opt(session, who, inbound.surface, out=False)
        return _say_notice(session, phone, who, inbound, "opted_in")
    if _stopped(session, phone, who, inbound):
        return True
    if not out:
        return _say_notice(session, phone, who, inbound, "nothing_to_stop")
    _say_notice(session, phone, who, inbound, "opted_out")
    identity.opt(session, who, inbound.surface, out=True)
    return True


def _say_notice(
    session: Session, phone: Phone, who: ChannelIdentity, inbound: Inbound, key: str
) -> bool:
    with as_org(session, who.org_id):
        actor = phone.actor_of(session, who.org_id, who.user_id)
        if actor is not None:
            seat = Seat(actor, _conversation(session, actor, inbound), inbound)
            _notice(session, phone, seat, key)
    return True


def _stopped(session: Session, phone: Phone, who: ChannelIdentity, inbound: Inbound) -> bool:
    with as_org(session, who.org_id):
        actor = phone.actor_of(session, who.org_id, who.user_id)
        if actor is None:
            return False
        conversation = _conversation(session, actor, inbound)
        return stopping.stop_running(session, actor, conversation.id, enqueue=phone.enqueue)


def _conversation(session: Session, actor: Actor, inbound: Inbound) -> Conversation:
    """The one that rolls on, else a new one; its address follows the person's newest number."""
    surface = Surface(inbound.surface)
    address = {"channel": inbound.surface, "sender": inbound.recipient, "recipient": inbound.sender}
    row = session.scalar(
        select(Conversation)
        .where(
            Conversation.user_id == actor.user_id,
            Conversation.surface == surface,
            Conversation.closed_at.is_(None),
        )
        .order_by(Conversation.created_at.desc())
        .limit(1)
    )
    if row is None:
        return open_conversation(session, actor, surface, address=address)
    if row.address != address:
        row.address = address
    return row


def _linked(session: Session, phone: Phone, seat: Seat) -> None:
    inbound = seat.inbound
    shown = phone.open_here(session, seat.actor, inbound.lane)
    tapped = _tapped(session, seat) if inbound.tap else None
    quoted = _quoted(session, seat) if inbound.quoted else None
    if tapped is not None:
        _decide(session, phone, seat, *tapped)
    elif quoted is not None and _typed_answer(session, phone, seat, quoted):
        return
    elif len(shown) == 1 and _typed_answer(session, phone, seat, shown[0]):
        return
    elif not _bare_without_one_card(session, phone, seat, shown) and not _command(
        session, phone, seat
    ):
        _words(session, phone, seat)


def _tapped(session: Session, seat: Seat) -> tuple[Question, questions.Choice] | None:
    """A button's payload is '<card token>:<option number>'."""
    token, _, number = (seat.inbound.tap or "").partition(":")
    question = questions.by_token(session, token)
    if question is None or question.user_id != seat.actor.user_id or not number.isdigit():
        return None
    return question, questions.choice_of_number(question, int(number))


def _quoted(session: Session, seat: Seat) -> Question | None:
    message = outbound.by_sid(session, seat.inbound.quoted or "")
    if message is None or message.question_id is None:
        return None
    question = session.get(Question, message.question_id)
    return question if question is not None and question.user_id == seat.actor.user_id else None


def _typed_answer(session: Session, phone: Phone, seat: Seat, question: Question) -> bool:
    """Read the text as an answer to this one card; False where it is none."""
    choice = typed.read(questions.card_of(question), seat.inbound.text)
    match choice:
        case None:
            return False
        case answers.Unclear():
            phone.show_again(session, seat.conversation, question, key=seat.key)
        case _:
            _decide(session, phone, seat, question, choice)
    return True


def _decide(
    session: Session, phone: Phone, seat: Seat, question: Question, choice: questions.Choice
) -> None:
    result = answering.answer(
        session, seat.actor, question.id, choice, where=seat.inbound.surface, enqueue=phone.enqueue
    )
    replies.of_result(session, phone, seat.conversation, result, key=seat.key)


def _bare_without_one_card(
    session: Session, phone: Phone, seat: Seat, shown: list[Question]
) -> bool:
    """'1' or 'yes' with no card, two, or one that is closed: what is open is shown again, or the truth is told."""
    readings = answers.read_answer(seat.inbound.text)
    if not any(
        isinstance(one, answers.Yes | answers.No | answers.Numbers | answers.All)
        for one in readings
    ):
        return False
    if shown:
        speech = phone.speech(session, seat.conversation)
        phone.post(session, seat.conversation, (speech.which_question(),), key=seat.key)
        for question in shown:
            phone.ask(session, seat.conversation, question, key=f"{seat.key}:{question.id}")
        return True
    last = phone.last_here(session, seat.actor, seat.inbound.lane)
    if last is None:
        return False
    replies.closed(session, phone, seat.conversation, last, key=seat.key)
    return True


def _command(session: Session, phone: Phone, seat: Seat) -> bool:
    """UNDO, LANG, NEW, MORE, HELP: known words, whole text only."""
    for reading in answers.commands(answers.read_answer(seat.inbound.text)):
        match reading:
            case answers.Undo(number):
                replies.undone(session, phone, seat.conversation, seat.actor, number, key=seat.key)
            case answers.New():
                seat.conversation.closed_at = now_of(session)
                _notice(session, phone, seat, "new")
            case answers.Language(code):
                replies.set_language(
                    session, phone, seat.conversation, seat.actor, code, key=seat.key
                )
            case answers.More():
                _notice(session, phone, seat, "no_more")
            case answers.Help():
                _notice(session, phone, seat, "help")
            case _:
                continue
        return True
    return False


def _words(session: Session, phone: Phone, seat: Seat) -> None:
    inbound = seat.inbound
    if inbound.surface == "sms" and not phone.sms_chat:
        _notice(session, phone, seat, "sms_only_answers")
    elif inbound.media and not inbound.text.strip():
        _notice(session, phone, seat, "media_unread")
    else:
        try:
            say(
                session,
                seat.actor,
                seat.conversation.id,
                inbound.text,
                enqueue=phone.enqueue,
                inbound_id=inbound.event_id,
            )
        except StudioError as error:
            card = Failed(code=error.code, values=dict(phone.values_of(error)))
            phone.tell(session, seat.conversation, card, key=seat.key)


def _notice(session: Session, phone: Phone, seat: Seat, key: str) -> None:
    gym = Name(text=phone.gym_of(session, seat.actor.org_id))
    card = Notice(lines=(Line(key=key, values={"gym": gym}),))
    phone.tell(session, seat.conversation, card, key=f"{seat.key}:{key}")
