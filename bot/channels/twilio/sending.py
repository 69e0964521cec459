"""Sending what is queued for one phone, in order, never blindly twice."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import assert_never
from uuid import UUID

import structlog
from requests.exceptions import RequestException
from sqlalchemy import exists, select
from sqlalchemy.orm import Session
from twilio.base.exceptions import TwilioException, TwilioRestException
from twilio.rest import Client

from app.core.db import Database, after_commit, now_of
from bot.channels.email.sending import Letter, Mailer, Posted
from bot.channels.twilio.contents import Contents
from bot.channels.twilio.errors import Action, Mark, Remedy, remedy_for
from bot.channels.twilio.webhooks import status_lane
from bot.conversation import identity, reports
from bot.conversation.leases import Lease, LeaseLost, hold
from bot.conversation.models import InboundEvent, InboundState, OutboundMessage, OutboundState
from bot.conversation.outbound import record
from bot.conversation.queue import ROUTE_SENDER, SEND_LANE, Enqueue

ATTEMPTS = 5
PACE_S = 1.5
"""Parts of one phone follow each other once the last has left the vendor, or after this long."""
OVERTAKEN = timedelta(minutes=1)
"""A message that is to be tried again later than this holds up nothing behind it."""
OLDEST = timedelta(hours=24)
"""What is older than this is of no use to anybody: it isn't tried again."""

_POLICY = frozenset({63013})
"""WhatsApp's for content: a text breaks it far more rarely than the variables of a template."""
_NO_SUCH_CONTENT = 21655
EMAIL = "email"
_NO_MAIL = Remedy(Action.STOP)
_BUSY_MAIL = Remedy(Action.RETRY, retries=ATTEMPTS, delay=60)

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Sender:
    db: Database
    client: Client
    status_url: str
    enqueue: Enqueue
    lost: Callable[[Session, OutboundMessage], None]
    """Called in the transaction that records that a message won't arrive: the SMS fallback."""
    contents: Contents
    pace_s: float = PACE_S
    mailer: Mailer | None = None
    """None: no e-mail leaves."""


@dataclass(frozen=True, slots=True)
class _Accepted:
    sid: str
    again: bool = False
    """Sent once more after an attempt that the vendor knows nothing of, or won't tell."""


@dataclass(frozen=True, slots=True)
class _Refused:
    code: int
    remedy: Remedy


@dataclass(frozen=True, slots=True)
class _Unknown:
    """The request may have gone through: look the message up before it is sent again."""


_Fate = _Accepted | _Refused | _Unknown


def send_lane(sender: Sender, lane: str) -> None:
    """Send all that is due in a lane; returns at once where another does so."""
    while _due(sender.db, lane) is not None:
        with hold(sender.db, f"out:{lane}") as lease:
            if lease is None:
                return
            try:
                while (claimed := _claim(sender.db, lane, lease)) is not None:
                    _await_previous(sender, claimed)
                    _settle(sender, claimed.id, _fate(sender, claimed), lease)
            except LeaseLost:
                _log.warning("lease_lost", lane="out")
                return


def _due(db: Database, lane: str) -> UUID | None:
    with db.platform() as session:
        row = _first(session, lane)
        return None if row is None else row.id


def _first(session: Session, lane: str) -> OutboundMessage | None:
    """The oldest unsent message of the lane, if it is due: nothing overtakes it."""
    open_ = (OutboundState.QUEUED, OutboundState.SENDING, OutboundState.UNKNOWN)
    now = now_of(session)
    row = session.scalar(
        select(OutboundMessage)
        .where(
            OutboundMessage.lane == lane,
            OutboundMessage.state.in_(open_),
            OutboundMessage.due_at <= now + OVERTAKEN,
        )
        .order_by(OutboundMessage.position)
        .limit(1)
    )
    return None if row is None or row.due_at > now else row


def _claim(db: Database, lane: str, lease: Lease) -> OutboundMessage | None:
    """Mark the next message as being sent.

    One found so already was left by a dead sender: its fate is unknown.
    """
    with db.platform() as session:
        lease.guard(session)
        row = _first(session, lane)
        if row is None:
            return None
        first = row.state is OutboundState.QUEUED
        row.state = OutboundState.SENDING if first else OutboundState.UNKNOWN
        row.attempts += 1
        session.flush()
        session.expunge(row)
        return row


def _await_previous(sender: Sender, message: OutboundMessage) -> None:
    until = time.monotonic() + sender.pace_s
    while time.monotonic() < until:
        with sender.db.platform() as session:
            before = session.scalar(
                select(OutboundMessage.state)
                .where(
                    OutboundMessage.lane == message.lane,
                    OutboundMessage.position < message.position,
                )
                .order_by(OutboundMessage.position.desc())
                .limit(1)
            )
        if before is not OutboundState.ACCEPTED:
            return
        time.sleep(0.05)


def _fate(sender: Sender, message: OutboundMessage) -> _Fate:
    if message.channel == EMAIL:
        return _mail(sender, message)
    if message.state is not OutboundState.UNKNOWN:
        return _send(sender, message)
    try:
        found = _look_up(sender, message)
    except (TwilioException, RequestException):
        return _Unknown()
    return found or _send(sender, message)


def _look_up(sender: Sender, message: OutboundMessage) -> _Accepted | None:
    """An earlier attempt's message at the vendor: same numbers, same text, of no other row.

    The vendor lives on today's date, whatever day our clock has been set to.
    """
    since = message.created_at - sender.db.clock.offset - timedelta(minutes=1)
    found = sender.client.messages.list(
        to=message.recipient, from_=message.sender, date_sent_after=since, limit=50
    )
    with sender.db.platform() as session:
        for one in found:
            ours = session.scalar(select(OutboundMessage.id).where(OutboundMessage.sid == one.sid))
            if one.body == message.body and ours is None and one.sid is not None:
                return _Accepted(one.sid)
    return None


