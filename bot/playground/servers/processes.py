"""Processes of an instance found by where they run, whoever started them and whatever is recorded.

A server's working directory is its data folder. So a process counts as ours only if it really is:
a stale pid file, a reused pid or a zombie never does.
"""

import signal
import time
from pathlib import Path

import psutil

NAMES = ("postgres", "valkey-server")
GONE_SECONDS = 10


def running_in(folder: Path) -> list[psutil.Process]:
    """Return the servers' processes whose working directory is the folder."""
    wanted = str(folder.resolve())
    return [
        process
        for process in psutil.process_iter(["name", "cwd"])
        if process.info["name"] in NAMES and process.info["cwd"] == wanted
    ]


def kill_leftovers(folder: Path) -> int:
    """Kill what still runs in a data folder and return how many processes it was.

    Killing is safe for the rows (both servers recover from their logs) and the only sure way:
    PostgreSQL's children outlive a killed parent and block the next one while they do.
    """
    found = running_in(folder)
    for process in found:
        send(process, signal.SIGKILL)
    limit = time.monotonic() + GONE_SECONDS
    while running_in(folder) and time.monotonic() < limit:
        time.sleep(0.01)
    return len(found)


def send(process: psutil.Process, number: signal.Signals) -> None:
    try:
        process.send_signal(number)
    except psutil.NoSuchProcess:
        return
