"""What comes into a chat besides words, and what could be made of it."""

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["picture", "voice", "video", "document", "sticker", "contact"]
Why = Literal[
    "voice",
    "voice_long",
    "unheard",
    "video",
    "document",
    "sticker",
    "contact",
    "place",
    "strange",
    "too_large",
    "too_many",
    "away",
    "gone",
]
"""Why it is not read: what it is, that it is no picture after all, or that it couldn't be had."""

_CONTACTS: Final = frozenset({"text/vcard", "text/x-vcard", "text/directory"})


@dataclass(frozen=True, slots=True)
class Attachment:
    """Where it lies at the provider; its type is what the sender's phone said, not what it is."""

    url: str
    content_type: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture as the model is shown it."""

    content_type: str
    width: int
    height: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Unread:
    why: Why


@dataclass(frozen=True, slots=True)
class Spoken:
    """What somebody heard in a voice note; it may have been misheard."""

    text: str


Seen = Shot | Spoken | Unread


class UnfetchedError(Exception):
    """An attachment that couldn't be had."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why = why


def kind_of(content_type: str, message_kind: str = "") -> Kind:
    """By the type that was told; `message_kind` is the provider's word for the whole message."""
    whole = content_type.partition(";")[0].strip().lower()
    if whole in _CONTACTS or message_kind in {"contact", "contacts"}:
        return "contact"
    match whole.partition("/")[0]:
        case "image":
            return "sticker" if message_kind == "sticker" else "picture"
        case "audio":
            return "voice"
        case "video":
            return "video"
        case _:
            return "document"
