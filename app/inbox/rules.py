"""When an answer may go out, and on what (rule 36). Pure."""

from datetime import datetime, timedelta
from typing import Final

from app.inbox.errors import CantWriteThere, NeedsTemplate
from app.inbox.terms import ThreadChannel
from app.inbox.views import ThreadView
from app.people import consent
from app.people.consent import MessagingPolicy, Recipient, Refusal, quiet_until
from app.people.terms import Category, Channel

WINDOW: Final = timedelta(hours=23, minutes=50)
"""WhatsApp counts 24 hours from their last word, by a clock that isn't ours."""
WRITABLE: Final = {
    ThreadChannel.WHATSAPP: Channel.WHATSAPP,
    ThreadChannel.SMS: Channel.SMS,
    ThreadChannel.EMAIL: Channel.EMAIL,
}


def leaves_at(
    policy: MessagingPolicy, category: Category, zone: str, *, heard: datetime | None, now: datetime
) -> datetime:
    """Now, or when the quiet hours are over; who wrote in these very hours may be answered."""
    end = quiet_until(policy.quiet, category, zone, now=now)
    if end is None:
        return now
    awake = heard is not None and quiet_until(policy.quiet, category, zone, now=heard) == end
    return now if awake and category is Category.UTILITY else end


def refusal(
    thread: ThreadView, recipient: Recipient, category: Category, *, approved: bool, at: datetime
) -> Refusal | None:
    """Why an answer can't go out at that time; None where it can."""
    if thread.channel not in WRITABLE:
        return CantWriteThere(channel=thread.channel.value)
    refused = consent.refusal(recipient, category, now=at)
    if refused is not None:
        return refused
    if not approved and not window_open(thread, at):
        return NeedsTemplate(name=thread.contact)
    return None


def window_open(thread: ThreadView, at: datetime) -> bool:
    """Whether words of one's own may go: on WhatsApp only for a day after they last wrote."""
    until = window_until(thread)
    return thread.channel is not ThreadChannel.WHATSAPP or (until is not None and at < until)


def window_until(thread: ThreadView) -> datetime | None:
    """Until when that is so; None: it isn't WhatsApp, or they never wrote."""
    heard = thread.last_inbound_at
    whatsapp = thread.channel is ThreadChannel.WHATSAPP
    return heard + WINDOW if whatsapp and heard is not None else None
