"""Addresses in the model's words on a phone, which makes each one a link and looks it up unasked.

One that stands in what was said or read carries nothing new. Any other may have been made to carry
people's data out: it is shown, as on the dashboard, and leads nowhere.
"""

import re
from typing import Final

_ADDRESS: Final = re.compile(
    r"(?:https?://|\bwww\.)[^\s<>]+|\b(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?[/?#][^\s<>]*",
    re.IGNORECASE,
)
_SCHEME: Final = re.compile(r"^https?://", re.IGNORECASE)
_AFTER: Final = ".,;:!?)]}»”'\"*_~`\u2069"
"""What ends a sentence or a mark rather than an address."""


def not_followed(text: str, known: str) -> str:
    """The text with every address that `known` doesn't hold written so that it is no link."""
    return _ADDRESS.sub(lambda found: _shown(found[0], known), text)


def _shown(found: str, known: str) -> str:
    address = found.rstrip(_AFTER)
    if address in known:
        return found
    return _SCHEME.sub("", address).replace(".", "[.]") + found[len(address) :]
