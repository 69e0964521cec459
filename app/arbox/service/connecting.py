"""The connection: a link to a form, the key that is entered there, and taking it out again."""

import hashlib
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.arbox.errors import AlreadyConnected, FormClosed, NotConnected
from app.arbox.models import ArboxConnection, ArboxKey, ArboxMapping
from app.arbox.terms import ConnectionState
from app.core.actor import Actor
from app.core.ids import new_token
from app.core.sealed import sealer_of

FORM_LIFE: Final = timedelta(minutes=15)
SHOWN: Final = 4


def begin(session: Session, actor: Actor, *, now: datetime) -> str:
    """Open the key form for this owner; the word of its link. Raises AlreadyConnected."""
    row = _row(session)
    if row is not None and row.state is ConnectionState.CONNECTED:
        raise AlreadyConnected(last4=last4(session))
    if row is None:
        row = ArboxConnection(org_id=actor.org_id, asked_by=actor.user_id)
        session.add(row)
    word = f"{actor.org_id.hex}.{new_token()}"
    row.state, row.asked_by = ConnectionState.WAITING, actor.user_id
    row.form_hash, row.form_until = _hash(word), now + FORM_LIFE
    session.flush()
    return word


def form_of(session: Session, word: str, *, now: datetime) -> ArboxConnection:
    """The connection that a link belongs to. Raises FormClosed."""
    query = select(ArboxConnection).where(ArboxConnection.form_hash == _hash(word))
    row = session.scalar(query.with_for_update())
    if row is None or row.form_until is None or row.form_until <= now:
        raise FormClosed
    return row


def enter_key(session: Session, word: str, key: str, *, now: datetime) -> None:
    """Keep a key that Arbox takes; its link opens nothing more. Raises FormClosed."""
    row = form_of(session, word, now=now)
    for old in session.scalars(select(ArboxKey)):
        session.delete(old)
    session.flush()
    sealed = sealer_of(session).seal(key)
    session.add(ArboxKey(org_id=row.org_id, sealed=sealed, last4=key[-SHOWN:]))
    row.state, row.connected_at = ConnectionState.CONNECTED, now
    row.form_hash = row.form_until = row.last_error = row.last_error_at = None
    session.flush()


def disconnect(session: Session, *, keep_mappings: bool) -> None:
    """Delete the key, and close a form that is open; what was imported stays.

    Raises NotConnected.
    """
    row = _row(session)
    if row is None:
        raise NotConnected
    for key in session.scalars(select(ArboxKey)):
        session.delete(key)
    if not keep_mappings:
        for mapping in session.scalars(select(ArboxMapping)):
            session.delete(mapping)
    session.delete(row)
    session.flush()


def key_of(session: Session) -> str:
    """The key itself, for the client alone. Raises NotConnected."""
    row = session.scalar(select(ArboxKey))
    if row is None:
        raise NotConnected
    return sealer_of(session).unseal(row.sealed)


def connected(session: Session) -> ArboxConnection:
    """Raises NotConnected, also while the form is still waiting for the key."""
    row: ArboxConnection | None = session.scalar(select(ArboxConnection))
    if row is None or row.state is ConnectionState.WAITING:
        raise NotConnected
    return row


def locked(session: Session) -> ArboxConnection:
    """The connection, for this transaction alone. Raises NotConnected."""
    row = _row(session)
    if row is None or row.state is ConnectionState.WAITING:
        raise NotConnected
    return row


def alone(session: Session) -> None:
    """Wait for whoever else imports or reads in a transaction of theirs; see then what they did."""
    _row(session)


def last4(session: Session) -> str | None:
    return session.scalar(select(ArboxKey.last4))


def went_wrong(session: Session, code: str, *, now: datetime) -> None:
    """Note what Arbox last refused; a key that it doesn't know is no connection."""
    row = _row(session)
    if row is not None:
        row.last_error, row.last_error_at = code, now
        if code == "arbox_key_refused":
            row.state = ConnectionState.REFUSED
        session.flush()


def org_of(word: str) -> UUID | None:
    """The gym that a link names; None for what is no such link."""
    try:
        return UUID(word.partition(".")[0])
    except ValueError:
        return None


def _row(session: Session) -> ArboxConnection | None:
    return session.scalar(select(ArboxConnection).with_for_update())


def _hash(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()
