"""Whoever uses a key finds its words: in code, errors, tools and pages."""

import pytest

from i18n import Language
from i18n.catalogues import entries
from tests.i18n import used_keys
from tests.i18n.used_keys import Use


def missing(uses: list[Use]) -> list[str]:
    known = {key.partition("@")[0] for key in entries(Language.EN)}
    return sorted(
        f"{use.key}  ({use.where})"
        for use in set(uses)
        if (
            not any(key.startswith(use.key) for key in known)
            if use.is_prefix
            else use.key not in known
        )
    )


def test_every_key_in_the_code_has_words() -> None:
    uses = used_keys.in_code()

    assert len(uses) > 50
    assert missing(uses) == []


def test_every_error_has_words() -> None:
    uses = used_keys.of_errors()

    assert len(uses) > 30
    assert missing(uses) == []


def test_every_tool_has_its_words() -> None:
    uses = used_keys.of_tools()

    assert uses
    assert missing(uses) == []


def test_every_page_has_its_words() -> None:
    uses = used_keys.of_pages()

    assert len(uses) > 10
    assert missing(uses) == []


@pytest.mark.parametrize(
    "use", [Use("here", "no.such_key"), Use("here", "no_such.", is_prefix=True)]
)
def test_a_key_without_words_is_found(use: Use) -> None:
    assert missing([use]) == [f"{use.key}  (here)"]
