"""Many things in one call: at once where they are few, else by chunks, and taken back whole."""

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.errors import NotAllowed, NotFound
from app.core.ids import new_id
from app.core.outbox import Outbox
from tests.tools.kit.conftest import Gym, at_once, call
from tests.tools.kit.sample.models import Deposit, Locker, Room
from tests.tools.kit.sample.service import Taken
from tools.kit import background, erasing, receipts
from tools.kit.background import CHUNK, Brought
from tools.kit.cards import Done, Failed, Progress, Undone
from tools.kit.declare import AT_ONCE, Outside
from tools.kit.models import AuditEntry, BackgroundTask, TaskState, ToolCall, TouchedRow
from tools.kit.undo import undo
from tools.kit.values import Count, Line, Name, Names

LONG = 2 * CHUNK + 5


def room_of(gym: Gym, count: int, **holders: str) -> UUID:
    """A room with so many lockers, some with somebody in them."""
    room_id = gym.make("rooms.create", name="North", capacity=count)
    with gym.db.transaction(gym.actor.org_id) as session:
        session.add_all(
            Locker(org_id=gym.actor.org_id, room_id=room_id, label=label, holder=holders.get(label))
            for label in (f"n{number}" for number in range(count))
        )
    return room_id


def begin(gym: Gym, room_id: UUID, tool: str = "lockers.hire_all") -> BackgroundTask:
    card = gym.run(tool, room_id=room_id, holder="Dana").card
    assert isinstance(card, Progress), card
    assert card.ref is not None
    return task_of(gym, card.ref.id)


def task_of(gym: Gym, task_id: UUID) -> BackgroundTask:
    task = gym.row(BackgroundTask, task_id)
    assert task is not None
    return task


def advance(gym: Gym, task: BackgroundTask, **more: Any) -> BackgroundTask:  # noqa: ANN401 - advance's keywords
    return gym.within(lambda session: background.advance(session, gym.registry, task.id, **more))


def finish(gym: Gym, task: BackgroundTask) -> BackgroundTask:
    while task.state.live:
        task = advance(gym, task)
    return task


def hired(gym: Gym) -> int:
    return sum(one.holder == "Dana" for one in gym.rows(Locker))


def card_of(gym: Gym, task: BackgroundTask) -> Progress | Done | Failed:
    return gym.within(lambda session: background.card_of(session, task_of(gym, task.id)))


def done_card(gym: Gym, task: BackgroundTask) -> Done:
    card = card_of(gym, task)
    assert isinstance(card, Done), card
    return card


def told(gym: Gym) -> int:
    return sum(row.topic == background.ENDED for row in gym.rows(Outbox))


def test_few_are_done_in_the_call_and_one_that_fails_is_named_and_leaves_nothing(gym: Gym) -> None:
    room_id = room_of(gym, AT_ONCE, n3="Noa", n7="Noa")

    card = gym.run("lockers.hire_all", room_id=room_id, holder="Dana").card

    assert isinstance(card, Done)
    assert card.values["done"] == Count(n=AT_ONCE - 2, of="lockers")
    assert card.values["credits"] == Count(n=50 * (AT_ONCE - 2), of="credits")
    (left_out,) = card.left_out
    assert left_out.names == Names(all=("n3", "n7"))
    assert left_out.why == Failed(code="taken", values={"holder": Name(text="Noa")})
    assert [hired(gym), len(gym.rows(Deposit))] == [AT_ONCE - 2] * 2
    assert gym.rows(Room)[0].hires == AT_ONCE - 2
    assert gym.rows(BackgroundTask) == []
    assert undo(gym.db, gym.registry, gym.actor, gym.last_call().id).ok
    assert hired(gym) == 0


def test_the_one_thing_that_fails_is_the_calls_failure(gym: Gym) -> None:
    card = gym.run("lockers.hire_all", room_id=room_of(gym, 1, n0="Noa"), holder="Dana").card
    assert card == Failed(code="taken", values={"holder": Name(text="Noa")})
    assert gym.rows(Deposit) == []


def test_many_are_done_chunk_by_chunk_and_told_once(gym: Gym) -> None:
    task = begin(gym, room_of(gym, LONG, n1="Noa", n30="Noa"))
    assert (hired(gym), task.state, task.total) == (0, TaskState.QUEUED, LONG)

    assert advance(gym, task).seen == CHUNK
    assert (hired(gym), told(gym)) == (CHUNK - 1, 0)
    card = card_of(gym, task)
    assert isinstance(card, Progress)
    assert (card.done, card.total) == (CHUNK, LONG)
    ended = finish(gym, task)

    assert (ended.state, ended.done, ended.failed) == (TaskState.DONE, LONG - 2, 2)
    done = done_card(gym, task)
    assert done.values["done"] == Count(n=LONG - 2, of="lockers")
    assert done.values["credits"] == Count(n=50 * (LONG - 2), of="credits")
    assert [one.names.all for one in done.left_out] == [("n1", "n30")]
    assert done.undo is not None
    assert advance(gym, task).done == LONG - 2
    assert [hired(gym), len(gym.rows(Deposit))] == [LONG - 2] * 2
    assert told(gym) == 1
    results = [row.result for row in gym.rows(AuditEntry) if row.tool == "lockers.hire_all"]
    assert results == ["begun", "done"]


