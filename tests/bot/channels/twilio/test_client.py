"""The official client reaches one configured address and gives up in time."""

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import requests

from bot.channels.twilio.client import TIMEOUT_SECONDS, at_address, twilio_client

ACCOUNT = "AC" + "5a1d" * 8


class _Echo(BaseHTTPRequestHandler):
    """Remembers the paths asked for and answers what the client can read."""

    def do_POST(self) -> None:
        self.server.paths.append(self.path)  # type: ignore[attr-defined]  # set by the fixture
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"sid": "SM1", "success": True}).encode()
        self.send_response(201)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Keep the tests' output clean."""


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Echo) as echo:
        echo.paths = []  # type: ignore[attr-defined]  # see _Echo
        thread = threading.Thread(target=echo.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield echo
        echo.shutdown()
        thread.join()


def test_every_host_is_sent_to_the_one_address(server: ThreadingHTTPServer) -> None:
    address = f"http://127.0.0.1:{server.server_port}/twilio/"
    client = twilio_client(ACCOUNT, "token", api_url=address)

    client.messages.create(to="+972541234567", from_="+972552764100", body="hi")
    client.messaging.v2.typing_indicator.create(channel="whatsapp", message_id="SM1")

    assert server.paths == [  # type: ignore[attr-defined]  # see _Echo
        f"/twilio/2010-04-01/Accounts/{ACCOUNT}/Messages.json",
        "/twilio/v2/Indicators/Typing.json",
    ]


def test_path_and_query_stay() -> None:
    moved = at_address("https://content.twilio.com/v1/Content?PageSize=5", "http://localhost:9")

    assert moved == "http://localhost:9/v1/Content?PageSize=5"


def test_a_silent_server_is_given_up() -> None:
    assert TIMEOUT_SECONDS == 10
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        client = twilio_client(ACCOUNT, "token", api_url=address, timeout=0.2)

        with pytest.raises(requests.exceptions.Timeout):
            client.messages.create(to="+972541234567", from_="+972552764100", body="hi")
