"""Where a phone's message goes: a command, an answer to a card, or words for the agent.

In this order, and never guessed.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from sqlalchemy.orm import Session

from app.core.db import after_commit, as_org, now_of
from app.core.errors import BadInput, StudioError
from bot.conversation import (
    answering,
    attached,
    commands,
    identity,
    outbound,
    playbooks,
    replies,
    typed,
)
from bot.conversation.accept import say
from bot.conversation.attachments import Shot
from bot.conversation.inbound import Inbound
from bot.conversation.phone import Phone
from bot.conversation.queue import SHOW_TYPING
from bot.conversation.seat import Place, Seat, notice, places_of, take_seat
from bot.render.native import ALL
from i18n import Language, answers
from tools.kit import questions
from tools.kit.cards import Failed
from tools.kit.choices import Approve
from tools.kit.models import Question
from tools.playbooks import Playbook

REMEMBERED: Final = timedelta(hours=24)
"""A late bare answer is told what became of a question this old at most."""
_CODE_DIGITS: Final = 6
_MOST_OPTIONS: Final = 9


def route(session: Session, phone: Phone, inbound: Inbound) -> None:
    """Take one message of one phone, in a platform transaction of its own.

    Everything it changes commits with it, so that a message is taken once.
    """
    places = places_of(session, phone, identity.whose(session, inbound))
    if not places:
        _stranger(session, phone, inbound)
        return
    if (inbound.only_words or inbound.carrier_did) and commands.opted(
        session, phone, places, inbound, asked=_asked(session, phone, places, inbound)
    ):
        return
    if _links_another(session, phone, inbound):
        return
    if len(places) > 1 and not any(place.identity.chosen for place in places):
        if commands.chosen_gym(session, phone, places, inbound) is None:
            commands.ask_gym(session, phone, places, inbound)
        return
    identity.seen(session, inbound, places[0].identity)
    with as_org(session, places[0].actor.org_id):
        _linked(session, phone, take_seat(session, places, inbound))


def _stranger(session: Session, phone: Phone, inbound: Inbound) -> None:
    """A sender we don't know learns nothing but how to link, once an hour."""
    code = _code(inbound)
    if code is not None:
        match identity.link(session, inbound, code):
            case identity.Linked() as linked:
                _welcome(session, phone, inbound, linked)
            case identity.WrongCode(tries):
                replies.tell_stranger(session, phone, inbound, tries_left=tries)
            case identity.Silent():
                pass
    elif not _wants_nothing(inbound) and identity.may_tell_stranger(session, inbound):
        replies.tell_stranger(session, phone, inbound)


def _links_another(session: Session, phone: Phone, inbound: Inbound) -> bool:
    """A linked phone may be linked again, to another gym; any other number is just a number."""
    code = _code(inbound)
    if code is None:
        return False
    match identity.link(session, inbound, code):
        case identity.Linked() as linked:
            _welcome(session, phone, inbound, linked)
            return True
        case _:
            return False


def _welcome(session: Session, phone: Phone, inbound: Inbound, linked: identity.Linked) -> None:
    with as_org(session, linked.org_id):
        replies.welcome(session, phone, inbound, linked.org_id, linked.user_id)


def _code(inbound: Inbound) -> str | None:
    code = answers.fold(inbound.text).replace(" ", "")
    return code if len(code) == _CODE_DIGITS and code.isascii() and code.isdigit() else None


def _wants_nothing(inbound: Inbound) -> bool:
    readings = answers.commands(answers.read_answer(inbound.text))
    return inbound.carrier_did is not None or answers.OptOut() in readings


def _asked(session: Session, phone: Phone, places: tuple[Place, ...], inbound: Inbound) -> bool:
    with as_org(session, places[0].actor.org_id):
        return bool(phone.open_here(session, places[0].actor, inbound.lane, before=inbound.at))


def _linked(session: Session, phone: Phone, seat: Seat) -> None:
    if seat.inbound.tap:
        _tapped(session, phone, seat)
    elif not seat.inbound.only_words:
        _words(session, phone, seat, None)
    elif not (_answered(session, phone, seat) or commands.obey(session, phone, seat)):
        book = playbooks.chosen(session, seat)
        if book is not None or not _too_late(session, phone, seat):
            _words(session, phone, seat, book)


def _tapped(session: Session, phone: Phone, seat: Seat) -> None:
    """A button's payload is '<card token>:<option number>' or ':all'; its title is no answer."""
    token, _, option = (seat.inbound.tap or "").partition(":")
    question = questions.by_token(session, token)
    mine = question is not None and question.user_id == seat.actor.user_id
    number = option.isascii() and option.isdigit()
    if question is None or not mine or not (number or option == ALL):
        notice(session, phone, seat, "nothing_open")
        return
    choice = questions.choice_of_number(question, int(option[:3])) if number else Approve()
    _decide(session, phone, seat, question, choice)


