"""Voice notes as phones send them, and somebody who hears them, over HTTP."""

import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from flask import Flask, Response, jsonify, request
from werkzeug.serving import make_server

KEY = "a key of the transcriber"
_SKIPPED = 312


def page(body: bytes, ends: int, number: int) -> bytes:
    pieces = [255] * (len(body) // 255) + [len(body) % 255]
    head = struct.pack("<4sBBqIIIB", b"OggS", 0, 0, ends, 7, number, 0, len(pieces))
    return head + bytes(pieces) + body


def note(seconds: float = 4.0) -> bytes:
    """An Ogg file with Opus in it that says it is so long."""
    head = b"OpusHead" + struct.pack("<BBHIHB", 1, 1, _SKIPPED, 16_000, 0, 0)
    sound = page(b"\x08" * 600, round(seconds * 48_000) + _SKIPPED, 2)
    return page(head, 0, 0) + page(b"OpusTags" + b"\0" * 8, 0, 1) + sound


@dataclass
class Ear:
    """Hears what it is told to; notes what it was sent."""

    says: object = "who is in at six?"
    status: int = 200
    url: str = ""
    heard: list[bytes] = field(default_factory=list)

    def app(self) -> Flask:
        app = Flask("ear")

        @app.post("/v1/audio/transcriptions")
        def transcribe() -> tuple[Response, int]:
            assert request.headers["Authorization"] == f"Bearer {KEY}"
            assert request.form.to_dict() == {"model": "whisper-1", "response_format": "json"}
            file = request.files["file"]
            assert (file.filename, file.mimetype) == ("voice.ogg", "audio/ogg")
            self.heard.append(file.read())
            told = {"text": self.says} if self.status == 200 else {"error": {"message": "no"}}
            return jsonify(told), self.status

        return app


@contextmanager
def hearing(ear: Ear | None = None) -> Iterator[Ear]:
    ear = ear or Ear()
    server = make_server("127.0.0.1", 0, ear.app(), threaded=True)
    ear.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield ear
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
