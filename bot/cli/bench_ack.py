"""How fast a WhatsApp message is acknowledged: at a rate, beside open streams, and at most."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final
from urllib.parse import urlencode
from uuid import uuid4

from sqlalchemy import func, select
from twilio.request_validator import RequestValidator

from app.core.clock import Clock
from app.web.tokens import issue_token
from bot.cli.bench_child import child
from bot.cli.bench_figures import Baseline, Figure, median, quantile
from bot.cli.bench_place import TOKEN, Place, Web, base_url, web
from bot.cli.stage import ACCOUNT, STAFF_WHATSAPP
from bot.conversation.models import InboundEvent

PATH: Final = "/hooks/twilio/inbound"
BARE: Final = "bot.cli.bench_bare:bare()"
SENDERS: Final = 1_000
AT_ONCE: Final = 16


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured; the smallest is for tests."""

    rate: float = 300.0
    seconds: float = 10.0
    streams: int = 200
    rounds: int = 5
    round_s: float = 2.0
    most_per_s: int = 2_500
    """Requests prepared for each second of a round; where they run out the round is shorter."""


@dataclass(frozen=True, slots=True)
class Load:
    """What the load's process has measured."""

    latencies_ms: list[float]
    late_ms: list[float]
    answers: dict[str, int]
    seconds: float
    cpu_s: float
    web_cpu_s: float

    @property
    def per_second(self) -> float:
        return len(self.latencies_ms) / self.seconds

    @property
    def web_us(self) -> float:
        """CPU of the web process for one request."""
        return self.web_cpu_s / len(self.latencies_ms) * 1e6

    def told(self) -> str:
        answers = ", ".join(f"{count} x {answer}" for answer, count in self.answers.items())
        late = quantile(self.late_ms, 0.99)
        core = self.cpu_s / self.seconds
        return f"answered {answers}; load late by {late:.1f} ms at p99, with {core:.0%} of a core"


def ack(place: Place, size: Size, kind: Sequence[str] = ()) -> Iterator[Figure]:
    """p50 and p99 at a rate: alone against a bare handler, beside streams against alone."""
    count = int(size.rate * size.seconds)
    with web(place, BARE, kind) as server:
        bare = at_rate(server, size, count)
    with web(place, kind=kind) as server:
        stored = rows(place)
        alone = at_rate(server, size, count)
        with holding(place, server, size.streams) as held:
            beside = at_rate(server, size, count)
        stored = rows(place) - stored
    how = (
        f"POST {PATH} at {size.rate:g}/s for {size.seconds:g} s, open loop, arriving at random",
        "a new connection for each",
        *_served(place, kind),
    )
    what = "a bare Flask handler that only checks the signature, under the same load"
    yield from _shares("ack.alone", alone, (*how, alone.told()), bare, what)
    streams = f"{held[0]} event streams open on the same processes, {held[-1]} to the end"
    told = (*how, streams, beside.told(), f"rows stored in both runs: {stored}")
    yield from _shares("ack.streams", beside, told, alone, "without the streams, same processes")


def _served(place: Place, kind: Sequence[str]) -> tuple[str, ...]:
    return (
        f"gunicorn -w 2 {' '.join(kind)}" if kind else "gunicorn -w 2 -k gevent, as spotter run",
        "signature, rate limit, row and job included; no worker beside",
        *place.conditions,
    )


def _shares(name: str, load: Load, how: Sequence[str], base: Load, what: str) -> Iterator[Figure]:
    for part in (0.5, 0.99):
        yield Figure(
            name=f"{name}.p{part * 100:g}",
            value=quantile(load.latencies_ms, part),
            unit="ms",
            samples=load.latencies_ms,
            conditions=how,
            baseline=Baseline(quantile(base.latencies_ms, part), what, base.latencies_ms),
        )


def throughput(place: Place, size: Size, kind: Sequence[str] = ()) -> Iterator[Figure]:
    """Acknowledgements a second with many under way, ours and the bare handler's in turns."""
    count = int(size.round_s * size.most_per_s)
    ours: list[Load] = []
    bare: list[Load] = []
    with web(place, kind=kind) as server, web(place, BARE, kind) as other:
        for _ in range(size.rounds):
            bare.append(at_most(other, size, count))
            ours.append(at_most(server, size, count))
    how = (
        f"closed loop, {AT_ONCE} connections at once, a new one for each request",
        f"{size.rounds} rounds of {size.round_s:g} s in turns, medians",
        *_served(place, kind),
        ours[-1].told(),
    )
    yield _medians("ack.throughput", "1/s", how, ours, bare)
    yield _medians("ack.web_cpu", "us a request", how, ours, bare)


