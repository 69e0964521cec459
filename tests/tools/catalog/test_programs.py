"""The tools for programs and assignments, through the runner, as the assistant calls them."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from app.core.actor import Role
from app.core.ids import new_id
from app.messages.models import Segment
from app.people import service as people
from app.programs.models import AssignmentPause
from app.programs.queries import assignments as queries
from tests.programming import SUNDAY, assignment, lifted, program, template, workout
from tests.studio import Studio
from tests.tools.catalog.asking import REGISTRY, Asking
from tools.kit import background
from tools.kit.cards import Confirm, Done, Failed, Pick, Progress, for_model
from tools.kit.models import BackgroundTask
from tools.kit.undo import undo
from tools.kit.values import plain

EVERY_DAY = tuple(range(7))


def calendar(studio: Studio, assigned: UUID) -> list[tuple[str, str, bool]]:
    """When each workout is due, and as what."""
    with studio.act() as session:
        days = queries.days(session, assigned, today=studio.day(0))
    return [(one.due.isoformat(), one.status.value, one.paused) for one in days]


def week_two(ask: Asking, chosen: UUID) -> dict[str, Any]:
    return ask.told("programs.get", program_id=chosen, week=2)


def test_a_program_shows_its_weeks_and_of_one_week_the_ids_to_work_with(
    studio: Studio, ask: Asking
) -> None:
    chosen = program(studio)
    (weeks,) = ask.told("programs.get", program_id=chosen)["tables"]
    assert [(row["number"], row["workouts"]) for row in weeks["rows"]] == [
        (1, ["Back squat"] * 3),
        (2, ["Back squat"] * 3),
    ]
    days, slots = week_two(ask, chosen)["tables"]
    assert [(row["day"], row["rest_day"]) for row in days["rows"]][:2] == [
        ("sun", False),
        ("mon", True),
    ]
    monday = days["rows"][1]["id"]
    ask.outcome(
        "programs.add_workout", program_id=chosen, day_id=monday, workout_id=workout(studio)
    )
    moved = slots["rows"][0]["id"]
    ask.outcome("programs.move_workout", program_id=chosen, slot_id=moved, to_week=1, to_day=7)
    _, slots = week_two(ask, chosen)["tables"]
    assert [(row["day"], row["workout"]) for row in slots["rows"]] == [
        ("mon", "Fran"),
        ("tue", "Back squat"),
        ("thu", "Back squat"),
    ]
    assert ask.told("programs.get", program_id=chosen, week=9)["error"] == "not_found"


def test_removing_a_week_names_what_goes_and_who_keeps_a_copy(studio: Studio, ask: Asking) -> None:
    chosen = program(studio)
    assignment(studio, studio.member(), chosen)
    before = week_two(ask, chosen)
    week_id = ask.told("programs.get", program_id=chosen)["tables"][0]["rows"][1]["id"]
    asked = ask.question("programs.remove_week", program_id=chosen, week_id=week_id)
    assert asked is not None
    notes = for_model(asked.card)["notes"]
    assert notes == [{"effect": {"names": ["Back squat"] * 3}}, {"copies_stay": {"people": 1}}]
    gone = ask.outcome("programs.remove_week", program_id=chosen, week_id=week_id)
    assert ask.undo(gone).ok
    assert {**week_two(ask, chosen), "version": 0} == {**before, "version": 0}


def test_an_added_week_is_taken_back_unless_the_program_was_changed_since(
    studio: Studio, ask: Asking
) -> None:
    chosen = program(studio)
    added = ask.outcome("programs.add_week", program_id=chosen, position=1, copy_from_week=2)
    assert ask.undo(added).ok
    assert ask.told("programs.get", program_id=chosen)["weeks"] == 2
    again = ask.outcome("programs.add_week", program_id=chosen)
    ask.outcome("programs.update", program_id=chosen, title="Changed")
    refused = ask.undo(again)
    assert isinstance(refused.card, Failed)
    assert refused.card.code == "undo_conflict"


def test_deleting_a_program_that_people_have_asks_what_comes_of_that(
    studio: Studio, ask: Asking
) -> None:
    chosen = program(studio)
    dana = assignment(studio, studio.member(), chosen)
    asked = ask.question("programs.delete", program_id=chosen)
    assert asked is not None
    assert isinstance(asked.card, Pick)
    assert plain(asked.card.ask.values["names"]) == ["Dana Levi"]
    assert ask.choose(0, "programs.delete", program_id=chosen).card.kind == "not_run"
    gone = ask.choose(2, "programs.delete", program_id=chosen)
    assert for_model(gone.card)["notes"] == [{"program_cancel": {"names": ["Dana Levi"]}}]
    assert ask.told("assignments.get", assignment_id=dana)["status"] == "cancelled"
    assert ask.undo(gone).ok
    told = ask.told("assignments.get", assignment_id=dana)
    assert (told["status"], len(told["tables"][0]["rows"])) == ("scheduled", 6)
    assert ask.told("programs.list", q="squat")["rows"][0]["people_on_it"] == 1


def test_a_made_program_that_was_given_to_somebody_is_not_taken_back(
    studio: Studio, ask: Asking
) -> None:
    made = ask.outcome(
        "programs.create",
        title="Row",
        weeks=1,
        days_per_week=1,
        outline=[{"week": 1, "day": 1, "workout_id": str(workout(studio))}],
    )
    assignment(studio, studio.member(), UUID(for_model(made.card)["program_id"]))
    refused = ask.undo(made)
    assert isinstance(refused.card, Failed)
    assert refused.card.code == "program_in_use"


def test_what_was_assigned_a_moment_ago_is_gone_without_a_trace(
    studio: Studio, ask: Asking
) -> None:
    dana, chosen = studio.member(), program(studio)
    given = {"member_id": dana, "program_id": chosen, "start_date": str(SUNDAY)}
    made = ask.outcome("assignments.create", **given)
    assert for_model(made.card)["notes"] == [{"next_workout": {"date": str(SUNDAY)}}]
    assert ask.undo(made).ok
    assert ask.told("assignments.list", status="cancelled")["total"] == 0
    assert ask.outcome("assignments.create", **given).ok
    assert ask.told("assignments.create", **given)["error"] == "already_assigned"
    neither = ask.told("assignments.create", member_id=dana, start_date=str(SUNDAY))
    assert neither["error"] == "bad_input"


def test_pauses_resumes_and_moves_are_taken_back_to_the_day(studio: Studio, ask: Asking) -> None:
    dana = assignment(
        studio, studio.member(), program(studio), start=studio.day(0), weekdays=(0, 1, 4)
    )
    studio.wait(days=2)

    def there_and_back(tool: str, **given: object) -> None:
        before = calendar(studio, dana)
        done = ask.outcome(f"assignments.{tool}", assignment_id=dana, **given)
        assert done.ok, done.card
        studio.wait(seconds=10)
        taken_back = ask.undo(done)
        assert taken_back.ok, taken_back.card
        assert calendar(studio, dana) == before
        ask.outcome(f"assignments.{tool}", assignment_id=dana, **given)

    there_and_back("update", shift_days=3)
    there_and_back("pause", until=str(studio.day(9)), reason="Abroad")
    there_and_back("resume", resume_on=str(studio.day(4)))
    studio.wait(days=4)
    there_and_back("update", days_of_week=["tue", "fri"])
    there_and_back("pause")
    studio.wait(days=6)
    there_and_back("resume")
    there_and_back("complete", summary="Enough")


def test_a_pause_that_is_taken_back_leaves_none_behind(studio: Studio, ask: Asking) -> None:
    dana = assignment(studio, studio.member(), program(studio))
    paused = ask.outcome("assignments.pause", assignment_id=dana, until=str(studio.day(20)))
    assert ask.undo(paused).ok
    with studio.act() as session:
        assert session.query(AssignmentPause).count() == 0


def test_a_resume_before_another_pause_is_not_taken_back(studio: Studio, ask: Asking) -> None:
    dana = assignment(studio, studio.member(), program(studio))
    ask.outcome("assignments.pause", assignment_id=dana)
    resumed = ask.outcome("assignments.resume", assignment_id=dana)
    ask.outcome("assignments.pause", assignment_id=dana)
    refused = ask.undo(resumed)
    assert isinstance(refused.card, Failed)
    assert refused.card.code == "undo_conflict"


def test_many_get_it_after_a_yes_that_names_them(studio: Studio, ask: Asking) -> None:
    chosen = program(studio)
    members = [studio.member(name) for name in ("Dana Levi", "Noa Katz", "Omer Bar")]
    with studio.act() as session:
        people.archive(session, studio.owner, members[2], now=studio.now)
    given = {
        "member_ids": [str(one) for one in members],
        "program_id": chosen,
        "start_date": str(SUNDAY),
    }
    asked = ask.question("assignments.bulk_create", **given)
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    assert asked.card.always
    assert for_model(asked.card)["notes"] == [
        {"effect": {"names": ["Dana Levi", "Noa Katz"]}},
        {"skipped_member_not_training": {"names": ["Omer Bar"]}},
    ]
    made = ask.outcome("assignments.bulk_create", **given)
    assert for_model(made.card)["done"] == 2
    assert ask.told("assignments.list", program_id=chosen)["total"] == 2
    assert ask.undo(made).ok
    assert ask.told("assignments.list", program_id=chosen)["total"] == 0
    nobody = {**given, "member_ids": [str(members[2])]}
    assert ask.told("assignments.bulk_create", **nobody)["error"] == "nobody_to_assign"
    stranger = {**given, "member_ids": [str(members[0]), str(new_id())]}
    assert ask.told("assignments.bulk_create", **stranger)["error"] == "not_found"


def test_a_group_of_many_gets_it_in_the_background_and_loses_it_again(
    studio: Studio, ask: Asking
) -> None:
    for number in range(23):
        studio.person(f"Member {number}", tags=("squatters",))
    studio.person("Dana Levi")
    with studio.act() as session:
        group = Segment(org_id=studio.org_id, name="Squatters", filter={"tags": ["squatters"]})
        session.add(group)
        session.flush()
        segment_id = group.id
    chosen = program(studio)
    begun = ask.card(
        "assignments.bulk_create",
        segment_id=segment_id,
        program_id=chosen,
        start_date=str(SUNDAY),
    )
    assert isinstance(begun, Progress)
    assert (begun.total, begun.ref is not None) == (23, True)
    task = finished(studio, begun)
    assert ask.told("assignments.list", program_id=chosen)["total"] == 23
    assert undo(studio.db, REGISTRY, studio.coach, task.call_id).ok
    assert ask.told("assignments.list", program_id=chosen)["total"] == 0


def finished(studio: Studio, begun: Progress) -> BackgroundTask:
    assert begun.ref is not None
    while True:
        with studio.act() as session:
            task = background.advance(session, REGISTRY, begun.ref.id)
        if not task.state.live:
            return task


def test_compliance_is_told_from_three_days_on_and_pooled_for_the_coach(
    studio: Studio, ask: Asking
) -> None:
    chosen = program(studio, weeks=2, days=(1, 2, 3, 4, 5, 6, 7))
    busy, idle = (studio.member(name) for name in ("Busy", "Idle"))
    first = assignment(studio, busy, chosen, start=studio.day(0), weekdays=EVERY_DAY)
    studio.wait(days=9)
    assignment(studio, idle, chosen, start=studio.day(0), weekdays=EVERY_DAY)
    for day in ask.told("assignments.get", assignment_id=first)["tables"][0]["rows"][:9]:
        given = {"assignment_id": first, "assignment_day_id": day["id"], "status": "done"}
        assert ask.told("assignments.set_workout_status", **given)["status"] == "done"
    (people_,) = ask.told("assignments.coach_overview", sort="name")["tables"]
    by_name = {row["member"]: row for row in people_["rows"]}
    assert by_name["Busy"]["compliance"] == 90
    assert by_name["Idle"]["compliance"] is None, "too few days to tell"
    studio.wait(days=2)
    shown = ask.told("assignments.coach_overview", sort="compliance")
    rows = shown["tables"][0]["rows"]
    assert [(row["member"], row["compliance"]) for row in rows] == [
        ("Idle", 0),
        ("Busy", 75),
    ]
    assert shown["compliance"] == 60, "9 of 15 days, not the mean of the two"
    assert rows[0]["attention"] == ["behind"]
    span = {"from_date": str(studio.day(-11)), "to_date": str(studio.day(-3))}
    part = ask.told("assignments.get_compliance", assignment_id=first, **span)
    assert (part["planned"], part["compliance"]) == (9, 100)


def test_who_has_done_nothing_for_long_and_who_is_at_the_end_needs_attention(
    studio: Studio, ask: Asking
) -> None:
    chosen = program(studio, weeks=4)
    assignment(studio, studio.member("Silent"), chosen, start=studio.day(0))
    paused = assignment(studio, studio.member("Away"), chosen, start=studio.day(0))
    ask.outcome("assignments.pause", assignment_id=paused)
    studio.wait(days=26)
    rows = ask.told("assignments.coach_overview")["tables"][0]["rows"]
    assert [(row["member"], row["attention"], row["status"]) for row in rows] == [
        ("Silent", ["silent", "behind", "ending"], "active"),
        ("Away", None, "paused"),
    ]
    none = ask.told("assignments.coach_overview", coach_id=studio.staff[Role.OWNER])
    assert (none["days_due"], none["compliance"]) == (0, None)


def test_an_assignment_tells_what_to_lift_next_as_heavy_as_its_week_is(
    studio: Studio, ask: Asking
) -> None:
    chosen, dana = program(studio, weeks=1, days=(1,), percents=(70, 80)), studio.member()
    ask.outcome("programs.add_week", program_id=chosen, copy_from_week=1, load_delta_pct=10)
    assigned = assignment(studio, dana, chosen)

    def loads() -> list[tuple[str, float, str | None]]:
        _, table = ask.told("assignments.get", assignment_id=assigned)["tables"]
        return [(row["date"], row["percent"], row["load"]) for row in table["rows"]]

    assert loads() == [(str(SUNDAY), 70, None), (str(SUNDAY), 80, None)]
    lifted(studio, dana, 100)
    assert [load for *_, load in loads()] == ["70 kg", "80 kg"]
    studio.wait(days=7)
    later = str(SUNDAY + timedelta(days=7))
    assert loads() == [(later, 80, "80 kg"), (later, 90, "90 kg")]


def test_a_template_is_seen_on_its_dates_before_anything_is_made(
    studio: Studio, ask: Asking
) -> None:
    chosen = template(studio, weeks=1, percents=(70,))
    given = {"template_id": chosen, "start_date": str(SUNDAY), "days_of_week": ["sun", "tue"]}
    days, loads = ask.told(
        "program_templates.preview",
        **given,
        member_id=studio.member(),
        parameters=[{"lift": "back_squat", "percent": 80}],
    )["tables"]
    assert [row["date"] for row in days["rows"]] == [
        str(SUNDAY + timedelta(days=offset)) for offset in (0, 2, 7)
    ]
    assert [(row["percent"], row["load"]) for row in loads["rows"]] == [(80, None)]
    assert ask.told("programs.list")["total"] == 1, "only the one the template came from"
    wrong = ask.told(
        "program_templates.instantiate",
        template_id=chosen,
        parameters=[{"lift": "deadlift", "percent": 80}],
    )
    assert (wrong["error"], wrong["lift"]) == ("unknown_lift", "deadlift")


def test_a_used_template_leaves_its_programs_when_it_is_deleted(
    studio: Studio, ask: Asking
) -> None:
    chosen = template(studio)
    made = ask.told("program_templates.instantiate", template_id=chosen, title="Mine")
    gone = ask.outcome("program_templates.delete", template_id=chosen)
    assert ask.told("programs.get", program_id=made["program_id"])["program"] == "Mine"
    assert isinstance(gone.card, Done)
    assert ask.undo(gone).ok
    assert ask.told("program_templates.list")["total"] == 1
