"""What a running Spotter leaves in its folder, so that other commands find it."""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Running:
    pid: int
    env: dict[str, str]
    """The settings of its processes, secrets too: the file is for its owner's eyes only."""
    org_id: str
    seed: int

    @property
    def org(self) -> UUID:
        return UUID(self.org_id)


def write(folder: Path, running: Running) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = _path(folder)
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_text(json.dumps(asdict(running)), encoding="utf-8")


def read(folder: Path) -> Running | None:
    """The one that runs now; None where none does."""
    with suppress(OSError, ValueError, TypeError):
        running = Running(**json.loads(_path(folder).read_text(encoding="utf-8")))
        os.kill(running.pid, 0)
        return running
    return None


def forget(folder: Path) -> None:
    _path(folder).unlink(missing_ok=True)


def _path(folder: Path) -> Path:
    return folder / "running.json"
