"""Seeing what a call touches: a statement that would pass by unseen is refused."""

import pytest
from sqlalchemy import Executable, insert, text

from tests.tools.kit.conftest import Gym
from tests.tools.kit.sample.models import Room
from tools.kit.capture import NotCaptured, capturing

UNSEEN = (
    text("UPDATE sample_room SET capacity = 1"),
    text("\n  delete FROM sample_room"),
    text("WITH gone AS (DELETE FROM sample_room RETURNING id) SELECT id FROM gone"),
    insert(Room).values(name="North"),
)


def run_captured(gym: Gym, statement: Executable) -> None:
    with gym.db.transaction(gym.actor.org_id) as session, capturing(session):
        session.execute(statement)


@pytest.mark.parametrize("statement", UNSEEN, ids=str)
def test_what_no_undo_could_see_is_refused(gym: Gym, statement: Executable) -> None:
    with pytest.raises(NotCaptured):
        run_captured(gym, statement)


@pytest.mark.parametrize("said", ["SELECT 1", "SET CONSTRAINTS ALL DEFERRED"])
def test_what_changes_no_row_may_be_written_by_hand(gym: Gym, said: str) -> None:
    run_captured(gym, text(said))
