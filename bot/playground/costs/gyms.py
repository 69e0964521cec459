"""What the models of a gym are told before the first word, for one policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from app.core.actor import Role
from bot.model.cookbook import COOKBOOK
from bot.model.lanes import QUICK, READING, quick_definitions, reading_definitions
from bot.model.prompt import Item, OrgFacts, Prefix, Toolset, prefix
from bot.playground.costs.policy import Policy
from tools.kit import schema
from tools.kit.registry import Registry

Definitions = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Toolbox:
    """The definitions of a role under a policy: the same objects for every gym."""

    registry: Registry
    policy: Policy
    role: Role

    @cached_property
    def main(self) -> Toolset:
        return self._as_sent(schema.definitions(self.registry, self.role))

    @cached_property
    def quick(self) -> Toolset:
        return Toolset.of(quick_definitions(self.registry, self.role))

    @cached_property
    def reading(self) -> Toolset:
        return self._as_sent(reading_definitions(self.registry, self.role))

    def _as_sent(self, definitions: Definitions) -> Toolset:
        if not self.policy.all_loaded:
            return Toolset.of(definitions)
        return Toolset.of(
            {key: value for key, value in one.items() if key != "defer_loading"}
            for one in definitions
        )


@dataclass(frozen=True)
class Told:
    """One gym's prefixes for one role."""

    tools: Toolbox
    gym: int

    @cached_property
    def main(self) -> Prefix:
        return self._prefix(self.tools.main)

    @cached_property
    def quick(self) -> Prefix:
        return self._prefix(self.tools.quick, QUICK)

    @cached_property
    def reading(self) -> Prefix:
        return self._prefix(self.tools.reading, READING)

    def _prefix(self, tools: Toolset, static: str = COOKBOOK) -> Prefix:
        role = self.tools.role.value
        return prefix(tools, facts(self.gym, role), self.tools.policy.ttl, static=static)


def facts(gym: int, role: str) -> OrgFacts:
    """A gym of eight kinds of classes and seven people."""
    types = ("CrossFit", "Open gym", "Olympic lifting", "Gymnastics", "Kids", "Mobility", "Hyrox")
    staff = ("Noa Levi", "Ron Azulay", "Anna Stern", "Tal Cohen", "Maya Bar", "Lior Peretz")
    return OrgFacts(
        gym=f"CrossFit {gym}",
        zone="Asia/Jerusalem",
        caller=staff[0],
        caller_id=str(UUID(int=gym + 1)),
        role=role,
        tier="pro",
        class_types=_named(types, gym),
        staff=_named(staff, gym + 500),
    )


def _named(names: Sequence[str], start: int) -> tuple[Item, ...]:
    return tuple(Item(name, str(UUID(int=start * 100 + at))) for at, name in enumerate(names))
