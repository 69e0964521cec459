"""Which keys of the catalogues the code uses: read off its syntax, its errors and its tools."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import get_args, get_type_hints

from app.core.errors import StudioError
from tools.kit.cards import Confirm
from tools.kit.declare import Effect
from tools.kit.registry import discover

ROOT = Path(__file__).parents[2]
# The words that make a key of a literal, by the call and the argument that holds it.
KEYWORDS = {"key": "{}", "label": "{}", "of": "count.{}"}
SAYING = {"say", "phrase", "N_", "has"}
# Keys that are told by their first word, wherever they stand.
FAMILIES = (
    "label|figure|note|match|pick|session|booking|member|membership|credit|role|language|rule|where"
    "|settled|asked|reason|ui"
)
WRITTEN_OUT = re.compile(rf"({FAMILIES})\.[a-z_]+|(class_\w+|bookings|read)\.[a-z_]+\.[a-z_]*[a-z]")
PAGE_WORDS = re.compile(r"\b(?:words|say)\.([a-z_]+)\b(?!\()|\bui\.([a-z_]+)")
NOT_WORDS = {"value", "text"}


@dataclass(frozen=True)
class Use:
    where: str
    key: str
    is_prefix: bool = False
    """Only the beginning is known: `f"booking.{status}"`."""


def in_code() -> list[Use]:
    """Keys written out in the code, with the file and line."""
    return [use for path, tree in trees(("app", "tools", "bot")) for use in _in_file(path, tree)]


def trees(parts: tuple[str, ...]) -> Iterator[tuple[Path, ast.Module]]:
    """The syntax of every module; the playground's stand-ins have words of their own."""
    for part in parts:
        for path in (ROOT / part).rglob("*.py"):
            if "playground" not in path.parts:
                yield path, ast.parse(path.read_text(encoding="utf8"))


def _in_file(path: Path, tree: ast.Module) -> Iterator[Use]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and WRITTEN_OUT.fullmatch(str(node.value)):
            yield Use(f"{path.relative_to(ROOT)}:{node.lineno}", str(node.value))
        if isinstance(node, ast.Call):
            where = f"{path.relative_to(ROOT)}:{node.lineno}"
            for literal, pattern in _literals(node):
                yield from _uses(literal, pattern, where)


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _literals(call: ast.Call) -> Iterator[tuple[ast.expr, str]]:
    match _name(call):
        case "Line" | "Term" | "Fact" | "Count":
            for keyword in call.keywords:
                if keyword.arg in KEYWORDS:
                    yield keyword.value, KEYWORDS[keyword.arg]
        case "Table":
            for keyword in call.keywords:
                if keyword.arg == "columns" and isinstance(keyword.value, ast.Tuple):
                    yield from ((one, "{}") for one in keyword.value.elts)
        case name if name in SAYING and call.args:
            yield call.args[0], "{}"


def _uses(literal: ast.expr, pattern: str, where: str) -> Iterator[Use]:
    match literal:
        case ast.Constant(value=str(text)):
            yield Use(where, pattern.format(text))
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]) if "." in text:
            yield Use(where, pattern.format(text), is_prefix=True)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _uses(body, pattern, where)
            yield from _uses(orelse, pattern, where)


def of_errors() -> list[Use]:
    """The code of every ordinary failure."""
    for package in ("app", "tools", "bot"):
        _import_all(importlib.import_module(package))
    return [
        Use(f"{error.__module__}.{error.__name__}", f"error.{error.code}")
        for error in below(StudioError)
        if error.__module__.partition(".")[0] in {"app", "tools", "bot"}
    ]


def below(error: type[StudioError]) -> set[type[StudioError]]:
    return {error}.union(*map(below, error.__subclasses__()))


def _import_all(package: ModuleType) -> None:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not set(found.name.split(".")) & {"playground", "cli", "__main__"}:
            importlib.import_module(found.name)


def of_tools() -> list[Use]:
    """A label, how it is asked for, the words of its own question, and what it says once done."""
    uses: list[Use] = []
    for tool in discover("tools.catalog").values():
        keys = [tool.label, f"{tool.name}.asked"]
        if tool.effect is not Effect.READ:
            keys.append(f"{tool.name}.done")
        if tool.confirm is not None and Confirm in kinds(tool.confirm):
            keys += [f"{tool.name}.{part}" for part in ("ask", "approve", "keep", "sms", "item")]
        if tool.undo is not None:
            keys.append(f"{tool.name}.undone")
        uses += [Use(f"tool {tool.name}", key) for key in keys]
    return uses


def kinds(confirm: Callable[..., object]) -> tuple[object, ...]:
    """The kinds of cards that a question may be."""
    kind = get_type_hints(confirm)["return"]
    return get_args(kind) or (kind,)


def of_pages() -> list[Use]:
    """What the dashboard's scripts and templates ask for by name."""
    folders = [ROOT / "bot" / "dashboard", ROOT / "bot" / "playground" / "phone"]
    files = [
        path
        for folder in folders
        for path in folder.rglob("*")
        if path.suffix in {".js", ".html"} and "vendor" not in path.parts
    ]
    return [
        Use(str(path.relative_to(ROOT)), f"ui.{one or other}")
        for path in files
        for one, other in PAGE_WORDS.findall(path.read_text(encoding="utf8"))
        if (one or other) not in NOT_WORDS
    ]
