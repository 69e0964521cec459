"""What each gym keeps is written down once a day, and how much more that is than before."""

from datetime import timedelta

import pytest
from sqlalchemy import delete, select, update

from app.core.db import now_of
from bot.conversation.models import StorageSnapshot
from bot.conversation.storage import kept, take_snapshot
from tests.floor import Gym


@pytest.fixture(autouse=True)
def nothing_known(gym: Gym) -> None:
    with gym.db.platform() as session:
        session.execute(delete(StorageSnapshot))


def test_a_gym_is_counted_table_by_table_and_once_a_day(gym: Gym) -> None:
    for _ in range(3):
        gym.studio.member()
    phone = gym.linked()
    gym.says(("hello", [{"say": "Good morning."}]))
    phone.says("hello")

    assert take_snapshot(gym.db) >= 2
    assert take_snapshot(gym.db) == 0
    with gym.db.platform() as session:
        found, whole = kept(session, gym.org_id), kept(session, None)
    assert found is not None
    assert whole is not None
    assert found.tables["member"][0] == 3
    assert found.tables["turn"][0] == 1
    assert found.tables["outbound_message"][0] >= 1
    assert found.rows == sum(rows for rows, _ in found.tables.values())
    assert 0 < found.bytes <= whole.bytes
    assert whole.tables["inbound_event"][1] > 0
    assert found.more == {}


def test_growth_is_told_against_a_week_and_a_month_before(gym: Gym) -> None:
    take_snapshot(gym.db)
    with gym.db.platform() as session:
        past = now_of(session).date() - timedelta(days=8)
        session.execute(update(StorageSnapshot).values(day=past))
    for _ in range(200):
        gym.studio.member()
    take_snapshot(gym.db)

    with gym.db.platform() as session:
        found = kept(session, gym.org_id)
    assert found is not None
    assert set(found.more) == {7}
    assert found.more[7] > 0


def test_what_is_older_than_is_kept_goes(gym: Gym) -> None:
    take_snapshot(gym.db)
    with gym.db.platform() as session:
        long_ago = now_of(session).date() - timedelta(days=401)
        session.execute(update(StorageSnapshot).values(day=long_ago))
    take_snapshot(gym.db)
    with gym.db.platform() as session:
        days = set(session.scalars(select(StorageSnapshot.day)))
        assert days == {now_of(session).date()}
