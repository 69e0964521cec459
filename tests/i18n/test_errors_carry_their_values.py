"""An error's words name only what every place that raises it gives along."""

import ast
from collections.abc import Iterator

import pytest

from app.core.errors import StudioError
from i18n import Language
from i18n.catalogues import entries
from i18n.phrases import places
from tests.i18n import used_keys

DOCUMENTED = {"class", "date", "time"}
"""Given as `**{"class": ...}`, since it is a word of Python."""


def raised() -> Iterator[tuple[str, str, frozenset[str]]]:
    """Where, which code, and the names of the values of each error that is made."""
    used_keys.of_errors()
    codes = {one.__name__: one.code for one in used_keys.below(StudioError)}
    for path, tree in used_keys.trees(("app", "tools", "bot")):
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=name), keywords=keywords) if name in codes:
                    where = f"{path.relative_to(used_keys.ROOT)}:{node.lineno}"
                    yield where, codes[name], _given(keywords)
                case ast.Raise(exc=ast.Name(id=name)) if name in codes:
                    where = f"{path.relative_to(used_keys.ROOT)}:{node.lineno}"
                    yield where, codes[name], frozenset()


def _given(keywords: list[ast.keyword]) -> frozenset[str]:
    named = {one.arg for one in keywords if one.arg is not None}
    return frozenset(named | (DOCUMENTED if any(one.arg is None for one in keywords) else set()))


@pytest.mark.parametrize("language", list(Language))
def test_no_error_is_told_with_a_hole(language: Language) -> None:
    found = list(raised())
    texts = entries(language)
    holes = [
        f"{where}: error.{code} wants {', '.join(sorted(least - given))}"
        for where, code, given in found
        if (least := places(str(texts.get(f"error.{code}.plain", texts[f"error.{code}"])))) - given
    ]

    assert len(found) > 30
    assert holes == []
