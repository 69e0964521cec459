"""When an answer may go out, and on what (rule 36). Pure."""

from datetime import datetime
from typing import Final

from app.inbox.errors import CantWriteThere, NeedsTemplate
from app.inbox.terms import ThreadChannel
from app.inbox.views import ThreadView
from app.people import consent
from app.people.consent import MessagingPolicy, Recipient, Refusal
from app.people.terms import Category, Channel

WRITABLE: Final = {
    ThreadChannel.WHATSAPP: Channel.WHATSAPP,
    ThreadChannel.SMS: Channel.SMS,
    ThreadChannel.EMAIL: Channel.EMAIL,
}


def refusal(
    thread: ThreadView,
    recipient: Recipient,
    category: Category,
    policy: MessagingPolicy,
    *,
    approved: bool,
    at: datetime,
) -> Refusal | None:
    """Why an answer can't go out at that time; None where it can."""
    if thread.channel not in WRITABLE:
        return CantWriteThere(channel=thread.channel.value)
    refused = consent.refusal(recipient, category, now=at, cap=policy.cap)
    if refused is not None:
        return refused
    if not approved and not window_open(thread, at):
        return NeedsTemplate(name=thread.contact)
    return None


def window_open(thread: ThreadView, at: datetime) -> bool:
    """Whether words of one's own may go."""
    return consent.window_open(WRITABLE.get(thread.channel), thread.last_inbound_at, at)


def window_until(thread: ThreadView) -> datetime | None:
    """Until when that is so; None: it isn't WhatsApp, or they never wrote."""
    return consent.window_until(WRITABLE.get(thread.channel), thread.last_inbound_at)
