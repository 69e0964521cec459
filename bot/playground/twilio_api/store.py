"""The stand-in's memory: messages, contents, opt-outs, windows, and events in order."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Condition
from typing import Any

from bot.playground.twilio_api.errors import ApiError
from bot.playground.twilio_api.records import Channel, Message

_RANKS = {
    status: rank
    for rank, statuses in enumerate(
        [
            ("queued", "received"),
            ("sending",),
            ("sent",),
            ("delivered", "undelivered", "failed"),
            ("read",),
        ]
    )
    for status in statuses
}


@dataclass(frozen=True, slots=True)
class Content:
    sid: str
    friendly_name: str
    language: str
    variables: dict[str, str]
    types: dict[str, dict[str, Any]]
    created: datetime
    approved: bool = False


@dataclass(frozen=True, slots=True)
class Medium:
    """What a phone sent, and what goes wrong with handing it out."""

    content_type: str
    body: bytes
    leads_to: str = ""
    """Where our API leads to instead of the media host."""
    missing: bool = False
    size: int = 0
    """So many bytes in place of its own, sent for as long as somebody reads."""
    drip: float = 0.0
    """Seconds between one byte and the next."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that a phone saw happen; `number` is that phone."""

    seq: int
    kind: str
    number: str
    channel: Channel
    details: dict[str, Any]


@dataclass(slots=True)
class Store:
    """Everything is behind one condition, which also wakes who waits for events."""

    changed: Condition = field(default_factory=Condition)
    messages: dict[str, Message] = field(default_factory=dict)
    contents: dict[str, Content] = field(default_factory=dict)
    media: dict[str, Medium] = field(default_factory=dict)
    """By media sid."""
    opted_out: set[tuple[str, str]] = field(default_factory=set)
    """(our number, the phone): blocked per sender, as Twilio does it."""
    last_inbound: dict[tuple[str, str], datetime] = field(default_factory=dict)
    """(our address, the phone's address) -> when the phone last wrote."""
    events: list[Event] = field(default_factory=list)

    def add(self, message: Message) -> None:
        with self.changed:
            self.messages[message.sid] = message
            self._tell("message", message, message.on_phone())

    def message(self, sid: str) -> Message:
        with self.changed:
            if sid not in self.messages:
                raise ApiError(20404)
            return self.messages[sid]

    def advance(self, sid: str, status: str, now: datetime, error_code: int | None) -> Message:
        """Move a message on; a status never goes back, whatever order it is reported in."""
        with self.changed:
            old = self.messages[sid]
            if _RANKS.get(status, 0) <= _RANKS.get(old.status, 0):
                return old
            new = replace(
                old, status=status, updated=now, sent=old.sent or now, error_code=error_code
            )
            self.messages[sid] = new
            self._tell("status", new, {"sid": sid, "status": status, "error_code": error_code})
            return new

    def typing(self, sid: str) -> None:
        """We type: the phone sees it, and its message as read."""
        message = self.message(sid)
        with self.changed:
            self._tell("typing", message, {"sid": sid})

    def matching(self, wanted: Callable[[Message], bool]) -> list[Message]:
        """The messages in the order they were accepted."""
        with self.changed:
            return [message for message in self.messages.values() if wanted(message)]

    def content(self, sid: str) -> Content | None:
        with self.changed:
            return self.contents.get(sid)

    def keep_content(self, content: Content) -> None:
        with self.changed:
            self.contents[content.sid] = content

    def drop_content(self, sid: str) -> None:
        with self.changed:
            self.contents.pop(sid, None)

    def events_after(self, seq: int, timeout: float) -> list[Event]:
        """Wait up to `timeout` seconds for events past `seq`."""
        with self.changed:
            self.changed.wait_for(lambda: len(self.events) > seq, timeout)
            return self.events[seq:]

    def _tell(self, kind: str, message: Message, details: dict[str, Any]) -> None:
        seq = len(self.events) + 1
        self.events.append(Event(seq, kind, message.phone, message.channel, details))
        self.changed.notify_all()
