"""Locks between processes: held by an open file, so that the kernel drops them with the process.

flock and not pids: a pid may be reused, and a killed process can't cross itself off a list.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def take(path: Path, *, shared: bool = False) -> IO[str]:
    """Wait for a lock and return the file that holds it until it is closed."""
    file = path.open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    except BaseException:
        file.close()
        raise
    return file


def try_take(path: Path) -> IO[str] | None:
    """Return the file that holds the lock, or None where somebody else does."""
    file = path.open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with take(path):
        yield


def is_locked(path: Path) -> bool:
    """Return whether anybody holds the lock, shared or not."""
    file = try_take(path)
    if file is None:
        return True
    file.close()
    return False
