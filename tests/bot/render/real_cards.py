"""Cards of the real tools over a real gym, each with the title of what was asked."""

from collections.abc import Iterator
from uuid import UUID

from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tools.kit.cards import AnyCard, QuestionCard


def of_a_working_day(studio: Studio, ask: Asking) -> Iterator[tuple[str, AnyCard]]:
    """A coach's day: look, add, book, cancel, undo, and what goes wrong on the way."""
    yield from _looking(studio, ask)
    yield from _booking(studio, ask)
    yield from _changing(studio, ask)
    yield from _refused(studio, ask)


def _question(ask: Asking, tool: str, **given: object) -> QuestionCard:
    question = ask.question(tool, **given)
    assert question is not None, tool
    return question.card


def _looking(studio: Studio, ask: Asking) -> Iterator[tuple[str, AnyCard]]:
    coach = studio.staff[studio.coach.role]
    session = studio.session(coach=coach)
    member = studio.member("Dana Levi", credits_=10)
    studio.booking(member, session)
    yield "schedule", ask.card("class_sessions.list")
    yield "a class", ask.card("class_sessions.get", class_session_id=session)
    yield "roster", ask.card("class_sessions.get_roster", class_session_id=session)
    yield "types", ask.card("class_types.list")
    yield "found", ask.card("read.find_members", q="dana")
    yield "found nobody", ask.card("read.find_members", q="zzz")
    yield "member", ask.card("read.get_member", member_id=member)
    yield "team", ask.card("read.list_staff")
    yield "context", ask.card("read.get_current_context")
    yield "bookings", ask.card("bookings.list", member_id=member)
    yield "ledger", ask.card("bookings.list_credit_ledger", member_id=member)


def _booking(studio: Studio, ask: Asking) -> Iterator[tuple[str, AnyCard]]:
    session, other = studio.session("07:00", capacity=1, day=2), studio.session("19:00", day=3)
    rina, omer = studio.member("Rina Bar", credits_=10), studio.member("Omer Katz")
    book = {"class_session_id": session, "member_id": rina}
    yield "may book", ask.card("bookings.check_eligibility", **book)
    booked = ask.outcome("bookings.book_member", **book)
    yield "booked", booked.card
    yield "may not book twice", ask.card("bookings.check_eligibility", **book)
    full = {"class_session_id": session, "member_id": omer}
    yield "full", _question(ask, "bookings.book_member", **full)
    yield "waitlisted", ask.choose(1, "bookings.book_member", **full).card
    yield "roster with a queue", ask.card("class_sessions.get_roster", class_session_id=session)
    yield "unbooked", ask.undo(booked).card
    booking = studio.booking(rina, other)
    yield "cancel booking?", _question(ask, "bookings.cancel_for_member", booking_id=booking)
    cancelled = ask.outcome("bookings.cancel_for_member", booking_id=booking)
    yield "booking cancelled", cancelled.card
    yield "booked again", ask.undo(cancelled).card
    third = studio.session("20:00", day=4)
    moved = ask.outcome("bookings.move", booking_id=booking, to_class_session_id=third)
    yield "booking moved", moved.card
    yield "moved back", ask.undo(moved).card


def _changing(studio: Studio, ask: Asking) -> Iterator[tuple[str, AnyCard]]:
    new = {"class_type_id": studio.class_type_id, "date": str(studio.day(5)), "start_time": "13:00"}
    added = ask.outcome("class_sessions.create", **new)
    yield "added", added.card
    yield "taken off", ask.undo(added).card
    session = studio.session("11:00", day=6)
    booked = studio.member("Noa Gal", credits_=5)
    studio.booking(booked, session)
    one = {"class_session_id": session}
    updated = ask.outcome("class_sessions.update", **one, capacity=9)
    yield "updated", updated.card
    yield "as before", ask.undo(updated).card
    to = {**one, "date": str(studio.day(7)), "start_time": "12:30"}
    yield "move?", _question(ask, "class_sessions.reschedule", **to)
    moved = ask.outcome("class_sessions.reschedule", **to)
    yield "moved", moved.card
    yield "back at its time", ask.undo(moved).card
    yield "cancel?", _question(ask, "class_sessions.cancel", **one)
    yield "cancel silently?", _question(ask, "class_sessions.cancel", **one, notify=False)
    cancelled = ask.outcome("class_sessions.cancel", **one)
    yield "cancelled", cancelled.card
    yield "cancelled twice", ask.card("class_sessions.cancel", **one)
    yield "on again", ask.undo(cancelled).card
    yield from _coming_and_going(studio, ask, one)


def _coming_and_going(
    studio: Studio, ask: Asking, one: dict[str, UUID]
) -> Iterator[tuple[str, AnyCard]]:
    yield "cancelled once more", ask.card("class_sessions.cancel", **one)
    reinstated = ask.outcome("class_sessions.reinstate", **one)
    yield "reinstated", reinstated.card
    yield "off again", ask.undo(reinstated).card
    empty = {"class_session_id": studio.session("10:00", day=8)}
    yield "cancel an empty one?", _question(ask, "class_sessions.cancel", **empty)
    yield "delete?", _question(ask, "class_sessions.delete", **empty)
    deleted = ask.outcome("class_sessions.delete", **empty)
    yield "deleted", deleted.card
    yield "there again", ask.undo(deleted).card
    yield "actions", ask.card("read.list_recent_agent_actions")


def _refused(studio: Studio, ask: Asking) -> Iterator[tuple[str, AnyCard]]:
    session, ghost = studio.session("06:00", day=9), studio.org_id
    stranger = studio.person("Guy Peled")
    book = {"class_session_id": session, "member_id": stranger}
    yield "no membership", ask.card("bookings.book_member", **book)
    yield "no such class", ask.card("class_sessions.get", class_session_id=ghost)
    yield "no such member", ask.card("read.get_member", member_id=ghost)
    yield "bad input", ask.card("class_sessions.get", class_session_id="tomorrow")
    yield "no such tool", ask.card("class_sessions.explode")
    past = {"class_type_id": studio.class_type_id, "date": "2020-01-01", "start_time": "13:00"}
    yield "in the past", ask.card("class_sessions.create", **past)
    picking = {"question": "Which Dana?", "options": [{"id": "1", "label": "Dana"}] * 2}
    yield "pick", _question(ask, "read.ask_user_to_pick", **picking)
