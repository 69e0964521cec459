"""Transactions: one an edge, bound to an org by role and row-level security.

The only commit of the project.
"""

import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from uuid import UUID

from sqlalchemy import DateTime, Engine, MetaData, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, InvalidatePoolError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.pool import ConnectionPoolEntry

from app.core.clock import Clock
from app.core.embedding import Meanings
from app.core.ids import new_id
from app.core.sealed import Sealer

APP_ROLE = "spotter_app"
PLATFORM_ROLE = "spotter_platform"
ERASER_ROLE = "spotter_eraser"
"""May blank what the app may only add to: taken for the erasure of a person, and nothing else."""
UNASKED_S = 0.1
"""A connection used so lately is taken to live: no server is gone and back in less."""

IDLE_S = 8.0
"""How long a transaction may wait for its own process: one that is frozen in the middle would keep
its locks, and with them the lane of its lease, for as long as it lives."""

_BECOME = "SELECT set_config('role', %(role)s, true), set_config('app.org_id', %(org)s, true)"

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=_NAMES)
    type_annotation_map = {datetime: DateTime(timezone=True)}  # noqa: RUF012 - SQLAlchemy reads it from the class


class Row(Base):
    """A row with a key of its own and the two times that every table keeps.

    Taken from the transaction's `now`.
    """

    __abstract__ = True

    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class OrgRow(Row):
    """A row of one org: walled in by row-level security, locked optimistically by `version`."""

    __abstract__ = True

    org_id: Mapped[UUID] = mapped_column(index=True)
    version: Mapped[int] = mapped_column(default=1)

    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012 - SQLAlchemy reads it from the class


class PlatformRow(Row):
    """A row that exists before an org is known; only the platform role reaches it."""

    __abstract__ = True


class NoOrg(RuntimeError):
    """A session was begun without an org: a fault of ours, never of the person."""


class Database:
    """Hands out transactions.

    `now` of each is read once, so that all it writes carries one time.
    """

    def __init__(
        self,
        url: str,
        clock: Clock,
        *,
        pool: int = 20,
        idle_s: float = IDLE_S,
        sealer: Sealer | None = None,
        meanings: Meanings | None = None,
    ) -> None:
        self.engine = open_engine(url, pool=pool, idle_s=idle_s)
        self.close = weakref.finalize(self, _shut, self.engine)
        """Connections don't outlive who opened them: closed now, or when they come back."""
        self.clock = clock
        self.sealer = sealer or Sealer(())
        self.meanings = meanings or Meanings()

    @contextmanager
    def transaction(self, org_id: UUID) -> Iterator[Session]:
        """One unit of work of one org: committed at the end, rolled back on any exception."""
        with self._begin() as session, as_org(session, org_id):
            yield session

    @contextmanager
    def platform(self) -> Iterator[Session]:
        """One unit of work on the platform tables, before an org is known."""
        with self._begin() as session, as_platform(session):
            yield session

    @contextmanager
    def _begin(self) -> Iterator[Session]:
        with Session(self.engine, expire_on_commit=False) as session:
            session.info["now"] = self.clock.now()
            session.info["sealer"] = self.sealer
            session.info["meanings"] = self.meanings
            yield session
            session.commit()
        for act in session.info.get("after_commit", ()):
            act()


@contextmanager
def as_org(session: Session, org_id: UUID | None) -> Iterator[Session]:
    """Act as the app for one org; at the end, be again who one was.

    Raises NoOrg without an org: the policies are the second wall, this is the first.
    """
    if not isinstance(org_id, UUID):
        raise NoOrg
    with _acting(session, APP_ROLE, str(org_id)):
        yield session


@contextmanager
def as_platform(session: Session) -> Iterator[Session]:
    """Act on the platform tables; at the end, be again who one was."""
    with _acting(session, PLATFORM_ROLE, ""):
        yield session


@contextmanager
def as_eraser(session: Session, org_id: UUID) -> Iterator[Session]:
    """Blank a person's texts in rows that the app can't change; at the end, be who one was."""
    with _acting(session, ERASER_ROLE, str(org_id)):
        yield session


@contextmanager
def _acting(session: Session, role: str, org: str) -> Iterator[None]:
    before: tuple[str, str] | None = session.info.get("acting")
    if before is not None:
        session.flush()
    _become(session, role, org)
    try:
        yield
    except BaseException:
        # Whatever rolls this back puts the role back as well: the account of it must follow.
        session.info["acting"] = before
        raise
    session.flush()
    if before is not None:
        _become(session, *before)


def after_commit(session: Session, act: Callable[[], object]) -> None:
    """Do this once the transaction is through, and never if it isn't: how jobs are enqueued."""
    session.info.setdefault("after_commit", []).append(act)


def lost(error: Exception) -> bool:
    """Whether the server is gone, and not just this work of ours at fault."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def now_of(session: Session) -> datetime:
    """The one time of this transaction."""
    now: datetime = session.info["now"]
    return now


def open_engine(url: str, *, pool: int = 20, idle_s: float = IDLE_S) -> Engine:
    """An engine whose connections fail fast when the server is away.

    The webhook must answer within a second. The server drops a connection that leaves it waiting
    for `idle_s` in a transaction.
    """
    options = {
        "timezone": "UTC",  # or arithmetic on what is read would follow a wall clock
        "idle_in_transaction_session_timeout": f"{int(idle_s * 1000)}ms",
    }
    engine = create_engine(
        url,
        hide_parameters=True,  # a logged error must not show people's data
        pool_size=pool,
        max_overflow=0,  # a connection beyond the pool's size is closed after use: 3 ms for each
        pool_use_lifo=True,  # the one used last needn't be asked whether it lives
        connect_args={
            "connect_timeout": 2,
            "application_name": "spotter",
            "options": " ".join(f"-c {name}={value}" for name, value in options.items()),
        },
    )
    event.listen(engine, "checkin", _rest)
    event.listen(engine, "checkout", partial(_look, engine))
    return engine


def _shut(engine: Engine) -> None:
    """Close what rests in the pool now, and what is still at work when it is done."""
    event.listen(engine, "checkin", _leave)
    engine.dispose()


def _leave(_: object, record: ConnectionPoolEntry) -> None:
    record.invalidate()


def _rest(_: object, record: ConnectionPoolEntry) -> None:
    record.info["rests_since"] = time.monotonic()


def _look(
    engine: Engine, connection: DBAPIConnection, record: ConnectionPoolEntry, _: object
) -> None:
    """Ask a connection that has rested whether it lives; all of its age are dropped if it doesn't.

    One that was used a moment ago isn't asked: it would be a tenth of a webhook's time.
    """
    if time.monotonic() - record.info.get("rests_since", time.monotonic()) < UNASKED_S:
        return
    try:
        engine.dialect.do_ping(connection)
    except engine.dialect.loaded_dbapi.Error as error:
        raise InvalidatePoolError from error


def _become(session: Session, role: str, org: str) -> None:
    session.info["acting"] = (role, org)
    session.connection().exec_driver_sql(_BECOME, {"role": role, "org": org})


@event.listens_for(Session, "before_flush")
def _stamp(session: Session, *_: object) -> None:
    now = session.info.get("now")
    for row in session.new:
        if isinstance(row, Row) and now is not None:
            row.created_at = vars(row).get("created_at") or now
            row.updated_at = now
    for row in session.dirty:
        if isinstance(row, Row) and now is not None and session.is_modified(row):
            row.updated_at = now
