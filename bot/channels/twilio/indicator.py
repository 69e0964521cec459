"""The typing indicator: shown while somebody waits, and never waited for."""

import structlog
from requests.exceptions import RequestException
from twilio.base.exceptions import TwilioException
from twilio.rest import Client

_log = structlog.get_logger()


def show_typing(client: Client, message_id: str) -> None:
    """On WhatsApp, in answer to this message; it lasts 25 s or until the next message."""
    try:
        client.messaging.v2.typing_indicator.create(channel="whatsapp", message_id=message_id)
    except (TwilioException, RequestException) as error:
        _log.info("typing_not_shown", error=type(error).__name__)
