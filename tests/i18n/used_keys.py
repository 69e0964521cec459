"""Which keys of the catalogues the code uses: read off its syntax, its errors and its tools."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from app.core.errors import StudioError
from tools.kit.declare import Effect
from tools.kit.registry import discover

ROOT = Path(__file__).parents[2]
# The words that make a key of a literal, by the call and the argument that holds it.
KEYWORDS = {"key": "{}", "label": "{}", "of": "count.{}"}
SAYING = {"say", "phrase", "N_", "has"}
KEY = re.compile(r"[a-z_]+(\.[a-z_]+)*")
PAGE_WORDS = re.compile(r"\bwords\.([a-z_]+)\b(?!\()|\bui\.([a-z_]+)")
NOT_WORDS = {"value", "text"}


@dataclass(frozen=True)
class Use:
    where: str
    key: str
    is_prefix: bool = False
    """Only the beginning is known: `f"booking.{status}"`."""


def in_code() -> list[Use]:
    """Keys written out in the code, with the file and line."""
    files = [path for part in ("app", "tools", "bot") for path in (ROOT / part).rglob("*.py")]
    return [use for path in files if "playground" not in path.parts for use in _in_file(path)]


def _in_file(path: Path) -> Iterator[Use]:
    tree = ast.parse(path.read_text(encoding="utf8"))
    for node in ast.walk(tree):
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
        for error in _below(StudioError)
        if error.__module__.partition(".")[0] in {"app", "tools", "bot"}
    ]


def _below(error: type[StudioError]) -> set[type[StudioError]]:
    return {error}.union(*map(_below, error.__subclasses__()))


def _import_all(package: ModuleType) -> None:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not set(found.name.split(".")) & {"playground", "cli", "__main__"}:
            importlib.import_module(found.name)


def of_tools() -> list[Use]:
    """A label; the question's words where it asks one about itself; what it says once done."""
    uses: list[Use] = []
    for tool in discover("tools.catalog").values():
        keys = [tool.label]
        if tool.effect is not Effect.READ:
            keys.append(f"{tool.name}.done")
        if tool.ask != "never":
            keys += [f"{tool.name}.{part}" for part in ("ask", "approve", "keep", "sms", "item")]
        if tool.undo is not None:
            keys.append(f"{tool.name}.undone")
        uses += [Use(f"tool {tool.name}", key) for key in keys]
    return uses


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
