"""What is told of a turn, to whom, and that nobody can be known by it."""

import contextlib
import gzip
import io
import json
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
import sentry_sdk
import structlog
from pydantic import SecretStr

from app.core.settings import Settings
from bot.operations.logs import log_to_stderr
from bot.operations.scrubbing import scrubbed
from bot.operations.watching import ToPosthog, watchers

SECRETS = ("dana@example.com", "+972541234567", "054-123-4567", "sk-ant-api03-abcdef", "hunter2")
SAID = (
    "mail dana@example.com or call +972541234567 / 054-123-4567, key sk-ant-api03-abcdef, "
    "postgresql://spotter:hunter2@db/x"
)


@contextmanager
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """A server that keeps what it is sent."""
    got: list[bytes] = []

    class Takes(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            packed = self.headers.get("content-encoding") == "gzip"
            got.append(gzip.decompress(body) if packed else body)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Takes)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", got
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    kept = structlog.get_config()
    yield
    structlog.configure(**kept)


def test_the_agents_doings_reach_posthog_and_nothing_else(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with collector() as (url, got):
        found = watchers(Settings(posthog_key=SecretStr("phc_test"), posthog_host=url))
        log_to_stderr(logging.INFO, as_json=True, watchers=found)
        log = structlog.get_logger()
        log.info("agent.tool.executed", org="o1", user="u1", tool="bookings.move", why=SAID)
        log.info("worker_started", threads=40)
        [sink] = found
        assert isinstance(sink, ToPosthog)
        sink.client.shutdown()

    told = b"".join(got).decode()
    assert '"agent.tool.executed"' in told
    assert '"bookings.move"' in told
    assert "worker_started" not in told
    written = capsys.readouterr().err
    assert "worker_started" in written
    assert not [secret for secret in SECRETS if secret in told + written]


def test_faults_reach_sentry_without_peoples_data(capsys: pytest.CaptureFixture[str]) -> None:
    with collector() as (url, got):
        dsn = url.replace("http://", "http://key@") + "/1"
        log_to_stderr(as_json=True, watchers=watchers(Settings(sentry_dsn=SecretStr(dsn))))
        fault = ValueError(SAID)
        structlog.get_logger().error("turn_given_up", turn="t1", exc_info=fault, text="Dana")
        structlog.get_logger().warning("lease_lost", conversation="c1")
        sentry_sdk.flush(5)
        sentry_sdk.get_client().close()
        sentry_sdk.init()

    told = b"".join(got).decode()
    assert "ValueError" in told
    assert '"turn": "t1"' in told or '"turn":"t1"' in told
    assert "lease_lost" not in told
    written = capsys.readouterr().err
    assert "ValueError" in written
    assert not [secret for secret in (*SECRETS, "Dana") if secret in told + written]


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("019ad2f0-7c1e-7b3a-9d55-0123456789ab", "019ad2f0-7c1e-7b3a-9d55-0123456789ab"),
        ("2026-12-01T07:20:00Z", "2026-12-01T07:20:00Z"),
        ({"body": "שלום דנה", "n": 3}, {"body": "[left out]", "n": 3}),
        (["call 0541234567"], ["call [phone]"]),
        ("x" * 600, "x" * 500 + "..."),
    ],
)
def test_only_what_names_somebody_is_taken_out(value: Any, left: Any) -> None:  # noqa: ANN401 - JSON
    assert scrubbed(value) == left


def test_what_is_scrubbed_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr(as_json=True)
    structlog.get_logger().info("said", text="Dana Levi", to="+972541234567", seconds=0.5)
    line = json.loads(capsys.readouterr().err)
    assert (line["text"], line["to"], line["seconds"]) == ("[left out]", "[phone]", 0.5)


def test_a_line_goes_to_the_stderr_of_its_time() -> None:
    with contextlib.redirect_stderr(io.StringIO()) as lent:
        log_to_stderr(as_json=True)
        lent.close()
    with contextlib.redirect_stderr(io.StringIO()) as now:
        structlog.get_logger().warning("after_a_command")
        assert "after_a_command" in now.getvalue()
