"""Cancelling many classes, or many bookings: the card, what is left, and taking it back."""

from datetime import time, timedelta
from uuid import UUID

import pytest
from sqlalchemy import select

from app.bookings.models import Booking
from app.bookings.queries import booking_view
from app.core.actor import Role
from app.core.outbox import Outbox
from app.memberships.queries import balance
from app.schedule import service as schedule
from app.schedule.service import NewSession
from tests.studio import Studio
from tests.tools.catalog.asking import REGISTRY, Asking
from tools.kit.background import advance
from tools.kit.cards import Confirm, Done, Progress, for_model
from tools.kit.models import BackgroundTask
from tools.kit.undo import undo
from tools.kit.values import plain

PASSOVER = {"from_date": "2027-04-21", "to_date": "2027-04-22", "reason": "Passover"}


@pytest.fixture
def admin(studio: Studio, ask: Asking) -> Asking:
    return ask.by(studio.admin)


def passover(studio: Studio) -> list[UUID]:
    """On the eve at seven and at six, on the day at six, and one a week later."""
    return [
        studio.session("07:00", day=142, capacity=1),
        studio.session("18:00", day=142),
        studio.session("18:00", day=143),
        studio.session("18:00", day=150),
    ]


def statuses(ask: Asking, ids: list[UUID]) -> list[str]:
    return [ask.told("class_sessions.get", class_session_id=one)["status"] for one in ids]


def left(studio: Studio, member: UUID) -> int:
    with studio.act() as session:
        return balance(session, member, studio.day(0))


def test_a_closed_gym_gives_all_credits_back_and_names_the_holiday(
    studio: Studio, admin: Asking
) -> None:
    classes = passover(studio)
    dana, noa = studio.member(credits_=3), studio.member("Noa Katz", credits_=3)
    studio.booking(dana, classes[0])
    studio.booking(noa, classes[0], join_waitlist=True)
    studio.booking(dana, classes[2])
    asked = admin.question("class_sessions.bulk_cancel", **PASSOVER)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    shown = {name: plain(one) for name, one in asked.card.values.items()}
    assert (shown["classes"], shown["booked"], shown["waiting"], shown["credits"]) == (3, 2, 1, 2)
    told = [(line.key, *map(plain, line.values.values())) for line in asked.card.effects]
    assert ("card.people", ["Dana Levi"]) in told
    assert [one[1] for one in told if one[0] == "note.holiday"] == ["pesach_eve", "pesach"]
    done = admin.outcome("class_sessions.bulk_cancel", **PASSOVER)
    assert for_model(done.card)["credits"] == 2
    assert statuses(admin, classes) == ["cancelled"] * 3 + ["scheduled"]
    assert left(studio, dana) == 3
    assert admin.undo(done).ok
    assert statuses(admin, classes) == ["scheduled"] * 4
    assert left(studio, dana) == 1
    with studio.act() as session:
        waiting = select(Booking.member_id).where(Booking.status == "waitlisted")
        assert session.scalars(waiting).one() == noa


def test_only_what_fits_the_filter_is_cancelled_and_silently_if_wished(
    studio: Studio, admin: Asking
) -> None:
    classes = passover(studio)
    studio.booking(studio.member(), classes[1])
    given = {**PASSOVER, "starts_from": "16:00", "to_date": "2027-04-21", "notify": False}
    assert for_model(admin.card("class_sessions.bulk_cancel", **given))["done"] is not None
    assert statuses(admin, classes) == ["scheduled", "cancelled", "scheduled", "scheduled"]
    with studio.act() as session:
        rows = session.scalars(select(Outbox).where(Outbox.topic == "member_notice"))
        assert "session_cancelled" not in [row.body["notice"] for row in rows]
    coach = studio.staff[Role.COACH]
    told = admin.told("class_sessions.bulk_cancel", **{**PASSOVER, "coach_id": coach})
    assert told["error"] == "nothing_to_cancel"
    backwards = {**PASSOVER, "to_date": "2027-04-01"}
    assert admin.told("class_sessions.bulk_cancel", **backwards)["error"] == "bad_input"


