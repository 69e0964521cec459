"""A sample studio in a database of its own tables, and one gym in it per test."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Barrier
from typing import Any, TypeVar
from uuid import UUID

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core import policies
from app.core.actor import Actor, Role, Via
from app.core.clock import Clock
from app.core.db import Database, OrgRow
from app.core.ids import new_id
from tests.tools.kit.sample.models import Deposit, SampleRow
from tools.kit.calls import Call, Outcome
from tools.kit.models import ToolCall
from tools.kit.registry import Registry, discover
from tools.kit.runner import Runner

R = TypeVar("R", bound=OrgRow)
T = TypeVar("T")


@dataclass
class Gym:
    """One org, its owner, and the shortest words for what a test does there."""

    db: Database
    registry: Registry
    actor: Actor = field(
        default_factory=lambda: Actor(org_id=new_id(), user_id=new_id(), role=Role.OWNER)
    )

    def runner(self, **parts: Any) -> Runner:  # noqa: ANN401 - the runner's own keywords
        return Runner(self.db, self.registry, parts.pop("actor", self.actor), "turn", **parts)

    def agent(self, **parts: Any) -> Runner:  # noqa: ANN401 - the runner's own keywords
        return self.runner(actor=self.actor.acting(Via.AGENT), **parts)

    def run(self, name: str, /, **given: Any) -> Outcome:  # noqa: ANN401 - arguments of any tool
        return self.runner().run(call(name, **given))

    def make(self, name: str, /, **given: Any) -> UUID:  # noqa: ANN401 - arguments of any tool
        """Run a write that must go through; the id of what its card is about."""
        card = self.run(name, **given).card
        assert card.kind == "done", card
        assert card.ref is not None
        return card.ref.id

    def rows(self, model: type[R]) -> list[R]:
        query = select(model).order_by(model.id)
        return self.within(lambda session: list(session.scalars(query)))

    def row(self, model: type[R], row_id: UUID) -> R | None:
        return self.within(lambda session: session.get(model, row_id))

    def within(self, act: Callable[[Session], T]) -> T:
        with self.db.transaction(self.actor.org_id) as session:
            return act(session)

    def last_call(self) -> ToolCall:
        return self.rows(ToolCall)[-1]

    def later(self, wait: timedelta) -> "Gym":
        """The same gym, some time on."""
        db = copy(self.db)
        db.clock = Clock(wait)
        return Gym(db, self.registry, self.actor)


def call(name: str, /, key: str = "", **given: Any) -> Call:  # noqa: ANN401 - arguments of any tool
    plain = {key: str(one) if isinstance(one, UUID) else one for key, one in given.items()}
    return Call(id=key or str(new_id()), name=name, input=plain)


def at_once(count: int, act: Callable[[], T]) -> list[T]:
    """The same act by many threads, let go together; what each came to."""
    start = Barrier(count)

    def one(_: int) -> T:
        start.wait(timeout=30)
        return act()

    with ThreadPoolExecutor(max_workers=count) as threads:
        return list(threads.map(one, range(count)))


@pytest.fixture(scope="session")
def db(database_url: str) -> Iterator[Database]:
    db = Database(database_url, Clock(), pool=20)
    with db.engine.begin() as connection:
        SampleRow.metadata.create_all(connection)
        for table in SampleRow.metadata.sorted_tables:
            policies.org_table(connection, table.name)
        policies.append_only(connection, Deposit.__tablename__)
    yield db
    db.close()


@pytest.fixture(scope="session")
def registry() -> Registry:
    return discover("tests.tools.kit.sample.catalog")


@pytest.fixture
def gym(db: Database, registry: Registry) -> Gym:
    return Gym(db, registry)
