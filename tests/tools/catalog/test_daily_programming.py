"""The tools for the workout of the day, through the runner, as the assistant calls them."""

from uuid import UUID

from app.programs.queries import daily as queries
from app.workouts.models import Workout
from app.workouts.terms import Visibility
from tests.programming import SUNDAY, attach, class_type, programmed, workout
from tests.studio import Studio
from tests.tools.catalog.asking import Asking
from tools.kit.cards import Confirm, Failed, for_model


def there(studio: Studio, kind: UUID) -> dict[str, object]:
    return {"date": str(studio.day(1)), "class_type_id": kind}


def shown(studio: Studio, kind: UUID) -> list[tuple[str | None, str, str | None]]:
    """What is set tomorrow: its workout, its status, its notes."""
    with studio.act() as session:
        days = queries.Days(studio.day(1), studio.day(1), kind)
        found = queries.programmed(session, days, "en", now=studio.now)
    return [(one.workout, one.status.value, one.coach_notes) for one in found]


def test_setting_a_day_anew_is_taken_back_to_what_stood_there_step_by_step(
    studio: Studio, ask: Asking
) -> None:
    kind = class_type(studio)
    steps: list[tuple[str, dict[str, object]]] = [
        ("set", {"workout_id": workout(studio, "Fran"), "coach_notes": "Go light"}),
        ("publish", {}),
        ("set", {"workout_id": workout(studio, "Cindy")}),
        ("unpublish", {}),
        ("set", {"workout_id": workout(studio, "Grace"), "publish_at": f"{studio.day(0)}T20:00"}),
        ("publish", {}),
        ("unpublish", {}),
    ]
    seen, done = [shown(studio, kind)], []
    for action, given in steps:
        done.append(ask.outcome(f"daily_programming.{action}", **there(studio, kind), **given))
        assert done[-1].ok, done[-1].card
        seen.append(shown(studio, kind))
    assert seen[1] == [("Fran", "draft", "Go light")]
    assert seen[3] == [("Cindy", "published", None)]
    for outcome, before in zip(reversed(done), reversed(seen[:-1]), strict=True):
        taken_back = ask.undo(outcome)
        assert taken_back.ok, taken_back.card
        assert shown(studio, kind) == before


def test_the_only_workout_of_a_day_is_shown_whole_and_several_as_a_list(
    studio: Studio, ask: Asking
) -> None:
    kind = class_type(studio)
    squats = workout(studio, "Squats", percents=(70, 75))
    programmed(studio, kind, studio.day(1), squats)
    tomorrow = {"date": str(studio.day(1))}
    whole = ask.told("daily_programming.get_day", **tomorrow)
    assert (whole["workout_id"], whole["class_type"], whole["status"]) == (
        str(squats),
        "Engine 1",
        "draft",
    )
    assert whole["sections"][0]["movements"][0]["load"]["value"] == [70, 75]
    studio.class_type_id = kind
    wod = studio.session()
    held = ask.told("class_sessions.list_workouts", class_session_id=wod)
    assert (held["workout_id"], held["origin"]) == (str(squats), "of_the_day")
    programmed(studio, class_type(studio), studio.day(1))
    listed = ask.told("daily_programming.get_day", **tomorrow)
    assert [row["workout"] for row in listed["rows"]] == ["Squats", "Fran"]
    alone = ask.told("daily_programming.get_day", **tomorrow, class_type_id=kind)
    assert alone["workout_id"] == str(squats)
    gap = ask.told("daily_programming.get_day", date=str(studio.day(3)), class_type_id=kind)
    assert gap["total"] == 0


def test_a_day_by_somebodys_private_workout_is_told_without_its_parts(
    studio: Studio, ask: Asking
) -> None:
    kind, secret = class_type(studio), workout(studio, "Secret")
    programmed(studio, kind, studio.day(1), secret)
    with studio.act() as session:
        row = session.get_one(Workout, secret)
        row.visibility, row.created_by = Visibility.PRIVATE, studio.owner.user_id
    told = ask.told("daily_programming.get_day", date=str(studio.day(1)))
    assert [one["workout"] for one in told["rows"]] == ["Secret"]
    own = ask.by(studio.owner).told("daily_programming.get_day", date=str(studio.day(1)))
    assert own["workout_id"] == str(secret)


