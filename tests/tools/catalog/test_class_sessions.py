"""The tools for classes, through the runner, as the assistant calls them."""

from datetime import time

from sqlalchemy import select

from app.core.actor import Role
from app.core.outbox import Outbox, OutboxState
from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tools.kit.cards import Confirm, Failed, for_model
from tools.kit.values import plain


def test_a_class_is_added_and_taken_off_again(studio: Studio, ask: Asking) -> None:
    added = ask.outcome(
        "class_sessions.create",
        class_type_id=studio.class_type_id,
        date=str(studio.day(1)),
        start_time="13:00",
        end_time="14:00",
    )
    told = for_model(added.card)
    assert told["class"] == "WOD"
    assert told["when"] == "2026-12-01 13:00-14:00"
    assert ask.undo(added).ok
    assert ask.told("class_sessions.list", from_date=str(studio.day(1)))["total"] == 0


def test_two_classes_without_a_coach_at_one_time_don_t_stand_in_an_undo_s_way(
    studio: Studio, ask: Asking
) -> None:
    session_id, _ = studio.session(), studio.session()
    made = ask.outcome("class_sessions.update", class_session_id=session_id, capacity=20)
    assert ask.undo(made).ok


def test_adding_asks_nothing(studio: Studio, ask: Asking) -> None:
    asked = ask.question(
        "class_sessions.create",
        class_type_id=studio.class_type_id,
        date=str(studio.day(1)),
        start_time="13:00",
    )
    assert asked is None


def test_an_added_class_that_was_booked_meanwhile_is_not_taken_off(
    studio: Studio, ask: Asking
) -> None:
    added = ask.outcome(
        "class_sessions.create",
        class_type_id=studio.class_type_id,
        date=str(studio.day(1)),
        start_time="13:00",
    )
    session_id = for_model(added.card)["class_session_id"]
    studio.booking(studio.member(), session_id)
    refused = ask.undo(added)
    assert isinstance(refused.card, Failed)
    assert refused.card.code == "session_has_bookings"


def test_a_time_that_happens_twice_is_said(studio: Studio, ask: Asking) -> None:
    told = ask.told(
        "class_sessions.create",
        class_type_id=studio.class_type_id,
        date="2027-10-31",
        start_time="01:30",
    )
    assert "time_occurs_twice" in told["notes"][0]


def test_times_with_a_zone_and_two_ends_are_refused(studio: Studio, ask: Asking) -> None:
    base = {"class_type_id": studio.class_type_id, "date": str(studio.day(1))}
    for wrong in (
        {"start_time": "13:00Z"},
        {"start_time": "13:00:30"},
        {"start_time": "13:00", "end_time": "14:00", "duration_min": 60},
        {"start_time": "25:00"},
    ):
        assert ask.told("class_sessions.create", **base, **wrong)["error"] == "bad_input"


def test_the_schedule_shows_one_day_or_a_span(studio: Studio, ask: Asking) -> None:
    studio.session("18:00", day=0, coach=studio.staff[Role.COACH])
    studio.session("07:00", day=1)
    today = ask.told("class_sessions.list")
    assert [row["when"] for row in today["rows"]] == ["2026-11-30 18:00-19:00"]
    assert today["rows"][0]["coach"] == "coach one"
    both = ask.told("class_sessions.list", to_date=str(studio.day(1)))
    assert both["total"] == 2
    wrong = ask.told("class_sessions.list", from_date="2026-12-02", to_date="2026-12-01")
    assert wrong["error"] == "bad_input"


def test_a_long_list_comes_in_pages(studio: Studio, ask: Asking) -> None:
    for hour in range(12, 17):
        studio.session(f"{hour}:00", day=1)
    day = str(studio.day(1))
    first = ask.told("class_sessions.list", from_date=day, limit=3)
    rest = ask.told("class_sessions.list", from_date=day, limit=3, cursor=first["cursor"])
    assert (first["total"], len(first["rows"]), len(rest["rows"])) == (5, 3, 2)
    assert "cursor" not in rest
    wrong = ask.told("class_sessions.list", from_date=day, cursor="x")
    assert wrong["error"] == "bad_input"


