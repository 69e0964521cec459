"""What is kept of calls gives people's data back when it must."""

import json
from datetime import timedelta

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from app.core.actor import Via
from app.core.db import now_of
from tests.tools.kit.conftest import Gym, call
from tests.tools.kit.test_undo import code, take_back
from tools.kit import pending
from tools.kit.erasing import erase, forget_images
from tools.kit.models import AuditEntry, Question, QuestionState, ToolCall, TouchedRow

KEPT = ("tool_call", "touched_row", "question", "audit_log")


def everything_kept(gym: Gym) -> str:
    def read(session: Session) -> str:
        rows = [session.execute(text(f"SELECT to_jsonb(t) FROM {one} t")).all() for one in KEPT]  # noqa: S608 - names from above
        return json.dumps([list(map(list, found)) for found in rows], ensure_ascii=False)

    return gym.within(read)


def test_an_erased_row_is_named_nowhere_and_others_stay(gym: Gym) -> None:
    room_id = gym.make("rooms.create", name="Dana Levi")
    other = gym.make("rooms.create", name="Noa Cohen")
    gym.run("rooms.update", room_id=room_id, name="Dana Lavi")
    pending.submit(
        gym.runner(actor=gym.actor.acting(Via.MACHINE)), call("rooms.delete", room_id=room_id)
    )
    assert "Dana" in everything_kept(gym)

    assert gym.within(lambda session: erase(session, [room_id])) == 2

    kept = everything_kept(gym)
    assert "Dana" not in kept
    assert "Noa Cohen" in kept
    assert [row.state for row in gym.rows(Question)] == [QuestionState.SUPERSEDED]
    calls = {row.tool: row for row in gym.rows(ToolCall)}
    assert code(take_back(gym, calls["rooms.update"].id)) == "no_undo"
    assert [entry.entity_id for entry in gym.rows(AuditEntry)][:3] == [room_id, other, room_id]


def test_images_go_once_they_are_of_no_use(gym: Gym) -> None:
    room_id = gym.make("rooms.create", name="One")
    gym.run("rooms.update", room_id=room_id, name="Two")

    def forget(session: Session) -> list[object]:
        forget_images(session, now=now_of(session))
        return list(session.scalars(select(TouchedRow.before).order_by(TouchedRow.id)))

    assert [bool(one) for one in gym.within(forget)] == [False, True]
    assert gym.later(timedelta(hours=25)).within(forget) == [None, {}]


def test_a_write_that_nothing_takes_back_keeps_no_image(gym: Gym) -> None:
    room_id = gym.make("rooms.create", name="One")
    locker_id = gym.make("lockers.create", room_id=room_id, label="1")
    gym.run("lockers.hire", locker_id=locker_id, holder="Dana")
    gym.run("lockers.give_back", locker_id=locker_id)

    last = gym.last_call().id
    touched = [row for row in gym.rows(TouchedRow) if row.call_id == last]
    assert {row.table_name for row in touched} == {"sample_locker", "sample_deposit"}
    assert not any(row.before for row in touched)
