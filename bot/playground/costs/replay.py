"""A week replayed: each turn through our own models and prompts, at its minute."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, cast

import anthropic

from app.core.actor import Role
from bot.conversation.lanes import goes_on
from bot.model.pace import WALL
from bot.model.priced import Priced
from bot.model.prices import Sheet
from bot.model.prompt import Prefix
from bot.model.settings import ModelSettings
from bot.model.turn_context import Beside, compose
from bot.model.warming import warming
from bot.playground.costs.counting import Tally
from bot.playground.costs.gyms import Told, Toolbox
from bot.playground.costs.policy import MAIN, Policy
from bot.playground.costs.talking import Taken, Talk
from bot.playground.costs.trace import Ask
from bot.playground.costs.vendor import Vendor
from bot.turn.events import Heard
from tools.kit.registry import Registry

SUNDAY: Final = datetime(2026, 11, 22, tzinfo=UTC)
OPEN: Final = (6.5, 21.5)
"""Hours of the day between which a prefix is kept warm."""
ZONE: Final = "Asia/Jerusalem"


@dataclass(frozen=True, slots=True)
class Replayed:
    policy: Policy
    turns: int
    tally: Tally
    pings: int
    taken: Taken
    sent: Prefix
    """What an owner's requests to the main model begin with."""


def replay(
    trace: Sequence[Ask], policy: Policy, registry: Registry, sheet: Sheet, *, gyms: int, seed: int
) -> Replayed:
    """The week of so many gyms, each a little earlier or later than the others, as it costs."""
    day = max(one.since for one in sheet.prices)
    return _Replay(policy, registry, Tally(day, sheet.prices), seed).run(trace, gyms)


@dataclass
class _Replay:
    policy: Policy
    registry: Registry
    tally: Tally
    seed: int
    vendor: Vendor = field(default_factory=Vendor)
    taken: Taken = field(default_factory=Taken)
    pings: int = 0
    _boxes: dict[str, Toolbox] = field(default_factory=dict)
    _told: dict[tuple[int, str], Told] = field(default_factory=dict)
    _talks: dict[tuple[int, str], Talk] = field(default_factory=dict)
    _warm: dict[str, datetime] = field(default_factory=dict)

    def run(self, trace: Sequence[Ask], gyms: int) -> Replayed:
        for at, gym, ask in self._line_up(trace, gyms):
            if self.policy.ping is not None:
                self._keep_warm(ask.role, at, self.policy.ping)
            self._turn(at, gym, ask)
            self._warm[ask.role] = at
        sent = self._gym(0, Role.OWNER.value).main
        turns = len(trace) * gyms
        return Replayed(self.policy, turns, self.tally, self.pings, self.taken, sent)

    def _line_up(self, trace: Sequence[Ask], gyms: int) -> Iterable[tuple[datetime, int, Ask]]:
        """Turns by time; within a conversation in the order of their lines."""
        chance = random.Random(self.seed)  # noqa: S311 - the same figures each time
        shifts = [timedelta(minutes=chance.uniform(-90, 90)) for _ in range(gyms)]
        shifts[0] = timedelta()
        begun = (
            (SUNDAY + ask.since_week_began + shift, gym, place, ask)
            for gym, shift in enumerate(shifts)
            for place, ask in enumerate(trace)
        )
        return ((at, gym, ask) for at, gym, _, ask in sorted(begun, key=lambda one: one[:3]))

    def _turn(self, at: datetime, gym: int, ask: Ask) -> None:
        talk = self._talks.setdefault(
            (gym, ask.talk), Talk(self._gym(gym, ask.role), self._client, self.vendor, self.tally)
        )
        self.vendor.now = max(self.vendor.now, at.timestamp())
        heard = Heard(text=ask.says, beside=compose(Beside(channel="web"), at, ZONE))
        routed = self.policy.lanes and not goes_on(talk.before, self.registry.reads)
        talk.take(heard, ask, routed=routed, found=not self.policy.all_loaded, taken=self.taken)

    def _keep_warm(self, role: str, now: datetime, every: timedelta) -> None:
        """The pings since the role's last turn or ping, till the gym closed."""
        at = self._warm.get(role)
        while at is not None and (at := at + every) < now and _is_open(at):
            self.vendor.now = max(self.vendor.now, at.timestamp())
            tools = self._gym(0, role).main.tools
            body = warming(ModelSettings(MAIN), tools, self.policy.ttl)
            Priced(self._client, self.tally, WALL.clock).ask(body)
            self.pings += 1

    def _gym(self, gym: int, role: str) -> Told:
        box = self._boxes.setdefault(role, Toolbox(self.registry, self.policy, Role(role)))
        return self._told.setdefault((gym, role), Told(box, gym))

    @property
    def _client(self) -> anthropic.Anthropic:
        return cast("anthropic.Anthropic", self.vendor)


def _is_open(at: datetime) -> bool:
    hour = at.hour + at.minute / 60
    return OPEN[0] <= hour <= OPEN[1]
