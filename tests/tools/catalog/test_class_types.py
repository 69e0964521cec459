"""The tools for class types: defaults, rules of their own, and what may be taken away."""

from typing import Any, get_args
from uuid import UUID

import pytest

from app.studio.policy import BookingPolicy
from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tools.catalog._class_type_args import Policy, Rule
from tools.kit.cards import Done, for_model


@pytest.fixture
def admin(studio: Studio, ask: Asking) -> Asking:
    return ask.by(studio.admin)


def yoga(admin: Asking, **more: Any) -> str:  # noqa: ANN401 - as the tool takes them
    told = admin.told("class_types.create", name="Yoga", duration_min=45, capacity=10, **more)
    class_type_id: str = told["class_type_id"]
    return class_type_id


def policy_of(admin: Asking, class_type_id: str) -> dict[str, Any]:
    from_list = {row["id"]: row for row in admin.told("class_types.list", active=None)["rows"]}
    found: dict[str, Any] = from_list[class_type_id]
    return found


def test_every_rule_of_the_policy_can_be_set() -> None:
    assert set(Policy.model_fields) == set(BookingPolicy.model_fields) == set(get_args(Rule))


def test_a_new_type_has_its_defaults_and_rules(studio: Studio, admin: Asking) -> None:
    policy = {
        "opens_hours_before": 24,
        "opens_hours_by_weekday": {"0": 48},
        "cancel_cutoffs": [
            {"kind": "previous_day_at", "at": "20:00", "starts_before": "16:00"},
            {"kind": "hours_before", "hours": 3},
        ],
        "waitlist_mode": "offer",
        "strikes": {"no_shows": 2, "within_days": 7, "block_days": 7},
    }
    made = yoga(admin, booking_policy=policy, min_participants=4, name_he="יוגה")
    row = policy_of(admin, made)
    assert (row["duration"], row["capacity"], row["min_participants"]) == (45, 10, 4)
    assert (row["opens_before"], row["free_cancel"], row["waitlist"]) == (24, "by_hour", "offer")
    given = {"class_type_id": made, "date": str(studio.day(1)), "start_time": "07:00"}
    session_id = admin.told("class_sessions.create", **given)["class_session_id"]
    seen = admin.told("class_sessions.get", class_session_id=session_id)
    assert seen["free_cancel_until"] == "2026-11-30T18:00+00:00"
    assert (seen["booking_opens"], seen["waitlist"]) == ("2026-11-30T05:00+00:00", "offer")


def test_changing_a_type_leaves_its_classes_as_they_are(studio: Studio, admin: Asking) -> None:
    wod = studio.session("18:00")
    rule = {"cancel_cutoffs": [{"kind": "hours_before", "hours": 6}]}
    given = {"class_type_id": studio.class_type_id, "capacity": 16, "booking_policy": rule}
    told = admin.told("class_types.update", **given)
    notes = {key: one for note in told["notes"] for key, one in note.items()}
    assert notes == {
        "rules_changed": {"rules": ["cancel_cutoffs"]},
        "classes_keep": {"ahead": 1},
    }
    seen = admin.told("class_sessions.get", class_session_id=wod)
    assert (seen["capacity"], seen["free_cancel_until"]) == (12, "2026-12-01T13:00+00:00")
    back = admin.told("class_types.update", class_type_id=studio.class_type_id, as_gym=[*rule])
    assert back["notes"][0] == {"rules_changed": {"rules": ["cancel_cutoffs"]}}
    assert policy_of(admin, str(studio.class_type_id))["free_cancel"] == 3


def test_a_stale_or_empty_or_contradictory_change_is_refused(studio: Studio, admin: Asking) -> None:
    one = {"class_type_id": studio.class_type_id}
    refused = [
        admin.told("class_types.update", **one),
        admin.told("class_types.update", **one, capacity=0),
        admin.told("class_types.update", **one, color="blue"),
        admin.told(
            "class_types.update",
            **one,
            booking_policy={"cancel_cutoffs": [{"kind": "hours_before"}]},
        ),
        admin.told("class_types.update", **one, booking_policy={"grace_min": None}),
        admin.told("class_types.update", **one, capacity=5, min_participants=6),
        admin.told(
            "class_types.create", name="Dips", duration_min=60, capacity=5, min_participants=6
        ),
    ]
    assert {told["error"] for told in refused} == {"bad_input"}
    stale = admin.told("class_types.update", **one, capacity=5, expected_version=9)
    assert stale["error"] == "stale_version"


def test_two_types_in_use_have_different_names(admin: Asking) -> None:
    first = yoga(admin)
    again = {"name": "yoga", "duration_min": 60, "capacity": 8}
    assert admin.told("class_types.create", **again)["error"] == "class_type_exists"
    admin.told("class_types.archive", class_type_id=first)
    admin.told("class_types.create", **again)
    refused = admin.told("class_types.unarchive", class_type_id=first)
    assert refused["error"] == "class_type_exists"


def test_an_archived_type_is_hidden_and_its_classes_stay(studio: Studio, admin: Asking) -> None:
    wod = studio.session()
    gone = admin.outcome("class_types.archive", class_type_id=studio.class_type_id)
    assert for_model(gone.card)["notes"] == [{"classes_stay": {"ahead": 1}}]
    assert admin.told("class_types.list")["rows"] == []
    assert admin.told("class_sessions.get", class_session_id=wod)["status"] == "scheduled"
    given = {
        "class_type_id": studio.class_type_id,
        "date": str(studio.day(1)),
        "start_time": "7:00",
    }
    refused = admin.told("class_sessions.create", **{**given, "start_time": "07:00"})
    assert refused["error"] == "class_type_archived"
    assert admin.undo(gone).ok
    assert admin.told("class_types.list")["total"] == 1


def test_only_a_type_that_nothing_names_is_deleted(studio: Studio, admin: Asking) -> None:
    studio.session()
    in_use = admin.told("class_types.delete", class_type_id=studio.class_type_id)
    assert in_use["error"] == "class_type_in_use"
    made = yoga(admin)
    studio.plan(class_type_ids=(UUID(made),))
    assert admin.told("class_types.delete", class_type_id=made)["error"] == "class_type_in_use"
    other = admin.told("class_types.create", name="Pilates", duration_min=45, capacity=6)
    gone = admin.outcome("class_types.delete", class_type_id=other["class_type_id"])
    assert isinstance(gone.card, Done)
    assert admin.undo(gone).ok
    assert policy_of(admin, other["class_type_id"])["class_type"] == "Pilates"


def test_a_coach_changes_no_types(ask: Asking) -> None:
    given = {"name": "Yoga", "duration_min": 45, "capacity": 10}
    assert ask.told("class_types.create", **given)["error"] == "not_allowed"
