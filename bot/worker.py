"""What RQ calls by name; the one wiring of a worker process is kept here, the only global."""

from functools import cache
from uuid import UUID

from app.core.settings import Settings
from bot.channels.twilio.inbound import take_all
from bot.channels.twilio.sending import send_lane as send_all
from bot.conversation.queue import RUN_CONVERSATION
from bot.conversation.run import DrainingError
from bot.conversation.run import run_conversation as carry_on
from bot.wiring import Wiring


@cache
def wiring() -> Wiring:
    """This process's wiring, from its environment."""
    return Wiring(Settings())


def run_conversation(org_id: str, conversation_id: str) -> None:
    try:
        carry_on(wiring().parts, UUID(org_id), UUID(conversation_id))
    except DrainingError:
        wiring().enqueue(RUN_CONVERSATION, org_id, conversation_id)


def route_sender(sender: str) -> None:
    take_all(wiring().intake, sender)


def send_lane(lane: str) -> None:
    send_all(wiring().sender, lane)
