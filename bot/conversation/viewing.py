"""Looking at what came with a message: fetched by a worker, before the message is taken."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import structlog

from bot.conversation.attachments import Attachment, Seen, UnfetchedError, Unread
from bot.conversation.inbound import Inbound
from bot.conversation.shots import shot

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

    def view(self, inbound: Inbound) -> tuple[Seen, ...]:
        """What each attachment is; whatever is amiss with one is told as why it wasn't read."""
        return tuple(self._seen(inbound))

    def _seen(self, inbound: Inbound) -> Iterator[Seen]:
        pictures, away = 0, False
        for attachment in inbound.attachments:
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
            _log.warning("attachment_unread", inbound=str(inbound.event_id), why=error.why)
            return Unread(error.why)


def _refused(pictures: int, *, away: bool) -> Unread | None:
    """Where one can't be had for now, the rest of the message isn't waited for."""
    if pictures > MOST_PICTURES:
        return Unread("too_many")
    return Unread("away") if away else None
