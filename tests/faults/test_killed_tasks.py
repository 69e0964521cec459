"""Long work in the background: its worker is killed with -9, another one goes on within 15 s."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from time import monotonic

import pytest

from app.core.settings import Settings
from bot.operations.working import Working, work_heavily
from bot.wiring import Wiring
from tests.errands import booked, crowd, with_errands
from tests.faults.victims import kill
from tests.floor import Gym, Phone, call, within
from tests.leftovers import end_leftovers
from tools.kit.background import CHUNK
from tools.kit.models import BackgroundTask, TaskState

pytestmark = [pytest.mark.faults, pytest.mark.long]

GOES_ON_S = 15
COUNT = 4 * CHUNK + 3


def all_in_one(settings: Settings) -> None:
    """As on one small machine: turns, the pulse and the heavy jobs in one process."""
    working = Working(with_errands(Wiring(settings)), 4, heavy=True)
    working.start()
    multiprocessing.Event().wait()


def without_heavy(settings: Settings) -> None:
    working = Working(with_errands(Wiring(settings)), 4)
    working.start()
    multiprocessing.Event().wait()


def heavy(settings: Settings) -> None:
    work_heavily(with_errands(Wiring(settings)))


@contextmanager
def process(target: Callable[[Settings], None], settings: Settings) -> Iterator[ForkServerProcess]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["bot.operations.working", "bot.model.adapter"])
    victim = context.Process(target=target, args=(settings,), daemon=target is not heavy)
    victim.start()
    try:
        yield victim
    finally:
        kill(victim)


@pytest.fixture
def phone(bare_gym: Gym, database_url: str, redis_url: str) -> Phone:
    end_leftovers(database_url, redis_url)
    bare_gym.working = False
    phone = bare_gym.linked()
    bare_gym.working = True
    return phone


def asks(gym: Gym, phone: Phone, **more: object) -> None:
    where = crowd(gym.studio, COUNT)
    asked = call("errands.book_all", class_session_id=where, **more)
    gym.says(("book them", [asked, {"say": "On it."}]))
    phone.writes("book them")


def task(gym: Gym) -> BackgroundTask | None:
    with gym.db.transaction(gym.org_id) as session:
        return session.query(BackgroundTask).one_or_none()


def done(gym: Gym) -> int:
    found = task(gym)
    return found.done if found else 0


def all_is_there_once(gym: Gym, phone: Phone) -> None:
    within(30, lambda: (found := task(gym)) and found.state is TaskState.DONE)
    gym.settle()
    assert len(set(booked(gym.studio))) == len(booked(gym.studio)) == COUNT
    assert "\n".join(phone.got()).count(f"{COUNT} members") == 1
    assert phone.says("UNDO 1")[0].startswith("Undone")
    assert booked(gym.studio) == []


def test_a_killed_process_is_replaced_and_goes_on_behind_the_last_chunk(
    bare_gym: Gym, phone: Phone
) -> None:
    settings = bare_gym.stage.wiring.settings
    with process(all_in_one, settings) as victim:
        asks(bare_gym, phone, pause_ms=20)
        within(40, lambda: done(bare_gym) >= CHUNK)
        kill(victim)
    before = done(bare_gym)
    assert CHUNK <= before < COUNT
    assert len(booked(bare_gym.studio)) == before
    with process(all_in_one, settings):
        begun = monotonic()
        within(2 * GOES_ON_S, lambda: done(bare_gym) > before)
        assert monotonic() - begun < GOES_ON_S
        all_is_there_once(bare_gym, phone)


def test_a_job_that_dies_in_the_middle_of_a_chunk_leaves_nothing_of_it(
    bare_gym: Gym, phone: Phone, tmp_path: Path
) -> None:
    """In its own process, as production has it: the forking worker lives on."""
    settings = bare_gym.stage.wiring.settings
    mark = tmp_path / "died"
    with process(without_heavy, settings), process(heavy, settings):
        asks(bare_gym, phone, dies_at=f"N{CHUNK + 7}", mark=str(mark))
        within(40, mark.exists)
        begun = monotonic()
        assert (done(bare_gym), len(booked(bare_gym.studio))) == (CHUNK, CHUNK)
        within(2 * GOES_ON_S, lambda: done(bare_gym) > CHUNK)
        assert monotonic() - begun < GOES_ON_S
        all_is_there_once(bare_gym, phone)
