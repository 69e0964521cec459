"""A gym's day never passes its cap: whoever comes at once, whatever dies, whenever midnight is."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from threading import Barrier, Thread
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, text

from app.studio import service as studio
from app.studio.terms import Tier
from bot.conversation import budget, purse
from bot.conversation.budget import Account, Caps, Payer
from bot.conversation.leases import hold as hold_lane
from bot.conversation.models import BudgetHold, UsageDay, UsageRow
from bot.conversation.purse import Purse
from bot.model.prices import worst_case
from bot.model.purse import NoRoom, Settle, Want, booked
from bot.model.usage import CallOutcome, Usage
from tests.floor import Gym

MODEL = "claude-sonnet-5-5"
WANT = Want(MODEL, 1_000, 1_000)
"""At most 14,000 micro-dollars."""
WORST = 14_000
CAP = 100_000


@pytest.fixture
def payer(gym: Gym) -> Payer:
    return Payer(gym.org_id, uuid4(), uuid4(), f"test:{uuid4()}")


def purse_of(gym: Gym, payer: Payer, *, cap: int = CAP, patience_s: float = 0.0) -> Purse:
    return Purse(gym.db, Caps(cap, cap, cap), payer, patience_s=patience_s)


def used(outcome: CallOutcome = "whole", prompt: int = 1_000, output: int = 100) -> Usage:
    return Usage(model=MODEL, outcome=outcome, input=prompt, output=output)


@dataclass
class Sums:
    spent: int
    held: int
    rows: int
    holds: int
    warned: UUID | None = field(compare=False, default=None)


def sums(gym: Gym) -> Sums:
    """What the day says, and what its rows add up to."""
    with gym.db.transaction(gym.org_id) as session:
        day = session.scalars(select(UsageDay)).one()
        rows = session.scalar(select(func.sum(UsageRow.cost_micros))) or 0
        holds = session.scalar(select(func.sum(BudgetHold.micros))) or 0
        return Sums(day.spent_micros, day.held_micros, int(rows), int(holds), day.warned_turn)


@contextmanager
def alive(gym: Gym, payer: Payer) -> Iterator[None]:
    with hold_lane(gym.db, payer.lane) as lease:
        assert lease is not None
        yield


def try_hold(of: Purse) -> Settle | str:
    try:
        return of.hold(WANT)
    except NoRoom as none:
        return none.ended.reason


_outcome: st.SearchStrategy[CallOutcome] = st.sampled_from(["whole", "cut", "closed", "refused"])
_step = st.one_of(
    st.tuples(st.just("hold"), st.just("whole"), st.just(0)),
    st.tuples(st.just("settle"), _outcome, st.integers(0, 1_000)),
    st.tuples(st.just("die"), st.just("whole"), st.just(0)),
    st.tuples(st.just("late"), st.just("whole"), st.integers(1, 1_000)),
)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(_step, min_size=4, max_size=16), cap=st.integers(0, 5 * WORST))
def test_no_order_of_calls_passes_the_cap_or_loses_a_micro_dollar(
    gym: Gym, steps: list[tuple[str, CallOutcome, int]], cap: int
) -> None:
    forget(gym)
    under_way: list[tuple[Payer, Settle]] = []
    dead: list[Settle] = []
    for what, outcome, tokens in [("hold", "whole", 0), *steps]:
        match what:
            case "hold":
                payer = Payer(gym.org_id, uuid4(), uuid4(), f"test:{uuid4()}")
                got = try_hold(purse_of(gym, payer, cap=cap))
                under_way += [] if isinstance(got, str) else [(payer, got)]
            case "settle" if under_way:
                under_way.pop(0)[1](used(outcome, tokens, tokens))
            case "die" if under_way:
                with gym.db.transaction(gym.org_id) as session:
                    lost = budget.settle_lost(session, cap=cap)
                assert lost == len(under_way)
                dead += [settle for _, settle in under_way]
                under_way.clear()
            case "late" if dead:
                dead.pop()(used(outcome, tokens, tokens))
            case _:
                pass
        if cap < WORST:
            assert under_way == []
            continue
        now = sums(gym)
        assert now.spent + now.held <= cap
        assert (now.spent, now.held) == (now.rows, now.holds)
        assert now.held == WORST * len(under_way)


def forget(gym: Gym) -> None:
    with gym.db.transaction(gym.org_id) as session:
        for table in ("budget_hold", "usage", "usage_day"):
            session.execute(text(f"DELETE FROM {table}"))  # noqa: S608 - tables of ours


def test_of_two_hundred_at_once_only_as_many_pay_as_there_is_room_for(gym: Gym) -> None:
    room, together = 7, Barrier(200)
    got: list[Settle | str] = []

    def come() -> None:
        payer = Payer(gym.org_id, uuid4(), uuid4(), f"test:{uuid4()}")
        together.wait()
        got.append(try_hold(purse_of(gym, payer, cap=room * WORST + WORST - 1)))

    threads = [Thread(target=come) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    settles = [one for one in got if not isinstance(one, str)]
    assert len(settles) == room
    assert [one for one in got if isinstance(one, str)] == ["busy"] * (200 - room)
    assert sums(gym) == Sums(spent=0, held=room * WORST, rows=0, holds=room * WORST)
    for settle in settles:
        settle(used())
    assert sums(gym) == Sums(spent=room * 3_000, held=0, rows=room * 3_000, holds=0)


def test_what_others_hold_is_waited_for_and_what_is_spent_is_not(gym: Gym, payer: Payer) -> None:
    first = purse_of(gym, payer, cap=WORST + 3_000)
    settle = first.hold(WANT)
    other = replace(payer, lane=f"test:{uuid4()}", turn_id=uuid4())
    assert try_hold(purse_of(gym, other, cap=WORST + 3_000, patience_s=0.3)) == "busy"

    got: list[Settle | str] = []
    patient = purse_of(gym, other, cap=WORST + 3_000, patience_s=5)
    waiting = Thread(target=lambda: got.append(try_hold(patient)))
    waiting.start()
    settle(used())
    waiting.join()
    assert not isinstance(got[0], str)
    got[0](used())
    with pytest.raises(NoRoom) as none:
        patient.hold(WANT)
    limit = none.value.ended.limit
    assert none.value.ended.reason == "over_budget"
    assert limit is not None
    assert (limit.tier, limit.reset) == ("lite", datetime(2026, 11, 30, 22, tzinfo=UTC))


def test_a_cap_of_zero_and_a_model_without_a_price_refuse_before_the_call(
    gym: Gym, payer: Payer
) -> None:
    assert try_hold(purse_of(gym, payer, cap=0)) == "over_budget"
    with pytest.raises(NoRoom) as none:
        purse_of(gym, payer).hold(Want("claude-next-9", 10, 10))
    assert none.value.ended.reason == "model_failed"


def test_the_holds_of_a_dead_worker_are_booked_and_those_of_a_living_one_are_kept(
    gym: Gym, payer: Payer
) -> None:
    sweep = gym.stage.wiring.budgets.sweep
    dead = replace(payer, lane=f"test:{uuid4()}")
    with alive(gym, payer):
        settle = purse_of(gym, payer).hold(WANT)
        with alive(gym, dead):
            late = purse_of(gym, dead).hold(WANT)
        sweep()
        assert sums(gym) == Sums(spent=WORST, held=WORST, rows=WORST, holds=WORST)
        settle(used())
        late(used())
        assert sums(gym) == Sums(spent=6_000, held=0, rows=6_000, holds=0)
        purse_of(gym, payer).hold(WANT)
        settle = purse_of(gym, payer).hold(WANT)
        now = sums(gym)
        assert (now.spent, now.held) == (6_000 + WORST, WORST), "the lane's holder had another"


def test_a_day_that_comes_near_its_cap_is_told_once(gym: Gym, payer: Payer) -> None:
    told: list[str] = []
    mine = purse_of(gym, payer, cap=20_000)
    mine = replace(mine, near=lambda _, limit: told.append(limit.tier))
    for _ in range(2):
        mine.hold(WANT)(used())
        assert told == []
    mine.hold(WANT)(used(output=1_000))
    mine.hold(Want(MODEL, 100, 10))(used(prompt=100, output=10))
    assert told == ["lite"]
    assert sums(gym).warned == payer.turn_id


def test_what_is_done_beside_turns_leaves_the_telling_to_the_next_turn(
    gym: Gym, payer: Payer
) -> None:
    told: list[str] = []
    beside = purse_of(gym, replace(payer, lane="summary:1", aside=True), cap=20_000)
    mine = replace(purse_of(gym, payer, cap=20_000), near=lambda _, limit: told.append(limit.tier))
    beside.hold(WANT)(used(output=1_500))
    assert sums(gym).spent > 16_000
    assert (told, sums(gym).warned) == ([], None)
    mine.hold(Want(MODEL, 100, 10))(used(prompt=100, output=10))
    mine.hold(Want(MODEL, 100, 10))(used(prompt=100, output=10))
    assert (told, sums(gym).warned) == (["lite"], payer.turn_id)


@pytest.mark.parametrize(
    ("zone", "now", "day", "reset"),
    [
        ("Asia/Jerusalem", "2026-03-26T21:59", "2026-03-26", "2026-03-26T22:00"),
        ("Asia/Jerusalem", "2026-03-26T22:00", "2026-03-27", "2026-03-27T21:00"),
        ("Asia/Jerusalem", "2026-10-24T21:00", "2026-10-25", "2026-10-25T22:00"),
        ("Asia/Beirut", "2026-03-28T12:00", "2026-03-28", "2026-03-28T22:00"),
        ("America/New_York", "2026-12-01T04:59", "2026-11-30", "2026-12-01T05:00"),
    ],
)
def test_a_day_is_the_gyms_own_also_when_the_clocks_change(
    zone: str, now: str, day: str, reset: str
) -> None:
    of = Account(Tier.LITE, zone)
    found = of.day(datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert found.isoformat() == day
    assert of.reset(found) == datetime.fromisoformat(reset).replace(tzinfo=UTC)


def test_over_midnight_a_call_is_booked_on_the_day_it_began(gym: Gym, payer: Payer) -> None:
    mine = purse_of(gym, payer, cap=WORST)
    settle = mine.hold(WANT)
    gym.studio.wait(hours=24)
    clock = gym.stage.wiring.db.clock
    object.__setattr__(clock, "offset", clock.offset + (gym.studio.now - clock.now()))
    other = replace(payer, lane=f"test:{uuid4()}")
    purse_of(gym, other, cap=WORST).hold(WANT)(used())
    settle(used(output=200))
    with gym.db.transaction(gym.org_id) as session:
        days = session.execute(
            select(UsageDay.spent_micros, UsageDay.held_micros).order_by(UsageDay.day)
        ).all()
    assert [tuple(one) for one in days] == [(4_000, 0), (3_000, 0)]


@pytest.mark.parametrize(
    ("usage", "micros"),
    [
        (used(), 3_000),
        (used("cut"), 12_000),
        (used("closed"), 12_000),
        (used("cut", prompt=0, output=0), WORST),
        (used("refused", prompt=0, output=0), 0),
        (used("unsent", prompt=0, output=0), 0),
        (replace(used(), model="claude-next-9"), WORST),
    ],
)
def test_what_is_not_known_of_a_call_counts_at_its_most(usage: Usage, micros: int) -> None:
    day = date(2026, 12, 1)
    assert worst_case(MODEL, day, WANT.prompt, WANT.output) == WORST
    assert booked(usage, day, WANT, WORST) == micros


def test_another_tier_is_another_cap_at_once(gym: Gym, payer: Payer) -> None:
    mine = replace(purse_of(gym, payer), caps=Caps(lite=WORST - 1, pro=WORST, elite=WORST))
    assert try_hold(mine) == "over_budget"
    with gym.db.transaction(gym.org_id) as session:
        studio.set_tier(session, gym.org_id, Tier.PRO)
    assert not isinstance(try_hold(mine), str)
    assert purse.PATIENCE_S == 5
