"""What came in from a phone, whichever provider brought it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

PhoneSurface = Literal["whatsapp", "sms"]
CarrierDeed = Literal["STOP", "START", "HELP"]


@dataclass(frozen=True, slots=True)
class Address:
    """One kind of name a provider has for a sender: phone | bsuid | parent_bsuid."""

    kind: str
    value: str


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
    media: int = 0
    carrier_did: CarrierDeed | None = None
    """The carrier has taken an opt-out or help word and answered it already."""

    @property
    def lane(self) -> str:
        """The line between two numbers on one channel."""
        return f"{self.surface}|{self.recipient}|{self.sender}"
