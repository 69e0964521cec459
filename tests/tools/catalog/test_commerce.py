"""The tools for what members buy, through the runner, as the assistant calls them."""

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select

from app.memberships import queries
from app.memberships.models import Membership, MembershipFreeze
from app.memberships.terms import MembershipStatus
from tests.app.bought import check_history, history, view
from tests.requests.commerce import card, closure, held, monthly, paid, with_booking
from tests.studio import Studio
from tests.tools.catalog.asking import REGISTRY, Asking
from tools.kit import background, rows
from tools.kit.calls import Outcome
from tools.kit.cards import Confirm, Done, Facts, Progress, Table, for_model
from tools.kit.declare import AT_ONCE
from tools.kit.models import BackgroundTask
from tools.kit.values import plain


@pytest.fixture
def desk(studio: Studio) -> Asking:
    """The assistant, acting for an owner."""
    return Asking(studio, studio.owner)


def row_of(studio: Studio, membership_id: UUID) -> dict[str, Any]:
    """Every column but what any write moves."""
    with studio.act() as session:
        image = rows.read_images(session, Membership.__table__, [membership_id])[membership_id]  # type: ignore[arg-type] # mapped to a table
    return {key: one for key, one in image.items() if key not in {"version", "updated_at"}}


def days(studio: Studio, first: int, last: int) -> dict[str, str]:
    return {
        "from_date": studio.day(first).isoformat(),
        "until_date": studio.day(last).isoformat(),
    }


def bookings_of(ask: Asking, membership_id: UUID) -> list[tuple[str, int]]:
    member_id = view(ask.studio, membership_id).member_id
    found = ask.told("bookings.list", member_id=member_id)["rows"]
    return [(one["status"], one["credits"]) for one in found]


def test_coaches_see_what_is_sold_but_not_for_how_much(studio: Studio, desk: Asking) -> None:
    given = {**held(studio, monthly(studio))}
    coach = desk.by(studio.coach)
    for tool in ("memberships.list_plans", "memberships.list", "memberships.list_expiring"):
        seen, whole = coach.card(tool), desk.card(tool)
        assert isinstance(seen, Table)
        assert isinstance(whole, Table)
        assert not {"label.price", "label.payment"} & set(seen.columns)
        assert "label.price" in whole.columns
    for asking, knows in ((coach, False), (desk, True)):
        shown = asking.card("memberships.get", **given)
        assert isinstance(shown, Facts)
        labels = {one.label for one in shown.facts}
        assert ({"label.price", "label.payment"} <= labels) is knows
    assert coach.told("memberships.list_payments", **paid(studio))["error"] == "not_allowed"


def test_a_coach_is_not_told_who_is_behind(studio: Studio, desk: Asking) -> None:
    given, coach = held(studio, monthly(studio)), desk.by(studio.coach)
    with studio.act() as session:
        row = session.get_one(Membership, given["membership_id"])
        row.status, member_id = MembershipStatus.PAST_DUE, row.member_id
    behind, active = {"status": ["past_due"]}, {"status": ["active"]}
    assert coach.told("memberships.list", **behind)["error"] == "not_allowed"
    assert desk.told("memberships.list", **active)["rows"] == []
    for asking, state in ((coach, "active"), (desk, "past_due")):
        told = [
            asking.told("memberships.get", **given),
            *asking.told("memberships.list", **(active if asking is coach else behind))["rows"],
            *asking.told("memberships.list", member_id=member_id)["rows"],
            *asking.told("read.get_member_timeline", member_id=member_id)["rows"],
        ]
        assert [one["status"] for one in told] == [state] * 4


def test_a_freeze_names_what_it_cancels_and_is_asked_anew_if_that_changes(
    studio: Studio, desk: Asking
) -> None:
    given = {**with_booking(studio, day=3), **days(studio, 1, 21)}
    asked = desk.question("memberships.freeze", **given)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    values = {key: plain(one) for key, one in asked.card.values.items()}
    assert (values["member"], values["days"]) == ("Dana Levi", 21)
    assert (values["bookings"], values["credits"]) == (1, 1)
    told = for_model(asked.card)["notes"]
    assert {"one_class": {"class": "WOD", "when": f"{studio.day(3)} 18:00-19:00"}} in told
    ends = {"before": str(studio.day(59)), "after": str(studio.day(80))}
    assert {"end_moves": ends} in told
    another = studio.session("20:00", day=3)
    studio.booking(view(studio, given["membership_id"]).member_id, another)
    again = desk.question("memberships.freeze", **given)
    assert again is not None
    assert again.target != asked.target


