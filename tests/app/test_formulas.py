"""The formulas of money and risk, by hand and by random histories."""

from dataclasses import fields
from fractions import Fraction
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analytics import formulas
from app.analytics.formulas import LOSSES, Movement, Signs, Standing
from app.memberships.terms import PeriodUnit

PLAN = UUID(int=99)
CALM = Signs(0, None, 2.0, 2.0, failed=False, expiring=False, booked_ahead=False)


def stands(membership: int, monthly: object, *, member: int = 1, frozen: bool = False) -> Standing:
    return Standing(UUID(int=membership), UUID(int=member), PLAN, Fraction(str(monthly)), frozen)


def moved(before: list[Standing], after: list[Standing], *, paid: bool = False) -> Movement:
    earlier = {UUID(int=1)} if paid else set()
    return formulas.total(formulas.movement(before, after, earlier).values())


@pytest.mark.parametrize(
    ("unit", "count", "amount"),
    [
        (PeriodUnit.MONTH, 1, "30000"),
        (PeriodUnit.WEEK, 1, "130000"),
        (PeriodUnit.WEEK, 4, "32500"),
        (PeriodUnit.MONTH, 3, "10000"),
        (PeriodUnit.MONTH, 6, "5000"),
        (PeriodUnit.YEAR, 1, "2500"),
        (None, 1, "30000"),
    ],
)
def test_a_price_is_spread_over_its_months(
    unit: PeriodUnit | None, count: int, amount: str
) -> None:
    assert formulas.monthly(30_000, unit, count) == Fraction(amount)


def test_who_comes_goes_and_pays_differently_is_told_apart() -> None:
    assert moved([], [stands(1, 300)]) == Movement(new=Fraction(300))
    assert moved([], [stands(1, 300)], paid=True) == Movement(reactivation=Fraction(300))
    assert moved([stands(1, 300)], []) == Movement(churn=Fraction(300))
    assert moved([stands(1, 300)], [stands(1, 350)]) == Movement(expansion=Fraction(50))
    assert moved([stands(1, 300)], [stands(2, 200)]) == Movement(contraction=Fraction(100))
    assert moved([stands(1, 300)], [stands(1, 300)]) == Movement()


def test_a_freeze_is_no_loss_and_leaving_out_of_one_takes_nothing() -> None:
    frozen = stands(1, 300, frozen=True)
    assert moved([stands(1, 300)], [frozen]) == Movement(freeze=Fraction(300))
    assert moved([frozen], [stands(1, 320)]) == Movement(unfreeze=Fraction(320))
    assert moved([frozen], []) == Movement()
    both = [stands(1, 300, frozen=True), stands(2, 100)]
    assert moved([stands(1, 300), stands(2, 150)], both) == Movement(
        freeze=Fraction(300), contraction=Fraction(50)
    )


def test_who_keeps_a_frozen_membership_neither_came_nor_left() -> None:
    frozen = stands(1, 300, frozen=True)
    assert moved([frozen], [frozen, stands(2, 80)]) == Movement(expansion=Fraction(80))
    assert moved([frozen, stands(2, 80)], [frozen]) == Movement(contraction=Fraction(80))


PEOPLE = st.lists(
    st.builds(
        lambda membership, minor, count, frozen: Standing(
            UUID(int=membership),
            UUID(int=membership % 5),
            PLAN,
            formulas.monthly(minor, PeriodUnit.WEEK, count),
            frozen,
        ),
        st.integers(1, 25),
        st.integers(1, 100_000),
        st.integers(1, 9),
        st.booleans(),
    ),
    max_size=25,
    unique_by=lambda one: one.membership_id,
)


@given(PEOPLE, PEOPLE, st.sets(st.integers(0, 5).map(lambda n: UUID(int=n))))
def test_movement_leads_from_one_end_to_the_other_to_the_last_agora(
    before: list[Standing], after: list[Standing], paid: set[UUID]
) -> None:
    found = formulas.total(formulas.movement(before, after, paid).values())
    start, end = formulas.agorot(formulas.revenue(before)), formulas.agorot(formulas.revenue(after))

    told = formulas.rounded(found, start, end)

    signed = {name: -amount if name in LOSSES else amount for name, amount in told.items()}
    assert start + sum(signed.values()) == end
    for field in fields(Movement):
        assert getattr(found, field.name) >= 0
        assert abs(told[field.name] - getattr(found, field.name)) <= 1


def test_half_an_agora_is_rounded_up() -> None:
    assert [formulas.agorot(Fraction(n, 2)) for n in (0, 1, 2, 3)] == [0, 1, 1, 2]


def test_nothing_to_measure_by_is_not_zero() -> None:
    assert formulas.percent(0, 0) is None
    assert formulas.percent(1, 4) == 25.0


@pytest.mark.parametrize(
    ("signs", "why", "points"),
    [
        (CALM, [], 0),
        (CALM._replace(days_since=10), ["away"], 19),
        (CALM._replace(days_since=10, median_gap=6.0), [], 19),
        (CALM._replace(days_since=21, recent=0.0), ["away", "fewer_visits"], 70),
        (CALM._replace(recent=1.0), ["fewer_visits"], 15),
        (CALM._replace(base=0.5, recent=0.0), [], 30),
        (CALM._replace(failed=True, expiring=True), ["failed_payment", "expiring"], 30),
        (CALM._replace(days_since=42, booked_ahead=True), ["away"], 30),
        (CALM._replace(booked_ahead=True), [], 0),
    ],
)
def test_who_may_leave_is_flagged_and_scored(signs: Signs, why: list[str], points: int) -> None:
    assert formulas.reasons(signs, 10) == why
    assert formulas.score(signs) == points
