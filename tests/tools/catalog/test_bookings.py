"""The tools for bookings, through the runner, as the assistant calls them."""

from sqlalchemy import select

from app.bookings import service
from app.core.outbox import Outbox
from app.memberships.queries import balance
from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tools.kit.cards import Confirm, Failed, Pick, for_model
from tools.kit.values import plain


def credits_of(studio: Studio, member: object) -> int:
    with studio.act() as session:
        return balance(session, member, studio.day(0))  # type: ignore[arg-type] # an id, as tests pass it


def test_booking_runs_at_once_and_is_taken_back_without_penalty(
    studio: Studio, ask: Asking
) -> None:
    dana, wod = studio.member(credits_=3), studio.session("12:00", day=0)
    assert ask.question("bookings.book_member", class_session_id=wod, member_id=dana) is None
    made = ask.outcome("bookings.book_member", class_session_id=wod, member_id=dana)
    assert for_model(made.card)["member"] == "Dana Levi"
    assert credits_of(studio, dana) == 2
    studio.wait(seconds=10)
    assert ask.undo(made).ok
    assert credits_of(studio, dana) == 3


def test_a_full_class_offers_the_waitlist_a_place_too_many_or_neither(
    studio: Studio, ask: Asking
) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    dana = studio.member(credits_=3)
    given = {"class_session_id": wod, "member_id": dana}
    asked = ask.question("bookings.book_member", **given)
    assert asked is not None
    assert isinstance(asked.card, Pick)
    assert [option.id for option in asked.card.options] == ["waitlist", "over_capacity"]
    assert asked.card.allow_none
    shown = {key: plain(value) for key, value in asked.card.ask.values.items()}
    assert (shown["booked"], shown["capacity"], shown["member"]) == (1, 1, "Dana Levi")
    assert ask.choose(0, "bookings.book_member", **given).card.kind == "not_run"
    queued = ask.choose(1, "bookings.book_member", **given)
    assert for_model(queued.card)["status"] == "waitlisted"
    assert for_model(queued.card)["notes"] == [{"waitlisted": {"number": 1}}]


def test_a_place_too_many_is_told(studio: Studio, ask: Asking) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    given = {"class_session_id": wod, "member_id": studio.member()}
    over = for_model(ask.choose(2, "bookings.book_member", **given).card)
    assert over["status"] == "booked"
    assert over["notes"] == [{"overruled": {"rule": "full"}}]


def test_a_call_that_says_what_to_do_is_not_asked(studio: Studio, ask: Asking) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    told = ask.told(
        "bookings.book_member",
        class_session_id=wod,
        member_id=studio.member(),
        join_waitlist_if_full=True,
    )
    assert told["status"] == "waitlisted"


def test_another_rule_fails_instead_of_asking(studio: Studio, ask: Asking) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    given = {"class_session_id": wod, "member_id": studio.person()}
    assert ask.question("bookings.book_member", **given) is None
    assert ask.told("bookings.book_member", **given)["error"] == "no_membership"


def test_cancelling_shows_what_becomes_of_the_credit(studio: Studio, ask: Asking) -> None:
    dana, wod = studio.member(credits_=3), studio.session("18:00", day=0)
    booking = studio.booking(dana, wod)
    asked = ask.question("bookings.cancel_for_member", booking_id=booking)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    assert plain(asked.card.values["member"]) == "Dana Levi"
    assert (asked.card.values["credits"], asked.card.values["late"]) == (1, False)
    studio.wait(hours=6)
    late = ask.question("bookings.cancel_for_member", booking_id=booking)
    assert late is not None
    assert late.target != asked.target
    gone = ask.outcome("bookings.cancel_for_member", booking_id=booking)
    assert for_model(gone.card)["status"] == "late_cancelled"
    assert credits_of(studio, dana) == 2


def test_a_coach_may_not_waive_the_late_rule_but_an_admin_may(studio: Studio, ask: Asking) -> None:
    booking = studio.booking(studio.member(credits_=3), studio.session("18:00", day=0))
    studio.wait(hours=6)
    given = {"booking_id": booking, "late_policy": "waive"}
    assert ask.told("bookings.cancel_for_member", **given)["error"] == "not_allowed"
    told = ask.by(studio.admin).told("bookings.cancel_for_member", **given)
    assert (told["status"], told["credits"]) == ("cancelled", 1)


def test_a_cancelled_booking_comes_back_with_its_credit_and_its_turn(
    studio: Studio, ask: Asking
) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    first = studio.booking(studio.member("Ann A"), wod, join_waitlist=True)
    studio.booking(studio.member("Ben B"), wod, join_waitlist=True)
    gone = ask.outcome("bookings.cancel_for_member", booking_id=first)
    assert ask.undo(gone).ok
    rows = ask.told("class_sessions.get_roster", class_session_id=wod)["rows"]
    assert [(row["member"], row["number"]) for row in rows[1:]] == [("Ann A", 1), ("Ben B", 2)]
    dana = studio.member(credits_=3)
    booking = studio.booking(dana, studio.session("20:00"))
    gone = ask.outcome("bookings.cancel_for_member", booking_id=booking)
    assert ask.undo(gone).ok
    assert credits_of(studio, dana) == 2


