"""What RQ calls by name; the one wiring of a process that works is kept here, the only global."""

from uuid import UUID

from app.core.settings import Settings
from bot.channels.twilio.inbound import take_all
from bot.channels.twilio.sending import send_lane as send_all
from bot.conversation.queue import RUN_CONVERSATION
from bot.conversation.run import DrainingError
from bot.conversation.run import run_conversation as carry_on
from bot.wiring import Wiring

_kept: list[Wiring] = []


def use(wiring: Wiring) -> None:
    """Let this process's jobs work with it."""
    _kept[:] = [wiring]


def wiring() -> Wiring:
    """This process's wiring; made from its environment where none was given."""
    if not _kept:
        use(Wiring(Settings()))
    return _kept[0]


def run_conversation(org_id: str, conversation_id: str) -> None:
    try:
        carry_on(wiring().parts, UUID(org_id), UUID(conversation_id))
    except DrainingError:
        wiring().enqueue(RUN_CONVERSATION, org_id, conversation_id)


def route_sender(sender: str) -> None:
    take_all(wiring().intake, sender)


def send_lane(lane: str) -> None:
    send_all(wiring().sender, lane)


def forget_raw_forms() -> int:
    """Raw webhook bodies are kept 90 days, their keys for good; a job for the heavy queue."""
    return wiring().forget_raw_forms()
