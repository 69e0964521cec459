"""Looking at what came with a message: fetched by a worker, before the message is taken."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import structlog

from bot.conversation import voices
from bot.conversation.attachments import (
    Attachment,
    Seen,
    Spoken,
    UnfetchedError,
    Unread,
    Why,
)
from bot.conversation.inbound import Inbound
from bot.conversation.shots import shot
from bot.conversation.voices import Transcribe, checked

MOST_BYTES: Final = 5_000_000
"""Of one picture: WhatsApp takes none larger."""
MOST_PICTURES: Final = 4
"""Of one message, and of one turn."""

Fetch = Callable[[str, int], bytes]
"""fetch(url, most): raises UnfetchedError."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Viewer:
    fetch: Fetch
    transcribe: Transcribe | None = None
    """None where voice notes aren't heard."""

    def view(self, inbound: Inbound) -> tuple[Seen, ...]:
        """What each attachment is; whatever is amiss with one is told as why it wasn't read."""
        return tuple(self._seen(inbound))

    def _seen(self, inbound: Inbound) -> Iterator[Seen]:
        pictures, away = 0, False
        for attachment in inbound.attachments:
            if attachment.kind == "voice" and self.transcribe is not None:
                yield self._voice(inbound, attachment, self.transcribe)
                continue
            if attachment.kind != "picture":
                yield Unread(attachment.kind)
                continue
            pictures += 1
            one = _refused(pictures, away=away) or self._picture(inbound, attachment)
            away = away or one == Unread("away")
            yield one

    def _picture(self, inbound: Inbound, attachment: Attachment) -> Seen:
        try:
            return shot(self.fetch(attachment.url, MOST_BYTES))
        except UnfetchedError as error:
            return _unread(inbound, error.why)

    def _voice(self, inbound: Inbound, attachment: Attachment, transcribe: Transcribe) -> Seen:
        try:
            note = checked(self.fetch(attachment.url, voices.MOST_BYTES))
            return Spoken(transcribe(note))
        except UnfetchedError as error:
            too_long = error.why in {"too_large", "voice_long"}
            return _unread(inbound, "voice_long" if too_long else "unheard")


def _unread(inbound: Inbound, why: Why) -> Unread:
    _log.warning("attachment_unread", inbound=str(inbound.event_id), why=why)
    return Unread(why)


def _refused(pictures: int, *, away: bool) -> Unread | None:
    """Where one can't be had for now, the rest of the message isn't waited for."""
    if pictures > MOST_PICTURES:
        return Unread("too_many")
    return Unread("away") if away else None