def _medians(
    name: str, unit: str, how: Sequence[str], ours: list[Load], bare: list[Load]
) -> Figure:
    mine, base = ([_of(one, unit) for one in loads] for loads in (ours, bare))
    what = "a bare Flask handler that only checks the signature, same gunicorn"
    return Figure(name, median(mine), unit, mine, how, Baseline(median(base), what, base))


def _of(load: Load, unit: str) -> float:
    return load.per_second if unit == "1/s" else load.web_us


def at_rate(server: Web, size: Size, count: int) -> Load:
    load(server, {"requests": messages(server.port, 50), "at_once": 4})
    return load(server, {"requests": messages(server.port, count), "rate": size.rate})


def at_most(server: Web, size: Size, count: int) -> Load:
    plan = {"at_once": AT_ONCE, "seconds": size.round_s}
    return load(server, {**plan, "requests": messages(server.port, count)})


def load(server: Web, plan: dict[str, object]) -> Load:
    given = json.dumps({"port": server.port, **plan})
    line = [sys.executable, "-m", "bot.cli.bench_load"]
    before = server.cpu_s()
    done = subprocess.run(line, input=given, capture_output=True, text=True, check=True)
    return Load(**json.loads(done.stdout), web_cpu_s=server.cpu_s() - before)


def messages(port: int, count: int) -> list[str]:
    """Signed requests as Twilio sends them, each message another, from many phones."""
    return list(islice((_message(port, n) for n in cycle(range(SENDERS))), count))


def _message(port: int, sender: int) -> str:
    sid, phone = f"SM{uuid4().hex}", f"97254{sender:07}"
    form = {
        "ApiVersion": "2010-04-01",
        "SmsStatus": "received",
        "SmsMessageSid": sid,
        "SmsSid": sid,
        "MessageSid": sid,
        "AccountSid": ACCOUNT,
        "NumMedia": "0",
        "NumSegments": "1",
        "From": f"whatsapp:+{phone}",
        "To": STAFF_WHATSAPP,
        "WaId": phone,
        "ProfileName": "Noa",
        "MessageType": "text",
        "ReferralNumMedia": "0",
        "ExternalUserId": f"whatsapp:IL.{phone}",
        "Forwarded": "false",
        "FrequentlyForwarded": "false",
        "ChannelMetadata": json.dumps(
            {"type": "whatsapp", "data": {"context": {"ProfileName": "Noa", "WaId": phone}}}
        ),
        "Body": "Who is in the class at six tomorrow, and is there room for one more?",
    }
    signature = RequestValidator(TOKEN).compute_signature(base_url(port) + PATH, form)
    body = urlencode(form)
    head = [
        f"POST {PATH} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Content-Type: application/x-www-form-urlencoded; charset=UTF-8",
        f"Content-Length: {len(body)}",
        f"X-Twilio-Signature: {signature}",
        "User-Agent: TwilioProxy/1.1",
        "Accept: */*",
        "Connection: close",
    ]
    return "\r\n".join([*head, "", body])


@contextmanager
def holding(place: Place, server: Web, count: int) -> Iterator[list[int]]:
    """Streams of people held open; gives how many, and once more at the end how many still."""
    requests = [_stream(place, n) for n in range(count)]
    with child(place.env, "bot.cli.bench_holding") as holder:
        holder.tell({"port": server.port, "requests": requests})
        held = [holder.hear()["open"]]
        yield held
        holder.end_of_talk()
        held.append(holder.hear()["open"])


def _stream(place: Place, n: int) -> str:
    person = place.coaches[n % len(place.coaches)]
    token = issue_token(place.settings, person, now=Clock().now())
    head = [
        "GET /api/v1/chat/events HTTP/1.1",
        "Host: bench",
        f"Authorization: Bearer {token}",
        "Accept: text/event-stream",
    ]
    return "\r\n".join([*head, "", ""])


def rows(place: Place) -> int:
    with place.wiring.db.platform() as session:
        return session.scalar(select(func.count()).select_from(InboundEvent)) or 0
