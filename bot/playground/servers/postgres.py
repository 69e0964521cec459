"""PostgreSQL of the wheel: its cluster in one folder, reached over 127.0.0.1 with a password."""

import shutil
import signal
import subprocess
from pathlib import Path
from typing import IO

from bot.playground.servers.server import ENVIRONMENT, Server, StartFailedError

OWNER = "spotter"
"""The login that owns the schema, and the name of its database."""
FAST = ("fsync=off", "full_page_writes=off")
"""Not synchronous_commit=off: with it a killed server forgets what it has acknowledged."""
SETTINGS = ("unix_socket_directories=", "max_connections=200", "timezone=UTC", "log_timezone=UTC")


class Postgres(Server):
    """Stops by SIGINT (fast: open transactions are rolled back), then SIGQUIT."""

    name = "postgres"
    stop_signals = (signal.SIGINT, signal.SIGQUIT)

    @property
    def folder(self) -> Path:
        return self.terms.place.postgres

    def prepare(self) -> None:
        if not self.folder.exists():
            self.initialize()
        # Nothing runs here, so this names a dead server or, its pid being reused, a stranger.
        (self.folder / "postmaster.pid").unlink(missing_ok=True)

    def initialize(self) -> None:
        """Make the cluster beside its place and move it there: a start may be killed half-way."""
        draft = self.folder.with_suffix(".new")
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        self.terms.account.own(draft)
        secret = self.terms.place.root / "password.new"
        secret.touch(mode=0o600)
        secret.write_text(self.terms.password)
        self.terms.account.own(secret)
        try:
            self.run_initdb(draft, secret)
        finally:
            secret.unlink()
        draft.rename(self.folder)

    def run_initdb(self, draft: Path, secret: Path) -> None:
        # The builtin provider sorts and folds Cyrillic and Hebrew alike on every machine and under
        # every LC_ALL; without it lower() does nothing to them in the C locale.
        command: list[str | Path] = [
            self.terms.binaries.initdb,
            *("-D", draft, "-U", OWNER, "--pwfile", secret, "--auth=scram-sha-256"),
            *("--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"),
        ]
        done = subprocess.run(
            [*command, "--no-sync"] if self.terms.fast else command,
            cwd=self.terms.place.root,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
            user=self.terms.account.user,
            group=self.terms.account.group,
            extra_groups=self.terms.account.extra_groups,
        )
        if done.returncode:
            raise StartFailedError("initdb", done.stderr)

    def spawn(self, port: int, output: IO[bytes]) -> subprocess.Popen[bytes]:
        settings = [*SETTINGS, *(FAST if self.terms.fast else ())]
        options = [part for setting in settings for part in ("-c", setting)]
        return subprocess.Popen(
            [
                self.terms.binaries.postgres,
                *("-D", self.folder, "-h", "127.0.0.1", "-p", str(port), *options),
            ],
            cwd=self.folder,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            user=self.terms.account.user,
            group=self.terms.account.group,
            extra_groups=self.terms.account.extra_groups,
        )

    def answers(self, port: int) -> bool:
        """Read the status line of postmaster.pid, as pg_ctl does: it needs no login."""
        try:
            text = (self.folder / "postmaster.pid").read_text()
        except FileNotFoundError:
            return False
        lines = [line.strip() for line in text.split("\n")]
        pid = self.process.pid if self.process else None
        return lines[:1] + lines[3:4] + lines[7:8] == [str(pid), str(port), "ready"]
