"""The HTTP face of the stand-in: a thread per connection, errors and streams as on the wire."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from bot.playground.model_api.answer import Brain
from bot.playground.model_api.errors import Refused
from bot.playground.model_api.events import new_id
from bot.playground.model_api.request import MessagesRequest, parse
from bot.playground.model_api.service import Service


class Server:
    def __init__(self, brain: Brain, host: str = "127.0.0.1", port: int = 0) -> None:
        self.service = Service(brain)
        self._http = _Listener(self, (host, port))

    @property
    def url(self) -> str:
        host, port = self._http.server_address[:2]
        return f"http://{host!s}:{port}"

    def run(self) -> None:
        self._http.serve_forever(poll_interval=0.05)

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def __init__(self, owner: Server, address: tuple[str, int]) -> None:
        self.owner = owner
        super().__init__(address, _Connection)


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Listener

    def do_POST(self) -> None:
        self._request_id = new_id("req_01")
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            request = parse(body, MessagesRequest)
            reply = self.server.owner.service.reply(request)
        except Refused as refused:
            self._send_json(refused.status, refused.envelope(self._request_id), refused.headers)
            return
        if request.stream:
            self._stream(reply.events())
        else:
            self._send_json(200, reply.message(), {})

    def _stream(self, events: Iterator[dict[str, Any]]) -> None:
        self._head(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})
        for event in events:
            text = f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"
            self._chunk(text.encode())
        self._chunk(b"")

    def _chunk(self, piece: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))

    def _send_json(self, status: int, payload: Any, headers: Any) -> None:
        body = json.dumps(payload, ensure_ascii=False).encode()
        self._head(
            status,
            {"content-type": "application/json", "content-length": str(len(body)), **headers},
        )
        self.wfile.write(body)

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"request-id": self._request_id, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Silent: what was asked is recorded by the server, not printed."""


@contextmanager
def serve(brain: Brain, *, host: str = "127.0.0.1", port: int = 0) -> Iterator[Server]:
    server = Server(brain, host, port)
    thread = threading.Thread(target=server.run, name="model-api", daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()
