"""A real webhook for the stand-in to call: it records every request and answers as it is told."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from flask import Flask, Response, request
from werkzeug.datastructures import MultiDict
from werkzeug.serving import make_server

from bot.channels.twilio.signature import SignatureConfig, is_genuine, signed_url

TWIML = '<?xml version="1.0" encoding="UTF-8"?><Response/>'


@dataclass(frozen=True, slots=True)
class Caught:
    path: str
    form: MultiDict[str, str]
    headers: dict[str, str]
    genuine: bool
    """Whether our own check of the signature took it."""


@dataclass(slots=True)
class Catcher:
    config: SignatureConfig
    url: str = ""
    caught: list[Caught] = field(default_factory=list)
    answers: list[Callable[[], Response]] = field(default_factory=list)
    """What to answer to the next requests; then empty TwiML."""

    def reports(self, sid: str) -> list[MultiDict[str, str]]:
        found = [one.form for one in self.caught if one.path == "/status"]
        return [form for form in found if form["MessageSid"] == sid]

    def statuses(self, sid: str) -> list[str]:
        return [form["MessageStatus"] for form in self.reports(sid)]

    def last_heard(self) -> Caught:
        """The last message of a phone, status reports apart."""
        return [one for one in self.caught if one.path != "/status"][-1]

    def wait_for(self, done: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 10
        while not done():
            assert time.monotonic() < deadline, [one.form.to_dict() for one in self.caught]
            time.sleep(0.01)

    def answer(self) -> Response:
        target = request.environ["REQUEST_URI"]
        headers = dict(request.headers)
        genuine = is_genuine(signed_url(self.url, target), request.form, headers, self.config)
        self.caught.append(Caught(request.path, request.form, headers, genuine))
        make = self.answers.pop(0) if self.answers else twiml
        return make()


def twiml() -> Response:
    return Response(TWIML, content_type="text/xml")


def failing() -> Response:
    return Response(status=500)


def slow() -> Response:
    time.sleep(0.4)
    return twiml()


@contextmanager
def catching(config: SignatureConfig) -> Iterator[Catcher]:
    catcher = Catcher(config)
    app = Flask("catcher")
    app.add_url_rule("/<path:path>", view_func=lambda path: catcher.answer(), methods=["POST"])  # noqa: ARG005  # Flask passes the path by name
    server = make_server("127.0.0.1", 0, app, threaded=True)
    catcher.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield catcher
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
