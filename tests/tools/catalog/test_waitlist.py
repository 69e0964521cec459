"""The tools for waiting lists, and for the team's own bookings."""

from datetime import timedelta
from uuid import UUID

from app.bookings.queries import booking_view
from app.people.models import AppUser, Member
from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tools.kit.cards import Confirm, Pick, for_model
from tools.kit.values import plain


def full(studio: Studio) -> UUID:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz"), wod)
    return wod


def member_of(studio: Studio, *, credits_: int | None = None) -> UUID:
    """The coach as a member of the gym."""
    made = studio.member("Coach One", credits_=credits_)
    with studio.act() as session:
        session.get_one(Member, made).user_id = studio.coach.user_id
    return made


def test_who_waits_is_taken_off_and_comes_back_in_the_same_place(
    studio: Studio, ask: Asking
) -> None:
    wod = full(studio)
    first = ask.outcome(
        "bookings.join_waitlist", class_session_id=wod, member_id=studio.member("Ann A")
    )
    told = for_model(first.card)
    assert (told["status"], told["credits"]) == ("waitlisted", 0)
    assert told["notes"] == [{"waitlisted": {"number": 1}}]
    ask.outcome("bookings.join_waitlist", class_session_id=wod, member_id=studio.member("Ben B"))
    one = {"class_session_id": wod, "booking_id": told["booking_id"]}
    asked = ask.question("bookings.leave_waitlist", **one)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    assert [line.key for line in asked.card.effects] == ["note.waitlisted"]
    gone = ask.outcome("bookings.leave_waitlist", **one)
    assert queue(ask, wod) == ["Ben B"]
    assert ask.told("bookings.leave_waitlist", **one)["error"] == "booking_closed"
    assert ask.undo(gone).ok
    assert queue(ask, wod) == ["Ann A", "Ben B"]


def queue(ask: Asking, wod: UUID) -> list[str]:
    rows = ask.told("class_sessions.get_roster", class_session_id=wod)["rows"]
    return [row["member"] for row in rows if row["status"] == "waitlisted"]


def test_joining_is_taken_back_by_leaving(studio: Studio, ask: Asking) -> None:
    wod = full(studio)
    made = ask.outcome("bookings.join_waitlist", class_session_id=wod, member_id=studio.member())
    assert ask.undo(made).ok
    assert queue(ask, wod) == []


def test_a_class_with_places_has_no_list_to_join(studio: Studio, ask: Asking) -> None:
    given = {"class_session_id": studio.session(), "member_id": studio.member()}
    told = ask.told("bookings.join_waitlist", **given)
    assert (told["error"], told["free"]) == ("has_places", 12)


def test_letting_in_above_capacity_takes_a_word_for_it(studio: Studio, ask: Asking) -> None:
    wod, dana = full(studio), studio.member(credits_=3)
    waits = studio.booking(dana, wod, join_waitlist=True)
    one = {"class_session_id": wod, "booking_id": waits}
    assert ask.told("bookings.promote_from_waitlist", **one)["error"] == "full"
    into = ask.outcome("bookings.promote_from_waitlist", **one, over_capacity=True)
    told = for_model(into.card)
    assert (told["status"], told["credits"]) == ("booked", 1)
    assert ask.undo(into).ok
    assert queue(ask, wod) == ["Dana Levi"]
    other = {"class_session_id": studio.session("20:00"), "booking_id": waits}
    assert ask.told("bookings.promote_from_waitlist", **other)["error"] == "not_found"


def test_a_coach_books_and_cancels_themselves(studio: Studio, ask: Asking) -> None:
    member_of(studio, credits_=2)
    wod = studio.session("18:00", day=0)
    made = ask.outcome("bookings.book_self", class_session_id=wod)
    told = for_model(made.card)
    assert (told["member"], told["credits"]) == ("Coach One", 1)
    assert [row["class"] for row in ask.told("bookings.list_mine")["rows"]] == ["WOD"]
    asked = ask.question("bookings.cancel_self", booking_id=told["booking_id"])
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    assert (asked.card.values["late"], asked.card.values["credits"]) == (False, 1)
    gone = ask.outcome("bookings.cancel_self", booking_id=told["booking_id"])
    assert for_model(gone.card)["status"] == "cancelled"
    assert ask.undo(gone).ok
    mine = ask.told("bookings.list_mine", status=["booked"])
    assert mine["total"] == 1


