"""One worker a lane: a lease by the server's clock, with a fencing token every write checks."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import structlog
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.core.db import Database
from app.core.ids import new_id, new_token

TTL_S = 8
BEAT_S = 2.5

_log = structlog.get_logger()

_TAKE = text(
    """
    INSERT INTO lease (id, created_at, updated_at, lane, token, holder, expires_at)
    VALUES (:id, clock_timestamp(), clock_timestamp(), :lane, 1, :holder,
            clock_timestamp() + make_interval(secs => :ttl))
    ON CONFLICT (lane) DO UPDATE
        SET token = lease.token + 1, holder = :holder, updated_at = clock_timestamp(),
            expires_at = clock_timestamp() + make_interval(secs => :ttl)
        WHERE lease.holder IS NULL OR lease.expires_at < clock_timestamp()
    RETURNING token
    """
)
_BEAT = text(
    "UPDATE lease SET expires_at = clock_timestamp() + make_interval(secs => :ttl) "
    "WHERE lane = :lane AND token = :token"
)
_FREE = text("UPDATE lease SET holder = NULL WHERE lane = :lane AND token = :token")
_FENCE = text(
    "SELECT 1 FROM lease WHERE lane = :lane AND token = :token AND holder IS NOT NULL FOR SHARE"
)

Guard = Callable[[Session], None]


class LeaseLost(RuntimeError):
    """Another worker holds the lane now: stop here, write nothing more."""


@dataclass(frozen=True, slots=True)
class Lease:
    lane: str
    token: int

    def guard(self, session: Session) -> None:
        """Raise LeaseLost unless the lane is still ours.

        It is held shared to the end of the transaction, so that nobody takes it over between
        this look and the commit.
        """
        if session.execute(_FENCE, {"lane": self.lane, "token": self.token}).first() is None:
            raise LeaseLost(self.lane)


@contextmanager
def hold(db: Database, lane: str, *, ttl_s: float = TTL_S) -> Iterator[Lease | None]:
    """The lane's lease, kept alive by a heartbeat; None where another holds it."""
    lease = _take(db, lane, ttl_s)
    if lease is None:
        yield None
        return
    done = threading.Event()
    beat = threading.Thread(
        target=_keep, args=(db, lease, ttl_s, done), daemon=True, name=f"beat-{lane[:20]}"
    )
    beat.start()
    try:
        yield lease
    finally:
        done.set()
        with suppress(SQLAlchemyError), db.platform() as session:  # it expires by itself otherwise
            session.execute(_FREE, {"lane": lane, "token": lease.token})


def _take(db: Database, lane: str, ttl_s: float) -> Lease | None:
    values = {"id": new_id(), "lane": lane, "holder": new_token(), "ttl": ttl_s}
    with db.platform() as session:
        token = session.execute(_TAKE, values).scalar()
    return None if token is None else Lease(lane, token)


def _keep(db: Database, lease: Lease, ttl_s: float, done: threading.Event) -> None:
    while not done.wait(min(BEAT_S, ttl_s / 3)):
        try:
            with db.platform() as session:
                session.execute(_BEAT, {"lane": lease.lane, "token": lease.token, "ttl": ttl_s})
        except SQLAlchemyError:
            _log.warning("heartbeat_missed", lane=lease.lane)
