"""Recurring revenue, churn, retention and debts on a gym that can be worked out by hand."""

from collections.abc import Callable
from datetime import date, time, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.analytics.periods import Days, MonthOf
from app.analytics.queries import money, payments
from app.analytics.queries.payments import MoneyBy
from app.analytics.views import Mrr
from app.memberships import queries as memberships
from app.studio.paging import Cut
from tests.analytics import Books
from tests.studio import ZONE, Studio

TODAY = date(2026, 11, 30)
OCT, NOV = MonthOf(2026, 10), MonthOf(2026, 11)


@pytest.fixture
def books(studio: Studio) -> Books:
    return Books(studio)


def read(books: Books, query: Callable[..., Any], *args: object, **more: object) -> Any:  # noqa: ANN401 - what the query gives
    with books.studio.act() as session:
        return query(session, *args, **more)


def mrr(books: Books, month: MonthOf) -> Mrr:
    found: Mrr = read(books, money.mrr, month, today=TODAY)
    return found


def test_a_month_is_rebuilt_from_what_was_so_at_its_last_instant(books: Books) -> None:
    stays = books.sold(date(2026, 9, 1), 30_000)
    leaves = books.sold(date(2026, 9, 10), 25_000)
    frozen = books.sold(date(2026, 9, 12), 20_000)
    books.sold(date(2026, 11, 5), 10_000, unit="week")
    books.ends(date(2026, 10, 20), leaves, "moved away")
    books.costs(date(2026, 11, 2), stays, 33_000)
    books.freezes(date(2026, 11, 10), frozen)

    october, november = mrr(books, OCT), mrr(books, NOV)

    assert (october.start, october.end, october.so_far) == (75_000, 50_000, False)
    assert october.movement["churn"] == 25_000
    # 33,000 and a week's 10,000 by 52 of 12 months; the frozen one brings nothing.
    assert (november.end, november.so_far) == (76_333, True)
    assert november.movement == {
        "new": 43_333,
        "reactivation": 0,
        "expansion": 3_000,
        "unfreeze": 0,
        "contraction": 0,
        "freeze": 20_000,
        "churn": 0,
    }
    assert november.yearly == 12 * 76_333
    assert november.members == 2


def test_who_paid_before_comes_back_and_a_discount_counts(books: Books) -> None:
    first = books.sold(date(2026, 8, 1), 30_000)
    books.ends(date(2026, 9, 1), first)
    books.sold(date(2026, 11, 1), 30_000, member=books.of(first), discount=5_000)

    found = mrr(books, NOV)

    assert (found.movement["reactivation"], found.movement["new"]) == (25_000, 0)


def test_what_was_taken_back_was_never_so(books: Books) -> None:
    one = books.sold(date(2026, 9, 1), 30_000)
    books.costs(date(2026, 10, 5), one, 90_000)
    books.costs(date(2026, 10, 5), one, 30_000)

    assert mrr(books, OCT).end == 30_000
    assert set(mrr(books, OCT).moved.values()) == {0}


CHANGES = st.lists(
    st.tuples(
        st.integers(0, 5),
        st.sampled_from(["ends", "freezes", "thaws", "costs"]),
        st.integers(0, 90),
        st.integers(1, 90_000),
    ),
    max_size=12,
)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 90_000)), min_size=1, max_size=6),
    CHANGES,
)
def test_every_month_ends_where_its_movement_leads(
    books: Books, sold: list[tuple[int, int]], changes: list[tuple[int, str, int, int]]
) -> None:
    begin = date(2026, 8, 15)
    made = [books.sold(begin + timedelta(days=day), price, unit="week") for day, price in sold]
    for which, what, day, price in sorted(changes, key=lambda one: one[2]):
        one, on = made[which % len(made)], begin + timedelta(days=60 + day % 40)
        books.costs(on, one, price) if what == "costs" else getattr(books, what)(on, one)
    for month in (MonthOf(2026, 8), MonthOf(2026, 9), OCT, NOV):
        found = mrr(books, month)
        gains = sum(found.movement[name] for name in ("new", "reactivation", "expansion"))
        losses = sum(found.movement[name] for name in ("contraction", "freeze", "churn"))
        assert found.end == found.start + gains + found.movement["unfreeze"] - losses


def test_churn_counts_the_frozen_as_there_and_names_who_left(books: Books) -> None:
    frozen = books.sold(date(2026, 9, 1), 20_000)
    books.freezes(date(2026, 9, 20), frozen)
    leaves = books.sold(date(2026, 9, 1), 30_000)
    books.ends(date(2026, 11, 10), leaves, "moved away")
    books.sold(date(2026, 9, 1), 30_000)
    short = books.sold(date(2026, 11, 2), 30_000)
    books.ends(date(2026, 11, 9), short)

    found = read(books, money.churn, NOV, today=TODAY)

    assert (found.at_start, found.lost, found.early_exits) == (3, 1, 1)
    assert found.rate == pytest.approx(100 / 3)
    assert found.gross == pytest.approx(50.0)
    assert [(one.reason, one.monthly) for one in found.left] == [("moved away", 30_000)]


def test_without_members_there_is_no_rate(books: Books) -> None:
    found = read(books, money.churn, NOV, today=TODAY)
    assert (found.rate, found.gross, found.net) == (None, None, None)
    assert read(books, money.arpm, NOV, today=TODAY, zone=ZONE).amount is None


