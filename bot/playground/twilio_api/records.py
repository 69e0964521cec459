"""What the stand-in remembers: messages both ways, and what the phone page is told of them."""

import secrets
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from typing import Any, Literal

from bot.render.text.segments import segments

Channel = Literal["whatsapp", "sms"]
Direction = Literal["inbound", "outbound-api", "outbound-reply"]
_PREFIX = "whatsapp:"


def new_sid(prefix: str) -> str:
    return prefix + secrets.token_hex(16)


def channel_of(address: str) -> Channel:
    return "whatsapp" if address.startswith(_PREFIX) else "sms"


def bare(address: str) -> str:
    """The number without the channel's prefix."""
    return address.removeprefix(_PREFIX)


def on_channel(number: str, channel: Channel) -> str:
    return _PREFIX + number if channel == "whatsapp" else number


@dataclass(frozen=True, slots=True)
class Button:
    """A quick-reply button or a list row: `id` comes back when it is tapped."""

    id: str
    title: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Look:
    """What the phone shows of a message."""

    body: str
    buttons: tuple[Button, ...] = ()
    list_label: str = ""
    """The label that opens a list; with it the buttons are the list's rows."""


@dataclass(frozen=True, slots=True)
class Message:
    sid: str
    direction: Direction
    sender: str
    to: str
    look: Look
    status: str
    created: datetime
    updated: datetime
    sent: datetime | None = None
    error_code: int | None = None
    callback: str = ""
    quoted_sid: str = ""
    payload: str = ""
    media: tuple[str, ...] = ()
    content_sid: str = field(default="", repr=False)

    @property
    def channel(self) -> Channel:
        return channel_of(self.to)

    @property
    def phone(self) -> str:
        """The person's number, whichever way the message went."""
        return bare(self.sender if self.direction == "inbound" else self.to)

    @property
    def num_segments(self) -> int:
        return max(1, segments(self.look.body)) if self.channel == "sms" else 1

    def resource(self, account_sid: str) -> dict[str, Any]:
        """The REST resource, as twilio-python reads it."""
        uri = f"/2010-04-01/Accounts/{account_sid}/Messages/{self.sid}"
        return {
            "account_sid": account_sid,
            "api_version": "2010-04-01",
            "body": self.look.body,
            "date_created": format_datetime(self.created),
            "date_sent": self.sent and format_datetime(self.sent),
            "date_updated": format_datetime(self.updated),
            "direction": self.direction,
            "error_code": self.error_code,
            "error_message": None,
            "from": self.sender,
            "messaging_service_sid": None,
            "num_media": str(len(self.media)),
            "num_segments": str(self.num_segments),
            "price": None,
            "price_unit": "USD",
            "sid": self.sid,
            "status": self.status,
            "subresource_uris": {"media": f"{uri}/Media.json"},
            "to": self.to,
            "uri": f"{uri}.json",
        }

    def on_phone(self) -> dict[str, Any]:
        """The message as the phone page shows it."""
        return {
            "sid": self.sid,
            "channel": self.channel,
            "number": self.phone,
            "from": bare(self.sender),
            "to": bare(self.to),
            "direction": self.direction,
            "body": self.look.body,
            "buttons": [
                {"id": one.id, "title": one.title, "description": one.description}
                for one in self.look.buttons
            ],
            "list_label": self.look.list_label,
            "status": self.status,
            "error_code": self.error_code,
            "at": self.created.isoformat(),
            "quoted_sid": self.quoted_sid,
            "button_payload": self.payload,
            "num_media": len(self.media),
            "num_segments": self.num_segments,
        }
