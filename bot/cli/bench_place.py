"""Where it is measured: durable servers, a gym, and processes as `spotter run` starts them."""

import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

import psutil

from app.core import migrate
from app.core.actor import Actor, Role
from app.core.db import as_org
from app.core.ids import new_id
from app.core.settings import Settings, environment
from app.people import service as people
from app.people.service import NewUser
from app.schedule import service as schedule
from app.schedule.service import NewClassType
from app.studio import service as studio
from app.studio.service import NewOrg
from bot.cli.bench_child import end
from bot.cli.children import web_line
from bot.cli.stage import ACCOUNT, STAFF_WHATSAPP, UNPAID
from bot.playground.servers import private_servers
from bot.wiring import Wiring

COACHES: Final = 10
READY_S: Final = 60.0
TOKEN: Final = "bench-token"  # noqa: S105 - signs nothing outside of this machine


@dataclass(frozen=True, slots=True)
class Place:
    """`env` is what every process is started with; addresses of web and model are added to it."""

    settings: Settings
    env: dict[str, str]
    wiring: Wiring
    org_id: UUID
    coaches: tuple[Actor, ...]
    fast: bool
    others: float
    """How much of the machine was used before anything of ours was."""

    @property
    def conditions(self) -> tuple[str, ...]:
        commits = "without fsync" if self.fast else "durable commits (fsync, synchronous_commit on)"
        return (
            f"PostgreSQL of its own, {commits}",
            "Redis of its own, AOF everysec",
            f"{psutil.cpu_count()} cores, shared with load and servers",
            f"{self.others:.0%} of them busy with other things just before",
        )


@dataclass(frozen=True, slots=True)
class Web:
    port: int
    process: psutil.Process

    def cpu_s(self) -> float:
        return cpu_s(self.process)


@contextmanager
def open_place(*, fast: bool = False) -> Iterator[Place]:
    """`fast` gives up durability: for tests of the bench itself, never for figures."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        servers = stack.enter_context(private_servers(folder / "servers", fast=fast))
        migrate.upgrade(servers.database_url)
        told = {
            "DATABASE_URL": servers.database_url,
            "REDIS_URL": servers.redis_url,
            "SECRET_KEY": "bench-secret-of-32-characters-long",
            "TWILIO_ACCOUNT_SID": ACCOUNT,
            "TWILIO_AUTH_TOKEN": TOKEN,
            "TWILIO_STAFF_WHATSAPP": STAFF_WHATSAPP,
            "ANTHROPIC_API_KEY": "bench",
            "CAP_LITE_MICROS": str(UNPAID),
            "QUICK_ROUTE": "false",
        }
        settings = Settings.of(told)
        wiring = Wiring(settings)
        stack.callback(wiring.db.engine.dispose)
        org_id, coaches = _gym(wiring)
        others = psutil.cpu_percent(0.1 if fast else 1.0) / 100
        yield Place(settings, environment() | told, wiring, org_id, coaches, fast, others)


def _gym(wiring: Wiring) -> tuple[UUID, tuple[Actor, ...]]:
    org_id = new_id()
    with wiring.db.platform() as session:
        users = [people.create_user(session, NewUser(f"Coach {n}")) for n in range(COACHES)]
        with as_org(session, org_id):
            studio.create_org(session, org_id, NewOrg("Gym", "bench", language="en"))
            for n, user_id in enumerate(users):
                people.add_staff(session, org_id, user_id, name=f"Coach {n}", role=Role.COACH)
            for name in ("WOD", "Open gym", "Weightlifting", "Yoga", "Kids", "Endurance"):
                schedule.create_class_type(session, org_id, NewClassType(name, capacity=12))
    coaches = (Actor(org_id, user, Role.COACH, name="Coach", language="en") for user in users)
    return org_id, tuple(coaches)


@contextmanager
def web(place: Place, app: str = "wsgi:app", kind: Sequence[str] = ()) -> Iterator[Web]:
    """A web process that answers; `kind` are options of gunicorn that `spotter run` hasn't."""
    port = free_port()
    env = place.env | {"PUBLIC_BASE_URL": base_url(port)}
    line = [*web_line("127.0.0.1", port, app), *kind]
    with running(line, env) as process:
        await_answer(port)
        yield Web(port, process)


@contextmanager
def running(line: Sequence[str], env: dict[str, str]) -> Iterator[psutil.Process]:
    """A child process that is ended, whatever happens."""
    child = psutil.Popen(line, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        yield child
    finally:
        end(child)


def await_answer(port: int) -> None:
    until = time.monotonic() + READY_S
    while True:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n")
            if line.recv(12).startswith(b"HTTP/1.1"):
                return
        if time.monotonic() > until:
            raise RuntimeError("nothing answers")
        time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def base_url(port: int) -> str:
    return f"http://127.0.0.1:{port}"


def cpu_s(process: psutil.Process) -> float:
    """Seconds that a process and its children have used so far."""
    all_ = [process, *process.children(recursive=True)]
    used: float = sum(one.cpu_times().user + one.cpu_times().system for one in all_)
    return used


def pss_mb(process: psutil.Process) -> float:
    """Memory with shared pages counted in part, of a process and its children. Linux only."""
    all_ = [process, *process.children(recursive=True)]
    return sum(_pss_kb(one.pid) for one in all_) / 1024


def _pss_kb(pid: int) -> int:
    text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
