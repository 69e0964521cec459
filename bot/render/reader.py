"""Who reads a card and where; and the card in words, ready to be sent or drawn."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from i18n import Language


class Look(StrEnum):
    """A chat app, an SMS, or the SMS in place of a failed chat message; the web draws a View."""

    CHAT = "chat"
    SMS = "sms"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Reader:
    language: Language
    zone: str
    """The studio's time zone, as 'Asia/Jerusalem'."""
    now: datetime

    @property
    def here(self) -> datetime:
        """Now, on the studio's clock."""
        return self.now.astimezone(ZoneInfo(self.zone))

    @property
    def today(self) -> date:
        return self.here.date()


@dataclass(frozen=True, slots=True)
class Choice:
    """An option as the card shows it; native buttons take the same number and label."""

    number: int
    label: str
    sublabel: str | None = None


@dataclass(frozen=True, slots=True)
class Rendered:
    texts: tuple[str, ...]
    """Messages in order; a card is always one."""
    choices: tuple[Choice, ...] = ()
    """Empty where nothing may be answered here: the text then has a link."""
    rest: int | None = None
    """Where 'MORE' goes on: the number of the first row not shown."""
