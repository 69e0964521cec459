"""Plans, memberships and payments, as coaches and owners ask for them."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from app.core.actor import Role
from app.desk import cancelling
from app.memberships import service
from app.memberships.service import FreezeWish, NewPlan, Payment
from app.memberships.terms import PaymentKind, PaymentState, PeriodUnit, PlanKind
from tests.requests.request import Request
from tests.studio import NOW, Studio


def plan(studio: Studio, kind: PlanKind, price: int = 38_000, **more: Any) -> UUID:  # noqa: ANN401 - as NewPlan
    with studio.act() as session:
        new = NewPlan(kind.replace("_", " ").capitalize(), kind, price, **more)
        return service.create_plan(session, studio.org_id, new)


def monthly(studio: Studio, **more: Any) -> UUID:  # noqa: ANN401 - as NewPlan
    return plan(studio, PlanKind.RECURRING, period_unit=PeriodUnit.MONTH, **more)


def card(studio: Studio) -> UUID:
    return plan(studio, PlanKind.PUNCH_CARD, 55_000, credits=10, validity_days=90)


def held(studio: Studio, plan_id: UUID, name: str = "Dana Levi") -> dict[str, Any]:
    """A member's membership of that plan, bought a month ago."""
    return {"membership_id": studio.sell(studio.person(name), plan_id)}


def frozen(studio: Studio) -> dict[str, Any]:
    """A card with a class booked, frozen from tomorrow for three weeks."""
    given = held(studio, card(studio))
    with studio.act() as session:
        wish = FreezeWish(given["membership_id"], studio.day(1), studio.day(21))
        service.freeze(session, studio.owner, wish, today=studio.day(0))
    return given


def with_booking(studio: Studio, day: int = 10) -> dict[str, Any]:
    """A card by which a class is booked so many days from now."""
    member_id = studio.person()
    membership_id = studio.sell(member_id, card(studio))
    studio.booking(member_id, studio.session(day=day))
    return {"membership_id": membership_id}


def cancelled(studio: Studio) -> dict[str, Any]:
    given = held(studio, monthly(studio))
    with studio.act() as session:
        notice = cancelling.CancelRequest(given["membership_id"])
        cancelling.cancel(session, studio.owner, notice, now=studio.now)
    return given


def paid(studio: Studio) -> dict[str, Any]:
    """A member whose November was paid and whose December didn't go through."""
    member_id = studio.person()
    membership_id = studio.sell(member_id, monthly(studio))
    charge = PaymentKind.CHARGE
    with studio.db.platform() as platform:
        service.take_in(
            platform,
            studio.org_id,
            [
                Payment(
                    member_id,
                    membership_id,
                    charge,
                    PaymentState.SUCCEEDED,
                    38_000,
                    studio.day(-30),
                    paid_at=NOW - timedelta(days=30),
                    method_last4="4242",
                ),
                Payment(
                    member_id, membership_id, charge, PaymentState.FAILED, 38_000, studio.day(0)
                ),
            ],
        )
    return {"member_id": member_id}


def ending(studio: Studio) -> dict[str, Any]:
    trial = plan(studio, PlanKind.TRIAL, 0, validity_days=33)
    studio.sell(studio.person("Noa Cohen"), trial)
    return {"within_days": 3, "kind": "trial"}


def closure(studio: Studio) -> dict[str, Any]:
    """A card that ends, and a membership that goes on, which has no end to move."""
    cards, endless = card(studio), monthly(studio)
    held(studio, cards)
    held(studio, cards, "Noa Cohen")
    held(studio, endless, "Tom Levi")
    return {
        "filter": {"plan_ids": [str(cards), str(endless)]},
        "days": 7,
        "reason": "we were closed",
    }


def trial(studio: Studio) -> dict[str, Any]:
    plan(studio, PlanKind.TRIAL, 0, validity_days=7)
    return {"kind": "trial"}