def _send(sender: Sender, message: OutboundMessage, *, anew: bool = True) -> _Fate:
    given = _content(sender, message)
    try:
        sent = sender.client.messages.create(
            to=message.recipient,
            from_=message.sender,
            status_callback=sender.status_url,
            **given,
        )
    except TwilioRestException as error:
        gone = anew and error.code == _NO_SUCH_CONTENT
        if gone and sender.contents.forget(given.get("content_sid", "")):
            return _send(sender, message, anew=False)
        remedy = remedy_for(error.code, error.status)
        return _Unknown() if remedy.reconcile else _Refused(error.code or error.status, remedy)
    except (TwilioException, RequestException):
        return _Unknown()
    return _Accepted(sent.sid or "", again=message.state is OutboundState.UNKNOWN)


def _content(sender: Sender, message: OutboundMessage) -> dict[str, str]:
    """The words with the buttons to answer them, or the approved template that says them."""
    if message.content_sid is not None:
        variables = json.dumps(message.content_variables or {}, ensure_ascii=False)
        return {"content_sid": message.content_sid, "content_variables": variables}
    tapped = sender.contents.content(message.body, message.buttons) if message.buttons else None
    return tapped or {"body": message.body}


def _mail(sender: Sender, message: OutboundMessage) -> _Fate:
    """E-mail can't be looked up: its id is the row's, so that a second copy is known as one."""
    if sender.mailer is None:
        return _Refused(0, _NO_MAIL)
    letter = Letter(str(message.id), message.sender, message.recipient, message.body)
    match sender.mailer.send(letter):
        case Posted.TAKEN:
            again = message.state is OutboundState.UNKNOWN
            return _Accepted(f"mail:{message.id}", again=again)
        case Posted.REFUSED:
            return _Refused(0, _NO_MAIL)
        case Posted.BUSY:
            return _Refused(0, _BUSY_MAIL)
        case Posted.UNKNOWN:
            return _Unknown()


def _settle(sender: Sender, message_id: UUID, fate: _Fate, lease: Lease) -> None:
    with sender.db.platform() as session:
        lease.guard(session)
        row = session.get_one(OutboundMessage, message_id, with_for_update=True)
        match fate:
            case _Accepted():
                _accepted(sender, session, row, fate)
            case _Refused(code, remedy):
                _refused(sender, session, row, code, remedy)
            case _Unknown() if row.attempts < ATTEMPTS:
                row.state = OutboundState.UNKNOWN
                row.due_at = now_of(session) + timedelta(seconds=2**row.attempts)
            case _Unknown():
                record(session, row, OutboundState.REJECTED)
                sender.lost(session, row)
            case _:
                assert_never(fate)


def _accepted(sender: Sender, session: Session, row: OutboundMessage, fate: _Accepted) -> None:
    row.sid, row.sent_at = fate.sid, now_of(session)
    row.maybe_twice = row.maybe_twice or fate.again
    record(session, row, OutboundState.ACCEPTED)
    lane = status_lane(fate.sid)
    stored = (InboundEvent.state == InboundState.STORED, InboundEvent.sender == lane)
    if session.scalar(select(exists().where(*stored))):  # they came before we knew whose they were
        after_commit(session, lambda: sender.enqueue(ROUTE_SENDER, lane))


def _refused(
    sender: Sender, session: Session, row: OutboundMessage, code: int, remedy: Remedy
) -> None:
    if not (_plainly(sender, session, row, code, remedy) or _again(session, row, code, remedy)):
        record(session, row, OutboundState.REJECTED, error_code=code)
        _note(session, row, code, remedy)
        sender.lost(session, row)


def undelivered(sender: Sender, session: Session, row: OutboundMessage) -> None:
    """The vendor took a message, and it did not arrive: another way, or the same once more."""
    code = row.error_code or 0
    remedy = remedy_for(row.error_code, HTTPStatus.OK)
    _note(session, row, code, remedy)
    if _plainly(sender, session, row, code, remedy):
        return
    if row.question_id is not None or not _again(session, row, code, remedy):
        sender.lost(session, row)


def _again(session: Session, row: OutboundMessage, code: int, remedy: Remedy) -> bool:
    """Queue it for another try where the table allows one."""
    now = now_of(session)
    tired = row.attempts > remedy.retries or row.created_at < now - OLDEST
    if remedy.action is not Action.RETRY or tired or reports.unwanted(session, row):
        return False
    row.state, row.sid, row.error_code = OutboundState.QUEUED, None, code
    row.due_at = now + timedelta(seconds=remedy.delay * 2 ** (row.attempts - 1))
    reports.tell(session, row)
    return True


def _plainly(
    sender: Sender, session: Session, row: OutboundMessage, code: int, remedy: Remedy
) -> bool:
    """Where the buttons were refused, not the words, these go once more with numbers alone."""
    if row.buttons is None or not (remedy.as_text or code in _POLICY):
        return False
    row.state, row.sid, row.error_code = OutboundState.QUEUED, None, code
    row.buttons, row.due_at = None, now_of(session)
    lane = row.lane
    after_commit(session, lambda: sender.enqueue(SEND_LANE, lane))
    return True


def _note(session: Session, row: OutboundMessage, code: int, remedy: Remedy) -> None:
    """What a failure tells of the address, and what the operator must know."""
    if remedy.mark is Mark.OPTED_OUT and row.channel == "sms":
        identity.opted_out_of_sms(session, row.recipient)
    if remedy.mark is Mark.OPTED_OUT:
        reports.opted_out(session, row)
    log = _log.error if remedy.alert else _log.info
    log("message_lost", message=str(row.id), channel=row.channel, code=code)
