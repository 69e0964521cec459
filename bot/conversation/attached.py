"""What came with a person's words, made ready for a turn; what can't be read is told to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from bot.conversation.attachments import Shot, Unread, Why
from bot.conversation.inbound import Unseen
from bot.conversation.phone import Phone
from bot.conversation.seat import Seat, notice


@dataclass(frozen=True, slots=True)
class Brought:
    shots: Sequence[Shot]
    unread: Sequence[Why]

    @property
    def beside(self) -> dict[str, Any]:
        """What the model is told of it."""
        return {"unread": [*self.unread]} if self.unread else {}


def brought(session: Session, phone: Phone, seat: Seat) -> Brought:
    """Raises Unseen where nobody has looked yet."""
    inbound = seat.inbound
    if inbound.attachments and inbound.seen is None:
        raise Unseen(inbound)
    seen = inbound.seen or ()
    unread: list[Why] = [*dict.fromkeys(one.why for one in seen if isinstance(one, Unread))]
    if inbound.place:
        unread.append("place")
    for why in unread:
        notice(session, phone, seat, f"unread.{why}")
    return Brought([one for one in seen if isinstance(one, Shot)], unread)
