"""The HTTP face of the stand-in, on its own port, for tests and for `make run`."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException
from werkzeug.serving import make_server
from werkzeug.wrappers import Response as AnyResponse

from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.errors import ApiError
from bot.playground.twilio_api.pages import control, phones
from bot.playground.twilio_api.rest import as_json, media_host, rest
from bot.playground.twilio_api.service import Service


def create_app(service: Service) -> Flask:
    app = Flask("twilio_stand_in", static_folder=None)
    for pages in (rest(service), control(service), phones(service), media_host(service)):
        app.register_blueprint(pages)

    @app.errorhandler(ApiError)
    def refused(error: ApiError) -> AnyResponse:
        return as_json(error.body(), error.status)

    @app.errorhandler(ValidationError)
    def misused(error: ValidationError) -> AnyResponse:
        return as_json({"code": 400, "message": str(error), "status": 400}, 400)

    @app.errorhandler(HTTPException)
    def unknown(error: HTTPException) -> AnyResponse:
        status = error.code or 500
        return as_json({"code": 20404, "message": error.name, "status": status}, status)

    return app


class TwilioServer:
    """A running stand-in: `url` is what TWILIO_API_URL is set to."""

    def __init__(self, config: TwilioConfig, port: int = 0, host: str = "127.0.0.1") -> None:
        self.service = Service(config)
        logging.getLogger("werkzeug").setLevel(logging.WARNING)
        self._http = make_server(host, port, create_app(self.service), threaded=True)
        self.url = f"http://{host}:{self._http.server_port}"

    def run(self) -> None:
        self._http.serve_forever(poll_interval=0.05)

    def close(self) -> None:
        self.service.schedule.close()
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def serve(port: int, config: TwilioConfig) -> Iterator[TwilioServer]:
    """Run a stand-in for the length of a block; port 0 is any free one."""
    server = TwilioServer(config, port)
    thread = threading.Thread(target=server.run, name="twilio-api", daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()
