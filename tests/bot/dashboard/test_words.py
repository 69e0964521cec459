"""Every word the pages ask for exists, in each language."""

from datetime import UTC, datetime
from pathlib import Path
from re import findall

import pytest

from bot.dashboard.words import CHAT_KEYS, KEYS, chat_words
from bot.render.reader import Reader
from i18n import Language, has

HERE = Path(__file__).parents[3] / "bot" / "dashboard"


@pytest.mark.parametrize("language", Language)
def test_every_key_has_words(language: Language) -> None:
    assert [key for key in KEYS if not has(key, language)] == []
    reader = Reader(language, "Asia/Jerusalem", datetime(2026, 12, 1, tzinfo=UTC))
    assert all(chat_words(reader).values())


def test_the_component_asks_for_no_word_it_is_not_given() -> None:
    scripts = "".join(path.read_text() for path in (HERE / "static" / "chat").glob("*.js"))
    asked = {f"ui.{name}" for name in findall(r"\bwords\.(\w+)", scripts)}
    assert asked <= set(CHAT_KEYS)


def test_the_pages_ask_for_no_word_they_are_not_given() -> None:
    pages = "".join(path.read_text() for path in (HERE / "templates").glob("*.html"))
    asked = {f"ui.{name}" for name in findall(r"\bsay\.(\w+)", pages)}
    assert asked <= set(KEYS)
