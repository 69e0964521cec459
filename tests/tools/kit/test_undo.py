"""Taking writes back: once, in time, by the same person, and never over somebody else's work."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role, Via
from app.core.ids import new_id
from app.core.outbox import Outbox, OutboxState
from tests.tools.kit.conftest import Gym, at_once, call
from tests.tools.kit.sample.models import Deposit, Key, Locker, Room, SampleRow, Tag
from tools.kit import receipts
from tools.kit.calls import Outcome
from tools.kit.cards import Done, Failed, Undone
from tools.kit.models import AuditEntry, ToolCall
from tools.kit.undo import Where, undo
from tools.kit.values import Name

MODELS: tuple[type[SampleRow], ...] = (Room, Locker, Tag, Key, Deposit)


def take_back(gym: Gym, call_id: UUID | None = None, where: Where = "audit") -> Outcome:
    wanted = call_id or gym.last_call().id
    return undo(gym.db, gym.registry, gym.actor, wanted, where=where)


def code(outcome: Outcome) -> str:
    assert isinstance(outcome.card, Failed), outcome.card
    return outcome.card.code


def state(gym: Gym) -> list[tuple[object, ...]]:
    """All that the gym has, without what every write moves."""
    found = [row for model in MODELS for row in gym.rows(model)]
    return [
        tuple(
            value
            for column in type(row).__table__.columns
            if column.name not in {"version", "updated_at"}
            for value in [getattr(row, column.name)]
        )
        for row in found
    ]


def room_with_lockers(gym: Gym, count: int = 2, capacity: int = 3) -> tuple[UUID, list[UUID]]:
    room_id = gym.make("rooms.create", name="North", capacity=capacity)
    labels = [str(number) for number in range(count)]
    return room_id, [gym.make("lockers.create", room_id=room_id, label=one) for one in labels]


def undone(gym: Gym, act: Callable[[], object]) -> None:
    """Whatever the act does, taking it back brings the state before it."""
    before = state(gym)
    act()
    assert state(gym) != before
    outcome = take_back(gym)
    assert outcome.ok, outcome
    assert state(gym) == before


def test_a_change_is_written_back(gym: Gym) -> None:
    room_id, _ = room_with_lockers(gym)
    undone(gym, lambda: gym.run("rooms.update", room_id=room_id, name="S", capacity=9))


def test_what_was_made_goes_in_all_its_tables(gym: Gym) -> None:
    room_id, _ = room_with_lockers(gym)
    undone(gym, lambda: gym.run("lockers.create", room_id=room_id, label="new"))


def test_what_was_deleted_returns_with_what_the_database_took_along(gym: Gym) -> None:
    room_id, _ = room_with_lockers(gym)
    undone(gym, lambda: gym.run("rooms.delete", room_id=room_id))
    assert len(gym.rows(Tag)) == len(gym.rows(Key)) == 2
    assert all(key.locker_id for key in gym.rows(Key))


def test_a_change_of_many_rows_at_once_is_written_back(gym: Gym) -> None:
    room_id, lockers = room_with_lockers(gym)
    for locker_id in lockers:
        gym.run("lockers.hire", locker_id=locker_id, holder="Dana")
    undone(gym, lambda: gym.run("rooms.empty", room_id=room_id))


def test_a_ledger_gets_a_row_that_balances_and_keeps_the_others(gym: Gym) -> None:
    _, (locker_id, *_) = room_with_lockers(gym)
    gym.run("lockers.hire", locker_id=locker_id, holder="Dana")

    assert take_back(gym).ok

    first, second = gym.rows(Deposit)
    assert (first.delta, second.delta, second.reverses) == (50, -50, first.id)
    locker = gym.row(Locker, locker_id)
    assert locker is not None
    assert locker.holder is None


def test_an_inverse_runs_as_the_system_whatever_its_role_and_asks_nothing(gym: Gym) -> None:
    room_id = gym.make("rooms.create", name="North")

    outcome = undo(gym.db, gym.registry, coach(gym), gym.last_call().id)

    assert outcome.card == Undone(of="rooms.create", values={"name": Name(text="North")})
    assert gym.row(Room, room_id) is None
    entry = gym.rows(AuditEntry)[-1]
    assert (entry.tool, entry.result, entry.origin) == ("rooms.create", "undone", "undo")


def test_who_lost_the_role_takes_nothing_back_and_the_refusal_is_audited(gym: Gym) -> None:
    room_id, (locker_id,) = room_with_lockers(gym, count=1)
    gym.run("lockers.hire", locker_id=locker_id, holder="Dana")
    gym.run("rooms.empty", room_id=room_id)
    before = state(gym)

    outcome = undo(gym.db, gym.registry, coach(gym), gym.last_call().id)

    assert code(outcome) == "not_allowed"
    assert state(gym) == before
    entry = gym.rows(AuditEntry)[-1]
    assert (entry.tool, entry.result) == ("rooms.empty", "not_allowed")
    assert take_back(gym).ok


def test_a_program_takes_back_what_it_did_and_not_what_its_person_did(gym: Gym) -> None:
    machine = gym.actor.acting(Via.MACHINE)
    gym.make("rooms.create", name="By hand")
    by_hand = gym.last_call().id
    gym.runner(actor=machine).run(call("rooms.create", name="By program"))

    assert undo(gym.db, gym.registry, machine, gym.last_call().id).ok
    assert code(undo(gym.db, gym.registry, machine, by_hand)) == "done_by_hand"
    assert take_back(gym, by_hand).ok


def test_an_inverse_that_restores_to_the_letter_leaves_earlier_undos_open(gym: Gym) -> None:
    room_id, _ = room_with_lockers(gym, count=0)
    locker_id = gym.make("lockers.create", room_id=room_id, label="1")
    made = gym.last_call().id
    gym.run("lockers.lend", locker_id=locker_id, holder="Noa")
    lent = gym.last_call().id
    assert code(take_back(gym, made)) == "undo_conflict"

    assert take_back(gym, lent).ok
    assert take_back(gym, made).ok
    assert gym.rows(Locker) == []


def test_news_of_an_inverse_stay_unsaid_where_the_news_itself_did(gym: Gym) -> None:
    _, (locker_id, *_) = room_with_lockers(gym)
    gym.run("lockers.lend", locker_id=locker_id, holder="Noa")
    take_back(gym)

    dropped = OutboxState.DROPPED
    assert [(row.topic, row.state) for row in gym.rows(Outbox)] == [
        ("hired", dropped),
        ("given_back", dropped),
    ]


def test_twice_at_once_from_many_doors_undoes_once(gym: Gym) -> None:
    room_id = gym.make("rooms.create", name="North")
    gym.run("rooms.update", room_id=room_id, name="South")
    call_id = gym.last_call().id

    outcomes = at_once(10, lambda: take_back(gym, call_id))

    assert sum(outcome.ok for outcome in outcomes) == 1
    assert {code(one) for one in outcomes if not one.ok} == {"already_undone"}
    assert [room.name for room in gym.rows(Room)] == ["North"]
    assert sum(row.undoes == call_id for row in gym.rows(ToolCall)) == 1


def test_after_an_edit_nothing_is_overwritten_and_the_refusal_is_audited(gym: Gym) -> None:
    room_id = gym.make("rooms.create", name="North")
    gym.run("rooms.update", room_id=room_id, name="South")
    call_id = gym.last_call().id
    gym.run("rooms.update", room_id=room_id, capacity=7)

    assert code(take_back(gym, call_id)) == "undo_conflict"

    room = gym.row(Room, room_id)
    assert room is not None
    assert (room.name, room.capacity) == ("South", 7)
    assert gym.rows(AuditEntry)[-1].result == "undo_conflict"


def test_an_edit_of_many_rows_at_once_counts_as_an_edit(gym: Gym) -> None:
    room_id, (locker_id, *_) = room_with_lockers(gym)
    gym.run("lockers.hire", locker_id=locker_id, holder="Dana")
    hired = gym.last_call().id
    gym.run("rooms.empty", room_id=room_id)

    assert code(take_back(gym, hired)) == "undo_conflict"


def test_what_others_came_to_depend_on_stays(gym: Gym) -> None:
    room_id, _ = room_with_lockers(gym, count=0)
    gym.run("lockers.create", room_id=room_id, label="1")
    made = gym.last_call().id
    locker_id = gym.rows(Locker)[0].id
    tag = Tag(org_id=gym.actor.org_id, locker_id=locker_id, word="by somebody")
    gym.within(lambda session: session.add(tag))

    assert code(take_back(gym, made)) == "undo_in_use"
    assert gym.row(Locker, locker_id) is not None
    assert len(gym.rows(Tag)) == 2


def test_an_inverse_that_destroys_takes_nothing_of_others_along(gym: Gym) -> None:
    room_id = gym.make("rooms.create", name="North")
    made = gym.last_call().id
    locker_id = gym.make("lockers.create", room_id=room_id, label="1")
    by_colleague = gym.last_call().id
    gym.run("lockers.hire", locker_id=locker_id, holder="Dana")

    assert code(take_back(gym, made)) == "undo_in_use"
    assert gym.row(Locker, locker_id) is not None
    assert take_back(gym).ok
    assert code(take_back(gym, made)) == "undo_in_use"
    assert take_back(gym, by_colleague).ok
    assert take_back(gym, made).ok, "what was taken back stands in nobody's way"


def test_what_returns_must_still_find_its_place(gym: Gym) -> None:
    room_id, _ = room_with_lockers(gym, count=1)
    gym.run("rooms.delete", room_id=room_id)
    deleted = gym.last_call().id
    other = gym.make("rooms.create", name="Other")
    gym.run("lockers.create", room_id=other, label="0")

    assert code(take_back(gym, deleted)) == "undo_conflict"
    assert gym.row(Room, room_id) is None


def test_the_studios_rules_hold_for_what_is_restored(gym: Gym) -> None:
    room_id, (locker_id,) = room_with_lockers(gym, count=1, capacity=1)
    south = gym.make("rooms.create", name="South")
    gym.run("lockers.move", locker_id=locker_id, room_id=south)
    moved = gym.last_call().id
    gym.run("lockers.create", room_id=room_id, label="in its place")

    assert code(take_back(gym, moved)) == "room_full"
    locker = gym.row(Locker, locker_id)
    assert locker is not None
    assert locker.room_id == south


def test_the_last_can_be_undone_and_then_the_one_before(gym: Gym) -> None:
    room_id = gym.make("rooms.create", name="One")
    for name in ("Two", "Three", "Four"):
        gym.run("rooms.update", room_id=room_id, name=name)

    for number, name in ((4, "Three"), (3, "Two"), (2, "One")):
        found = gym.within(partial(receipts.by_number, actor=gym.actor, number=number))
        assert found is not None
        assert take_back(gym, found.id).ok
        assert [room.name for room in gym.rows(Room)] == [name]


def test_a_bare_word_means_the_last_receipt_shown_there_and_only_once(gym: Gym) -> None:
    here, elsewhere = new_id(), new_id()
    gym.agent(conversation_id=here).run(call("rooms.create", name="Earlier, here"))
    gym.agent(conversation_id=here).run(call("rooms.create", name="Here"))
    shown = gym.last_call().id
    gym.agent(conversation_id=elsewhere).run(call("rooms.create", name="Elsewhere"))
    gym.run("rooms.create", name="By hand")

    def meant(number: int | None, *places: UUID) -> UUID:
        return gym.within(lambda found: receipts.meant(found, gym.actor, number, places)).id

    assert meant(None, here) == shown
    assert take_back(gym, shown).ok
    with pytest.raises(receipts.LastUndone):
        meant(None, here)
    with pytest.raises(receipts.NothingToUndo):
        meant(None, new_id())
    assert meant(2, elsewhere) == shown


def test_an_undone_row_is_out_of_date_for_whoever_read_it_in_between(gym: Gym) -> None:
    room_id = gym.make("rooms.create", name="One")
    gym.run("rooms.update", room_id=room_id, name="Two")
    seen = gym.row(Room, room_id)
    assert seen is not None
    take_back(gym)
    gym.run("rooms.update", room_id=room_id, name="Three")

    late = gym.run("rooms.update", room_id=room_id, name="x", expected_version=seen.version)
    assert code(late) == "stale_version"


@pytest.mark.parametrize(
    ("where", "in_time", "late"), [("toast", 14, 16), ("word", 599, 601), ("audit", 86_399, 86_401)]
)
def test_each_place_has_its_window(gym: Gym, where: Where, in_time: int, late: int) -> None:
    room_id = gym.make("rooms.create", name="One")
    gym.run("rooms.update", room_id=room_id, name="Two")
    call_id = gym.last_call().id

    too_late = take_back(gym.later(timedelta(seconds=late)), call_id, where)
    assert code(too_late) == "undo_too_late"
    assert take_back(gym.later(timedelta(seconds=in_time)), call_id, where).ok


def test_only_the_same_person_takes_it_back(gym: Gym) -> None:
    gym.make("rooms.create", name="One")
    call_id = gym.last_call().id
    colleague = Actor(org_id=gym.actor.org_id, user_id=new_id(), role=Role.OWNER)
    stranger = Actor(org_id=new_id(), user_id=gym.actor.user_id, role=Role.OWNER)

    for somebody in (colleague, stranger):
        assert code(undo(gym.db, gym.registry, somebody, call_id)) == "not_found"
    assert len(gym.rows(Room)) == 1


def test_what_failed_or_has_no_way_back_is_refused(gym: Gym) -> None:
    room_id, (locker_id, *_) = room_with_lockers(gym)
    gym.run("lockers.give_back", locker_id=locker_id)
    assert code(take_back(gym)) == "no_undo"
    gym.run("rooms.smash", room_id=room_id)
    assert code(take_back(gym)) == "no_undo"
    assert code(take_back(gym, new_id())) == "not_found"


def test_an_undo_itself_is_not_undone(gym: Gym) -> None:
    room_id = gym.make("rooms.create", name="One")
    gym.run("rooms.update", room_id=room_id, name="Two")
    take_back(gym)
    assert code(take_back(gym, gym.last_call().id)) == "no_undo"


def test_a_write_that_changed_nothing_has_no_receipt(gym: Gym) -> None:
    room_id = gym.make("rooms.create", name="One")
    outcome = gym.run("rooms.update", room_id=room_id, name="One")
    assert isinstance(outcome.card, Done)
    assert outcome.card.undo is None


def test_what_was_not_told_yet_is_never_told(gym: Gym) -> None:
    room_id, _ = room_with_lockers(gym)
    gym.run("rooms.delete", room_id=room_id)
    take_back(gym)

    assert [(row.topic, row.state) for row in gym.rows(Outbox)] == [
        ("room_deleted", OutboxState.DROPPED)
    ]


def test_who_was_told_gets_a_correction_at_once(gym: Gym) -> None:
    room_id, _ = room_with_lockers(gym)
    gym.run("rooms.delete", room_id=room_id)
    gym.within(send_all)
    take_back(gym)

    told, correction = gym.rows(Outbox)
    assert (correction.topic, correction.body) == ("room_deleted.undone", told.body)
    assert correction.due_at <= correction.created_at


def test_a_number_finds_the_persons_own_write_and_starts_again_after_the_highest(gym: Gym) -> None:
    gym.run("rooms.create", name="One")
    number = gym.last_call().receipt
    assert number == 1
    found = gym.within(lambda session: receipts.by_number(session, gym.actor, 1))
    assert found is not None
    assert found.id == gym.last_call().id
    assert gym.within(lambda session: receipts.by_number(session, coach(gym, new_id()), 1)) is None

    taken = [
        gym.within(lambda session: receipts.next_number(session, gym.actor)) for _ in range(998)
    ]
    assert taken[-1] == 999
    assert gym.within(lambda session: receipts.next_number(session, gym.actor)) == 1


def test_recent_actions_are_the_assistants_and_say_what_can_be_undone(gym: Gym) -> None:
    gym.make("rooms.create", name="By hand")
    for name in ("One", "Two"):
        gym.agent().run(call("rooms.create", name=name))
    take_back(gym)

    actions = gym.within(lambda session: receipts.recent(session, gym.actor))
    assert [action.undo_until is None for action in actions] == [True, False]
    open_ones = gym.within(lambda session: receipts.recent(session, gym.actor, undoable_only=True))
    assert [action.call.id for action in open_ones] == [actions[1].call.id]


def send_all(session: Session) -> None:
    session.execute(update(Outbox).values(state=OutboxState.DONE))


def coach(gym: Gym, user_id: UUID | None = None) -> Actor:
    user = user_id or gym.actor.user_id
    return Actor(org_id=gym.actor.org_id, user_id=user, role=Role.COACH)
