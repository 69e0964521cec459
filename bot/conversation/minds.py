"""What thinks in a turn: the main model and, where turns are routed, the small one before it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final
from uuid import UUID

import anthropic
from sqlalchemy.orm import Session

from app.core.actor import Role
from app.core.db import Database
from app.core.settings import Settings
from bot.conversation import gym, pictures
from bot.conversation.lanes import Routed, TurnLane, goes_on
from bot.conversation.models import Conversation
from bot.conversation.opening import plain_opening
from bot.conversation.run import Mind, Setting
from bot.conversation.summaries import Remembered, remembered
from bot.model.adapter import ClaudeModel
from bot.model.cookbook import COOKBOOK
from bot.model.laned import LanedModel, Small, reading, words_only
from bot.model.lanes import (
    HAND_OVER,
    QUICK,
    READING,
    Lane,
    quick_definitions,
    reading_definitions,
)
from bot.model.pace import WALL
from bot.model.priced import Priced
from bot.model.prompt import OrgFacts, Prefix, Toolset, prefix
from bot.model.purse import Marked, Purse
from bot.model.quick import TIMEOUT_S, QuickRoute, spoken
from bot.model.settings import ModelSettings
from bot.model.surfaces import surface
from bot.model.usage import CallKind
from bot.turn.events import Event
from tools.kit import schema
from tools.kit.calls import CallRunner
from tools.kit.registry import Registry

STATIC: Final[Mapping[Lane, str]] = {"quick": QUICK, "read": READING, "act": COOKBOOK}
"""The block of the system that is the same for every gym."""
WORDS_MAX_TOKENS = 700
READING_MAX_TOKENS = 2_000


@dataclass(frozen=True, slots=True)
class _Ground:
    """What a turn's models are told beside its own events."""

    facts: OrgFacts
    past: Remembered
    pictures: Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class Minds:
    db: Database
    settings: Settings
    registry: Registry
    client: Callable[[], anthropic.Anthropic]
    purse: Callable[[Setting], Purse]
    _tools: dict[tuple[Role, Lane], Toolset] = field(default_factory=dict)
    """Definitions, made once a process."""

    def of(self, setting: Setting, runner: CallRunner, guard: Callable[[Session], None]) -> Mind:
        """The model of a turn, and what stands before it."""
        ground = self._ground(setting)
        plain = plain_opening(self.db, setting.zone)
        if not self.settings.quick_route:
            return Mind(self._main(setting, ground), plain)
        lane = TurnLane(self.db, setting.turn, guard)
        quick = self._told(setting, ground, "quick")
        recent = spoken(ground.past.turns)
        return Mind(
            self._laned(setting, ground, lane, (quick, recent)),
            Routed(
                lane=lane,
                choose=self._quick(setting, quick, recent).choose,
                runner=runner,
                plain=plain,
                model=self.settings.model_small,
                may_look=not goes_on(_last(ground.past.turns), self.registry.reads),
            ),
        )

    def _laned(
        self,
        setting: Setting,
        ground: _Ground,
        lane: TurnLane,
        quick: tuple[Prefix, Sequence[Sequence[Event]]],
    ) -> LanedModel:
        """Each model is made when it is asked: a turn seldom needs all of them."""
        told = cache(lambda: self._told(setting, ground, "read"))
        names = _names(self._toolset(setting.actor.role, "read").tools) - {HAND_OVER}
        reader = cache(lambda: self._small(setting, told(), "read", ground))
        recent = replace(ground, past=Remembered(0, "", quick[1]))
        words = cache(lambda: self._small(setting, quick[0], "quick_words", recent))
        small: dict[Lane, Small] = {
            "quick": Small(words, words_only),
            "read": Small(reader, reading(names)),
        }
        return LanedModel(cache(lambda: self._main(setting, ground)), small, lane)

    def _quick(
        self, setting: Setting, told: Prefix, recent: Sequence[Sequence[Event]]
    ) -> QuickRoute:
        brief = self.client().with_options(timeout=TIMEOUT_S)
        vendor = Priced(brief, self._purse(setting, "quick"), WALL.clock)
        return QuickRoute(vendor, self.settings.model_small, told, recent)

    def _told(self, setting: Setting, ground: _Ground, lane: Lane) -> Prefix:
        """What is told in a lane; nothing of the turns before it belongs to a quick look."""
        tools = self._toolset(setting.actor.role, lane)
        told = prefix(tools, ground.facts, self.settings.cache_ttl, static=STATIC[lane])
        past = ground.past
        return told if lane == "quick" else told.after(past.since, past.summary)

    def _toolset(self, role: Role, lane: Lane) -> Toolset:
        if (role, lane) not in self._tools:
            self._tools[role, lane] = Toolset.of(defined(self.registry, role, lane))
        return self._tools[role, lane]

    def _ground(self, setting: Setting) -> _Ground:
        with self.db.transaction(setting.turn.org_id) as session:
            conversation = session.get_one(
                Conversation, setting.conversation.id, with_for_update=True
            )
            facts = gym.facts(session, conversation, setting.actor)
            past = remembered(session, setting.turn)
            shown = pictures.contents(session, [*past.turns, setting.events])
            return _Ground(facts, past, shown)

    def _main(self, setting: Setting, ground: _Ground) -> ClaudeModel:
        settings = ModelSettings.of(self.settings)
        told = self._told(setting, ground, "act")
        return self._claude(setting, settings, told, ground, "main")

    def _small(
        self, setting: Setting, told: Prefix, kind: CallKind, ground: _Ground
    ) -> ClaudeModel:
        """Not patient: the main model waits behind it."""
        settings = ModelSettings(
            self.settings.model_small,
            max_tokens=WORDS_MAX_TOKENS if kind == "quick_words" else READING_MAX_TOKENS,
            effort="low" if surface(self.settings.model_small).effort else None,
            attempts=2,
            longest_wait=2.0,
        )
        return self._claude(setting, settings, told, ground, kind)

    def _claude(
        self,
        setting: Setting,
        settings: ModelSettings,
        told: Prefix,
        ground: _Ground,
        kind: CallKind,
    ) -> ClaudeModel:
        return ClaudeModel(
            self.client(),
            settings,
            told,
            earlier=ground.past.turns,
            summary=ground.past.summary,
            pictures=ground.pictures,
            purse=self._purse(setting, kind),
        )

    def _purse(self, setting: Setting, kind: CallKind) -> Marked:
        return Marked(self.purse(setting), kind)


def defined(registry: Registry, role: Role, lane: Lane) -> list[Mapping[str, Any]]:
    """The definitions that a role's requests carry in a lane."""
    match lane:
        case "quick":
            return quick_definitions(registry, role)
        case "read":
            return reading_definitions(registry, role)
        case "act":
            return [*schema.definitions(registry, role)]


def _names(tools: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(tool["name"] for tool in tools)


def _last(turns: Sequence[Sequence[Event]]) -> Sequence[Event]:
    return turns[-1] if turns else ()
