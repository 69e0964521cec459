"""The prompt of a role is kept warm while a gym that uses it is open, at the operator's cost."""

from datetime import timedelta

from sqlalchemy import delete, select

from app.core.actor import Role
from bot.conversation.models import UpkeepRow
from bot.worker import upkeep
from tests.floor import Gym


def renewals(gym: Gym) -> list[UpkeepRow]:
    with gym.db.platform() as session:
        return list(session.scalars(select(UpkeepRow).order_by(UpkeepRow.created_at)))


def test_each_role_that_wrote_today_is_renewed_in_opening_hours(gym: Gym) -> None:
    with gym.db.platform() as session:
        session.execute(delete(UpkeepRow))
    owner, coach = gym.linked(), gym.linked(role=Role.COACH)
    gym.says(("hello", [{"say": "Good morning."}]), ("shalom", [{"say": "Good day."}]))
    kept = upkeep(gym.stage.wiring, timedelta(minutes=4))
    owner.says("hello")
    assert Role.OWNER in kept.run()
    assert Role.OWNER not in kept.run(), "it is warm"

    coach.says("shalom")
    gym.later(minutes=4, seconds=1)
    assert {Role.OWNER, Role.COACH} <= {*kept.run()}
    mine = [row for row in renewals(gym) if row.role is Role.OWNER]
    assert len(mine) == 2
    assert all(row.detail["outcome"] == "whole" for row in mine)
    assert all(row.detail["output"] == 0 for row in mine)
    shared = [(row.detail["cache_read"], row.detail["cache_write_5m"]) for row in mine]
    assert shared[0][0] > 5_000
    assert shared[0] == shared[1], "nothing was written: it was warm each time"
    assert all(written == 0 for _, written in shared)
    assert all(row.cost_micros < 2_000 for row in mine)

    gym.later(hours=12, minutes=5)
    assert kept.run() == (), "it is night"
