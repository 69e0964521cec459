"""A worker is killed while the small model sums up: another sums up after the next turn."""

import pytest
from sqlalchemy import select

from bot.cli.stage import Stage
from bot.conversation.models import BudgetHold, Lease, SummaryRow, UsageDay, UsageRow
from bot.playground.model_api.faults import FaultKind
from bot.playground.model_api.script import ScriptBrain
from tests.bot.conversation.asides import small_says
from tests.faults.victims import kill, worker
from tests.floor import Gym, open_gym, within
from tests.leftovers import end_leftovers

pytestmark = [pytest.mark.faults, pytest.mark.long]


def kept(gym: Gym) -> list[SummaryRow]:
    with gym.db.transaction(gym.org_id) as session:
        return list(session.scalars(select(SummaryRow)))


def free(gym: Gym) -> bool:
    """Whether nobody holds the lane of a summary, dead or alive."""
    with gym.db.platform() as session:
        lanes = select(Lease).where(Lease.lane.startswith("summary:"), Lease.holder.is_not(None))
        now = session.connection().exec_driver_sql("SELECT clock_timestamp()").scalar_one()
        return all(one.expires_at < now for one in session.scalars(lanes) if one.expires_at)


def assert_booked(gym: Gym) -> None:
    with gym.db.transaction(gym.org_id) as session:
        day = session.scalars(select(UsageDay)).one()
        used = list(session.scalars(select(UsageRow)))
        assert session.scalars(select(BudgetHold)).all() == []
    assert (day.held_micros, day.spent_micros) == (0, sum(one.cost_micros for one in used))
    assert sum(one.detail["outcome"] == "lost" for one in used) == 1


def test_nothing_is_lost_and_the_call_that_nobody_saw_end_is_booked(
    idle: Stage, script: ScriptBrain, database_url: str, redis_url: str
) -> None:
    end_leftovers(database_url, redis_url)
    model = idle.model
    assert model is not None
    gym = open_gym(idle, script, database_url)
    main = [{"when": f"word {n}.", "steps": [{"say": f"Answer {n}."}]} for n in range(1, 16)]
    hangs = {"say": "Too late.", "fault": {"kind": FaultKind.SILENCE, "seconds": 60}}
    script.load([small_says(hangs), *main])
    phone = gym.linked()
    for n in range(1, 14):
        phone.says(f"word {n}.")
    gym.working = True
    with worker(idle.wiring.settings) as process:
        within(30, lambda: any(b"You keep the memory" in one.raw for one in model.requests))
        kill(process)
    with gym.db.transaction(gym.org_id) as session:
        assert len(session.scalars(select(BudgetHold)).all()) == 1

    script.load([small_says({"say": "They talked of words."}), *main])
    with worker(idle.wiring.settings):
        within(15, lambda: free(gym))
        phone.writes("word 14.")
        (row,) = within(15, lambda: kept(gym))
        gym.settle()
    assert (row.until, row.serves, row.text) == (10, 15, "They talked of words.")
    assert phone.got()[-1].endswith("Answer 14.")
    assert_booked(gym)
    gym.studio.db.close()
    model.forget()
