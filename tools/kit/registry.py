"""Every declared tool, by name; what can't be true of a catalogue is refused when it is read."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, get_args, get_type_hints

from app.core.actor import Role
from tools.kit.declare import SNAPSHOT, Effect, Started, Tool

_WIRE_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_PLACE = re.compile(r"{(\w+)}")
_METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


class Registry(Mapping[str, Tool[Any]]):
    """Tools sorted by router and action. Raises TypeError where two of them, or one, can't be."""

    def __init__(self, tools: Iterable[Tool[Any]]) -> None:
        ordered = sorted(tools, key=lambda tool: (tool.router, tool.action))
        self._tools: dict[str, Tool[Any]] = {}
        self._routes: dict[tuple[str, str], Tool[Any]] = {}
        for tool in ordered:
            self._add(tool)
        for tool in ordered:
            self._check_undo(tool)

    def __getitem__(self, name: str) -> Tool[Any]:
        """By the dotted name or the one on the wire."""
        return self._tools[name.replace("__", ".", 1)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def label(self, name: str) -> str:
        """A tool's label as declared, in English; the name itself of one that is none."""
        tool = self.get(name)
        return tool.label if tool else name

    def reads(self, name: str) -> bool:
        """Whether it only looks things up."""
        tool = self.get(name)
        return tool is not None and tool.effect is Effect.READ

    def for_role(self, role: Role) -> list[Tool[Any]]:
        """What this role is offered: members nothing."""
        return [tool for tool in self.values() if tool.offered and role.at_least(tool.role)]

    def _add(self, tool: Tool[Any]) -> None:
        check_tool(tool)
        route = (tool.method, _PLACE.sub("{}", tool.path))
        if tool.name in self._tools:
            raise TypeError(f"two tools are named {tool.name}")
        if route in self._routes:
            raise TypeError(f"{tool.name} and {self._routes[route].name} share {' '.join(route)}")
        self._tools[tool.name] = self._routes[route] = tool

    def _check_undo(self, tool: Tool[Any]) -> None:
        if tool.undo in {None, SNAPSHOT}:
            return
        inverse = self._tools.get(f"{tool.router}.{tool.undo}")
        if inverse is None or inverse.effect is Effect.READ:
            raise TypeError(f"{tool.name} is undone by {tool.undo}, which is no such write")


@cache
def discover(package: str) -> Registry:
    """Import every module of a package, once; what is declared there is a tool."""
    parent = import_module(package)
    found = walk_packages(parent.__path__, f"{package}.")
    modules = [import_module(one.name) for one in found]
    return Registry(
        tool
        for module in modules
        for tool in vars(module).values()
        if isinstance(tool, Tool) and tool.run.__module__ == module.__name__
    )


def places(path: str) -> frozenset[str]:
    """The arguments that stand in a path."""
    return frozenset(_PLACE.findall(path))


def starts(tool: Tool[Any]) -> bool:
    """Whether a tool may return `Started`."""
    given = get_type_hints(tool.run)["return"]
    return Started in (get_args(given) or (given,))


def check_tool(tool: Tool[Any]) -> None:
    """Raise TypeError where a tool contradicts itself."""
    fields = tool.args.model_fields
    required = {name for name, field in fields.items() if field.is_required()}
    faults = {
        "its name doesn't fit the wire": not _WIRE_NAME.fullmatch(tool.wire_name),
        "it has no summary": not tool.summary,
        "its method is none": tool.method not in _METHODS,
        "its path doesn't begin with a slash": not tool.path.startswith("/"),
        "its path names what is no required argument": not places(tool.path) <= required,
        "an org is never an argument": "org_id" in fields,
        "its arguments aren't closed": tool.args.model_config.get("extra") != "forbid",
        "it is destructive and asks nothing": tool.effect is Effect.DESTRUCTIVE
        and tool.confirm is None,
        "it writes by GET": tool.method == "GET" and tool.effect is not Effect.READ,
        "it has no step to fetch for or end": tool.step is None
        and not (tool.fetch is None and tool.after is None),
        "it has no step for what it starts, or starts nothing": starts(tool)
        is not (tool.step is not None),
    }
    for fault, found in faults.items():
        if found:
            raise TypeError(f"{tool.name}: {fault}")