def _answered(session: Session, phone: Phone, seat: Seat) -> bool:
    """Read the text as an answer: to the quoted card, or to the one that was shown last.

    It counts only where exactly one question is open on this line and nothing was said since it
    was shown; else what is open is shown again.
    """
    inbound = seat.inbound
    quoted = _quoted(session, seat)
    if quoted is not None and _read(quoted, seat) is not None:
        _take(session, phone, seat, quoted)
        return True
    shown = phone.open_here(session, seat.actor, inbound.lane, before=inbound.at)
    if all(_read(question, seat) is None for question in shown):
        return False
    alone = len(shown) == 1 and inbound.quoted is None
    if alone and outbound.last_shown(session, inbound.lane) == shown[0].id:
        _take(session, phone, seat, shown[0])
    elif len(shown) == 1:
        phone.show_again(session, seat.conversation, shown[0], key=seat.key)
    else:
        _ask_which(session, phone, seat, shown)
    return True


def _quoted(session: Session, seat: Seat) -> Question | None:
    message = outbound.by_sid(session, seat.inbound.quoted) if seat.inbound.quoted else None
    if message is None or message.question_id is None:
        return None
    question = session.get(Question, message.question_id)
    return question if question is not None and question.user_id == seat.actor.user_id else None


def _read(question: Question, seat: Seat) -> typed.Reading:
    return typed.read(questions.card_of(question), seat.inbound.text)


def _take(session: Session, phone: Phone, seat: Seat, question: Question) -> None:
    choice = _read(question, seat)
    if choice is None or isinstance(choice, answers.Unclear):
        _show_as_it_is(session, phone, seat, question)
    else:
        _decide(session, phone, seat, question, choice)


def _decide(
    session: Session, phone: Phone, seat: Seat, question: Question, choice: questions.Choice
) -> None:
    where = seat.inbound.surface
    try:
        result = answering.answer(
            session, seat.actor, question.id, choice, where=where, enqueue=phone.enqueue
        )
    except BadInput:
        _show_as_it_is(session, phone, seat, question)
        return
    if isinstance(result, questions.Decided):
        phone.settled(session, result.question)
    replies.of_result(session, phone, seat.conversation, result, key=seat.key)


def _show_as_it_is(session: Session, phone: Phone, seat: Seat, question: Question) -> None:
    if phone.is_open(session, question):
        phone.show_again(session, seat.conversation, question, key=seat.key)
    else:
        replies.closed(session, phone, seat.conversation, question, key=seat.key)


def _ask_which(session: Session, phone: Phone, seat: Seat, shown: list[Question]) -> None:
    speech = phone.speech(session, seat.conversation)
    phone.post(session, seat.conversation, (speech.which_question(),), key=seat.key)
    for question in shown:
        phone.ask(session, seat.conversation, question, key=f"{seat.key}:{question.id}")


def _too_late(session: Session, phone: Phone, seat: Seat) -> bool:
    """'1' or 'yes' with nothing open is no message either: the truth is told."""
    if not any(map(_is_bare, answers.read_answer(seat.inbound.text))):
        return False
    last = phone.last_here(session, seat.actor, seat.inbound.lane)
    if last is not None and last.created_at > now_of(session) - REMEMBERED:
        replies.closed(session, phone, seat.conversation, last, key=seat.key)
    else:
        notice(session, phone, seat, "nothing_open")
    return True


def _is_bare(reading: answers.Reading) -> bool:
    """A number that no card ever shows is a message, as an answer to 'how many?'."""
    match reading:
        case answers.Yes() | answers.No() | answers.All():
            return True
        case answers.Numbers(values):
            return max(values) <= _MOST_OPTIONS
        case _:
            return False


def _words(session: Session, phone: Phone, seat: Seat, book: Playbook | None) -> None:
    """Words for the agent; with a playbook, the turn starts from it under its own name."""
    inbound = seat.inbound
    if inbound.surface == "sms" and not phone.sms_chat:
        notice(session, phone, seat, "sms_only_answers")
        return
    came = attached.brought(session, phone, seat)
    if came.nothing:
        return
    text, beside = came.text, came.beside
    if book is not None:
        text, beside = playbooks.begun(book, Language.of(seat.conversation.language))
    _say(session, phone, seat, text, beside=beside, shots=came.shots)


def _say(
    session: Session,
    phone: Phone,
    seat: Seat,
    text: str,
    *,
    beside: dict[str, Any],
    shots: Sequence[Shot],
) -> None:
    inbound = seat.inbound
    try:
        say(
            session,
            seat.actor,
            seat.conversation.id,
            text,
            enqueue=phone.enqueue,
            beside=beside,
            inbound_id=inbound.event_id,
            shots=shots,
        )
    except StudioError as error:
        card = Failed(code=error.code, values=dict(phone.values_of(error)))
        phone.tell(session, seat.conversation, card, key=seat.key)
        return
    if inbound.surface == "whatsapp" and inbound.message_id:
        after_commit(session, lambda: phone.enqueue(SHOW_TYPING, inbound.message_id))
