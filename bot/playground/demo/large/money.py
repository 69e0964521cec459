"""Every month's charge of every recurring membership, as a provider would tell it."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final

from app.memberships.terms import PaymentKind, PaymentState
from bot.playground.demo.large.crowd import Bought, Crowd
from bot.playground.demo.large.rows import ZONE, Rows

_MONTH: Final = timedelta(days=30)
_FAILS: Final = 0.04
_STAYS_OPEN: Final = 0.15


def bill(rows: Rows, crowd: Crowd, rng: Random) -> None:
    """One in twenty-five fails; most of those are made good within a week."""
    number = 0
    for bought in crowd.bought:
        for day in _due(bought, rows.today):
            number += 1
            invoice = f"L{number:06d}"
            if rng.random() > _FAILS:
                _entry(rows, bought, day, PaymentState.SUCCEEDED, invoice)
                continue
            _entry(rows, bought, day, PaymentState.FAILED, invoice)
            again = day + timedelta(days=5)
            if again <= rows.today and rng.random() > _STAYS_OPEN:
                _entry(rows, bought, again, PaymentState.SUCCEEDED, invoice)


def _due(bought: Bought, today: date) -> Iterator[date]:
    """A card is paid once, the rest by the month."""
    day = bought.since
    while day <= today and (bought.plan != "card" or day == bought.since):
        if bought.covers(day):
            yield day
        day += _MONTH


def _entry(rows: Rows, bought: Bought, day: date, state: PaymentState, invoice: str) -> None:
    paid = state is PaymentState.SUCCEEDED
    at = datetime.combine(day, time(9), tzinfo=ZONE)
    rows.add(
        "payment_ledger",
        at=min(at, rows.now),
        member_id=bought.member_id,
        membership_id=bought.id,
        kind=PaymentKind.CHARGE,
        status=state,
        amount_minor=bought.price,
        due_date=day,
        paid_at=at if paid else None,
        failure_code=None if paid else "insufficient_funds",
        method_last4="4242",
        provider_ref=f"{invoice}-{state.value}",
        invoice_no=invoice,
    )
