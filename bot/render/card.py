"""A card in words for one reader, by where it is going."""

from typing import assert_never

from bot.render.chat import chat
from bot.render.reader import Look, Reader, Rendered
from bot.render.sms import sms
from tools.kit.cards import AnyCard
from tools.kit.values import Instant


def render(
    card: AnyCard,
    look: Look,
    reader: Reader,
    *,
    until: Instant | None = None,
    link: str | None = None,
    start: int = 0,
) -> Rendered:
    """`until` is when an open question closes, `link` where else it may be answered or read on."""
    match look:
        case Look.CHAT:
            return chat(card, reader, until=until, start=start)
        case Look.SMS | Look.FALLBACK:
            return sms(card, reader, look, until=until, link=link, start=start)
        case _:
            assert_never(look)