def test_the_undo_takes_all_chunks_back_and_has_its_time_from_the_end_on(gym: Gym) -> None:
    room_id = room_of(gym, LONG)
    before = [(one.id, one.holder) for one in gym.rows(Locker)]
    task = finish(gym, begin(gym, room_id))
    with gym.db.transaction(gym.actor.org_id) as session:
        long_ago = update(ToolCall).where(ToolCall.id == task.call_id)
        session.execute(long_ago.values(created_at=task.created_at - receipts.AUDIT))
    assert gym.within(lambda session: receipts.by_number(session, gym.actor, 2)).id == task.call_id  # type: ignore[union-attr] # there is one

    outcome = undo(gym.db, gym.registry, gym.actor, task.call_id, where="word")

    assert outcome.card == Undone(of="lockers.hire_all", values=done_card(gym, task).values)
    assert [(one.id, one.holder) for one in gym.rows(Locker)] == before
    assert gym.rows(Room)[0].hires == 0
    assert sum(row.delta for row in gym.rows(Deposit)) == 0


def test_each_row_is_remembered_once_as_it_was_before_the_first_chunk(gym: Gym) -> None:
    task = finish(gym, begin(gym, room_of(gym, LONG)))
    touched = [row for row in gym.rows(TouchedRow) if row.call_id == task.call_id]
    (room,) = [row for row in touched if row.table_name == Room.__tablename__]
    assert room.before is not None
    assert room.before["hires"] == 0
    assert room.after == gym.rows(Room)[0].version
    assert len({(row.table_name, row.row_id) for row in touched}) == len(touched)


def test_what_somebody_changed_between_two_chunks_is_no_undos_to_overwrite(gym: Gym) -> None:
    room_id = room_of(gym, LONG)
    task = begin(gym, room_id)
    advance(gym, task)
    gym.run("rooms.update", room_id=room_id, name="South")
    finish(gym, task)

    outcome = undo(gym.db, gym.registry, gym.actor, task.call_id)

    assert outcome.card == Failed(code="undo_conflict")
    assert (gym.rows(Room)[0].name, hired(gym)) == ("South", LONG)


def test_a_stopped_task_keeps_what_is_done_and_offers_to_take_that_back(gym: Gym) -> None:
    task = begin(gym, room_of(gym, LONG))
    advance(gym, task)

    def stop(session: Session) -> BackgroundTask:
        return background.cancel(session, gym.actor, task.id)

    assert gym.within(stop).state is TaskState.CANCELLED
    assert gym.within(stop).state is TaskState.CANCELLED
    assert advance(gym, task).done == CHUNK

    card = done_card(gym, task)
    stopped = Line(key="background.stopped", values={"seen": CHUNK, "total": LONG})
    assert card.notes == (stopped,)
    assert card.undo is not None
    assert (hired(gym), told(gym)) == (CHUNK, 1)
    assert undo(gym.db, gym.registry, gym.actor, task.call_id).ok
    assert hired(gym) == 0


def test_an_undo_while_it_runs_stops_it_first_and_nobody_is_told_of_an_end(gym: Gym) -> None:
    task = begin(gym, room_of(gym, LONG))
    advance(gym, task)

    assert undo(gym.db, gym.registry, gym.actor, task.call_id).ok

    assert advance(gym, task).state is TaskState.CANCELLED
    assert (hired(gym), told(gym)) == (0, 0)


def test_an_undo_that_can_not_be_leaves_it_stopped_and_says_so(gym: Gym) -> None:
    room_id = room_of(gym, LONG)
    task = begin(gym, room_id)
    advance(gym, task)
    gym.run("rooms.update", room_id=room_id, name="South")

    assert not undo(gym.db, gym.registry, gym.actor, task.call_id).ok

    assert task_of(gym, task.id).state is TaskState.CANCELLED
    assert (hired(gym), told(gym)) == (CHUNK, 1)


def test_nobody_else_sees_it_stops_it_or_takes_it_back(gym: Gym) -> None:
    task = begin(gym, room_of(gym, LONG))
    other = Actor(gym.actor.org_id, new_id(), gym.actor.role)
    with pytest.raises(NotFound):
        gym.within(lambda session: background.cancel(session, other, task.id))
    assert undo(gym.db, gym.registry, other, task.call_id).card == Failed(code="not_found")
    assert task_of(gym, task.id).state is TaskState.QUEUED


