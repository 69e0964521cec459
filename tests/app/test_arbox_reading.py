"""What Arbox's loose types mean: none breaks us, and nothing is taken for what it isn't."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.arbox import records
from app.arbox.reading import BadRecord, day, flag, minor, name_key, person_name, text, whole
from app.arbox.records import RECORDS, THINGS, lists_for, windows
from app.arbox.terms import Entity

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
anything = st.recursive(scalars, lambda more: st.lists(more) | st.dictionaries(st.text(), more))
FIELDS = sorted(
    {
        "user_id",
        "first_name",
        "last_name",
        "phone",
        "email",
        "birthday",
        "price",
        "amount",
        "status",
        "type",
        "staff_member",
        "start_date",
        "end_date",
        "transaction_id",
        "transaction_date",
        "membership_type_id",
        "membership_type_name",
        "membership_hold_id",
        "start_suspend_time",
        "box_category_name",
        "last_four_digits",
        "sessions_left",
        "location_name",
        "name",
        "id",
    }
)
raws = st.dictionaries(st.sampled_from(FIELDS), anything, max_size=len(FIELDS))


@settings(max_examples=40, deadline=None)
@given(raws, st.sampled_from(sorted(RECORDS)))
def test_any_record_is_read_or_is_none(raw: dict[str, Any], source: str) -> None:
    try:
        found = RECORDS[source](raw, "IL")
    except BadRecord:
        return
    assert found.arbox_id
    assert len(found.name) <= 300
    assert found.phone is None or found.phone.startswith("+")


@settings(max_examples=40, deadline=None)
@given(raws, st.sampled_from(sorted(THINGS)))
def test_any_thing_is_read_or_is_none(raw: dict[str, Any], source: str) -> None:
    try:
        assert THINGS[source](raw).name
    except BadRecord:
        return


@pytest.mark.parametrize(
    ("said", "meant"),
    [("Yes", True), ("No", False), ("no ", False), (1, True), (0, False), ("1", True), ("", None)],
)
def test_a_flag_is_never_judged_by_its_truth(said: object, meant: bool | None) -> None:  # noqa: FBT001 - what it means
    assert flag({"active": said}, "active") is meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2026-11-30", date(2026, 11, 30)),
        ("2026-11-30 18:00:00", date(2026, 11, 30)),
        ("2026-11-30T18:00:00", date(2026, 11, 30)),
        ("30-11-2026", date(2026, 11, 30)),
        ("0000-00-00", None),
        ("0000-00-00 00:00:00", None),
        ("1899-12-30", None),
        (None, None),
        ("soon", None),
    ],
)
def test_days_that_are_none_are_none(said: object, meant: date | None) -> None:
    assert day({"date": said}, "date") == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("380", 38_000),
        ("1,200.50", 120_050),
        (99.9, 9_990),
        ("-50", -5_000),
        ("₪ 25", 2_500),
        ("", None),
        ("free", None),
        ("1e400", None),
        (float("nan"), None),
    ],
)
def test_money_is_in_minor_units(said: object, meant: int | None) -> None:
    assert minor({"price": said}, "price") == meant


@given(st.integers(-(10**6), 10**6))
def test_money_is_exact(cents: int) -> None:
    assert minor({"price": f"{cents / 100:.2f}"}, "price") == cents


def test_the_first_name_that_says_something_counts() -> None:
    raw = {"box_category_id": None, "id": 12, "name": "null", "other": "  a   b "}
    assert text(raw, "box_category_id", "id") == "12"
    assert text(raw, "name", "other") == "a b"
    assert whole({"n": "12.0"}, "n") == 12
    assert person_name({"full_name": "Dana Bat El"}) == ("Dana", "Bat El")
    with pytest.raises(BadRecord):
        person_name({"first_name": " "})


def test_names_are_the_same_without_case_spaces_and_marks() -> None:
    assert name_key(" Open-Gym ") == name_key("open gym")
    assert name_key("יוגה 1") != name_key("יוגה 2")


def test_of_a_coach_only_the_name_is_taken() -> None:
    told = {"staff_member": {"name": "Ron Avni", "phone": "0501111111", "email": "r@x"}}
    thing = records.coach(told)
    assert (thing.arbox_id, thing.name) == ("Ron Avni", "Ron Avni")


@given(st.dates(date(2020, 1, 1), date(2026, 1, 1)), st.integers(0, 800))
def test_windows_cover_every_day_once_and_are_never_refused(first: date, days: int) -> None:
    last = first + timedelta(days=days)
    found = windows(first, last)
    covered = [
        start + timedelta(days=n) for start, end in found for n in range((end - start).days + 1)
    ]
    assert covered == [first + timedelta(days=n) for n in range(days + 1)]
    assert all((end - start).days < 31 for start, end in found)


def test_what_others_depend_on_is_read_first_and_each_branch_for_itself() -> None:
    today = date(2026, 11, 30)
    lists = lists_for(frozenset(Entity), since=today, today=today, branches=("101", "102"))
    order = [one.source for one in lists]
    assert order.index("plans") < order.index("members") < order.index("memberships")
    assert order.index("memberships") < order.index("freezes")
    assert {one.query.get("location_id") for one in lists if one.source == "members"} == {
        "101",
        "102",
    }
    assert len({(one.path, *sorted(one.query.items())) for one in lists}) == len(lists)
    assert "leads" not in {
        one.source for one in lists_for(frozenset({Entity.PLANS}), since=None, today=today)
    }


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Dana\nLevi", "Dana Levi"),
        ("Da\x00na\x07 Levi", "Dana Levi"),
        ("\ud800Dana", "Dana"),
        ("\u200b\u2060", None),
        ("\u2028", None),
    ],
)
def test_a_name_is_one_line_that_a_column_takes(name: str, kept: str | None) -> None:
    assert text({"name": name}, "name") == kept
