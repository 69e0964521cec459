"""What is told of a turn, to whom, and that nobody can be known by it."""

import contextlib
import gzip
import io
import json
import logging
import threading
import time
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
        ("1764573600123-0 after 0.123456789 s", "1764573600123-0 after 0.123456789 s"),
        ("postgresql://spotter:p@ss@db/x", "postgresql://[login]@db/x"),
        ({"972541234567": {1}, "דנה": b"054-1234567"}, {"[phone]": [1], "[words]": "[phone]"}),
        ({"error": ValueError("dana@example.com")}, {"error": "ValueError: [e-mail]"}),
        ("GET /api/v1/members?q=Dana+Levi 200", "GET /api/v1/members?[left out] 200"),
        ("it can't be kept, since it isn't whole", "it can't be kept, since it isn't whole"),
        ("KeyError: 'first_name'", "KeyError: 'first_name'"),
        ("no time zone 'Dana Levi'", "no time zone '[left out]'"),
    ],
)
def test_only_what_names_somebody_is_taken_out(value: Any, left: Any) -> None:  # noqa: ANN401 - JSON
    assert scrubbed(value) == left


@pytest.mark.parametrize(
    "phone",
    [
        "972541234567",
        "00972541234567",
        "+972 (54) 123-4567",
        "(054) 123-4567",
        "054\u2013123\u20134567",
        "+972\u00a054\u00a01234567",
        "\u2066+972 54-123-4567\u2069",
        "8 916 123-45-67",
        "+7 (916) 123-45-67",
        "0 5 4 1 2 3 4 5 6 7",
        "+\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668\u0669\u0660",
        "%2B972541234567",
    ],
)
def test_a_phone_is_one_however_it_is_written(phone: str) -> None:
    for around in ("{}", "whatsapp:{}", "to={}&x=1", "call {}, now", 'Key "{}" exists'):
        left = scrubbed(around.format(phone))
        assert sum(one.isdigit() for one in left) <= 1, left


@pytest.mark.parametrize(
    "text",
    [
        "dana%40example.com",
        "?next=/x&email=dana@example.com",
        "דנה לוי",
        "Дана Леви не найдена",
        "%D7%93%D7%A0%D7%94+%D7%9C%D7%95%D7%99",
        r"\u05d3\u05e0\u05d4",
        r"b'\xd7\x93\xd7\xa0\xd7\x94'",
        "[parameters: {'first_name': 'dana'}]\n(Background on this error)",
        "DETAIL:  Failing row contains (1, dana\nof two lines, null).\n[SQL: INSERT]",
        "first_name\n  too short [type=x, input_value='dana', input_type=str]",
        "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkYW5hIn0.c2lnbmF0dXJl",
    ],
)
def test_a_person_is_told_in_no_spelling(text: str) -> None:
    left = scrubbed(text).lower()
    told = ("dana", "two lines", "דנה", "дана", "d7", "05d3", "eyj", "леви", "לוי")
    assert not [one for one in told if one in left], left


@pytest.mark.parametrize(
    "piece", ["a", "a.", "0 ", "1-23", "%D7", "eyJ", "'", "\\x", "a:", "DETAIL: "]
)
def test_no_text_takes_long(piece: str) -> None:
    began = time.perf_counter()
    scrubbed(piece * (200_000 // len(piece)))
    assert time.perf_counter() - began < 2


def test_what_libraries_log_goes_the_same_way(capsys: pytest.CaptureFixture[str]) -> None:
    with collector() as (url, got):
        dsn = url.replace("http://", "http://key@") + "/1"
        log_to_stderr(as_json=True, watchers=watchers(Settings(sentry_dsn=SecretStr(dsn))))
        for name in ("app.web.errors", "rq.worker"):
            logging.getLogger(name).error("failed at %s", SAID, exc_info=ValueError(SAID))
        sentry_sdk.flush(5)
        sentry_sdk.get_client().close()
        sentry_sdk.init()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["logger"] for line in lines] == ["app.web.errors", "rq.worker"]
    assert all("ValueError" in line["exception"] for line in lines)
    told = b"".join(got).decode()
    assert told.count('"ValueError"') == len(lines)
    written = json.dumps(lines, ensure_ascii=False)
    assert not [secret for secret in SECRETS if secret in told + written]


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