REQUESTS = [
    Request(
        "memberships.list_plans",
        "what trial plans do we have?",
        trial,
        ("Trial", "7 days"),
        role=Role.COACH,
    ),
    Request(
        "memberships.create_plan",
        "add a card of 10 classes, good for three months, 550 shekels",
        lambda _: {
            "name": "Ten classes",
            "kind": "punch_card",
            "price_agorot": 55_000,
            "credits": 10,
            "validity_days": 90,
        },
        ("Ten classes", "₪550", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.update_plan",
        "תעלה את המחיר של המנוי החודשי ל-400",
        lambda studio: {"plan_id": held_plan(studio), "price_agorot": 40_000},
        ("400", "להחזיר"),
    ),
    Request(
        "memberships.archive_plan",
        "месячный абонемент больше не продаём",
        lambda studio: {"plan_id": held_plan(studio)},
        ("Recurring", "вернуть"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.list",
        "כמה כניסות נשארו לדנה?",
        lambda studio: {"member_id": studio.member(credits_=7)},
        ("Dana Levi", "7"),
        role=Role.COACH,
    ),
    Request(
        "memberships.get",
        "show me Dana's membership",
        frozen,
        ("Dana Levi", "Punch card", "Credits left: 10", "Freezes"),
        role=Role.COACH,
    ),
    Request(
        "memberships.list_expiring",
        "whose trial ends this week?",
        ending,
        ("Noa Cohen", "Trial"),
        role=Role.COACH,
    ),
    Request(
        "memberships.create",
        "Dana takes the monthly one from tomorrow",
        lambda studio: {
            "member_id": studio.person(),
            "plan_id": monthly(studio),
            "start_date": studio.day(1).isoformat(),
        },
        ("Dana Levi", "Recurring", "₪380", "No payment was taken", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.change_plan",
        "переведи Дану на пакет из 10 посещений",
        lambda studio: {
            **held(studio, monthly(studio)),
            "plan_id": card(studio),
            "effective": "now",
        },
        ("Dana Levi", "Punch card", "вернуть"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.freeze",
        "freeze Dana for 3 weeks from Sunday, she is on reserve duty",
        lambda studio: {
            **with_booking(studio),
            "from_date": studio.day(6).isoformat(),
            "days": 21,
            "reason": "reserve duty",
        },
        ("Frozen", "Dana Levi", "21 days", "credits back: 1", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.unfreeze",
        "דנה חזרה, תפשיר לה את המנוי",
        frozen,
        ("Dana Levi", "21", "להחזיר"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.extend",
        "give Dana another week, she was ill",
        lambda studio: {**held(studio, card(studio)), "days": 7, "reason": "she was ill"},
        ("Extended", "Dana Levi", "7 days", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.adjust_credits",
        "תוסיף 2 ניקובים לכרטיסייה של דנה, היה בלבול",
        lambda studio: {**held(studio, card(studio)), "delta": 2, "reason": "היה בלבול"},
        ("Dana Levi", "שני ניקובים", "12", "להחזיר"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.cancel",
        "Dana is leaving, cancel her card",
        lambda studio: {**with_booking(studio, day=40), "reason": "moving away"},
        ("Membership cancelled", "Dana Levi", "credits back: 1", "No money goes back", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.reinstate",
        "Дана всё-таки остаётся, верни её абонемент",
        cancelled,
        ("Dana Levi", "вернуть"),
        role=Role.ADMIN,
    ),
    Request(
        "memberships.bulk_extend",
        "give everyone an extra week on their membership bc we were closed",
        closure,
        ("Extended", "2 memberships", "7 days", "UNDO"),
    ),
    Request(
        "memberships.list_payments",
        "did Dana's payments go through?",
        paid,
        ("₪380", "paid", "failed", "4242"),
        role=Role.ADMIN,
    ),
]


def held_plan(studio: Studio) -> UUID:
    """A monthly plan that somebody has."""
    plan_id = monthly(studio)
    held(studio, plan_id)
    return plan_id