def test_a_place_given_away_meanwhile_does_not_come_back(studio: Studio, ask: Asking) -> None:
    wod = studio.session(capacity=1)
    booking = studio.booking(studio.member("Noa Katz"), wod)
    queued = studio.booking(studio.member("Dana Levi"), wod, join_waitlist=True)
    gone = ask.outcome("bookings.cancel_for_member", booking_id=booking)
    studio.wait(seconds=15)
    with studio.act() as session:
        assert service.promote(session, wod, now=studio.now).promoted == (queued,)
    refused = ask.undo(gone)
    assert isinstance(refused.card, Failed)
    assert refused.card.code == "place_gone"


def test_undoing_a_booking_lets_the_queue_move(studio: Studio, ask: Asking) -> None:
    wod = studio.session(capacity=1)
    given = {"class_session_id": wod, "member_id": studio.member("Noa Katz")}
    made = ask.outcome("bookings.book_member", **given)
    studio.booking(studio.member("Dana Levi"), wod, join_waitlist=True)
    assert ask.undo(made).ok
    with studio.act() as session:
        waiting = session.scalars(select(Outbox.state).where(Outbox.topic == "promote_waitlist"))
        assert [state.value for state in waiting] == ["waiting"]


def test_a_booking_moves_and_comes_back(studio: Studio, ask: Asking) -> None:
    dana = studio.member(credits_=3)
    early, late = studio.session("17:00"), studio.session("19:00")
    booking = studio.booking(dana, early)
    moved = ask.outcome("bookings.move", booking_id=booking, to_class_session_id=late)
    told = for_model(moved.card)
    assert (told["was"][11:16], told["when"][11:16], told["credits"]) == ("17:00", "19:00", 1)
    assert credits_of(studio, dana) == 2
    assert ask.undo(moved).ok
    assert credits_of(studio, dana) == 2
    rows = ask.told("bookings.list", member_id=dana)["rows"]
    assert [row["when"][11:16] for row in rows] == ["17:00"]


def test_moving_into_a_full_class_leaves_all_as_it_was(studio: Studio, ask: Asking) -> None:
    dana, full = studio.member(credits_=3), studio.session("19:00", capacity=1)
    studio.booking(studio.member("Noa Katz"), full)
    booking = studio.booking(dana, studio.session("17:00"))
    told = ask.told("bookings.move", booking_id=booking, to_class_session_id=full)
    assert told["error"] == "full"
    assert credits_of(studio, dana) == 2


def test_eligibility_says_which_rule_is_in_the_way(studio: Studio, ask: Asking) -> None:
    wod = studio.session(capacity=1)
    noa = studio.member("Noa Katz", credits_=4)
    given = {"class_session_id": wod, "member_id": noa}
    free = ask.told("bookings.check_eligibility", **given)
    assert (free["can_book"], free["credits_left"]) == (True, 4)
    studio.booking(studio.member("Ann A"), wod)
    full = ask.told("bookings.check_eligibility", **given)
    assert (full["can_book"], full["reason"]) == (False, "full")


def test_the_ledger_tells_every_movement_with_its_cause(studio: Studio, ask: Asking) -> None:
    dana, wod = studio.member(credits_=3), studio.session()
    booking = studio.booking(dana, wod)
    studio.wait(minutes=1)
    ask.outcome("bookings.cancel_for_member", booking_id=booking)
    told = ask.told("bookings.list_credit_ledger", member_id=dana)
    seen = [(row["change"], row["reason"], row["class"]) for row in told["rows"]]
    assert seen == [(1, "refund", "WOD"), (-1, "consume", "WOD"), (3, "grant", None)]
    later = ask.told("bookings.list_credit_ledger", member_id=dana, from_date=str(studio.day(1)))
    assert later["total"] == 0


def test_listing_bookings_needs_somewhere_to_look(studio: Studio, ask: Asking) -> None:
    assert ask.told("bookings.list")["error"] == "bad_input"
    studio.booking(studio.member(), studio.session())
    assert ask.told("bookings.list", from_date=str(studio.day(1)))["total"] == 1
    assert ask.told("bookings.list", from_date=str(studio.day(2)))["total"] == 0


def test_a_choice_made_of_a_full_class_sets_no_other_rule_aside(
    studio: Studio, ask: Asking
) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    dana = studio.member(credits_=1)
    given = {"class_session_id": wod, "member_id": dana}
    asked = ask.question("bookings.book_member", **given)
    assert asked is not None
    studio.booking(dana, studio.session("07:00"))
    came = ask.chosen(asked, 2, "bookings.book_member", **given)
    assert for_model(came.card)["error"] == "no_credits"
    assert credits_of(studio, dana) == 0


def test_a_cancel_is_not_taken_back_once_its_credit_is_spent(studio: Studio, ask: Asking) -> None:
    dana = studio.member(credits_=1)
    booking = studio.booking(dana, studio.session("10:00", day=2))
    gone = ask.outcome("bookings.cancel_for_member", booking_id=booking)
    studio.booking(dana, studio.session("12:00", day=2))
    assert for_model(ask.undo(gone).card)["error"] == "credits_spent"
    assert credits_of(studio, dana) == 0
