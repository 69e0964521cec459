"""The stand-in as a running server: its address, its pace, and what it was asked."""

import socket
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from typing import Any

from bot.playground.model_api.answer import Brain
from bot.playground.model_api.connection import Connection
from bot.playground.model_api.faults import Fault, FaultKind
from bot.playground.model_api.received import Pace, Received
from bot.playground.model_api.recorded import Recording
from bot.playground.model_api.rules.rule import Rule
from bot.playground.model_api.rules.table import RULES
from bot.playground.model_api.service import Clock, Service, epoch_seconds


@dataclass(frozen=True, slots=True)
class Setup:
    """How a stand-in behaves. `api_key` None lets any key in; the clock gives epoch seconds."""

    pace: Pace = field(default_factory=Pace)
    api_key: str | None = None
    clock: Clock = epoch_seconds
    rules: Sequence[Rule] = RULES
    remembered: int = 1000
    """How many requests are kept to be read; each may hold some hundred kilobytes."""


class Server(ThreadingHTTPServer):
    """A thread per connection: a hundred open streams are a hundred threads that mostly sleep."""

    daemon_threads = True
    request_queue_size = 512

    def __init__(self, brain: Brain, address: tuple[str, int], setup: Setup) -> None:
        self.service = Service(brain, clock=setup.clock, rules=setup.rules)
        self.pace = setup.pace
        self.api_key = setup.api_key
        self._received: deque[Received] = deque(maxlen=setup.remembered)
        self._open: set[socket.socket] = set()
        super().__init__(address, Connection)

    @property
    def url(self) -> str:
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}"

    @property
    def requests(self) -> tuple[Received, ...]:
        """The last requests, oldest first, refused ones too."""
        return tuple(self._received)

    @property
    def recordings(self) -> tuple[Recording, ...]:
        """Exchanges that were answered, to be saved and played again."""
        return tuple(
            Recording(each.body, each.reply) for each in self.requests if each.reply is not None
        )

    def inject(self, kind: FaultKind, **limits: Any) -> None:  # noqa: ANN401 - Fault's own fields
        """A fault for coming requests, with any of Fault's fields."""
        self.service.strikes.ask((Fault(kind=kind, **limits),))

    def receive(self, received: Received) -> None:
        self._received.append(received)

    def forget(self) -> None:
        """No more faults, no more record of what was asked; the cache stays warm."""
        self.service.strikes.clear()
        self._received.clear()

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as in the base class
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401 - as in the base class
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as in the base class
        """A caller that goes away is no error."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def stop(self) -> None:
        """Also ends connections that are still open: a stopped server answers nobody."""
        self.shutdown()
        self.server_close()
        for connection in tuple(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def serve(
    brain: Brain, *, host: str = "127.0.0.1", port: int = 0, setup: Setup | None = None
) -> Iterator[Server]:
    """A stand-in on a thread of its own; port 0 takes a free one."""
    server = Server(brain, (host, port), setup or Setup())
    thread = threading.Thread(
        target=server.serve_forever, args=(0.02,), name="model-api", daemon=True
    )
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()
