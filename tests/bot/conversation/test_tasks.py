"""A task of the background in a chat: begun, told at its end, stopped, taken back."""

from collections.abc import Iterator
from uuid import UUID

import pytest

from bot.cli.stage import Stage
from bot.conversation.run import run_conversation
from tests.errands import booked, crowd, with_errands
from tests.faults.page import Page
from tests.floor import Gym, Phone, call, within
from tools.kit import background
from tools.kit.background import CHUNK
from tools.kit.models import BackgroundTask, TaskState

COUNT = 2 * CHUNK + 5
BEGUN = "Started: 45 in all. I'll tell you when it is done."


@pytest.fixture(autouse=True)
def _errands(opened: Stage) -> Iterator[None]:
    known = vars(opened.wiring)
    before = {name: known.get(name) for name in ("registry", "tasks")}
    known.pop("tasks", None)
    with_errands(opened.wiring)
    yield
    known.update({name: one for name, one in before.items() if one is not None})
    if before["tasks"] is None:
        known.pop("tasks", None)


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


@pytest.fixture
def class_session_id(gym: Gym) -> UUID:
    found = crowd(gym.studio, COUNT)
    asked = call("errands.book_all", class_session_id=found)
    gym.says(("book them", [asked, {"say": "On it."}]))
    return found


def begin(gym: Gym, phone: Phone) -> BackgroundTask:
    """Let the turn run, and only that."""
    phone.writes("book them")
    gym.work_inbound()
    (conversation,) = gym.conversations()
    run_conversation(gym.stage.wiring.parts, gym.org_id, conversation.id)
    return task_of(gym)


def task_of(gym: Gym) -> BackgroundTask:
    (task_id,) = gym.tasks_under_way()
    with gym.db.transaction(gym.org_id) as session:
        return session.get_one(BackgroundTask, task_id)


def advance(gym: Gym, task: BackgroundTask) -> None:
    wiring = gym.stage.wiring
    with gym.db.transaction(gym.org_id) as session:
        moved = background.advance(session, wiring.registry, task.id)
        wiring.tasks.moved(session, moved)


@pytest.mark.usefixtures("class_session_id")
def test_the_end_is_told_where_it_was_asked_with_its_undo(gym: Gym, phone: Phone) -> None:
    begun, done = phone.says("book them")
    assert BEGUN in begun
    assert "45 members" in done
    assert "UNDO 1" in done
    assert len(set(booked(gym.studio))) == len(booked(gym.studio)) == COUNT
    assert phone.says("UNDO 1")[0].startswith("Undone")
    gym.settle()
    assert phone.got() == []


@pytest.mark.usefixtures("class_session_id")
def test_stop_ends_it_and_says_how_far_it_got(gym: Gym, phone: Phone) -> None:
    task = begin(gym, phone)
    advance(gym, task)
    phone.got()

    (told,) = phone.says("stop")

    assert "20 members" in told
    assert "Stopped after 20 of 45." in told
    assert "UNDO 1" in told
    assert len(booked(gym.studio)) == CHUNK
    assert phone.says("stop") != [told]


@pytest.mark.usefixtures("class_session_id")
def test_undo_while_it_runs_stops_it_and_takes_all_back(gym: Gym, phone: Phone) -> None:
    advance(gym, begin(gym, phone))
    phone.got()
    (told,) = phone.says("undo")
    assert told.startswith("Undone")
    assert (booked(gym.studio), gym.tasks_under_way()) == ([], [])


@pytest.mark.usefixtures("class_session_id")
def test_whoever_has_left_hears_nothing(gym: Gym, phone: Phone) -> None:
    task = begin(gym, phone)
    phone.got()
    gym.dismiss(gym.owner.role)
    gym.settle()
    assert phone.got() == []
    with gym.db.transaction(gym.org_id) as session:
        assert session.get_one(BackgroundTask, task.id).state is TaskState.FAILED


@pytest.mark.usefixtures("class_session_id")
def test_pages_see_how_far_it_is_and_can_stop_it(gym: Gym, phone: Phone) -> None:
    task = begin(gym, phone)
    page = Page(gym, gym.owner)
    watching = page.watch("/chat/events")
    advance(gym, task)
    within(5, lambda: watching.named("task_progress"))
    first = watching.named("task_progress")[0]["value"]
    assert (first["state"], first["done"], first["total"]) == ("running", CHUNK, COUNT)
    assert first["view"]["lines"] == ["Under way: 20 of 45"]
    assert first["view"]["task_id"] == str(task.id)

    path = f"/background-tasks/{task.id}"
    first["label"] = "errands.book_all"  # the web was made before this test's tool
    assert page.get(path).json() == first
    assert page.get("/background-tasks").json() == {"tasks": [first]}
    coach = Page(gym, gym.studio.coach)
    assert coach.get(path).status_code == coach.post(f"{path}/cancel").status_code == 404
    assert coach.get("/background-tasks").json() == {"tasks": []}

    stopped = page.post(f"{path}/cancel").json()

    assert (stopped["state"], stopped["view"]["kind"]) == ("cancelled", "done")
    assert stopped["view"]["undo"]["call_id"] == str(task.call_id)
    within(5, lambda: watching.named("task_progress")[-1]["value"] == stopped)
    watching.close()
    assert page.post(f"{path}/cancel").json() == stopped
    gym.settle()
    assert "Stopped after 20 of 45." in phone.got()[-1]
    assert len(booked(gym.studio)) == CHUNK
