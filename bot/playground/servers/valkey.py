"""Valkey (speaks Redis) of the wheel: all it holds is in a file that is synced each second."""

import signal
import subprocess
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from redis import Redis
from redis.exceptions import RedisError

from bot.playground.servers.server import ENVIRONMENT, Server

DATABASES = 64
"""Numbered keyspaces: one for each process that tests."""


class Valkey(Server):
    """Stops by SIGTERM: the append-only file is written to its end."""

    name = "redis"
    stop_signals = (signal.SIGTERM,)

    @property
    def folder(self) -> Path:
        return self.terms.place.valkey

    def prepare(self) -> None:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self.terms.account.own(self.folder)

    def spawn(self, port: int, output: IO[bytes]) -> subprocess.Popen[bytes]:
        with TemporaryFile() as settings:
            settings.write(self.settings(port).encode())
            settings.seek(0)
            return subprocess.Popen(
                [self.terms.binaries.valkey, "-"],
                cwd=self.folder,
                env=ENVIRONMENT,
                stdin=settings,
                stdout=output,
                stderr=output,
                user=self.terms.account.user,
                group=self.terms.account.group,
                extra_groups=self.terms.account.extra_groups,
            )

    def settings(self, port: int) -> str:
        """Return the configuration, given on standard input: `ps` shows arguments to everybody."""
        return "\n".join(
            [
                "bind 127.0.0.1",
                f"port {port}",
                f"requirepass {self.terms.password}",
                f'dir "{self.folder}"',
                f"databases {DATABASES}",
                "appendonly yes",
                "appendfsync everysec",
                'save ""',
            ]
        )

    def answers(self, port: int) -> bool:
        with Redis(port=port, password=self.terms.password, socket_timeout=5) as client:
            try:
                return bool(client.ping())
            except RedisError:
                return False
