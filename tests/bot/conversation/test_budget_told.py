"""A limit that is used up is told with its reset; what was approved is done all the same."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

import bot
from app.core.actor import Role
from app.core.db import now_of
from bot.conversation import budget
from bot.conversation.budget import Caps
from bot.conversation.budgets import Budgets
from bot.conversation.models import UsageDay, UsageRow
from bot.stream.entries import Person
from tests.bot.conversation.test_playbooks import at_desk
from tests.floor import Gym

LINK = "https://spotter.example/plans"


@pytest.fixture
def budgets(gym: Gym) -> Iterator[Budgets]:
    kept: Budgets = gym.stage.wiring.budgets
    yield kept
    put(gym, kept)


def cap(gym: Gym, budgets: Budgets, micros: int, **more: Any) -> None:  # noqa: ANN401 - its fields
    caps = Caps(micros, micros, micros)
    put(gym, replace(budgets, caps=caps, link=LINK, **more))


def put(gym: Gym, budgets: Budgets) -> None:
    made = vars(gym.stage.wiring)
    made["budgets"] = budgets
    made.pop("minds", None)  # it has them from before


def test_what_was_approved_is_done_and_shown_where_the_model_has_no_room(
    gym: Gym, budgets: Budgets
) -> None:
    phone, coach = gym.linked(), gym.linked(role=Role.COACH)
    gym.cancels()
    phone.says("cancel it")
    cap(gym, budgets, 0)
    text = "\n".join(phone.says("1"))
    assert "UNDO 1" in text
    assert text.endswith(
        "Today's Spotter limit is used up (Lite plan). It resets at 00:00; "
        f"the dashboard works as usual. Raise it: {LINK}"
    )
    assert [one.tool for one in gym.calls()] == ["class_sessions.cancel"]
    assert coach.says("who comes today?")[-1].endswith("The owner can raise it.")
    assert {turn.reason for turn in gym.turns()} == {"over_budget"}


def test_a_page_is_told_the_limit_as_data(gym: Gym, budgets: Budgets) -> None:
    cap(gym, budgets, 0)
    web = at_desk(gym, gym.owner)
    turn = web.say("who comes today?")["turn_id"]
    gym.settle()
    events = [event for _, event in web.follow(turn)]
    (value,) = [one["value"] for one in events if one.get("name") == "agent_budget_exceeded"]
    assert value.pop("text").startswith("Today's Spotter limit is used up (Lite plan).")
    assert value.pop("reset")["at"].startswith("2026-11-30T22:00:00")
    assert value == {"tier": "lite", "upgrade_url": LINK, "asks_owner": False}


def test_the_turn_that_uses_most_of_a_day_says_so_and_its_calls_are_on_the_books(
    gym: Gym, budgets: Budgets
) -> None:
    told: list[tuple[Person, str]] = []
    phone = gym.linked()
    gym.says(("hello", [{"say": "Good morning."}]), ("again", [{"say": "Good day."}]))
    cap(gym, budgets, 1_000_000, tell=lambda _, person, name, __: told.append((person, name)))
    with gym.db.transaction(gym.org_id) as session:
        today = budget.account(session, gym.org_id).day(now_of(session))
        session.add(UsageDay(org_id=gym.org_id, day=today, spent_micros=799_999, held_micros=0))
    near = "Over 80% of today's Spotter limit is used (Lite plan). It resets at 00:00."
    assert phone.says("hello") == [f"Good morning.\n\n{near}"]
    assert phone.says("again") == ["Good day."]
    assert told == [(Person(gym.org_id, gym.owner.user_id), "budget_near")]
    with gym.db.transaction(gym.org_id) as session:
        day = session.scalars(select(UsageDay)).one()
        rows = list(session.scalars(select(UsageRow)))
    assert day.held_micros == 0
    assert day.spent_micros == 799_999 + sum(row.cost_micros for row in rows)
    assert {row.day for row in rows} == {today}
    assert len(rows) == 2


def test_no_call_of_the_model_goes_past_the_budget() -> None:
    root = Path(bot.__file__).parent
    calls = [
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if any(
            way in path.read_text(encoding="utf-8")
            for way in ("messages.create(", "messages.stream(")
        )
    ]
    assert sorted(calls) == [
        "channels/twilio/sending.py",
        "cli/bench_direct.py",
        "model/priced.py",
    ]
