"""The prefix of every request, byte-stable: tools, the static block, the gym's block, the marks."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Self

from bot.model.cookbook import COOKBOOK
from tools.kit.calls import digest

PREFIX_VERSION: Final = 2
"""Raised with every change of what a role's requests begin with: all caches are then written anew,
and thinking of before is dropped."""

Ttl = Literal["5m", "1h"]
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Item:
    """A class type, location or person of the gym; `note` says what else there is to it."""

    name: str
    id: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OrgFacts:
    """What the gym is and who is asking. It stays the same for an epoch of a conversation."""

    gym: str
    zone: str
    caller: str
    caller_id: str
    role: str
    language: str = "en"
    week_start: str = "Sunday"
    units: str = "kg"
    currency: str = "ILS"
    tier: str = ""
    locations: tuple[Item, ...] = ()
    class_types: tuple[Item, ...] = ()
    staff: tuple[Item, ...] = ()
    calendar: tuple[str, ...] = ()
    """Lines of ours about days that the gym's own calendar doesn't show."""


@dataclass(frozen=True, slots=True)
class Toolset:
    """A role's definitions, put into bytes once: a process keeps one for each role and lane."""

    tools: tuple[Json, ...]
    digest: str
    deferred: frozenset[str]
    """Names of the tools that come in by reference."""

    @classmethod
    def of(cls, definitions: Iterable[Mapping[str, Any]]) -> Self:
        """Their order is kept: the registry's is fixed."""
        tools = tuple(dict(tool) for tool in definitions)
        deferred = frozenset(tool["name"] for tool in tools if tool.get("defer_loading"))
        return cls(tools, digest(json.dumps(tools)), deferred)


@dataclass(frozen=True, slots=True)
class Prefix:
    """Tools and system as they are sent, with marks; `digest` is of their content without marks."""

    tools: tuple[Json, ...]
    deferred: frozenset[str]
    system: tuple[Json, ...]
    mark: Json
    digest: str

    def epoch(self, model: str) -> str:
        """What thinking is bound to, apart from the messages."""
        return digest([model, self.digest])

    def after(self, since: int, summary: str) -> "Prefix":
        """The same before turns from the number `since` on, where `summary` stands for the others.

        Thinking is bound to both.
        """
        gone = ([since] if since > 1 else [], [summary] if summary else [])
        return replace(self, digest=digest([self.digest, *gone])) if any(gone) else self

    def marked(self, messages: Sequence[Json]) -> list[Json]:
        """The messages with a mark on their tail; they themselves stay as they are."""
        *before, last = messages
        *blocks, tail = last["content"]
        return [*before, {**last, "content": [*blocks, {**tail, "cache_control": self.mark}]}]


def prefix(
    tools: Toolset,
    facts: OrgFacts,
    ttl: Ttl = "5m",
    *,
    static: str = COOKBOOK,
) -> Prefix:
    """The prefix of a role's requests.

    `static` is the block that is the same for every gym. `ttl` is of the tools and that block: what
    follows is one gym's and one conversation's, and lives five minutes.
    """
    texts = (static, gym_block(facts))
    return Prefix(
        tools=tools.tools,
        deferred=tools.deferred,
        system=(_block(static, _mark(ttl)), _block(texts[1], _mark("5m"))),
        mark=_mark("5m"),
        digest=digest([tools.digest, texts]),
    )


def static_block(ttl: Ttl) -> Json:
    """What every request's system begins with, whichever the gym."""
    return _block(COOKBOOK, _mark(ttl))


def _mark(ttl: Ttl) -> Json:
    return {"type": "ephemeral"} if ttl == "5m" else {"type": "ephemeral", "ttl": ttl}


def _block(text: str, mark: Json) -> Json:
    return {"type": "text", "text": text, "cache_control": mark}


def gym_block(facts: OrgFacts) -> str:
    """The gym in lines, lists sorted by name; names are JSON strings: none can pose as a line."""
    named = {"Locations": facts.locations, "Class types": facts.class_types, "Staff": facts.staff}
    lists = [line for title, items in named.items() if items for line in _listed(title, items)]
    lines = [
        "# This gym",
        f"Name: {_quoted(facts.gym)}",
        f"Time zone: {facts.zone}. Weeks begin on {facts.week_start}. Weights in {facts.units}.",
        f"Currency: {facts.currency}." + (f" Plan: {facts.tier}." if facts.tier else ""),
        *lists,
        *facts.calendar,
        "# Who is writing",
        f"{_quoted(facts.caller)}, {facts.role}, id {facts.caller_id}, language {facts.language}",
    ]
    return "\n".join(lines)


def _listed(title: str, items: Sequence[Item]) -> list[str]:
    ordered = sorted(items, key=lambda item: (item.name, item.id))
    return [f"{title}:", *(f"- {_item(item)}" for item in ordered)]


def _item(item: Item) -> str:
    more = [f"id {item.id}"] if item.id else []
    note = [" ".join(item.note.split())] if item.note else []
    return ", ".join([_quoted(item.name), *more, *note])


def _quoted(name: str) -> str:
    return json.dumps(" ".join(name.split()), ensure_ascii=False)
