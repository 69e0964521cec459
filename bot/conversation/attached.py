"""What came with a person's words, made ready for a turn; what can't be read is told to them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from bot.conversation.attachments import Shot, Spoken, Unread, Why
from bot.conversation.inbound import Unseen
from bot.conversation.phone import Phone
from bot.conversation.seat import Seat, notice
from i18n import language_of_text
from tools.kit.cards import Notice
from tools.kit.values import Line, Name


@dataclass(frozen=True, slots=True)
class Brought:
    text: str
    """The words, also those of a voice note."""
    heard: str
    """Those of a voice note alone."""
    shots: Sequence[Shot]
    unread: Sequence[Why]
    forwarded: bool

    @property
    def beside(self) -> dict[str, Any]:
        """What the model is told of it."""
        told = {"unread": [*self.unread], "heard": self.heard, "forwarded": self.forwarded}
        return {name: one for name, one in told.items() if one}

    @property
    def nothing(self) -> bool:
        """All there was couldn't be read, and the person knows."""
        return bool(self.unread) and not (self.text.strip() or self.shots)


def brought(session: Session, phone: Phone, seat: Seat) -> Brought:
    """Raises Unseen where nobody has looked yet; the conversation takes on the words' language."""
    inbound = seat.inbound
    if inbound.attachments and inbound.seen is None:
        raise Unseen(inbound)
    seen = inbound.seen or ()
    heard = "\n".join(one.text for one in seen if isinstance(one, Spoken))
    text = "\n".join(filter(None, (inbound.text, heard)))
    seat.conversation.language = language_of_text(text) or seat.conversation.language
    unread: list[Why] = [*dict.fromkeys(one.why for one in seen if isinstance(one, Unread))]
    if inbound.place:
        unread.append("place")
    for why in unread:
        notice(session, phone, seat, f"unread.{why}")
    if heard:
        card = Notice(lines=(Line(key="heard", values={"words": Name(text=heard)}),))
        phone.tell(session, seat.conversation, card, key=f"{seat.key}:heard")
    shots = [one for one in seen if isinstance(one, Shot)]
    return Brought(text, heard, shots, unread, inbound.forwarded)
