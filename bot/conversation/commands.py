"""Command words from a phone: UNDO, NEW, LANG, MORE, HELP, IDEAS; stop and the opt-out words."""

from typing import assert_never

from sqlalchemy.orm import Session

from app.core.db import as_org, as_platform, now_of
from bot.conversation import identity, outbound, playbooks, replies, stopping
from bot.conversation.inbound import Inbound
from bot.conversation.phone import Phone
from bot.conversation.seat import Place, Seat, notice, take_seat
from i18n import answers
from i18n.answers import Help, OptIn, OptOut, Stop
from tools.kit.cards import Table


def obey(session: Session, phone: Phone, seat: Seat) -> bool:
    """UNDO, LANG, NEW, MORE, HELP, IDEAS: the whole text is a known word; False for any other."""
    where = seat.conversation
    for reading in sorted(answers.commands(answers.read_answer(seat.inbound.text)), key=repr):
        match reading:
            case answers.Undo(number):
                replies.undone(session, phone, where, seat.actor, number, key=seat.key)
            case answers.New():
                _start_over(session, phone, seat)
            case answers.Language(code):
                replies.set_language(session, phone, where, seat.actor, code, key=seat.key)
            case answers.More():
                _show_more(session, phone, seat)
            case answers.Help():
                notice(session, phone, seat, "help")
            case answers.Ideas():
                playbooks.offer(session, phone, seat)
            case _:
                continue
        return True
    return False


def opted(
    session: Session, phone: Phone, places: tuple[Place, ...], inbound: Inbound, *, asked: bool
) -> bool:
    """Opt-out and opt-in words never reach the model; False for any other text.

    By SMS the carrier has answered them: they are recorded only. On WhatsApp 'stop' first stops
    what runs or is asked; only with neither does it opt the person out. `asked`: a question is
    open on this line, so that a YES, which the carrier takes for START, answers it too.
    """
    taken = _taken_by_carrier(inbound)
    if taken is not None:
        if not isinstance(taken, Help):
            identity.opt(session, inbound, out=isinstance(taken, OptOut))
        return not (asked and answers.Yes() in answers.read_answer(inbound.text))
    readings = answers.commands(answers.read_answer(inbound.text))
    if OptIn() in readings:
        identity.opt(session, inbound, out=False)
        return _say(session, phone, places, inbound, "opted_in")
    if not readings & {OptOut(), Stop()}:
        return False
    if _stopped(session, phone, places, inbound):
        return True
    if OptOut() not in readings:
        return _say(session, phone, places, inbound, "nothing_to_stop")
    identity.opt(session, inbound, out=True)
    return _say(session, phone, places, inbound, "opted_out")


def ask_gym(session: Session, phone: Phone, places: tuple[Place, ...], inbound: Inbound) -> None:
    """Of a person's several gyms, which one is meant: a numbered list, by name."""
    with as_org(session, places[0].actor.org_id):
        speech = replies.speech_to(session, phone, places[0].actor, inbound)
        text = speech.choose_gym([place.gym for place in _in_order(places)])
    _post(session, phone, inbound, text, key="gyms")


def chosen_gym(
    session: Session, phone: Phone, places: tuple[Place, ...], inbound: Inbound
) -> Place | None:
    """The gym that a bare number chooses; the choice sticks to what is written from now on."""
    offered = _in_order(places)
    readings = answers.read_answer(inbound.text)
    match answers.interpret(readings, "choose_gym", len(offered)):
        case answers.Choose((number,)):
            place = offered[number - 1]
        case _:
            return None
    identity.choose(session, inbound, place.actor.org_id)
    with as_org(session, place.actor.org_id):
        speech = replies.speech_to(session, phone, place.actor, inbound)
        text = speech.gym_chosen(place.gym)
    _post(session, phone, inbound, text, key="gym")
    return place


def _in_order(places: tuple[Place, ...]) -> list[Place]:
    return sorted(places, key=lambda place: (place.gym, str(place.actor.org_id)))


def _post(session: Session, phone: Phone, inbound: Inbound, text: str, *, key: str) -> None:
    """One line to whoever wrote, outside of any conversation; in a platform transaction."""
    line = outbound.Line(inbound.surface, inbound.recipient, inbound.sender)
    dedupe = f"{inbound.event_id}:{key}"
    outbound.post(session, line, (text,), key=dedupe, enqueue=phone.enqueue)


def _taken_by_carrier(inbound: Inbound) -> OptOut | OptIn | Help | None:
    if inbound.surface != "sms":
        return None
    match inbound.carrier_did:
        case "STOP":
            return OptOut()
        case "START":
            return OptIn()
        case "HELP":
            return Help()
        case None:
            return answers.carrier_keyword(inbound.text)
        case _:
            assert_never(inbound.carrier_did)


def _say(
    session: Session, phone: Phone, places: tuple[Place, ...], inbound: Inbound, key: str
) -> bool:
    with as_org(session, places[0].actor.org_id):
        notice(session, phone, take_seat(session, places, inbound), key)
    return True


def _stopped(session: Session, phone: Phone, places: tuple[Place, ...], inbound: Inbound) -> bool:
    with as_org(session, places[0].actor.org_id):
        seat = take_seat(session, places, inbound)
        where = seat.conversation.id
        turn = stopping.stop_running(session, seat.actor, where, enqueue=phone.enqueue)
        return phone.stop_tasks(session, seat.actor, where) or turn


def _start_over(session: Session, phone: Phone, seat: Seat) -> None:
    """What is open or runs belongs to what is over; with several gyms the next one is asked for."""
    stopping.stop_running(session, seat.actor, seat.conversation.id, enqueue=phone.enqueue)
    seat.conversation.closed_at = now_of(session)
    notice(session, phone, seat, "new_chat")
    if len(seat.places) > 1:
        with as_platform(session):
            identity.choose(session, seat.inbound, None)
            ask_gym(session, phone, seat.places, seat.inbound)


def _show_more(session: Session, phone: Phone, seat: Seat) -> None:
    """The list that was cut, from where it was cut."""
    cut = seat.conversation.more
    if cut is None:
        notice(session, phone, seat, "no_more")
        return
    card = Table.model_validate(cut["card"])
    phone.tell(session, seat.conversation, card, key=seat.key, start=cut["start"])
