"""Workouts: what they hold, who sees them, and when they may go (rules 41 and 52)."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select

from app.core.errors import NotFound, StaleVersion, StudioError
from app.programs.queries.uses import Uses
from app.programs.service import dropping
from app.studio.paging import Cut
from app.workouts import queries
from app.workouts.models import PersonalRecord, WorkoutMovement
from app.workouts.service import exercises
from app.workouts.service import workouts as service
from app.workouts.service.exercises import NewExercise
from app.workouts.service.workouts import (
    MovementChanges,
    NewWorkout,
    SectionChanges,
    WorkoutChanges,
)
from app.workouts.structure import Load, Movement, Scaling, Scheme, Section
from app.workouts.terms import Division, SchemeType, SectionKind, Visibility, WeightUnit
from app.workouts.views import WorkoutFilter, WorkoutView
from tests.programming import assignment, attach, class_type, program, programmed
from tests.requests.workouts import PLAN, saved, scored
from tests.studio import Studio

POUNDS = Load(type="absolute", unit=WeightUnit.LB, rx_m=95, rx_f=65)
WARM_UP = Section(
    kind=SectionKind.WARMUP,
    scheme=Scheme(type=SchemeType.ROUNDS_FOR_QUALITY, rounds=3),
    movements=(Movement(exercise="air_squat", reps=10),),
)


def shown(studio: Studio, workout_id: UUID) -> WorkoutView:
    with studio.act() as session:
        return queries.workout(session, studio.owner, workout_id)


def code_of(refused: pytest.ExceptionInfo[StudioError]) -> str:
    return refused.value.code


def test_what_is_saved_is_what_was_read(studio: Studio) -> None:
    with studio.act() as session:
        reading = service.parse(session, studio.coach, PLAN)
    view = saved(studio, PLAN, "Tuesday")

    assert view.parts == tuple(
        one.model_copy(update={"movements": one.movements}) for one in reading.sections
    )
    assert view.source_text == PLAN


def test_a_load_is_kept_in_grams_and_told_in_the_unit_it_came_in(studio: Studio) -> None:
    thruster = Movement(exercise="thruster", load=POUNDS)
    section = Section(scheme=Scheme(type=SchemeType.FOR_TIME), movements=(thruster,))
    with studio.act() as session:
        made = service.create(session, studio.coach, NewWorkout("Heavy Fran", (section,)))
        dose = session.scalars(select(WorkoutMovement.dose)).one()

    assert dose["load"] == {"type": "absolute", "unit": "lb", "rx_m": 43_091, "rx_f": 29_484}
    assert made.sections[0].movements[0].movement == thruster


def test_a_bare_load_is_in_the_gyms_unit(studio: Studio) -> None:
    bare = Movement(exercise="thruster", load=Load(type="absolute", value=43))
    section = Section(scheme=Scheme(type=SchemeType.FOR_TIME), movements=(bare,))
    with studio.act() as session:
        made = service.create(session, studio.coach, NewWorkout("Fran", (section,)))

    load = made.sections[0].movements[0].movement.load
    assert load is not None
    assert (load.unit, load.value) == (WeightUnit.KG, 43)


def test_a_percentage_says_of_what_it_is(studio: Studio) -> None:
    share = Movement(exercise="deadlift", reps=3, load=Load(type="percent", value=80))
    section = Section(scheme=Scheme(type=SchemeType.SETS, sets=5), movements=(share,))
    with studio.act() as session:
        made = service.create(session, studio.coach, NewWorkout("Pull", (section,)))

    load = made.sections[0].movements[0].movement.load
    assert load is not None
    assert (load.of, load.lift) == ("1rm", "deadlift")


def test_scaling_is_kept_with_its_movement(studio: Studio) -> None:
    scaled = Scaling(level=Division.SCALED, exercise="ring_row", reps=8)
    movement = Movement(exercise="pull_up", reps=10, scaling=(scaled,))
    section = Section(scheme=Scheme(type=SchemeType.AMRAP), movements=(movement,))
    with studio.act() as session:
        made = service.create(session, studio.coach, NewWorkout("Cindy", (section,)))

    assert made.sections[0].movements[0].movement == movement


def test_an_exercise_that_nobody_knows_is_refused_until_the_gym_adds_it(studio: Studio) -> None:
    movement = Movement(exercise="flurb", reps=10)
    new = NewWorkout("F", (Section(scheme=Scheme(type=SchemeType.AMRAP), movements=(movement,)),))
    with pytest.raises(StudioError) as refused, studio.act() as session:
        service.create(session, studio.coach, new)
    assert (code_of(refused), refused.value.values) == ("unknown_exercise", {"exercise": "flurb"})

    with studio.act() as session:
        added = NewExercise("Flurb", aliases=("FLB", "פלורב"))
        _, known = exercises.create_exercise(session, studio.coach, added)
        assert known.slug == "flurb"
        assert service.create(session, studio.coach, new).parts[0].movements == (movement,)
        found = queries.find_exercises(session, "flb", cut=Cut())
    assert [(one.exercise.slug, one.exact) for one in found.rows] == [("flurb", True)]


@pytest.mark.parametrize("name", ["Pull-up", "T2B", "תלמ", "подтягивания", "PULL UPS"])
def test_a_name_that_means_an_exercise_already_isnt_added(studio: Studio, name: str) -> None:
    with pytest.raises(StudioError) as refused, studio.act() as session:
        exercises.create_exercise(session, studio.coach, NewExercise("New", aliases=(name,)))
    assert code_of(refused) == "exercise_exists"


def test_an_exercise_named_in_other_letters_has_a_slug_all_the_same(studio: Studio) -> None:
    with studio.act() as session:
        _, known = exercises.create_exercise(session, studio.coach, NewExercise("פלורב"))
    assert known.slug.startswith("own_")


@pytest.mark.parametrize(
    ("query", "slug"),
    [
        ("t2b", "toes_to_bar"),
        ("תלמ", "toes_to_bar"),
        ("трастер", "thruster"),
        ("thrustr", "thruster"),
    ],
)
def test_an_exercise_is_found_by_what_coaches_call_it(
    studio: Studio, query: str, slug: str
) -> None:
    with studio.act() as session:
        found = queries.find_exercises(session, query, cut=Cut())
    assert found.rows[0].exercise.slug == slug


def test_a_private_workout_is_its_authors_and_of_who_runs_the_gym(studio: Studio) -> None:
    new = NewWorkout("Mine", (WARM_UP,), visibility=Visibility.PRIVATE)
    with studio.act() as session:
        mine = service.create(session, studio.coach, new).brief.id
    other = replace(studio.coach, user_id=uuid4())

    with studio.act() as session:
        seen = [queries.workouts(session, one, WorkoutFilter(), cut=Cut()).total for one in (
            studio.coach, studio.owner, other)]  # fmt: skip
        with pytest.raises(NotFound):
            queries.workout(session, other, mine)
    assert seen == [1, 1, 0]


def test_a_list_is_narrowed_by_words_tag_scheme_and_author(studio: Studio) -> None:
    saved(studio)
    saved(studio, PLAN, "Tuesday")
    asked = (
        WorkoutFilter(q="FRA"),
        WorkoutFilter(tags=("benchmark",)),
        WorkoutFilter(scheme="amrap"),
        WorkoutFilter(created_by=studio.owner.user_id),
        WorkoutFilter(q="100%"),
    )
    with studio.act() as session:
        found = [queries.workouts(session, studio.owner, one, cut=Cut()).rows for one in asked]

    assert [[one.title for one in rows] for rows in found] == [
        ["Fran"], ["Fran"], ["Tuesday"], [], [],
    ]  # fmt: skip


def test_what_was_read_before_a_change_is_out_of_date(studio: Studio) -> None:
    view = saved(studio)
    version, movement = view.brief.version, view.sections[0].movements[0]
    with studio.act() as session:
        changes = MovementChanges(dose={"load": POUNDS})
        changed = service.update_movement(
            session, studio.coach, view.brief.id, movement.id, changes, expected_version=version
        )
    assert changed.movement.load == POUNDS
    with pytest.raises(StaleVersion), studio.act() as session:
        service.update_workout(
            session,
            studio.coach,
            view.brief.id,
            WorkoutChanges(title="Other"),
            expected_version=version,
        )


def test_a_movement_becomes_another_and_loses_what_is_cleared(studio: Studio) -> None:
    view = saved(studio, "A. Back squat 5x5 @ 80%")
    movement = view.sections[0].movements[0].id
    with studio.act() as session:
        changes = MovementChanges(exercise="front_squat", dose={"tempo": "30X1"}, cleared=("reps",))
        changed = service.update_movement(
            session, studio.coach, view.brief.id, movement, changes
        ).movement

    assert (changed.exercise, changed.reps, changed.tempo) == ("front_squat", None, "30X1")
    assert changed.load is not None
    assert changed.load.lift == "front_squat"


def test_sections_are_put_in_changed_and_taken_out_without_gaps(studio: Studio) -> None:
    view = saved(studio, PLAN, "Tuesday")
    with studio.act() as session:
        added = service.add_section(session, studio.coach, view.brief.id, WARM_UP, 1)
        longer = SectionChanges(scheme=Scheme(type=SchemeType.AMRAP, duration_s=900), notes="hard")
        service.update_section(session, studio.coach, view.brief.id, view.sections[1].id, longer)
        service.remove_section(session, studio.coach, view.brief.id, view.sections[0].id)
    left = shown(studio, view.brief.id)

    assert [(one.position, one.id) for one in left.sections] == [
        (1, added.id),
        (2, view.sections[1].id),
    ]
    assert left.parts[1].scheme.duration_s == 900
    assert left.parts[1].notes == "hard"
    assert left.parts[1].movements == view.parts[1].movements


def test_the_last_section_stays(studio: Studio) -> None:
    view = saved(studio)
    with pytest.raises(StudioError) as refused, studio.act() as session:
        service.remove_section(session, studio.coach, view.brief.id, view.sections[0].id)
    assert code_of(refused) == "last_section"


def test_a_new_body_keeps_the_rows_that_it_goes_on_with(studio: Studio) -> None:
    view = saved(studio, PLAN, "Tuesday")
    with studio.act() as session:
        changes = WorkoutChanges(sections=(view.parts[0], WARM_UP, view.parts[1]))
        service.update_workout(session, studio.coach, view.brief.id, changes)
    after = shown(studio, view.brief.id)

    assert [one.id for one in after.sections[:2]] == [one.id for one in view.sections]
    assert after.parts == (view.parts[0], WARM_UP, view.parts[1])


def test_copies_are_numbered(studio: Studio) -> None:
    view = saved(studio)
    with studio.act() as session:
        titles = [
            service.duplicate(session, studio.coach, view.brief.id).brief.title for _ in range(2)
        ]
    assert titles == ["Fran 2", "Fran 3"]


def test_a_workout_in_use_is_not_deleted_unless_forced(studio: Studio) -> None:
    view = saved(studio)
    workout = view.brief.id
    attach(studio, studio.session(), workout)
    programmed(studio, class_type(studio), studio.day(1), workout)
    member = studio.member()
    scored(studio, workout, member, "4:32")
    with pytest.raises(StudioError) as refused, studio.act() as session:
        dropping.delete_workout(session, studio.coach, workout, force=False)
    assert (code_of(refused), refused.value.values) == (
        "workout_in_use",
        {"workout": "Fran", "uses": 3},
    )

    with studio.act() as session:
        _, uses = dropping.delete_workout(session, studio.coach, workout, force=True)
        found = queries.member_results(session, member, cut=Cut())
    assert uses == Uses(scheduled=2, results=1)
    assert found.total == 0
    with pytest.raises(NotFound):
        shown(studio, workout)


def test_a_workout_of_a_program_that_somebody_has_is_in_use(studio: Studio) -> None:
    found = program(studio)
    assignment(studio, studio.member(), found)
    with studio.act() as session:
        workout = queries.workouts(session, studio.owner, WorkoutFilter(), cut=Cut()).rows[0].id
        with pytest.raises(StudioError) as refused:
            dropping.preview_delete(session, studio.coach, workout, force=False)
        _, uses = dropping.preview_delete(session, studio.coach, workout, force=True)

    assert code_of(refused) == "workout_in_use"
    assert (uses.programs > 0, uses.assigned) == (True, 1)


def test_a_record_outlives_the_workout_it_was_set_in(studio: Studio) -> None:
    view = saved(studio, "Snatch - 15 min to find 1RM")
    member = studio.member()
    scored(studio, view.brief.id, member, "80 kg")
    with studio.act() as session:
        dropping.delete_workout(session, studio.coach, view.brief.id, force=True)
        record = session.scalars(select(PersonalRecord)).one()
    assert (record.value_g, record.result_id) == (80_000, None)
