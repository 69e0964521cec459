"""The folder of one instance: what lies where in it, and where it may lie at all."""

import hashlib
import json
import os
import secrets
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog

log = structlog.get_logger(__name__)

PROJECT = Path(__file__).parents[3]
SYSTEM_FOLDER = Path("/var/lib")
"""Where root puts what an account without rights must be able to reach."""


@dataclass(frozen=True, slots=True)
class Place:
    """Paths of one instance; the servers' account may pass through `root` and read none of it."""

    root: Path

    @property
    def postgres(self) -> Path:
        return self.root / "postgres"

    @property
    def valkey(self) -> Path:
        return self.root / "valkey"

    @property
    def own(self) -> Path:
        """What only we may see: locks, logs, the password."""
        return self.root / "own"

    @property
    def door(self) -> Path:
        """Locked while servers are being started, stopped or left."""
        return self.own / "door.lock"

    @property
    def users(self) -> Path:
        """Locked (shared) by every process that uses the servers; the kernel lets go at its end."""
        return self.own / "users.lock"

    @property
    def keeper(self) -> Path:
        """Locked by the one process whose children the servers are."""
        return self.own / "keeper.lock"

    @property
    def state(self) -> Path:
        """What the keeper says: its pid and which servers are down on purpose."""
        return self.own / "state.json"

    @property
    def held(self) -> Path:
        """What the keeper is told: which servers shall be down, and whether by 'stop' or 'kill'."""
        return self.own / "held.json"

    @property
    def ports(self) -> Path:
        return self.own / "ports.json"

    def log(self, name: str) -> Path:
        return self.own / f"{name}.log"

    def make(self) -> None:
        """Create the folder; as root others may pass through it, never list it."""
        self.root.mkdir(parents=True, exist_ok=True)
        self.root.chmod(0o711 if os.geteuid() == 0 else 0o700)
        self.own.mkdir(mode=0o700, exist_ok=True)

    def password(self) -> str:
        """Return the owner's password, made once and readable by its owner only."""
        path = self.own / "password"
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            return path.read_text()
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(24))
        return path.read_text()


def servers_folder(use: str, override: Path | None = None) -> Path:
    """Return where the project's servers for one use ('run', 'tests') keep their files.

    Args:
        use: Servers of different uses share nothing.
        override: Settings.spotter_data, in place of the project's own folder.
    """
    return (override or PROJECT / ".data").absolute() / use


def place_for(folder: Path) -> Place:
    """Return the place a folder stands for: as root, one that an account without rights can reach.

    A clone may lie under a folder that others can't enter, as root's home; then the files go to a
    folder of the system's own, named by the path asked for, and a link leads there. The modes of
    parents are left alone.
    """
    folder = folder.absolute()
    if os.geteuid() != 0 or (enterable(folder) and not folder.is_symlink()):
        return Place(folder)
    mark = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    moved = SYSTEM_FOLDER / f"spotter-{mark}"
    link(folder, moved)
    log.info("servers_folder_moved", asked=str(folder), used=str(moved), why="nobody can't enter")
    return Place(moved)


def link(folder: Path, moved: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        folder.symlink_to(moved)


def enterable(folder: Path) -> bool:
    """Return whether everybody may pass through all parents of a folder that exist."""
    parents = [parent for parent in folder.resolve().parents if parent.exists()]
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in parents)


def read_json(path: Path) -> dict[str, Any]:
    """Return what a file of the place says; nothing when it isn't there."""
    try:
        content: dict[str, Any] = json.loads(path.read_text())
    except FileNotFoundError:
        return {}
    return content


def write_json(path: Path, content: Mapping[str, object]) -> None:
    """Replace a file as a whole, so that no reader sees half of it."""
    draft = path.with_suffix(f".{os.getpid()}.new")
    draft.write_text(json.dumps(content))
    draft.replace(path)
