"""The load: a process of its own that sends prepared requests, each on a new connection.

    python -m bot.cli.bench_load < plan.json

It imports nothing of the product, so that it costs as little as can be beside what it measures.
"""

import asyncio
import gc
import json
import random
import resource
import socket
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from itertools import accumulate

PATIENCE_S = 20.0
_PIECE = 65_536


@dataclass(frozen=True, slots=True)
class Plan:
    """Open loop with a rate: arrivals at random, as strangers come.

    Else so many at once, each after its last.
    """

    port: int
    requests: list[str]
    """Whole requests, byte for byte in latin-1, that ask for the connection to be closed."""
    rate: float | None = None
    at_once: int = 16
    seconds: float | None = None
    """When to end, though requests are left."""


@dataclass(frozen=True, slots=True)
class Result:
    """`latencies_ms`.

    From when a request was due, not from when it was sent, to its answer's end.
    """

    latencies_ms: list[float]
    late_ms: list[float]
    """How late the load itself was in sending."""
    answers: dict[str, int]
    seconds: float
    cpu_s: float


@dataclass
class _Run:
    plan: Plan
    latencies: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)

    async def all(self) -> None:
        if self.plan.rate is None:
            await self._in_turns()
        else:
            await self._as_they_come(self.plan.rate)

    async def _as_they_come(self, rate: float) -> None:
        draw = random.Random(1)  # noqa: S311 - arrivals, the same in each run
        gaps = (draw.expovariate(rate) for _ in self.plan.requests)
        begun = time.perf_counter() + 0.05
        async with asyncio.TaskGroup() as tasks:
            for request, after in zip(self.plan.requests, accumulate(gaps), strict=True):
                await asyncio.sleep(begun + after - time.perf_counter())
                tasks.create_task(self._one(request.encode("latin-1"), begun + after))

    async def _in_turns(self) -> None:
        left = iter(self.plan.requests)
        until = time.perf_counter() + (self.plan.seconds or float("inf"))

        async def carry_on() -> None:
            for request in left:
                await self._one(request.encode("latin-1"), time.perf_counter())
                if time.perf_counter() > until:
                    return

        await asyncio.gather(*(carry_on() for _ in range(self.plan.at_once)))

    async def _one(self, request: bytes, due: float) -> None:
        self.late.append((time.perf_counter() - due) * 1e3)
        try:
            async with asyncio.timeout(PATIENCE_S):
                answer = await ask(self.plan.port, request)
        except (OSError, TimeoutError) as error:
            self.answers[type(error).__name__] += 1
        else:
            self.answers[answer[9:12].decode("latin-1")] += 1
        self.latencies.append((time.perf_counter() - due) * 1e3)


async def ask(port: int, request: bytes) -> bytes:
    """One request on a connection of its own, and all that is answered."""
    loop = asyncio.get_running_loop()
    with socket.socket() as connection:
        connection.setblocking(False)  # noqa: FBT003 - the socket's own signature
        await loop.sock_connect(connection, ("127.0.0.1", port))
        await loop.sock_sendall(connection, request)
        answer = b""
        while piece := await loop.sock_recv(connection, _PIECE):
            answer += piece
        return answer


def carry_out(plan: Plan) -> Result:
    gc.disable()
    run, begun = _Run(plan), time.perf_counter()
    asyncio.run(run.all())
    used = resource.getrusage(resource.RUSAGE_SELF)
    return Result(
        latencies_ms=run.latencies,
        late_ms=run.late,
        answers=dict(run.answers),
        seconds=time.perf_counter() - begun,
        cpu_s=used.ru_utime + used.ru_stime,
    )


if __name__ == "__main__":
    json.dump(asdict(carry_out(Plan(**json.load(sys.stdin)))), sys.stdout)
