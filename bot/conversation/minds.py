"""What thinks in a turn: the main model and, where turns are routed, the small one before it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy.orm import Session

from app.core.db import Database
from app.core.settings import Settings
from bot.conversation import gym, ledger
from bot.conversation.lanes import Routed, TurnLane, goes_on
from bot.conversation.models import Conversation
from bot.conversation.opening import plain_opening
from bot.conversation.run import Mind, Setting
from bot.model.lanes import HAND_OVER, QUICK, READING, quick_definitions, reading_definitions
from bot.model.prompt import OrgFacts, Prefix, prefix
from bot.model.purse import Marked, Purse
from bot.model.settings import ModelSettings
from bot.model.surfaces import surface
from bot.model.usage import CallKind
from bot.turn.events import Event
from tools.kit import schema
from tools.kit.calls import CallRunner
from tools.kit.registry import Registry

if TYPE_CHECKING:
    import anthropic

    from bot.model.adapter import ClaudeModel

WORDS_MAX_TOKENS = 700
READING_MAX_TOKENS = 2_000


@dataclass(frozen=True, slots=True)
class _Ground:
    """What a turn's models are told beside its own events."""

    facts: OrgFacts
    since: int
    earlier: Sequence[Sequence[Event]]


@dataclass(frozen=True, slots=True)
class Minds:
    db: Database
    settings: Settings
    registry: Registry
    client: Callable[[], "anthropic.Anthropic"]
    purse: Callable[[Setting], Purse]

    def of(self, setting: Setting, runner: CallRunner, guard: Callable[[Session], None]) -> Mind:
        """The model of a turn, and what stands before it."""
        ground = self._ground(setting)
        plain = plain_opening(self.db, setting.zone)
        main = self._main(setting, ground)
        if not self.settings.quick_route:
            return Mind(main, plain)
        return self._routed(setting, ground, main, runner, TurnLane(self.db, setting.turn, guard))

    def _routed(
        self,
        setting: Setting,
        ground: _Ground,
        main: "ClaudeModel",
        runner: CallRunner,
        lane: TurnLane,
    ) -> Mind:
        from bot.model.laned import LanedModel, Small, reading, words_only  # noqa: PLC0415 - 2 s
        from bot.model.pace import WALL  # noqa: PLC0415 - as above
        from bot.model.priced import Priced  # noqa: PLC0415 - as above
        from bot.model.quick import TIMEOUT_S, QuickRoute, spoken  # noqa: PLC0415 - as above

        role, small = setting.actor.role, self.settings.model_small
        ttl, facts = self.settings.cache_ttl, ground.facts
        quick = prefix(quick_definitions(self.registry, role), facts, ttl, static=QUICK)
        tools = reading_definitions(self.registry, role)
        reads = prefix(tools, facts, ttl, since=ground.since, static=READING)
        recent = spoken(ground.earlier)
        brief = self.client().with_options(timeout=TIMEOUT_S)
        vendor = Priced(brief, self._purse(setting, "quick"), WALL.clock)
        before = ground.earlier[-1] if ground.earlier else ()
        words = self._small(setting, quick, "quick_words", recent)
        reader = self._small(setting, reads, "read", ground.earlier)
        return Mind(
            LanedModel(
                main,
                {
                    "quick": Small(words, words_only),
                    "read": Small(reader, reading(_names(tools) - {HAND_OVER})),
                },
                lane,
            ),
            Routed(
                lane=lane,
                choose=QuickRoute(vendor, small, quick, recent).choose,
                runner=runner,
                plain=plain_opening(self.db, setting.zone),
                model=small,
                may_look=not goes_on(before, self.registry.reads),
            ),
        )

    def _ground(self, setting: Setting) -> _Ground:
        with self.db.transaction(setting.turn.org_id) as session:
            conversation = session.get_one(
                Conversation, setting.conversation.id, with_for_update=True
            )
            facts = gym.facts(session, conversation, setting.actor)
            since = ledger.first_remembered(setting.turn.number)
            return _Ground(facts, since, ledger.earlier_turns(session, setting.turn, since=since))

    def _main(self, setting: Setting, ground: _Ground) -> "ClaudeModel":
        settings = ModelSettings.of(self.settings)
        tools = schema.definitions(self.registry, setting.actor.role)
        told = prefix(tools, ground.facts, self.settings.cache_ttl, since=ground.since)
        return self._claude(setting, settings, told, ground.earlier, "main")

    def _small(
        self, setting: Setting, told: Prefix, kind: CallKind, earlier: Sequence[Sequence[Event]]
    ) -> "ClaudeModel":
        """Not patient: the main model waits behind it."""
        settings = ModelSettings(
            self.settings.model_small,
            max_tokens=WORDS_MAX_TOKENS if kind == "quick_words" else READING_MAX_TOKENS,
            effort="low" if surface(self.settings.model_small).effort else None,
            attempts=2,
            longest_wait=2.0,
        )
        return self._claude(setting, settings, told, earlier, kind)

    def _claude(
        self,
        setting: Setting,
        settings: ModelSettings,
        told: Prefix,
        earlier: Sequence[Sequence[Event]],
        kind: CallKind,
    ) -> "ClaudeModel":
        from bot.model.adapter import ClaudeModel  # noqa: PLC0415 - 2 s and 85 MB, for workers only

        purse = self._purse(setting, kind)
        return ClaudeModel(self.client(), settings, told, earlier=earlier, purse=purse)

    def _purse(self, setting: Setting, kind: CallKind) -> Marked:
        return Marked(self.purse(setting), kind)


def _names(tools: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(tool["name"] for tool in tools)
