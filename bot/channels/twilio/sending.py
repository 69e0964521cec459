"""Sending what is queued for one phone, in order, never blindly twice."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import structlog
from requests.exceptions import RequestException
from sqlalchemy import select
from sqlalchemy.orm import Session
from twilio.base.exceptions import TwilioException, TwilioRestException
from twilio.rest import Client

from app.core.db import Database, now_of
from bot.channels.twilio.errors import Action, Remedy, remedy_for
from bot.conversation.leases import Lease, LeaseLost, hold
from bot.conversation.models import OutboundMessage, OutboundState
from bot.conversation.outbound import record

ATTEMPTS = 5
PACE_S = 1.5
"""Parts of one phone follow each other once the last has left the vendor, or after this long."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Sender:
    db: Database
    client: Client
    status_url: str
    rejected: Callable[[Session, OutboundMessage], None]
    """Called in the transaction that records a refusal: the SMS fallback."""


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
                    _await_previous(sender.db, claimed)
                    _settle(sender, claimed.id, _fate(sender, claimed), lease)
            except LeaseLost:
                _log.warning("lease_lost", lane="out")
                return


def _due(db: Database, lane: str) -> UUID | None:
    with db.platform() as session:
        row = _first(session, lane)
        return None if row is None or row.due_at > now_of(session) else row.id


def _first(session: Session, lane: str) -> OutboundMessage | None:
    """The oldest unsent message of the lane: nothing overtakes it."""
    open_ = (OutboundState.QUEUED, OutboundState.SENDING, OutboundState.UNKNOWN)
    return session.scalar(
        select(OutboundMessage)
        .where(OutboundMessage.lane == lane, OutboundMessage.state.in_(open_))
        .order_by(OutboundMessage.position)
        .limit(1)
    )


def _claim(db: Database, lane: str, lease: Lease) -> OutboundMessage | None:
    """Mark the next message as being sent. One found so already was left by a dead sender: its fate is unknown."""
    with db.platform() as session:
        lease.guard(session)
        row = _first(session, lane)
        if row is None or row.due_at > now_of(session):
            return None
        row.state = (
            OutboundState.UNKNOWN
            if row.state is not OutboundState.QUEUED
            else OutboundState.SENDING
        )
        row.attempts += 1
        session.flush()
        session.expunge(row)
        return row


def _await_previous(db: Database, message: OutboundMessage) -> None:
    until = time.monotonic() + PACE_S
    while time.monotonic() < until:
        with db.platform() as session:
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
    if message.state is not OutboundState.UNKNOWN:
        return _send(sender, message)
    try:
        found = _look_up(sender, message)
    except (TwilioException, RequestException):
        return _Unknown()
    return found or _send(sender, message)


def _look_up(sender: Sender, message: OutboundMessage) -> _Accepted | None:
    """An earlier attempt's message at the vendor: same numbers, same text, and not that of another row."""
    since = message.created_at - timedelta(minutes=1)
    found = sender.client.messages.list(
        to=message.recipient, from_=message.sender, date_sent_after=since, limit=50
    )
    with sender.db.platform() as session:
        for one in found:
            ours = session.scalar(select(OutboundMessage.id).where(OutboundMessage.sid == one.sid))
            if one.body == message.body and ours is None and one.sid is not None:
                return _Accepted(one.sid)
    return None


def _send(sender: Sender, message: OutboundMessage) -> _Fate:
    try:
        sent = sender.client.messages.create(
            to=message.recipient,
            from_=message.sender,
            body=message.body,
            status_callback=sender.status_url,
        )
    except TwilioRestException as error:
        remedy = remedy_for(error.code, error.status)
        return _Unknown() if remedy.reconcile else _Refused(error.code or error.status, remedy)
    except (TwilioException, RequestException):
        return _Unknown()
    return _Accepted(sent.sid or "", again=message.state is OutboundState.UNKNOWN)


def _settle(sender: Sender, message_id: UUID, fate: _Fate, lease: Lease) -> None:
    with sender.db.platform() as session:
        lease.guard(session)
        row = session.get_one(OutboundMessage, message_id, with_for_update=True)
        match fate:
            case _Accepted(sid, again):
                row.sid, row.sent_at, row.maybe_twice = sid, now_of(session), again
                record(session, row, OutboundState.ACCEPTED)
            case _Refused(code, remedy) if (
                remedy.action is Action.RETRY and row.attempts <= remedy.retries
            ):
                row.state, row.error_code = OutboundState.QUEUED, code
                row.due_at = now_of(session) + timedelta(
                    seconds=remedy.delay * 2 ** (row.attempts - 1)
                )
            case _Unknown() if row.attempts < ATTEMPTS:
                row.state = OutboundState.UNKNOWN
                row.due_at = now_of(session) + timedelta(seconds=2**row.attempts)
            case _Refused() | _Unknown():
                code_or_none = fate.code if isinstance(fate, _Refused) else None
                record(session, row, OutboundState.REJECTED, error_code=code_or_none)
                sender.rejected(session, row)
