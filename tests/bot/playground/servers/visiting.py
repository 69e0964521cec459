"""Visitors of shared servers as processes of their own, and what is seen of the servers."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg

from bot.playground.servers.locks import is_locked
from bot.playground.servers.place import PROJECT, Place, enterable, read_json
from bot.playground.servers.processes import running_in

WAIT_SECONDS = 60
LENT = (
    "--inh-caps=+dac_override",
    "--ambient-caps=+dac_override",
    "--securebits=+no_setuid_fixup",  # else access() answers as if the right were not there
)


@dataclass(frozen=True, slots=True)
class Visitor:
    """A process inside `with shared_servers(folder)`."""

    process: subprocess.Popen[str]

    def addresses(self) -> dict[str, str]:
        """Wait until it is in; return the addresses it was given."""
        if self.process.stdout is None:
            raise AssertionError
        for line in self.process.stdout:
            if line.startswith("VISITS "):
                given: dict[str, str] = json.loads(line.removeprefix("VISITS "))
                return given
        raise AssertionError("it ended before it was in")

    def leave(self) -> int:
        """Let it end by itself; return its exit code."""
        self.process.communicate(timeout=WAIT_SECONDS)
        return self.process.returncode

    def end(self, number: signal.Signals) -> None:
        self.process.send_signal(number)
        self.process.communicate(timeout=WAIT_SECONDS)


def visit(
    folder: Path, *, user: int | None = None, env: Mapping[str, str] | None = None
) -> Visitor:
    """Start a visitor, as another account if asked."""
    command = [sys.executable, "-m", "tests.bot.playground.servers.visitor", str(folder)]
    process = subprocess.Popen(
        command if user is None else [*become(user), *command],
        cwd=PROJECT,
        env={**os.environ, **(env or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    return Visitor(process)


def become(user: int) -> list[str]:
    """Return what runs a command as an ordinary account.

    The interpreter or the clone may lie where only root can go; then the account is lent the right
    to read there. It stays an ordinary one for what matters: PostgreSQL sees that it isn't root.
    """
    reachable = enterable(PROJECT / "any") and enterable(Path(sys.executable).resolve())
    return [
        *("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"),
        *(() if reachable else LENT),
    ]


def everything_in(place: Place) -> list[psutil.Process]:
    return [*running_in(place.postgres), *running_in(place.valkey)]


def nothing_runs(place: Place) -> bool:
    return not everything_in(place) and not is_locked(place.keeper)


def eventually(condition: Callable[[], bool]) -> bool:
    limit = time.monotonic() + WAIT_SECONDS
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(0.05)
    return True


def postmaster(place: Place) -> psutil.Process:
    processes = running_in(place.postgres)
    pids = {process.pid for process in processes}
    return next(process for process in processes if process.ppid() not in pids)


def keeper_of(place: Place) -> psutil.Process:
    return psutil.Process(read_json(place.state)["pid"])


def connect(database_url: str) -> psycopg.Connection:
    return psycopg.connect(database_url.replace("+psycopg", ""), autocommit=True)