def test_a_broken_step_is_one_that_failed(gym: Gym) -> None:
    room_id = room_of(gym, LONG)
    with gym.db.transaction(gym.actor.org_id) as session:
        session.scalars(select(Locker).limit(1)).one().label = "broken"

    task = finish(gym, begin(gym, room_id))

    assert [one.why for one in done_card(gym, task).left_out] == [Failed(code="internal")]
    assert hired(gym) == task.done == LONG - 1


def test_it_breaks_off_where_the_person_may_not_any_more(gym: Gym) -> None:
    task = begin(gym, room_of(gym, LONG))
    advance(gym, task)

    def gone(*_: object) -> Actor:
        raise NotAllowed

    assert advance(gym, task, standing=gone).state is TaskState.FAILED
    (note,) = done_card(gym, task).notes
    assert note.key == "background.broke_off"
    assert hired(gym) == CHUNK


def test_erasing_somebody_ends_a_task_about_them_and_leaves_no_name(gym: Gym) -> None:
    task = begin(gym, room_of(gym, LONG))
    advance(gym, task)
    last = gym.rows(Locker)[-1].id

    assert gym.within(lambda session: erasing.erase(session, [last])) == 1

    ended = advance(gym, task)
    assert (ended.state, ended.done) == (TaskState.FAILED, CHUNK)
    items = select(BackgroundTask.items, BackgroundTask.left_out, BackgroundTask.sums)
    assert gym.within(lambda session: session.execute(items).one()) == ([], [], {})


def test_an_inverse_over_many_things_undoes_all_or_nothing(gym: Gym) -> None:
    task = finish(gym, begin(gym, room_of(gym, LONG), "lockers.lend_all"))
    assert hired(gym) == LONG
    assert undo(gym.db, gym.registry, gym.actor, task.call_id).ok
    assert hired(gym) == 0


@pytest.mark.parametrize(("count", "chunks"), [(3, 1), (LONG, 3)])
def test_what_is_done_once_for_several_is_done_with_each_chunk(
    gym: Gym, count: int, chunks: int
) -> None:
    gym.run("lockers.give_all_back", room_id=room_of(gym, count))
    for task in gym.rows(BackgroundTask):
        finish(gym, task)
    assert gym.rows(Room)[0].hires == chunks


def test_two_workers_at_one_task_do_each_item_once(gym: Gym) -> None:
    task = begin(gym, room_of(gym, LONG))
    at_once(4, lambda: finish(gym, task))
    assert [hired(gym), len(gym.rows(Deposit)), task_of(gym, task.id).done] == [LONG] * 3
    assert told(gym) == 1


def test_the_same_key_again_is_the_same_task_and_later_its_end(gym: Gym) -> None:
    asked = call("lockers.hire_all", key="k1", room_id=room_of(gym, LONG), holder="Dana")
    first = gym.runner().run(asked)
    assert gym.runner().run(asked) == first
    (task,) = gym.rows(BackgroundTask)
    finish(gym, task)
    assert isinstance(gym.runner().run(asked).card, Done)
    assert hired(gym) == LONG


def test_what_a_step_needs_from_elsewhere_is_fetched_between_the_transactions(gym: Gym) -> None:
    card = gym.run("lockers.renumber", room_id=room_of(gym, 4)).card
    assert isinstance(card, Progress), "never within the call, however few there are"
    (task,) = gym.rows(BackgroundTask)

    def outside(name: str) -> Any:  # noqa: ANN401 - whatever the other service is
        assert name == "labels"
        return label

    def label(known: str) -> str:
        if known == "n1":
            raise Taken(holder="the maker")
        return known.upper()

    while task.state.live:
        task = fetch_and_advance(gym, task, outside)

    assert sorted(one.label for one in gym.rows(Locker)) == ["N0", "N2", "N3", "n1"]
    (left_out,) = done_card(gym, task).left_out
    assert left_out.names == Names(all=("n1",))


def test_what_was_fetched_for_one_item_is_never_taken_for_another(gym: Gym) -> None:
    gym.run("lockers.renumber", room_id=room_of(gym, 2))
    (task,) = gym.rows(BackgroundTask)
    assert advance(gym, task).seen == 0
    assert advance(gym, task, brought=Brought(1, "for the second")).seen == 0
    assert advance(gym, task, brought=Brought(0, "for the first")).seen == 1
    assert advance(gym, task, brought=Brought(0, "for the first")).seen == 1


def fetch_and_advance(gym: Gym, task: BackgroundTask, outside: Outside) -> BackgroundTask:
    ahead = gym.within(lambda session: background.look_ahead(session, gym.registry, task.id))
    assert ahead is not None
    return advance(gym, task, brought=ahead.fetch(outside))