def test_cancelling_names_its_target_and_comes_back(studio: Studio, ask: Asking) -> None:
    wod = studio.session("13:00", capacity=1, coach=studio.staff[Role.COACH])
    studio.booking(studio.member(credits_=5), wod)
    studio.booking(studio.member("Noa Katz"), wod, join_waitlist=True)
    asked = ask.question("class_sessions.cancel", class_session_id=wod)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    shown = {key: plain(value) for key, value in asked.card.values.items()}
    assert shown == {
        "class": "WOD",
        "when": "2026-12-01 13:00-14:00",
        "coach": "coach one",
        "booked": 1,
        "capacity": 1,
        "waiting": 1,
        "credits": 1,
    }
    gone = ask.outcome("class_sessions.cancel", class_session_id=wod)
    assert for_model(gone.card)["credits"] == 1
    assert ask.told("class_sessions.get", class_session_id=wod)["status"] == "cancelled"
    assert ask.undo(gone).ok
    told = ask.told("class_sessions.get", class_session_id=wod)
    assert (told["status"], told["booked"], told["waiting"]) == ("scheduled", 1, 1)
    with studio.act() as session:
        notices = select(Outbox).where(Outbox.topic == "member_notice")
        states = {row.state for row in session.scalars(notices) if "session" in row.body["notice"]}
    assert states == {OutboxState.DROPPED}


def test_without_a_yes_nothing_is_cancelled(studio: Studio, ask: Asking) -> None:
    wod = studio.session()
    call = ask.question("class_sessions.cancel", class_session_id=wod)
    assert call is not None
    assert ask.told("class_sessions.get", class_session_id=wod)["status"] == "scheduled"


def test_moving_always_asks_and_names_who_clashes(studio: Studio, ask: Asking) -> None:
    wod, later = studio.session("18:00"), studio.session("20:00")
    dana = studio.member("Dana Levi")
    studio.booking(dana, wod)
    studio.booking(dana, later)
    to = {"date": str(studio.day(1)), "start_time": "19:30"}
    asked = ask.question("class_sessions.reschedule", class_session_id=wod, **to)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    assert asked.card.always
    effects = for_model(asked.card)["notes"]
    assert {"clashing": {"names": ["Dana Levi"]}} in effects
    moved = ask.outcome("class_sessions.reschedule", class_session_id=wod, **to)
    assert for_model(moved.card)["new"] == "2026-12-01 19:30-20:30"
    assert ask.undo(moved).ok
    with studio.act() as session:
        again = ask.told("class_sessions.list", from_date=str(studio.day(1)))
        assert session is not None
    assert [row["when"][11:16] for row in again["rows"]] == ["18:00", "20:00"]


def test_a_change_is_taken_back_unless_it_would_break_a_rule(studio: Studio, ask: Asking) -> None:
    wod = studio.session(capacity=1)
    grown = ask.outcome(
        "class_sessions.update", class_session_id=wod, capacity=2, notes="Bring a rope"
    )
    for name in ("Noa Katz", "Dana Levi"):
        studio.booking(studio.member(name), wod)
    refused = ask.undo(grown)
    assert isinstance(refused.card, Failed)
    assert refused.card.code == "capacity_below_booked"
    small = ask.told("class_sessions.update", class_session_id=wod, capacity=1)
    assert (small["error"], small["names"]) == ("capacity_below_booked", ["Dana Levi", "Noa Katz"])


def test_deleting_an_empty_class_is_taken_back_whole(studio: Studio, ask: Asking) -> None:
    wod = studio.session("13:00", coach=studio.staff[Role.COACH])
    before = ask.told("class_sessions.get", class_session_id=wod)
    gone = ask.outcome("class_sessions.delete", class_session_id=wod)
    assert ask.told("class_sessions.get", class_session_id=wod)["error"] == "not_found"
    assert ask.undo(gone).ok
    after = ask.told("class_sessions.get", class_session_id=wod)
    assert {**after, "version": 0} == {**before, "version": 0}


def test_the_roster_has_places_then_the_queue(studio: Studio, ask: Asking) -> None:
    wod = studio.session(capacity=1)
    studio.booking(studio.member("Noa Katz", credits_=2), wod)
    studio.booking(studio.member("Dana Levi"), wod, join_waitlist=True)
    rows = ask.told("class_sessions.get_roster", class_session_id=wod)["rows"]
    seen = [(row["member"], row["status"], row["number"], row["credits"]) for row in rows]
    assert seen == [("Noa Katz", "booked", None, 1), ("Dana Levi", "waitlisted", 1, 0)]
    short = ask.told("class_sessions.get_roster", class_session_id=wod, include_waitlist=False)
    assert short["total"] == 1


def test_class_types_tell_their_length_and_places(studio: Studio, ask: Asking) -> None:
    rows = ask.told("class_types.list")["rows"]
    assert rows[0]["class_type"] == "WOD"
    assert (rows[0]["duration"], rows[0]["capacity"], rows[0]["credit_cost"]) == (60, 12, 1)
    assert studio.now.time() < time(12)


def test_nobody_is_asked_about_a_delete_that_cannot_be(studio: Studio, ask: Asking) -> None:
    wod = studio.session()
    studio.booking(studio.member(), wod)
    assert ask.question("class_sessions.delete", class_session_id=wod) is None
    assert (
        ask.told("class_sessions.delete", class_session_id=wod)["error"] == "session_has_bookings"
    )
