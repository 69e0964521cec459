"""A child process that is spoken with in lines of JSON, and ended whatever happens."""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psutil

PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Child:
    process: psutil.Popen
    _lines: queue.SimpleQueue[str]

    def tell(self, message: Any) -> None:  # noqa: ANN401 - any JSON
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def hear(self) -> Any:  # noqa: ANN401 - any JSON
        """The next line. Raises queue.Empty where none comes."""
        return json.loads(self._lines.get(timeout=PATIENCE_S))

    def end_of_talk(self) -> None:
        self.process.stdin.close()


@contextmanager
def child(env: Mapping[str, str], module: str, *arguments: str) -> Iterator[Child]:
    """`python -m module`, its standard output read as it comes."""
    process = psutil.Popen(
        [sys.executable, "-m", module, *arguments],
        env=dict(env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(process, lines))
    reader.start()
    try:
        yield Child(process, lines)
    finally:
        end(process)
        reader.join()
        process.stdin.close()
        process.stdout.close()


def _read(process: psutil.Popen, lines: queue.SimpleQueue[str]) -> None:
    for line in process.stdout:
        lines.put(line)


def end(process: psutil.Popen) -> None:
    """Ask it to end, then make it."""
    process.terminate()
    try:
        process.wait(15)
    except psutil.TimeoutExpired:
        process.kill()
        process.wait()