def test_only_what_this_membership_pays_is_cancelled(studio: Studio, desk: Asking) -> None:
    dana = studio.person()
    frozen = studio.sell(dana, card(studio))
    other = studio.sell(dana, studio.plan(5, class_type_ids=(studio.class_type_id,)))
    studio.booking(dana, studio.session(day=3), membership_id=frozen)
    studio.booking(dana, studio.session("20:00", day=3), membership_id=other)
    studio.booking(dana, studio.session(day=30), membership_id=frozen)
    desk.card("memberships.freeze", membership_id=frozen, **days(studio, 1, 21))
    assert sorted(bookings_of(desk, frozen)) == [("booked", 1), ("booked", 1), ("cancelled", 0)]


def test_a_freeze_taken_back_leaves_everything_as_it_was(studio: Studio, desk: Asking) -> None:
    given = with_booking(studio, day=3)
    before = row_of(studio, given["membership_id"])
    done = desk.outcome("memberships.freeze", **given, **days(studio, 0, 20))
    assert view(studio, given["membership_id"]).status == "frozen"
    assert bookings_of(desk, given["membership_id"]) == [("cancelled", 0)]
    studio.wait(seconds=5)
    assert desk.undo(done).ok
    assert row_of(studio, given["membership_id"]) == before
    assert bookings_of(desk, given["membership_id"]) == [("booked", 1)]
    with studio.act() as session:
        assert session.scalars(select(MembershipFreeze)).all() == []
        lots = queries.lots_of(session, given["membership_id"], studio.day(0))
        assert [(lot.left, lot.expires_on) for lot in lots if lot.left] == [(9, studio.day(59))]
    told = history(studio, given["membership_id"])
    assert [was.frozen for was in told] == [False, True, False]
    check_history(studio)
    assert desk.undo(done).card.model_dump()["code"] == "already_undone"


def test_a_place_that_is_gone_keeps_the_freeze(studio: Studio, desk: Asking) -> None:
    dana = studio.person()
    frozen = studio.sell(dana, card(studio))
    full = studio.session(day=3, capacity=1)
    studio.booking(dana, full)
    done = desk.outcome("memberships.freeze", membership_id=frozen, **days(studio, 1, 21))
    studio.booking(studio.member("Noa Cohen"), full)
    refused = desk.undo(done)
    assert refused.card.model_dump()["code"] == "place_gone"
    assert view(studio, frozen).end_date == studio.day(80)


def test_ending_a_freeze_early_does_not_book_again(studio: Studio, desk: Asking) -> None:
    given = with_booking(studio, day=3)
    desk.card("memberships.freeze", **given, **days(studio, 0, 20))
    ended = desk.outcome("memberships.unfreeze", **given, on_date=studio.day(2).isoformat())
    assert for_model(ended.card)["unused"] == 19
    assert bookings_of(desk, given["membership_id"]) == [("cancelled", 0)]
    assert view(studio, given["membership_id"]).end_date == studio.day(61)
    assert desk.undo(ended).ok
    assert view(studio, given["membership_id"]).end_date == studio.day(80)
    wrong = desk.told("memberships.unfreeze", **given, on_date=studio.day(-1).isoformat())
    assert wrong["error"] == "bad_input"


def test_a_sale_taken_back_was_never_made(studio: Studio, desk: Asking) -> None:
    given = {"member_id": studio.person(), "plan_id": card(studio)}
    sold = desk.outcome("memberships.create", **given, start_date=studio.day(0).isoformat())
    membership_id = ref(sold)
    assert view(studio, membership_id).credits == 10
    gone = desk.outcome("memberships.cancel", membership_id=membership_id)
    assert desk.undo(gone).ok
    assert desk.undo(sold).ok
    one = view(studio, membership_id)
    assert (one.status, one.credits, one.until) == ("cancelled", 0, studio.day(-1))
    assert history(studio, membership_id)[-1].on == studio.day(0)
    check_history(studio)
    again = desk.outcome("memberships.create", **given, start_date=studio.day(0).isoformat())
    studio.booking(given["member_id"], studio.session())
    assert desk.undo(again).card.model_dump()["code"] == "membership_in_use"


