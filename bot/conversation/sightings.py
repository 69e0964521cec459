"""What the model is told beside a person's words: the clock, the page, the channel."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from app.core.actor import Actor
from bot.conversation.models import Conversation, Words
from bot.turn.events import Heard


def heard(
    words: Sequence[Words],
    conversation: Conversation,
    actor: Actor,
    *,
    now: datetime,
    zone: str = "Asia/Jerusalem",
) -> Heard:
    """Neighbouring messages as one; the page is the newest one's."""
    page = next((one.beside for one in reversed(words) if one.beside), {})
    local = now.astimezone(ZoneInfo(zone))
    lines = [f"now: {local:%A %Y-%m-%d %H:%M} {zone}", f"channel: {conversation.surface}"]
    lines += [f"{key}: {value}" for key, value in sorted(page.items()) if value]
    return Heard(text="\n".join(one.text for one in words), beside="\n".join(lines))
