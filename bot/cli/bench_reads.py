"""How fast the studio is read at its largest: every read tool on a gym of 5,000 members."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from uuid import UUID

from sqlalchemy import event, select, text

from app.core.actor import Actor, Role
from app.core.db import Base, Database
from app.core.ids import new_id, new_token
from bot.cli.bench_figures import Baseline, Figure, quantile
from bot.cli.bench_place import Place
from bot.playground.demo.large.gym import MEMBERS, build_large
from tools.kit import rows, schema
from tools.kit.calls import Call
from tools.kit.cards import Failed
from tools.kit.declare import Effect, Tool
from tools.kit.runner import Runner

ZONE: Final = "Asia/Jerusalem"
ENTITIES: Final = {
    "plan": "membership_plan",
    "coach": "staff",
    "template": "form_template",
    "thread": "inbox_thread",
}
"""What an argument's name means where no table is named so."""
WORDS: Final = {
    "q": "Dana",
    "text": "5 rounds for time: 10 thrusters 43/30 kg",
    "slug": "bookings-and-waitlist",
}
_ASKED: Final = {"from_date", "to_date", "body"}
"""What is given though the tool could do without it."""
NOT_READ: Final = frozenset({"read.ask_user_to_pick", "arbox.preview_import"})
"""Tools that put a question, or ask another system."""


@dataclass(frozen=True, slots=True)
class Size:
    members: int = MEMBERS
    times: int = 20


@dataclass(frozen=True, slots=True)
class Gym:
    """The large gym, and how one of its owners calls tools there."""

    db: Database
    actor: Actor
    runner: Runner
    today: date
    built_s: float
    rows: int


def reads(place: Place, size: Size) -> Iterator[Figure]:
    """A figure a tool, the worst of them, and what the gym cost to make."""
    gym = open_gym(place, size)
    place.wiring.warm()  # as every process that serves: garbage isn't looked for in what it loaded
    lowest = least(gym, size)
    conditions = (
        f"{size.members} members, three years, {gym.rows} rows; {size.times} calls, one at a time",
        *place.conditions,
    )
    yield Figure("demo.large.build", gym.built_s, "s", (gym.built_s,), conditions)
    worst = 0.0
    for tool in place.wiring.registry.values():
        if tool.effect is not Effect.READ or tool.name in NOT_READ:
            continue
        samples, statements, answer = _measured(gym, tool, size)
        worst = max(worst, quantile(samples, 0.95))
        told = (f"{statements} statements a call; answers {answer}", *conditions)
        yield _figure(f"read.{tool.name}.p95", samples, told, lowest)
    yield Figure("read.worst.p95", worst, "ms", (worst,), conditions)


def _figure(name: str, samples: list[float], told: tuple[str, ...], least: list[float]) -> Figure:
    base = Baseline(
        quantile(least, 0.95), "a transaction of the same role with one SELECT of a row", least
    )
    return Figure(name, quantile(samples, 0.95), "ms", samples, told, base)


def open_gym(place: Place, size: Size) -> Gym:
    db, now = place.wiring.db, place.wiring.clock.now()
    begun = time.perf_counter()
    made = build_large(db, seed=1, now=now, language="en", members=size.members)
    built_s = time.perf_counter() - begun
    with db.engine.begin() as connection:
        connection.execute(text("ANALYZE"))
    actor = Actor(made.org_id, made.owner, Role.OWNER, name="Owner", language="en")
    runner = Runner(db, place.wiring.registry, actor, "bench", zone=ZONE)
    return Gym(db, actor, runner, now.date(), built_s, made.rows)


def _measured(gym: Gym, tool: Tool[Any], size: Size) -> tuple[list[float], int, str]:
    """Milliseconds of each call, statements of the last, and the kind of card or the error."""
    given, samples, answer = arguments(gym, tool), [], ""
    with _counted(gym.db) as count:
        for _ in range(size.times):
            count.clear()
            begun = time.perf_counter()
            card = gym.runner.run(Call(id=new_token(), name=tool.name, input=given)).card
            samples.append((time.perf_counter() - begun) * 1000)
            answer = card.code if isinstance(card, Failed) else card.kind
        return samples, len(count), answer


def least(gym: Gym, size: Size) -> list[float]:
    org, samples = Base.metadata.tables["org"], []
    for _ in range(size.times):
        begun = time.perf_counter()
        with gym.db.transaction(gym.actor.org_id) as session:
            session.execute(select(org.c.id).limit(1)).all()
        samples.append((time.perf_counter() - begun) * 1000)
    return samples


@contextmanager
def _counted(db: Database) -> Iterator[list[str]]:
    found: list[str] = []

    def note(*arguments: Any) -> None:  # noqa: ANN401 - as the event has them
        found.append(arguments[2])

    event.listen(db.engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(db.engine, "before_cursor_execute", note)


def arguments(gym: Gym, tool: Tool[Any]) -> dict[str, Any]:
    """What the tool can't do without, made of its schema; ids are of the gym's own rows."""
    whole = schema.input_schema(tool.args)
    wanted = {*whole.get("required", ()), *(_ASKED & whole["properties"].keys())}
    own = tool.name.partition(".")[0].removesuffix("s")
    return {
        name: _value(gym, _meant(name, own), whole["properties"][name]) for name in sorted(wanted)
    }


def _meant(name: str, own: str) -> str:
    """A template of programs is one of those where that is what the router is about."""
    return own if own.endswith(name.removesuffix("_id")) else name


def _value(gym: Gym, name: str, one: dict[str, Any]) -> Any:  # noqa: ANN401 - any JSON
    match one:
        case _ if name == "body":
            return {"en": "Hi {name}, a place is free."}
        case {"enum": [first, *_]}:
            return first
        case {"format": "uuid"}:
            return str(_row(gym, name))
        case {"format": "date"}:
            return str(gym.today if name.startswith("to") else gym.today.replace(day=1))
        case {"pattern": str(pattern)} if r"\d\d" in pattern:
            return f"{gym.today:%Y-%m}"
        case {"type": "array", "items": items}:
            return [_value(gym, name.removesuffix("s"), items)]
        case {"type": "integer" | "number"}:
            return one.get("minimum", 1)
        case _:
            return WORDS.get(name, "Dana")


def _row(gym: Gym, name: str) -> UUID:
    """Of the newest row that the argument may mean."""
    words = name.removesuffix("_id").split("_")
    tails = ["_".join(words[start:]) for start in range(len(words))]
    for table_name in (word for tail in tails for word in (tail, ENTITIES.get(tail, ""))):
        table = Base.metadata.tables.get(table_name)
        if table is not None and rows.is_kept(table):
            newest = select(table.c.id).order_by(table.c.id.desc()).limit(1)
            with gym.db.transaction(gym.actor.org_id) as session:
                return session.scalars(newest).first() or new_id()
    return new_id()