def test_a_cancellation_and_its_taking_back_are_taken_back_exactly(
    studio: Studio, desk: Asking
) -> None:
    given = with_booking(studio, day=45)
    membership_id = given["membership_id"]
    active = row_of(studio, membership_id)
    gone = desk.outcome("memberships.cancel", **given, reason="moves away")
    assert for_model(gone.card)["bookings"] == 1
    assert bookings_of(desk, membership_id) == [("cancelled", 0)]
    leaving = row_of(studio, membership_id)
    assert desk.undo(gone).ok
    assert row_of(studio, membership_id) == active
    assert bookings_of(desk, membership_id) == [("booked", 1)]
    kept = {**given, "reason": "moves away", "cancel_future_bookings": False}
    desk.card("memberships.cancel", **kept)
    assert bookings_of(desk, membership_id) == [("booked", 1)]
    assert row_of(studio, membership_id) == leaving
    back = desk.outcome("memberships.reinstate", **given)
    assert view(studio, membership_id).status == "active"
    assert desk.undo(back).ok
    assert row_of(studio, membership_id) == leaving
    check_history(studio)


def ref(outcome: Outcome) -> UUID:
    assert isinstance(outcome.card, Done)
    assert outcome.card.ref is not None
    return outcome.card.ref.id


def test_credits_taken_back_must_still_be_there(studio: Studio, desk: Asking) -> None:
    given = held(studio, card(studio))
    asked = desk.question("memberships.adjust_credits", **given, delta=-8, reason="mix-up")
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    assert asked.card.always
    assert asked.card.values["left"] == 2
    desk.card("memberships.adjust_credits", **given, delta=-8, reason="mix-up")
    added = desk.outcome("memberships.adjust_credits", **given, delta=1, reason="sorry")
    desk.card("memberships.adjust_credits", **given, delta=-3, reason="mix-up")
    assert desk.undo(added).card.model_dump()["code"] == "credits_spent"
    told = desk.told("memberships.adjust_credits", **given, delta=-1, reason="mix-up")
    assert told["error"] == "credits_spent"


def test_a_bulk_extension_names_everybody_and_leaves_out_what_has_no_end(
    studio: Studio, desk: Asking
) -> None:
    given = closure(studio)
    asked = desk.question("memberships.bulk_extend", **given)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    told = for_model(asked.card)
    assert (told["memberships"], told["days"]) == (2, 7)
    assert {"people": {"people": ["Dana Levi", "Noa Cohen"]}} in told["notes"]
    assert {"endless": {"n": 1}} in told["notes"]
    done = desk.outcome("memberships.bulk_extend", **given)
    assert for_model(done.card)["done"] == 2
    assert desk.undo(done).ok
    unknown = {**given, "filter": {"plan_ids": [str(UUID(int=1))]}}
    assert desk.told("memberships.bulk_extend", **unknown)["error"] == "not_found"


def test_hundreds_are_extended_in_the_background_and_taken_back_as_one(
    studio: Studio, desk: Asking
) -> None:
    cards = card(studio)
    all_held = [studio.sell(studio.person(f"Member {n}"), cards) for n in range(AT_ONCE + 3)]
    given = {"filter": {"plan_ids": [str(cards)]}, "days": 7, "reason": "we were closed"}
    started = desk.outcome("memberships.bulk_extend", **given)
    assert isinstance(started.card, Progress)
    with studio.act() as session:
        task_id = session.scalars(select(BackgroundTask.id)).one()
    for _ in range(2):
        with studio.act() as session:
            background.advance(session, REGISTRY, task_id)
    with studio.act() as session:
        done = background.card_of(session, session.get_one(BackgroundTask, task_id))
    assert for_model(done)["done"] == AT_ONCE + 3
    ends = {view(studio, one).end_date for one in all_held}
    assert ends == {studio.day(66)}
    assert desk.undo(Outcome(card=done)).ok
    assert {view(studio, one).end_date for one in all_held} == {studio.day(59)}
    check_history(studio)


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("freeze", {"from_date": "2026-12-06", "until_date": "2026-12-20", "days": 9}),
        ("extend", {"reason": "closed"}),
        ("extend", {"reason": "closed", "days": 3, "until_date": "2027-03-01"}),
        ("extend", {"reason": "closed", "until_date": "2026-01-01"}),
        ("adjust_credits", {"reason": "mix-up", "delta": 0}),
        ("adjust_credits", {"reason": "", "delta": 1}),
        ("cancel", {"effective_on": "2020-01-01"}),
        ("change_plan", {"plan_id": str(UUID(int=1)), "effective": "someday"}),
    ],
)
def test_arguments_that_make_no_sense_are_refused(
    studio: Studio, desk: Asking, tool: str, more: dict[str, Any]
) -> None:
    given = {**held(studio, card(studio)), **more}
    assert desk.told(f"memberships.{tool}", **given)["error"] == "bad_input"
