"""A stand-in with a real webhook behind it, and the official client before it."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests

from bot.channels.twilio.client import twilio_client
from bot.channels.twilio.signature import SignatureConfig
from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.server import TwilioServer, serve
from tests.bot.playground.twilio_api.catcher import Catcher, catching

ACCOUNT = "AC" + "5a1d" * 8
TOKEN = "a token of the playground"
PHONE = "+972541234567"
WHATSAPP = "whatsapp:+14155238886"
SMS = "+972552764100"


class Playground:
    """What a test does: as the application with `client`, as a person with `phone`."""

    def __init__(self, server: TwilioServer, webhook: Catcher) -> None:
        self.server = server
        self.webhook = webhook
        self.client = twilio_client(ACCOUNT, TOKEN, api_url=server.url, timeout=5)

    def post(self, path: str, **body: Any) -> Any:  # noqa: ANN401  # any JSON
        response = requests.post(f"{self.server.url}{path}", json=body, timeout=10)
        response.raise_for_status()
        return response.json() if response.content else None

    def get(self, path: str, **params: str) -> Any:  # noqa: ANN401  # any JSON
        response = requests.get(f"{self.server.url}{path}", params=params, timeout=10)
        response.raise_for_status()
        return response.json()

    def phone(self, channel: str, body: str, **more: Any) -> Any:  # noqa: ANN401  # any JSON
        return self.post("/_phone/send", channel=channel, body=body, **{"from": PHONE}, **more)

    def thread(self, channel: str) -> list[dict[str, Any]]:
        found = self.get("/_phone/thread", number=PHONE, channel=channel)["messages"]
        assert isinstance(found, list)
        return found

    def send(self, channel: str, body: str | None = "Hello", **more: object) -> Any:  # noqa: ANN401  # the library's own type isn't annotated
        prefix, ours = ("whatsapp:", WHATSAPP) if channel == "whatsapp" else ("", SMS)
        callback = f"{self.webhook.url}/status"
        return self.client.messages.create(
            **{
                "to": prefix + PHONE,
                "from_": ours,
                "body": body,
                "status_callback": callback,
                **more,
            }
        )


@pytest.fixture
def webhook() -> Iterator[Catcher]:
    with catching(SignatureConfig(ACCOUNT, TOKEN, {"key_1": "a shared secret"})) as catcher:
        yield catcher


@pytest.fixture
def config(webhook: Catcher) -> TwilioConfig:
    return TwilioConfig(
        account_sid=ACCOUNT,
        auth_token=TOKEN,
        webhook_url=f"{webhook.url}/inbound?n=1#rc=2&rp=ct,rt,5xx",
        step_seconds=0.01,
    )


@pytest.fixture
def playground(config: TwilioConfig, webhook: Catcher) -> Iterator[Playground]:
    with serve(0, config) as server:
        yield Playground(server, webhook)