def test_clearing_says_whether_members_see_it_and_comes_back(studio: Studio, ask: Asking) -> None:
    kind = class_type(studio)
    programmed(studio, kind, studio.day(1))
    asked = ask.question("daily_programming.clear", **there(studio, kind))
    assert asked is not None
    assert isinstance(asked.card, Confirm)
    assert [line.key for line in asked.card.effects] == ["daily_programming.clear.effect_unseen"]
    ask.outcome("daily_programming.publish", **there(studio, kind))
    asked = ask.question("daily_programming.clear", **there(studio, kind))
    assert asked is not None
    assert "effect_seen" in str(for_model(asked.card))
    gone = ask.outcome("daily_programming.clear", **there(studio, kind))
    assert shown(studio, kind) == []
    assert ask.told("daily_programming.clear", **there(studio, kind))["error"] == "not_found"
    assert ask.undo(gone).ok
    assert shown(studio, kind) == [("Fran", "published", None)]


def test_a_week_is_copied_after_a_yes_to_just_these_days(studio: Studio, ask: Asking) -> None:
    kind = class_type(studio)
    programmed(studio, kind, studio.day(1))
    given = {
        "from_week_start": str(studio.day(0)),
        "to_week_start": str(SUNDAY),
        "class_type_ids": [str(kind)],
    }
    asked = ask.question("daily_programming.copy_week", **given)
    assert asked is not None
    assert for_model(asked.card)["notes"] == [{"week_added": {"names": ["Engine 1: Fran"]}}]
    copied = ask.outcome("daily_programming.copy_week", **given)
    week = ask.told("daily_programming.get_week", week_start=str(SUNDAY), class_type_id=kind)
    assert [(row["date"], row["workout"]) for row in week["rows"]] == [(str(studio.day(8)), "Fran")]
    assert ask.undo(copied).ok
    assert ask.told("daily_programming.get_week", week_start=str(SUNDAY))["total"] == 0


def test_a_yes_is_not_to_a_week_that_changed_meanwhile(studio: Studio, ask: Asking) -> None:
    kind = class_type(studio)
    programmed(studio, kind, studio.day(1))
    given = {"from_week_start": str(studio.day(0)), "to_week_start": str(SUNDAY)}
    asked = ask.question("daily_programming.copy_week", **given)
    assert asked is not None
    programmed(studio, kind, studio.day(2), workout(studio, "Cindy"))
    again = ask.question("daily_programming.copy_week", **given)
    assert again is not None
    assert again.target != asked.target


def test_bad_times_and_weeks_are_told(studio: Studio, ask: Asking) -> None:
    kind = class_type(studio)
    fran = programmed(studio, kind, studio.day(1))
    past = f"{studio.day(-1)}T20:00"
    told = ask.told(
        "daily_programming.set", **there(studio, kind), workout_id=fran, publish_at=past
    )
    assert told["error"] == "publish_in_past"
    same = ask.told(
        "daily_programming.copy_week",
        from_week_start=str(SUNDAY),
        to_week_start=str(SUNDAY),
    )
    assert same["error"] == "same_week"


def test_a_workout_taken_off_a_class_is_put_back_where_it_was(studio: Studio, ask: Asking) -> None:
    wod = studio.session()
    for title in ("Row", "Grace", "Core"):
        attach(studio, wod, workout(studio, title))

    def titles() -> list[str]:
        rows = ask.told("class_sessions.list_workouts", class_session_id=wod)["rows"]
        return [row["workout"] for row in rows]

    rows = ask.told("class_sessions.list_workouts", class_session_id=wod)["rows"]
    given = {"class_session_id": wod, "workout_id": rows[1]["id"]}
    off = ask.outcome("class_sessions.detach_workout", **given)
    assert titles() == ["Row", "Core"]
    assert ask.undo(off).ok
    assert titles() == ["Row", "Grace", "Core"]
    on = ask.outcome(
        "class_sessions.attach_workout",
        class_session_id=wod,
        workout_id=workout(studio, "First"),
        position=1,
    )
    assert titles() == ["First", "Row", "Grace", "Core"]
    assert ask.undo(on).ok
    assert titles() == ["Row", "Grace", "Core"]


def test_taking_the_last_one_off_says_what_the_class_has_then(studio: Studio, ask: Asking) -> None:
    studio.class_type_id = kind = class_type(studio)
    wod, grace = studio.session(), workout(studio, "Grace")
    attach(studio, wod, grace)
    given = {"class_session_id": wod, "workout_id": grace}

    def then() -> list[str]:
        asked = ask.question("class_sessions.detach_workout", **given)
        assert asked is not None
        assert isinstance(asked.card, Confirm)
        return [line.key.rpartition(".")[2] for line in asked.card.effects]

    assert then() == ["effect_none"]
    programmed(studio, kind, studio.day(1))
    assert then() == ["effect_day"]
    attach(studio, wod, workout(studio, "Row"))
    assert then() == ["effect"]
    fran = {"class_session_id": wod, "workout_id": workout(studio)}
    refused = ask.card("class_sessions.detach_workout", **fran)
    assert isinstance(refused, Failed)
    assert refused.code == "not_found"
