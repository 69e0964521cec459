"""What the demo gym's members paid, as a provider would tell it: most did, a few didn't."""

from collections.abc import Iterator
from datetime import timedelta

from app.memberships import service as memberships
from app.memberships.service import Payment
from app.memberships.terms import PaymentKind, PaymentState
from bot.playground.demo.people import Trainee
from bot.playground.demo.site import Site


def bill(site: Site, trainees: tuple[Trainee, ...]) -> None:
    """In the platform's transaction: one charge for what each of them bought last."""
    charges = list(_charges(site, trainees))
    memberships.take_in(site.session, site.actor.org_id, charges)


def _charges(site: Site, trainees: tuple[Trainee, ...]) -> Iterator[Payment]:
    for number, one in enumerate(trainees, 1):
        paid = not one.owes
        yield Payment(
            member_id=one.id,
            membership_id=one.membership_id,
            kind=PaymentKind.CHARGE,
            status=PaymentState.SUCCEEDED if paid else _unpaid(number),
            amount_minor=one.price,
            due_date=one.since,
            paid_at=min(site.at(one.since, 9), site.now - timedelta(minutes=1)) if paid else None,
            failure_code="insufficient_funds" if one.owes and number % 2 else None,
            method_last4="4242",
            provider_ref=f"demo-{number}",
            invoice_no=f"D{number:05d}",
        )


def _unpaid(number: int) -> PaymentState:
    """Refused by the bank, or never come."""
    return PaymentState.FAILED if number % 2 else PaymentState.PENDING
