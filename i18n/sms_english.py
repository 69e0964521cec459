"""English for SMS: typography that would turn a GSM-7 message into UCS-2, written plainly."""

import re

_PLAIN = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "–": "-",
        "—": "-",
        "\u00a0": " ",
        "\u202f": " ",
    }
)
_SHEKELS = re.compile(r"₪(?=\d)")


def plain_english(text: str) -> str:
    """Straight quotes, a hyphen in ranges, ', ' for ' · ', 'NIS 380'."""
    return _SHEKELS.sub("NIS ", text.replace(" · ", ", ").translate(_PLAIN))
