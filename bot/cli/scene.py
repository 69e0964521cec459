"""A scene: one person of a demo gym, what they say on one channel, and what comes of it."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

from sqlalchemy import select

from app.core.settings import Settings
from app.people import queries as people
from bot.cli import run_file
from bot.cli.browsing import Browser
from bot.cli.demo import offset_for
from bot.cli.phoning import Phone
from bot.cli.rows import Rows, difference, studio_rows
from bot.cli.stage import Stage, stage
from bot.conversation.models import Conversation, Turn, TurnEvent
from bot.playground.demo import DemoGym, build
from bot.playground.model_api.answer import Brain
from bot.playground.model_api.script import ScriptBrain
from bot.playground.servers import private_servers, servers_folder
from bot.wiring import Wiring


class Mouth(Protocol):
    """Where a person speaks: a phone, or the dashboard's chat."""

    def write(self, text: str) -> None: ...

    def send(self, text: str, files: Sequence[Path]) -> None: ...

    def read(self) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Scene:
    channel: str
    role: str
    language: str
    seed: int | None = None
    now: datetime | None = None
    """Without a zone it is the gym's clock."""
    script: Path | None = None
    media: tuple[Path, ...] = ()
    """Sent with the first sentence."""


@dataclass(frozen=True, slots=True)
class Said:
    mine: bool
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    lines: list[Said] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        transcript = [
            {"from": "me" if line.mine else "spotter", "text": line.text} for line in self.lines
        ]
        return {"transcript": transcript, "events": self.events, "changes": self.changes}


def play(scene: Scene, sentences: Sequence[str]) -> Told:
    """Play a scene, and tell what was said and what changed."""
    with set_up(scene) as (place, gym):
        user_id = gym.people[scene.role]
        mouth = _mouth(place, gym, user_id, scene)
        before = studio_rows(place.wiring.db, gym.org_id)
        lines: list[Said] = []
        for number, sentence in enumerate(sentences):
            files = () if number else scene.media
            if files:
                mouth.send(sentence, files)
            else:
                mouth.write(sentence)
            lines.append(Said(mine=True, text=_as_sent(sentence, files)))
            lines += [Said(mine=False, text=text) for text in mouth.read()]
        return Told(lines, _events(place, gym.org_id, user_id), _changes(place, gym, before))


def _as_sent(sentence: str, files: Sequence[Path]) -> str:
    return " ".join([*(f"[{file.name}]" for file in files), sentence]).strip()


@dataclass(frozen=True, slots=True)
class Cast:
    """Who may speak in a gym: its people by role."""

    org_id: UUID
    people: dict[str, UUID]


@contextmanager
def set_up(scene: Scene) -> Iterator[tuple[Stage, Cast]]:
    """The Spotter that runs here, unless the scene wants a gym, a clock or a model of its own."""
    running = run_file.read(servers_folder("run", Settings().spotter_data))
    if running is not None and (scene.seed, scene.now, scene.script) == (None, None, None):
        wiring = Wiring(Settings.of(running.env))
        place = Stage(wiring, wiring.settings.public_base_url, None, None)
        yield place, _cast(wiring, running.org)
    else:
        with _fresh(scene) as (place, gym):
            yield place, _cast(place.wiring, gym.org_id)


def _cast(wiring: Wiring, org_id: UUID) -> Cast:
    with wiring.db.transaction(org_id) as session:
        staff = reversed(people.list_staff(session))
        return Cast(org_id, {one.role.value: one.user_id for one in staff})


@contextmanager
def _fresh(scene: Scene) -> Iterator[tuple[Stage, DemoGym]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = stack.enter_context(private_servers(folder / "servers"))
        offset = offset_for(scene.now)
        place = stack.enter_context(
            stage(
                servers.database_url,
                servers.redis_url,
                brain=brain_for(scene.script),
                clock_offset_s=offset,
                debounce_ms=0,
                quick_route=scene.script is None,
            )
        )
        now = place.wiring.clock.now()
        gym = build(place.wiring.db, seed=scene.seed or 1, now=now, language=scene.language)
        yield place, gym


def _mouth(place: Stage, gym: Cast, user_id: UUID, scene: Scene) -> Mouth:
    if scene.channel == "web":
        return Browser(place, gym.org_id, user_id)
    phone = Phone(place, gym.org_id, user_id, scene.channel)
    phone.link()
    return phone


def brain_for(script: Path | None) -> Brain:
    """What stands in for the model: a script, else the planner."""
    if script is not None:
        return ScriptBrain.from_file(script)
    from bot.playground.planner.brain import Planner  # noqa: PLC0415 - its lexicons are not needed for a script

    return Planner()


def _events(place: Stage, org_id: UUID, user_id: UUID) -> list[dict[str, Any]]:
    with place.wiring.db.transaction(org_id) as session:
        rows = session.scalars(
            select(TurnEvent.body)
            .join(Turn, Turn.id == TurnEvent.turn_id)
            .join(Conversation, Conversation.id == Turn.conversation_id)
            .where(Conversation.user_id == user_id)
            .order_by(Conversation.created_at, Turn.number, TurnEvent.seq)
        )
        return list(rows)


def _changes(place: Stage, gym: Cast, before: Rows) -> list[dict[str, Any]]:
    return difference(before, studio_rows(place.wiring.db, gym.org_id))
