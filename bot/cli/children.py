"""Child processes of `spotter run`: started, watched, started again, and all gone at the end."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import structlog

PATIENCE_S = 12.0
_DEATH_SIGNAL = 1

_log = structlog.get_logger()


@dataclass
class Child:
    """One process of our own; one that dies is started again, a little later each time."""

    name: str
    command: Sequence[str]
    env: Mapping[str, str]
    deaths: int = 0
    started: float = 0.0
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            self.command,
            env={**self.env},
            preexec_fn=_die_with_parent,  # noqa: PLW1509 - it only makes two system calls
            stdin=subprocess.DEVNULL,
        )

    def look(self) -> None:
        """Start it again if it has died."""
        if self.process is None or self.process.poll() is None:
            return
        lived = time.monotonic() - self.started
        self.deaths = 0 if lived > PATIENCE_S else self.deaths + 1
        if lived > min(self.deaths, 5):
            _log.warning("child_died", name=self.name, code=self.process.returncode)
            self.start()

    def end(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)


@dataclass
class Children:
    all: list[Child] = field(default_factory=list)

    def add(self, name: str, command: Sequence[str], env: Mapping[str, str]) -> Child:
        child = Child(name, command, env)
        child.start()
        self.all.append(child)
        return child

    def look(self) -> None:
        for child in self.all:
            child.look()

    def end(self) -> None:
        """Ask all to end, in the reverse of their order; after a while, make them."""
        for child in reversed(self.all):
            child.end()
        until = time.monotonic() + PATIENCE_S
        for child in self.all:
            if child.process is None:
                continue
            try:
                child.process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.process.kill()
                child.process.wait()


def spotter(*arguments: str) -> list[str]:
    """The command line of one of our own commands."""
    return [sys.executable, "-m", "bot.cli.main", *arguments]


def web_line(host: str, port: int, app: str = "wsgi:app") -> list[str]:
    """The command line of the web group; options that follow it count in place of its own.

    Two processes: one has no room left on two cores that others use as well, at 300 webhooks/s.
    """
    server = [sys.executable, "-m", "gunicorn", app, "-k", "gevent", "-w", "2"]
    quiet = ["--graceful-timeout", "3", "--log-level", "warning"]
    return [*server, "-b", f"{host}:{port}", *quiet]


def _die_with_parent() -> None:
    """Where the kernel can (Linux), a child ends when we are killed.

    And Ctrl-C is for us alone to pass on.
    """
    os.setpgrp()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGTERM)
