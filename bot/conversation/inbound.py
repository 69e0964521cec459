"""What came in from a phone, whichever provider brought it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from bot.conversation.attachments import Attachment, Seen

PhoneSurface = Literal["whatsapp", "sms"]
CarrierDeed = Literal["STOP", "START", "HELP"]


@dataclass(frozen=True, slots=True)
class Address:
    """One kind of name a provider has for a sender: phone | bsuid | parent_bsuid."""

    kind: str
    value: str


class Unseen(Exception):
    """A message can't be taken before its attachments have been looked at."""

    def __init__(self, inbound: "Inbound") -> None:
        super().__init__(str(inbound.event_id))
        self.inbound = inbound


@dataclass(frozen=True, slots=True)
class Inbound:
    event_id: UUID
    provider: str
    account: str
    surface: PhoneSurface
    sender: str
    """Where an answer goes, in the provider's own form."""
    recipient: str
    addresses: tuple[Address, ...]
    text: str
    at: datetime
    """When it came in: what was asked later can't be meant by it."""
    message_id: str = ""
    """The provider's own id of it."""
    tap: str | None = None
    """The payload of a button: an unguessable card id and an option."""
    quoted: str | None = None
    """The provider's id of the message it replies to."""
    attachments: tuple[Attachment, ...] = ()
    """What came with the words, as the provider names it."""
    seen: tuple[Seen, ...] | None = None
    """What was found in each of them; None until somebody has looked."""
    forwarded: bool = False
    """Not the sender's own words."""
    place: bool = False
    carrier_did: CarrierDeed | None = None
    """The carrier has taken an opt-out or help word and answered it already."""

    @property
    def only_words(self) -> bool:
        """Typed by the sender and nothing else: what may answer a card or be a command."""
        return not (self.attachments or self.forwarded or self.place)

    @property
    def lane(self) -> str:
        """The line between two numbers on one channel."""
        return f"{self.surface}|{self.recipient}|{self.sender}"
