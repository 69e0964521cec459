"""What imports can't show: rules over every file's syntax, each a function from file to faults."""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import TypeAlias

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 50
MEDIAN_BELOW = 10
MANY_LANGUAGES = ("i18n/", "tests/", "bot/playground/")

HEBREW_OR_CYRILLIC = re.compile(r"[\u0400-\u052F\u0590-\u05FF\uFB1D-\uFB4F]")
SILENCED = re.compile(r"#\s*(?:noqa|ruff:\s*noqa|mypy:|type:\s*ignore|pragma:)", re.IGNORECASE)
SILENCED_WELL = re.compile(
    r"#\s*(?:noqa:\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*|type:\s*ignore\[[a-z-]+(?:,\s*[a-z-]+)*\])"
    r"[\s:#-]+\w+[^#]*\w"
)
UNFINISHED = re.compile(r"#.*\b(?:TO[D]O|FIX[M]E|XX[X])\b")

Definition: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Source:
    """One file: its path from the project's root, with slashes, and its text."""

    path: str
    text: str

    @property
    def tree(self) -> ast.Module:
        return _parsed(self.text)

    @property
    def nodes(self) -> tuple[ast.AST, ...]:
        return _nodes(self.text)

    @property
    def comments(self) -> tuple[tokenize.TokenInfo, ...]:
        return _comments(self.text)


@lru_cache(maxsize=4)
def _parsed(text: str) -> ast.Module:
    """For one rule after another."""
    return ast.parse(text)


@lru_cache(maxsize=4)
def _nodes(text: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(_parsed(text)))


@lru_cache(maxsize=4)
def _comments(text: str) -> tuple[tokenize.TokenInfo, ...]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return tuple(token for token in tokens if token.type == tokenize.COMMENT)


Rule: TypeAlias = Callable[[Source], Iterator[str]]


def only_db_commits(source: Source) -> Iterator[str]:
    if source.path != "app/core/db.py":
        yield from calls(source, "commit")


def only_clock_reads_the_time(source: Source) -> Iterator[str]:
    if source.path != "app/core/clock.py":
        for owner, name in (("datetime", "now"), ("datetime", "utcnow"), ("date", "today")):
            yield from attributes(source, owner, name)
        yield from attributes(source, "time", "time")


def only_settings_read_the_environment(source: Source) -> Iterator[str]:
    if source.path != "app/core/settings.py":
        for name in ("environ", "environb", "getenv"):
            yield from attributes(source, "os", name)


def words_stand_where_words_belong(source: Source) -> Iterator[str]:
    if source.path.startswith(MANY_LANGUAGES):
        return
    for node in source.nodes:
        match node:
            case ast.Constant(value=str(text)) if HEBREW_OR_CYRILLIC.search(text):
                yield f"{source.path}:{node.lineno} words in Hebrew or Cyrillic"
            case _:
                continue


def a_silenced_check_says_which_and_why(source: Source) -> Iterator[str]:
    for token in source.comments:
        if SILENCED.search(token.string) and not SILENCED_WELL.search(token.string):
            yield f"{source.path}:{token.start[0]} silences a check without code and reason"


def nothing_is_left_unfinished(source: Source) -> Iterator[str]:
    for token in source.comments:
        if UNFINISHED.search(token.string):
            yield f"{source.path}:{token.start[0]} unfinished"


def files_are_short(source: Source) -> Iterator[str]:
    count = len(source.text.splitlines())
    if count > MAX_FILE_LINES:
        yield f"{source.path} has {count} lines"


def functions_are_short(source: Source) -> Iterator[str]:
    for node in definitions(source):
        if length(node) > MAX_FUNCTION_LINES:
            yield f"{source.path}:{node.lineno} {node.name} has {length(node)} lines"


def a_module_says_what_it_owns(source: Source) -> Iterator[str]:
    if source.text.strip() and ast.get_docstring(source.tree) is None:
        yield f"{source.path} has no docstring"


def packages_hold_no_code(source: Source) -> Iterator[str]:
    """Code in an `__init__` runs for whoever imports a neighbour; names may be passed on there."""
    if not source.path.endswith("/__init__.py") or source.path.startswith(("app/web/", "i18n/")):
        return
    for node in source.tree.body:
        if not isinstance(node, (ast.Expr, ast.Import, ast.ImportFrom, ast.Assign)):
            yield f"{source.path}:{node.lineno} code in a package's __init__"


RULES: tuple[Rule, ...] = (
    only_db_commits,
    only_clock_reads_the_time,
    only_settings_read_the_environment,
    words_stand_where_words_belong,
    a_silenced_check_says_which_and_why,
    nothing_is_left_unfinished,
    files_are_short,
    functions_are_short,
    a_module_says_what_it_owns,
    packages_hold_no_code,
)
"""Rules for the product's code."""

TEST_RULES: tuple[Rule, ...] = (
    a_silenced_check_says_which_and_why,
    nothing_is_left_unfinished,
    files_are_short,
    functions_are_short,
    a_module_says_what_it_owns,
)
"""Rules for tests, which may read clocks and write in any language."""


def faults(source: Source, rules: Iterable[Rule]) -> list[str]:
    return [fault for rule in rules for fault in rule(source)]


def median_length(sources: Iterable[Source]) -> float:
    """Return the median of lines a function, from def to its end."""
    return median(length(node) for source in sources for node in definitions(source))


def calls(source: Source, name: str) -> Iterator[str]:
    """Yield where a method of this name is called, whatever it is called on."""
    for node in source.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr=attribute)) if attribute == name:
                yield f"{source.path}:{node.lineno} .{name}()"
            case _:
                continue


def attributes(source: Source, owner: str, name: str) -> Iterator[str]:
    """Yield where `owner.name` is read, or `name` is imported from a module called `owner`."""
    for node in source.nodes:
        if isinstance(node, (ast.Attribute, ast.ImportFrom)) and reads(node, owner, name):
            yield f"{source.path}:{node.lineno} {owner}.{name}"


def reads(node: ast.Attribute | ast.ImportFrom, owner: str, name: str) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id=found) | ast.Attribute(attr=found), attr=attribute):
            return (found, attribute) == (owner, name)
        case ast.ImportFrom(module=module, names=names):
            return module == owner and name in {alias.name for alias in names}
        case _:
            return False


def definitions(source: Source) -> Iterator[Definition]:
    for node in source.nodes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def length(node: Definition) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1
