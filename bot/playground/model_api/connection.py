"""One HTTP connection: routes, keys, headers, errors and streams as they look on the wire."""

import json
import logging
import os
import socket
import struct
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from bot.playground.model_api.compaction import permit
from bot.playground.model_api.control import Order, Standin, obey, state
from bot.playground.model_api.errors import Refused, invalid
from bot.playground.model_api.events import new_id
from bot.playground.model_api.faults import FaultKind
from bot.playground.model_api.injection import MIDSTREAM
from bot.playground.model_api.received import Received
from bot.playground.model_api.request import CountRequest, MessagesRequest, Prompt, parse
from bot.playground.model_api.service import Prepared

MOST_BYTES = 32 * 1024 * 1024
VERSIONS = ("2026-10-21", "2023-06-01")
"""The rules are those of the newer one, whichever is sent."""

_CONTROL = "/_control"
_KEPT_HEADERS = ("anthropic-version", "anthropic-beta", "user-agent", "x-stainless-retry-count")
_LIMITS = {
    "requests": 4_000,
    "tokens": 4_000_000,
    "input-tokens": 2_000_000,
    "output-tokens": 400_000,
}
_ERRORS = {
    FaultKind.OVERLOADED_MIDSTREAM: Refused(529, "Overloaded").error(),
    FaultKind.ERROR_MIDSTREAM: Refused(500, "Internal server error").error(),
}
_Request = TypeVar("_Request", bound=Prompt)
_log = logging.getLogger(__name__)


class ConnectionTorn(Exception):
    """The caller is to see the connection reset."""


class Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def _standin(self) -> Standin:
        return cast("Standin", self.server)

    def do_GET(self) -> None:
        self._open()
        if self.path == _CONTROL:
            self._send_json(200, state(self._standin))
        else:
            self._refuse(Refused(404, "Not Found"))

    def do_POST(self) -> None:
        self._open()
        try:
            self._route(self._body())
        except Refused as refused:
            self._refuse(refused)
        except ConnectionTorn:
            self._reset()
        except ConnectionError:
            self.close_connection = True
        except Exception as error:  # noqa: BLE001 - a brain's fault is the caller's 500
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        _log.error("The stand-in failed", exc_info=error)
        if self._received.status:
            self.close_connection = True
        else:
            self._refuse(Refused(500, f"The stand-in failed: {error!r}"))

    def _open(self) -> None:
        headers = {name: self.headers[name] for name in _KEPT_HEADERS if name in self.headers}
        self._received = Received(self.path.partition("?")[0], new_id("req_01"), headers)

    def _route(self, body: bytes) -> None:
        if self._received.path == _CONTROL:
            self._control(body)
            return
        self._standin.receive(self._received)
        self._authenticate()
        self._received.raw = body
        match self._received.path:
            case "/v1/messages":
                self._answer(self._parsed(body, MessagesRequest))
            case "/v1/messages/count_tokens":
                tokens = self._standin.service.count(self._parsed(body, CountRequest))
                self._send_json(200, {"input_tokens": tokens})
            case _:
                raise Refused(404, "Not Found")

    def _parsed(self, body: bytes, kind: type[_Request]) -> _Request:
        request = parse(body, kind)
        permit(request, self._received.headers.get("anthropic-beta", ""))
        return request

    def _body(self) -> bytes:
        length = int(self.headers.get("content-length") or 0)
        if length > MOST_BYTES:
            self.close_connection = True
            raise Refused(413, "Request exceeds the maximum size")
        return self.rfile.read(length)

    def _authenticate(self) -> None:
        scheme, _, token = (self.headers.get("authorization") or "").partition(" ")
        key = self.headers.get("x-api-key") or (token if scheme.lower() == "bearer" else "")
        if not key:
            raise Refused(401, "x-api-key header is required")
        if self._standin.api_key not in {None, key}:
            raise Refused(401, "invalid x-api-key")
        version = self.headers.get("anthropic-version")
        if version is None:
            raise invalid("anthropic-version: header is required")
        if version not in VERSIONS:
            raise invalid(f'anthropic-version: "{version}" is not a valid version')

    def _control(self, body: bytes) -> None:
        try:
            obey(self._standin, Order.model_validate_json(body))
        except ValidationError as error:
            raise invalid(str(error)) from error
        self._send_json(200, state(self._standin))

    def _answer(self, request: MessagesRequest) -> None:
        prepared = self._standin.service.prepare(request)
        self._received.fault = prepared.torn.kind if prepared.torn else None
        self._wait(prepared)
        self._standin.service.begin(prepared)
        self._received.reply = prepared.reply.message()
        if request.stream:
            self._stream(prepared)
        else:
            self._whole(prepared)

    def _wait(self, prepared: Prepared) -> None:
        time.sleep(self._standin.pace.first_byte)
        match prepared.torn:
            case None:
                return
            case fault if fault.kind is FaultKind.RESET:
                raise ConnectionTorn
            case fault if fault.kind is FaultKind.SILENCE:
                time.sleep(fault.seconds)

    def _whole(self, prepared: Prepared) -> None:
        """Without a stream, what breaks one is an error instead, or no answer at all."""
        match prepared.torn.kind if prepared.torn else None:
            case FaultKind.OVERLOADED_MIDSTREAM:
                raise Refused(529, "Overloaded")
            case FaultKind.ERROR_MIDSTREAM:
                raise Refused(500, "Internal server error")
            case FaultKind.CUT | FaultKind.DROPPED:
                raise ConnectionTorn
            case _:
                self._send_json(200, prepared.reply.message())

    def _stream(self, prepared: Prepared) -> None:
        self._head(200, {"content-type": "text/event-stream", "transfer-encoding": "chunked"})
        fault = prepared.torn if prepared.torn and prepared.torn.kind in MIDSTREAM else None
        sent = 0
        for event in prepared.reply.events():
            is_delta = event["type"] == "content_block_delta"
            if fault and (event["type"] == "message_delta" or (is_delta and sent >= fault.after)):
                self._break_off(fault.kind)
                return
            if is_delta:
                time.sleep(self._standin.pace.delta)
                sent += 1
            self._event(event)
        self._chunk(b"")
        self._received.complete = True

    def _break_off(self, kind: FaultKind) -> None:
        """An error event or nothing; then the end of the body, or not even that."""
        if kind in _ERRORS:
            self._event({"type": "error", "error": _ERRORS[kind]})
        if kind is FaultKind.DROPPED:
            self.close_connection = True
        else:  # a body that ended leaves the connection whole; closing it would race the next call
            self._chunk(b"")

    def _event(self, event: Mapping[str, Any]) -> None:
        text = f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"
        self._chunk(text.encode())

    def _chunk(self, piece: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))

    def _refuse(self, refused: Refused) -> None:
        self._received.error = refused.message
        envelope = refused.envelope(self._received.request_id)
        self._send_json(refused.status, envelope, refused.headers)

    def _send_json(
        self,
        status: int,
        payload: Mapping[str, Any],
        headers: Mapping[str, str] | None = None,
    ) -> None:
        body = json.dumps(payload, ensure_ascii=False).encode()
        length = {"content-length": str(len(body))}
        self._head(status, {"content-type": "application/json", **length, **(headers or {})})
        self.wfile.write(body)
        self._received.complete = True

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self._received.status = status
        self.send_response(status)
        known = {"request-id": self._received.request_id, **self._rates(), **headers}
        for name, value in known.items():
            self.send_header(name, value)
        self.end_headers()

    def _rates(self) -> dict[str, str]:
        """Limits that are never reached: a 429 comes only when it is asked for."""
        now = datetime.fromtimestamp(self._standin.service.clock(), tz=UTC)
        reset = (now + timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        found: dict[str, str] = {}
        for kind, limit in _LIMITS.items():
            name = f"anthropic-ratelimit-{kind}"
            found |= {f"{name}-limit": str(limit), f"{name}-remaining": str(limit)}
            found |= {f"{name}-reset": reset}
        return found

    def _reset(self) -> None:
        """Closing with no time to linger sends RST in place of FIN."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Silent: what was asked is remembered, not printed."""