def test_nobody_cancels_anothers_booking_as_their_own(studio: Studio, ask: Asking) -> None:
    member_of(studio)
    other = studio.booking(studio.member(), studio.session())
    assert ask.told("bookings.cancel_self", booking_id=other)["error"] == "not_found"


def test_who_is_no_member_is_told_so(studio: Studio, ask: Asking) -> None:
    wod = studio.session()
    told = ask.told("bookings.book_self", class_session_id=wod)
    assert (told["error"], told["name"]) == ("no_member_profile", "coach")
    assert ask.told("bookings.list_mine")["error"] == "no_member_profile"


def test_a_member_of_the_same_phone_is_the_same_person(studio: Studio, ask: Asking) -> None:
    studio.person("Coach One", phone="+972541110001")
    with studio.db.platform() as platform:
        platform.get_one(AppUser, studio.coach.user_id).phone = "+972541110001"
    assert ask.told("bookings.list_mine")["total"] == 0
    twin = studio.person("Twin One", phone="+972541110001")
    assert ask.told("bookings.list_mine")["error"] == "no_member_profile"
    with studio.act() as session:
        session.get_one(Member, twin).user_id = studio.coach.user_id
    assert ask.told("bookings.list_mine")["total"] == 0


def test_a_full_class_offers_oneself_the_list_and_nothing_else(studio: Studio, ask: Asking) -> None:
    member_of(studio)
    wod = full(studio)
    asked = ask.question("bookings.book_self", class_session_id=wod)
    assert asked is not None
    assert isinstance(asked.card, Pick)
    assert [option.id for option in asked.card.options] == ["waitlist"]
    queued = ask.choose(1, "bookings.book_self", class_session_id=wod)
    assert for_model(queued.card)["status"] == "waitlisted"


def test_an_admin_returns_a_credit_once_and_says_why(studio: Studio, ask: Asking) -> None:
    booking = studio.booking(studio.member(credits_=3), studio.session())
    given = {"booking_id": booking, "reason": "The coach was late"}
    assert ask.told("bookings.refund_credit", **given)["error"] == "not_allowed"
    admin = ask.by(studio.admin)
    asked = admin.question("bookings.refund_credit", **given)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    assert asked.card.always
    assert plain(asked.card.values["member"]) == "Dana Levi"
    back = admin.outcome("bookings.refund_credit", **given)
    assert for_model(back.card)["credits"] == 1
    assert admin.told("bookings.refund_credit", **given)["error"] == "nothing_to_refund"
    ask.outcome("bookings.cancel_for_member", booking_id=booking)
    told = ask.told("bookings.list_credit_ledger", member_id=member(studio, booking))
    assert [row["change"] for row in told["rows"]] == [1, -1, 3]


def member(studio: Studio, booking: UUID) -> UUID:
    with studio.act() as session:
        return booking_view(session, booking, "en").member_id


def test_a_late_cancel_is_waived_with_its_credit(studio: Studio, ask: Asking) -> None:
    admin = ask.by(studio.admin)
    booking = studio.booking(studio.member(credits_=3), studio.session("18:00", day=0))
    one = {"booking_id": booking, "reason": "Ill"}
    assert admin.told("bookings.waive_late_cancel", **one)["error"] == "not_late"
    studio.clock.hands[0] += timedelta(hours=6)
    ask.outcome("bookings.cancel_for_member", booking_id=booking)
    waived = admin.outcome("bookings.waive_late_cancel", **one)
    told = for_model(waived.card)
    assert (told["status"], told["credits"]) == ("cancelled", 1)
    assert admin.undo(waived).ok
    rows = ask.told("bookings.list", member_id=member(studio, booking))["rows"]
    assert [(row["status"], row["credits"]) for row in rows] == [("late_cancelled", 1)]