def test_many_classes_are_a_task_that_goes_on_past_one_that_cannot(
    studio: Studio, admin: Asking
) -> None:
    with studio.act() as session:
        for hour in range(24):
            new = NewSession(studio.class_type_id, studio.day(143), time(hour, 0), minutes=30)
            schedule.create(session, studio.owner, new, now=studio.now)
    given = {**PASSOVER, "from_date": "2027-04-22"}
    card = admin.card("class_sessions.bulk_cancel", **given)
    assert isinstance(card, Progress)
    assert (card.done, card.total) == (0, 24)
    one = admin.told("class_sessions.list", from_date="2027-04-22")["rows"][5]["id"]
    admin.outcome("class_sessions.cancel", class_session_id=one)
    with studio.act() as session:
        task_id = session.scalars(select(BackgroundTask.id)).one()
    for _ in range(2):
        with studio.act() as session:
            advance(session, REGISTRY, task_id)
    with studio.act() as session:
        task = session.get_one(BackgroundTask, task_id)
        assert (task.done, task.failed) == (23, 1)
    undone = undo(studio.db, REGISTRY, studio.admin, task.call_id)
    assert undone.ok
    rows = admin.told("class_sessions.list", from_date="2027-04-22", limit=30)["rows"]
    assert sorted(row["status"] for row in rows) == ["cancelled"] + ["scheduled"] * 23


def test_a_members_bookings_go_with_or_without_what_is_late(studio: Studio, admin: Asking) -> None:
    dana = studio.member(credits_=5)
    soon = studio.booking(dana, studio.session("11:30", day=0))
    later = studio.booking(dana, studio.session(day=3))
    studio.clock.hands[0] += timedelta(minutes=20)
    other = studio.booking(studio.member("Noa Katz"), studio.session(day=3))
    given = {"member_id": dana, "reason": "Abroad"}
    by_rule = admin.question("bookings.bulk_cancel", **given, refund_credits=False)
    assert by_rule is not None
    assert isinstance(by_rule.card, Confirm)
    told = by_rule.card.values
    assert (told["credits"], told["late_count"], plain(told["member"])) == (1, 1, "Dana Levi")
    gone = admin.outcome("bookings.bulk_cancel", **given, refund_credits=False)
    assert isinstance(gone.card, Done)
    assert states(studio, soon, later, other) == ["late_cancelled", "cancelled", "booked"]
    assert left(studio, dana) == 4
    assert admin.undo(gone).ok
    waived = admin.outcome("bookings.bulk_cancel", **given, refund_credits=True)
    assert for_model(waived.card)["credits"] == 2
    assert left(studio, dana) == 5


def states(studio: Studio, *ids: UUID) -> list[str]:
    with studio.act() as session:
        return [booking_view(session, one, "en").status.value for one in ids]


def test_many_bookings_need_a_bound_and_ids_of_the_gym(studio: Studio, admin: Asking) -> None:
    given = {"refund_credits": True, "reason": "Abroad"}
    assert admin.told("bookings.bulk_cancel", **given)["error"] == "bad_input"
    wrong = admin.told("bookings.bulk_cancel", **given, booking_ids=[str(studio.org_id)])
    assert wrong["error"] == "not_found"
    empty = admin.told("bookings.bulk_cancel", **given, member_id=studio.member())
    assert empty["error"] == "nothing_to_cancel"
    coach = admin.by(studio.coach).told("bookings.bulk_cancel", **given)
    assert coach["error"] == "not_allowed"


def test_what_was_agreed_to_is_asked_again_when_it_has_moved(studio: Studio, admin: Asking) -> None:
    classes = passover(studio)
    asked = admin.question("class_sessions.bulk_cancel", **PASSOVER)
    studio.booking(studio.member(), classes[0])
    again = admin.question("class_sessions.bulk_cancel", **PASSOVER)
    assert asked is not None
    assert again is not None
    assert asked.target != again.target
