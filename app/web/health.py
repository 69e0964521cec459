"""Whether this process lives, and whether it may be given traffic."""

import logging

from flask import Blueprint, Response, jsonify

from app.web.identity import public
from app.web.ports import Ports

_log = logging.getLogger(__name__)


def health(ports: Ports) -> Blueprint:
    """/healthz: the process answers. /readyz: all it stands on does; 503 names what doesn't."""
    pages = Blueprint("health", __name__)

    @pages.get("/healthz")
    @public
    def live() -> Response:
        return jsonify(ok=True)

    @pages.get("/readyz")
    @public
    def ready() -> tuple[Response, int]:
        away = [name for name in ports.pings if not _answers(ports, name)]
        return jsonify(ok=not away, away=away), 503 if away else 200

    return pages


def _answers(ports: Ports, name: str) -> bool:
    try:
        ports.pings[name]()
    except Exception as error:  # noqa: BLE001 - any failure at all means not ready
        _log.warning("%s does not answer: %s", name, type(error).__name__)
        return False
    return True
