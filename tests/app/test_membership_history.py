"""The history of memberships: nothing changes without a row, and an undo is told as well."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import update

from app.memberships.models import Membership
from app.memberships.terms import MembershipStatus
from tests.app.bought import check_history, history, roll_over, view
from tests.requests.commerce import card, monthly
from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tools.kit.cards import Done

WAIT = "wait"
UNDO = "undo"
STEPS = st.one_of(
    st.tuples(st.just("freeze"), st.integers(0, 20), st.integers(7, 30)),
    st.tuples(st.just("unfreeze")),
    st.tuples(st.just("cancel"), st.one_of(st.none(), st.integers(0, 40))),
    st.tuples(st.just("reinstate")),
    st.tuples(st.just("extend"), st.integers(1, 30)),
    st.tuples(st.just("change_plan"), st.sampled_from(("now", "next_billing"))),
    st.tuples(st.just(UNDO)),
    st.tuples(st.just(WAIT), st.integers(1, 45)),
)


def arguments(studio: Studio, step: tuple[Any, ...], other: object) -> dict[str, Any]:
    match step:
        case ("freeze", first, days):
            return {"from_date": studio.day(first).isoformat(), "days": days}
        case ("cancel", int(on)):
            return {"effective_on": studio.day(on).isoformat()}
        case ("extend", days):
            return {"days": days, "reason": "closed"}
        case ("change_plan", effective):
            return {"plan_id": other, "effective": effective}
        case _:
            return {}


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(STEPS, min_size=3, max_size=8))
def test_whatever_is_done_and_undone_the_history_tells_how_it_is(
    studio: Studio, steps: list[tuple[Any, ...]]
) -> None:
    ask = Asking(studio, studio.owner)
    sold, other = monthly(studio), card(studio)
    held = studio.sell(studio.person(), sold)
    last = None
    for step in steps:
        if step[0] == WAIT:
            studio.wait(days=step[1])
            roll_over(studio)
        elif step[0] == UNDO:
            if last is not None:
                ask.undo(last)
        else:
            given_ = arguments(studio, step, other)
            outcome = ask.outcome(f"memberships.{step[0]}", membership_id=held, **given_)
            can = isinstance(outcome.card, Done) and outcome.card.undo is not None
            last = outcome if can else None
        check_history(studio)
    today = view(studio, held)
    assert today.status in set(MembershipStatus)
    days = [was.on for was in history(studio, held)]
    assert days == sorted(days)


def test_months_are_rebuilt_from_the_days_on_which_things_were_due(studio: Studio) -> None:
    """The clock stood for two months: each change counts from its own day all the same."""
    ask = Asking(studio, studio.owner)
    held = studio.sell(studio.person(), monthly(studio))
    first = studio.day(0)
    given_ = {"membership_id": held, "from_date": studio.day(40).isoformat(), "days": 7}
    ask.card("memberships.freeze", **given_)
    ask.card("memberships.cancel", membership_id=held, effective_on=studio.day(30).isoformat())
    studio.wait(days=60)
    roll_over(studio)
    told = [(was.on, was.status) for was in history(studio, held)]
    assert told == [
        (first - timedelta(days=30), "active"),
        (first, "cancel_scheduled"),
        (first + timedelta(days=30), "cancelled"),
    ]


def test_what_is_undone_was_never_so(studio: Studio) -> None:
    ask = Asking(studio, studio.owner)
    held = studio.sell(studio.person(), monthly(studio))
    before = view(studio, held)
    plan = {"membership_id": held, "plan_id": card(studio), "effective": "now"}
    moved = ask.outcome("memberships.change_plan", **plan)
    assert view(studio, held).price_minor == 55_000
    assert ask.undo(moved).ok
    told = history(studio, held)
    assert [was.price for was in told] == [38_000, 55_000, 38_000]
    assert {was.on for was in told[1:]} == {studio.day(0)}
    after = view(studio, held)
    assert (after.plan_id, after.next_billing) == (before.plan_id, before.next_billing)
    check_history(studio)


def test_many_at_once_would_pass_by_the_history_and_are_refused(studio: Studio) -> None:
    held = studio.sell(studio.person(), monthly(studio))
    with studio.act() as session, pytest.raises(TypeError, match="row by row"):
        session.execute(update(Membership).values(price_minor=1))
    with studio.act() as session:
        row = session.get_one(Membership, held)
        row.price_minor, row.frozen = 1, True
        session.flush()
        row.price_minor = 2
    assert [(was.price, was.frozen) for was in history(studio, held)][1:] == [(1, True), (2, True)]
    assert history(studio, held)[-1].on == date(2026, 11, 30)
