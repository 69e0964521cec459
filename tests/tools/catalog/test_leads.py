"""The tools for leads and their tasks, through the runner, as the assistant calls them."""

from app.core.actor import Role
from app.leads import queries
from app.leads.terms import LeadStage
from app.memberships.queries import balance, covers
from app.people import queries as people
from app.people.terms import MemberStatus
from tests.requests.leads import lead
from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tools.kit.cards import Confirm, Done, Failed


def test_a_known_phone_is_told_and_nothing_can_be_taken_back(studio: Studio, ask: Asking) -> None:
    given = {"first_name": "Noa", "phone": "053-7654321", "source": "google"}
    first = ask.outcome("leads.create", **given).card
    again = ask.outcome("leads.create", **given).card
    assert isinstance(first, Done)
    assert isinstance(again, Done)
    assert first.undo is not None
    assert again.undo is None
    assert again.values["known"] is True
    assert again.ref == first.ref
    studio.person("Dana Levi", phone="0521234567")
    told = ask.told("leads.create", **{**given, "phone": "0521234567"})
    assert (told["lead"], told["member"], "member_id" in told) == ("Dana Levi", True, True)


def test_joining_is_taken_back_though_ledgers_speak_of_it(studio: Studio, ask: Asking) -> None:
    noa, plan, by_admin = lead(studio), studio.plan(10), ask.by(studio.admin)
    joined = by_admin.outcome("leads.convert", lead_id=noa, plan_id=plan)
    assert isinstance(joined.card, Done)
    assert joined.card.ref is not None
    member_id = joined.card.ref.id
    assert by_admin.undo(joined).ok
    with studio.act() as session:
        found = queries.lead(session, noa)
        assert (found.stage, found.converted_member_id) == (LeadStage.NEW, None)
        assert people.member(session, member_id).status is MemberStatus.ARCHIVED
        assert covers(session, member_id, studio.day(0)) == ()
        assert balance(session, member_id, studio.day(0)) == 0
    told = by_admin.told("leads.convert", lead_id=noa, plan_id=plan)
    assert told["member_id"] == str(member_id)
    assert told["notes"] == [{"was_member": {"lead": "Noa Bar", "plan": "Plan 10"}}]


def test_deleting_says_what_goes_and_what_stays(studio: Studio, ask: Asking) -> None:
    noa, by_owner = lead(studio), ask.by(studio.owner)
    ask.outcome("leads.log_activity", lead_id=noa, kind="call")
    ask.outcome("leads.schedule_follow_up", lead_id=noa, due_at=f"{studio.day(1)}T09:00")
    asked = by_owner.question("leads.delete", lead_id=noa)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    (effect,) = asked.card.effects
    assert effect.values == {"activities": 1, "tasks": 1}
    gone = by_owner.outcome("leads.delete", lead_id=noa)
    assert by_owner.undo(gone).ok
    assert by_owner.told("leads.get", lead_id=noa)["lead"] == "Noa Bar"


def test_a_task_without_a_name_is_the_callers_own(studio: Studio, ask: Asking) -> None:
    told = ask.told("tasks.create", title="Order chalk", due_at=f"{studio.day(1)}T09:00")
    assert (told["assignee"], told["due"]) == ("coach one", "2026-12-01T07:00+00:00")
    ask.by(studio.admin).told("tasks.create", title="Call the landlord")
    mine = ask.told("tasks.list", mine=True)
    assert [row["task"] for row in mine["rows"]] == ["Order chalk"]
    theirs = ask.told("tasks.list", assignee_id=studio.staff[Role.ADMIN])
    assert [row["task"] for row in theirs["rows"]] == ["Call the landlord"]


def test_several_tasks_are_done_once_each_or_not_at_all(ask: Asking) -> None:
    ids = [ask.told("tasks.create", title=title)["task_id"] for title in ("One", "Two")]
    assert ask.told("tasks.bulk_complete", task_ids=[ids[0], ids[0]])["error"] == "bad_input"
    ask.outcome("tasks.complete", task_id=ids[0])
    assert ask.told("tasks.bulk_complete", task_ids=ids)["error"] == "task_not_open"
    left = ask.told("tasks.list")
    assert [row["task"] for row in left["rows"]] == ["Two"]


def test_times_that_cannot_be_are_refused(studio: Studio, ask: Asking) -> None:
    noa = lead(studio)
    for tool, given, code in (
        ("tasks.create", {"title": "Late", "due_at": f"{studio.day(-1)}T09:00"}, "due_in_past"),
        ("tasks.create", {"title": "Gap", "due_at": "2027-03-26T02:30"}, "time_does_not_exist"),
        (
            "leads.schedule_follow_up",
            {"lead_id": noa, "due_at": "2026-11-30T09:00"},
            "follow_up_in_past",
        ),
        (
            "leads.log_activity",
            {"lead_id": noa, "kind": "call", "occurred_at": "2027-01-01T09:00"},
            "activity_in_future",
        ),
        ("leads.set_stage", {"lead_id": noa, "stage": "won"}, "bad_input"),
        ("leads.create", {"first_name": "A", "phone": "12345", "source": "other"}, "bad_phone"),
    ):
        assert ask.told(tool, **given)["error"] == code, tool


def test_adding_is_not_taken_back_over_a_call_that_somebody_logged(
    studio: Studio, ask: Asking
) -> None:
    by_admin = ask.by(studio.admin)
    new = {"first_name": "Noa", "phone": "0530000004", "source": "google"}
    added = by_admin.outcome("leads.create", **new)
    assert isinstance(added.card, Done)
    assert added.card.ref is not None
    noa = added.card.ref.id
    logged = ask.outcome("leads.log_activity", lead_id=noa, kind="call")
    assert by_admin.undo(added).card == Failed(code="undo_in_use")
    assert by_admin.told("leads.get", lead_id=noa)["lead"] == "Noa"
    assert ask.undo(logged).ok
    assert by_admin.undo(added).ok
