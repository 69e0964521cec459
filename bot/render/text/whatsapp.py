"""Markdown as WhatsApp's own markup."""

from typing import Final

from bot.render.text.markup import Dialect, convert

# WhatsApp has no escape, so a mark that belongs to the words becomes its look-alike.
_LOOKALIKES: Final = str.maketrans({"*": "\u2217", "_": "\uff3f", "~": "\u223c", "`": "\u02cb"})
_BACKTICK: Final = str.maketrans({"`": "\u02cb"})
_TIMES: Final = "\u00d7"
_ADDRESSES: Final = ("https://", "http://")


def to_whatsapp(markdown: str) -> str:
    """Convert a message; what WhatsApp can't show (tables, headings, links) becomes lines."""
    return convert(markdown, _WHATSAPP)


def harmless(text: str) -> str:
    """Keep the asterisks, underscores, tildes and backticks of somebody's words from marking.

    '3*10' becomes a multiplication sign; addresses and the underscores inside words, which
    WhatsApp leaves alone, stay as they are.
    """
    return "".join(_harmless_word(word) for word in _words(text))


def _words(text: str) -> list[str]:
    """Cut at each white space, which stays with the word before it."""
    words = [""]
    for character in text:
        words[-1] += character
        if character.isspace():
            words.append("")
    return words


def _harmless_word(word: str) -> str:
    begins = [at for scheme in _ADDRESSES if (at := word.find(scheme)) >= 0]
    cut = min(begins, default=len(word))
    return _replaced(word[:cut]) + word[cut:]


def _replaced(word: str) -> str:
    padded = f" {word} "
    return "".join(
        _mark_between(before, mark, after)
        for before, mark, after in zip(padded, padded[1:], padded[2:], strict=False)
    )


def _mark_between(before: str, mark: str, after: str) -> str:
    if mark == "*" and before.isdigit() and after.isdigit():
        return _TIMES
    if mark == "_" and before.isalnum() and after.isalnum():
        return mark
    return mark.translate(_LOOKALIKES)


_WHATSAPP: Final = Dialect(
    strong="*",
    em="_",
    strike="~",
    code="`",
    fence="```",
    quote="> ",
    literal=harmless,
    code_literal=lambda text: text.translate(_BACKTICK),
)
