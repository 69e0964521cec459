"""Worker processes that die by kill -9, at a place of the test's choosing."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.context import ForkServerProcess

from sqlalchemy.orm import Session

from app.core.settings import Settings
from bot.conversation.run import Setting
from bot.operations.working import work
from bot.wiring import Wiring
from tools.kit.calls import Call, CallRunner, Decision, Outcome, Question

THREADS = 16


@dataclass
class Deadly:
    """A runner whose process dies once a write is through, and before anybody hears of it."""

    inner: CallRunner

    def question(self, one: Call) -> Question | None:
        return self.inner.question(one)

    def reads(self, one: Call) -> bool:
        return self.inner.reads(one)

    def run(self, one: Call, decision: Decision | None = None) -> Outcome:
        outcome = self.inner.run(one, decision)
        if not outcome.moved and not self.inner.reads(one):
            os.kill(os.getpid(), signal.SIGKILL)
        return outcome

    def run_reads(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        return self.inner.run_reads(calls)


@contextmanager
def worker(settings: Settings, *, dies_after_write: bool = False) -> Iterator[ForkServerProcess]:
    """A worker process of its own; forked from a server that has everything imported."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["bot.operations.working", "bot.model.adapter"])
    process = context.Process(target=_work, args=(settings, dies_after_write), daemon=True)
    process.start()
    try:
        yield process
    finally:
        kill(process)


def kill(process: ForkServerProcess) -> None:
    """Kill -9, and see it gone."""
    if process.is_alive() and process.pid is not None:
        os.kill(process.pid, signal.SIGKILL)
    process.join(10)


def _work(settings: Settings, dies_after_write: bool) -> None:  # noqa: FBT001 - passed to a process
    wiring = Wiring(settings)
    if dies_after_write:
        _arm(wiring)
    work(wiring, THREADS)


def _arm(wiring: Wiring) -> None:
    runner_for = wiring.parts.runner_for

    def deadly(setting: Setting, guard: Callable[[Session], None]) -> CallRunner:
        return Deadly(runner_for(setting, guard))

    vars(wiring)["parts"] = replace(wiring.parts, runner_for=deadly)
