"""Markdown as plain text, for SMS."""

from typing import Final

from bot.render.text.markup import Dialect, convert

_PLAIN: Final = Dialect()


def to_plain(markdown: str) -> str:
    """Convert a message to words without any marks."""
    return convert(markdown, _PLAIN)