def test_a_cohort_is_followed_from_its_first_paid_month(books: Books) -> None:
    for _ in range(3):
        books.sold(date(2026, 8, 10), 30_000)
    leaves = books.sold(date(2026, 8, 20), 30_000)
    books.ends(date(2026, 10, 5), leaves)

    august, september = read(
        books, money.cohorts, MonthOf(2026, 8), MonthOf(2026, 9), months=3, today=TODAY
    )

    assert (august.size, list(august.shares)) == (4, [100.0, 100.0, 75.0, None])
    assert (september.size, september.shares[0]) == (0, None)


def test_revenue_a_member_and_what_one_is_worth(books: Books) -> None:
    for _ in range(4):
        books.sold(date(2026, 6, 1), 30_000)
    leaves = books.sold(date(2026, 6, 1), 50_000)
    books.ends(date(2026, 9, 10), leaves)
    books.paid(books.of(leaves), 44_000, date(2026, 11, 3))

    found = read(books, money.arpm, NOV, today=TODAY, zone=ZONE)

    assert (found.amount, found.members, found.realised) == (30_000, 4, 11_000)
    # One of five left in September, nobody in August and October: a fifteenth a month.
    assert found.lifetime == 450_000
    assert found.trend[MonthOf(2026, 8)] == 34_000


def test_revenue_is_by_the_day_paid_and_refunds_are_apart(books: Books) -> None:
    dana = books.studio.person("Dana Levi")
    books.paid(dana, 30_000, date(2026, 10, 28), on=date(2026, 11, 2))
    books.paid(dana, 20_000, date(2026, 11, 10))
    books.paid(dana, 5_000, date(2026, 11, 12), kind="refund")
    books.paid(dana, 30_000, date(2026, 11, 28), status="failed")
    books.paid(dana, 9_000, date(2026, 12, 28), status="pending")

    days, by_week = Days(NOV.first, TODAY), MoneyBy.WEEK
    found = read(books, payments.revenue, days, by_week, zone=ZONE, week_start=0)
    monday = read(books, payments.revenue, days, by_week, zone=ZONE, week_start=1)

    assert (found.whole.collected, found.whole.refunds, found.whole.net) == (50_000, 5_000, 45_000)
    assert (found.whole.failed, found.whole.failed_count) == (30_000, 1)
    assert found.outstanding == 30_000
    assert [key for key, _ in found.parts] == ["2026-11-01", "2026-11-08", "2026-11-22"]
    assert [key for key, _ in monday.parts] == ["2026-11-02", "2026-11-09", "2026-11-23"]


def unpaid(books: Books, **more: object) -> list[tuple[str, int, int]]:
    found = read(books, payments.unpaid, TODAY, zone=ZONE, cut=Cut(), **more)
    return [(one.name, one.amount, one.overdue(TODAY)) for one in found.rows]


def test_what_is_owed_counts_retries_once_and_what_came_in_since(books: Books) -> None:
    dana, noa, ron = (books.studio.person(f"{name} Levi") for name in ("Dana", "Noa", "Ron"))
    books.paid(dana, 30_000, date(2026, 11, 1), status="failed", invoice="A1")
    books.paid(dana, 30_000, date(2026, 11, 4), status="failed", invoice="A1")
    books.paid(noa, 30_000, date(2026, 11, 1), status="failed", invoice="B1")
    books.paid(noa, 30_000, date(2026, 11, 6), invoice="B1")
    books.paid(ron, 20_000, date(2026, 10, 1), status="pending", invoice="C1")
    books.paid(ron, 5_000, date(2026, 10, 9), kind="adjustment", invoice="C1")
    books.paid(ron, 20_000, TODAY, status="pending")

    assert unpaid(books) == [("Ron Levi", 15_000, 60), ("Dana Levi", 30_000, 29)]
    assert unpaid(books, due_in=NOV.days) == [("Dana Levi", 30_000, 29)]
    assert unpaid(books, due_in=OCT.days) == [("Ron Levi", 15_000, 60)]
    assert unpaid(books, min_days=30) == [("Ron Levi", 15_000, 60)]
    assert read(books, memberships.owed, TODAY, zone=ZONE) == {dana: 30_000, ron: 15_000}
    assert read(books, memberships.owed, TODAY, [noa], zone=ZONE) == {}


def test_what_was_owed_then_isn_t_changed_by_what_came_in_later(books: Books) -> None:
    late, retried, again, backed = (books.studio.person(f"{name} Levi") for name in "LRAB")
    # Due in October and paid in November, half an hour into it by the gym's clock.
    books.paid(late, 30_000, date(2026, 10, 5), on=NOV.first, at=time(0, 30))
    books.paid(retried, 20_000, date(2026, 10, 20), status="failed", invoice="R1")
    books.paid(retried, 20_000, date(2026, 11, 6), invoice="R1")
    # Made good in time, though part of it went back since; and put back by the bank in November.
    books.paid(again, 7_000, date(2026, 10, 20), status="failed", invoice="A1")
    books.paid(again, 7_000, date(2026, 10, 25), status="refunded", on=OCT.last, invoice="A1")
    books.paid(backed, 4_000, date(2026, 10, 1), status="failed", invoice="B1")
    books.paid(backed, 4_000, date(2026, 10, 2), invoice="B1")
    books.paid(backed, 4_000, date(2026, 11, 9), kind="chargeback", invoice="B1")

    assert read(books, memberships.owed, OCT.last, zone=ZONE) == {late: 30_000, retried: 20_000}
    assert read(books, memberships.owed, NOV.first, zone=ZONE) == {retried: 20_000}
    assert read(books, memberships.owed, TODAY, zone=ZONE) == {backed: 4_000}
    october = read(books, payments.revenue, OCT.days, None, zone=ZONE, week_start=0)
    assert (october.outstanding, october.whole.collected) == (50_000, 11_000)
    assert read(books, memberships.owed, date.max, zone=ZONE) == {backed: 4_000}
