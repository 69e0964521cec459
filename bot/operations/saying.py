"""What the API and the pages say of an error or a card: one text in one language."""

from collections.abc import Mapping
from typing import Any

from app.core.clock import Clock
from bot.render import wording
from bot.render.card import render
from bot.render.reader import Look, Reader
from bot.render.voice import Voice
from i18n import Language
from tools.kit import failures
from tools.kit.cards import AnyCard, Failed


def of_error(code: str, values: Mapping[str, Any], language: str) -> str:
    """The sentence of an error code, with its values."""
    typed = {key: failures.value_of(one) for key, one in values.items() if one is not None}
    return wording.failed(Failed(code=code, values=typed), Voice(_reader(language), "web"))


def of_card(card: AnyCard, language: str) -> str:
    """A card as text, for a program's own display."""
    return "\n".join(render(card, Look.CHAT, _reader(language)).texts)


def _reader(language: str) -> Reader:
    return Reader(Language.of(language), "UTC", Clock().now())
