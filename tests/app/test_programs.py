"""Programs and templates: weeks, days and placed workouts; what is a snapshot stays one."""

from uuid import UUID

import pytest

from app.core.errors import BadInput, NotFound, StaleVersion
from app.programs.body import Parameter
from app.programs.calendar import Spot
from app.programs.errors import (
    OnlyWeek,
    ProgramDayFull,
    ProgramEmpty,
    ProgramInUse,
    TooManyWeeks,
    UnknownLift,
    WorkoutArchived,
    WorkoutsGone,
)
from app.programs.queries import programs as queries
from app.programs.queries import templates as reading
from app.programs.queries.programs import ProgramFilter
from app.programs.queries.templates import TemplateFilter
from app.programs.service import ending, placing, templates
from app.programs.service import programs as service
from app.programs.service.programs import NewProgram, NewWeek, Placement, ProgramChanges
from app.programs.service.templates import NewTemplate, TemplateChanges
from app.programs.terms import Level, ProgramStatus
from app.programs.views import WeekView
from app.studio.paging import Cut
from app.workouts.models import Workout
from app.workouts.terms import Visibility
from tests.programming import SUNDAY, assignment, lifted, program, template, workout
from tests.studio import Studio


def weeks_of(studio: Studio, chosen: UUID) -> tuple[WeekView, ...]:
    with studio.act() as session:
        return queries.weeks(session, chosen)


def placed(studio: Studio, chosen: UUID) -> list[tuple[int, int, int, str]]:
    """Week, day, position and title of everything in it."""
    return [
        (slot.week_no, slot.day_no, slot.position, slot.title)
        for week in weeks_of(studio, chosen)
        for slot in week.slots
    ]


def add_week(studio: Studio, chosen: UUID, new: NewWeek) -> WeekView:
    with studio.act() as session:
        return service.add_week(session, chosen, new)


def test_a_program_has_seven_days_a_week_and_rests_on_the_others(studio: Studio) -> None:
    with studio.act() as session:
        new = NewProgram("Base", 2, 3, focuses=("Easy",), level=Level.BEGINNER)
        made = service.create(session, studio.coach, new)
    assert (made.weeks, made.people, made.status, made.owner) == (2, 0, "draft", "coach one")
    first, second = weeks_of(studio, made.id)
    assert (first.focus, second.focus) == ("Easy", None)
    assert [day.day_no for day in first.days if not day.is_rest] == [1, 3, 5]
    assert [day.day_no for day in first.days] == [1, 2, 3, 4, 5, 6, 7]


def test_what_lies_outside_of_it_is_refused(studio: Studio) -> None:
    fran = workout(studio)
    wrong = [
        (BadInput, NewProgram("A", 1, 3, outline=(Placement(2, 1, fran),))),
        (BadInput, NewProgram("A", 1, 3, focuses=("One", "Two"))),
        (NotFound, NewProgram("A", 1, 3, outline=(Placement(1, 1, studio.member()),))),
        (TooManyWeeks, NewProgram("A", 53, 3)),
        (ProgramDayFull, NewProgram("A", 1, 3, outline=(Placement(1, 1, fran),) * 7)),
    ]
    for error, new in wrong:
        with studio.act() as session, pytest.raises(error):
            service.create(session, studio.coach, new)


def test_a_copied_week_is_heavier_and_the_later_ones_move_down(studio: Studio) -> None:
    chosen = program(studio, days=(1,))
    add_week(studio, chosen, NewWeek(position=2, copy_from=1, load_delta_pct=5))
    add_week(studio, chosen, NewWeek(copy_from=2, load_delta_pct=5))
    weeks = weeks_of(studio, chosen)
    assert [week.number for week in weeks] == [1, 2, 3, 4]
    assert [week.slots[0].loads for week in weeks] == [{}, {"*": 5}, {}, {"*": 10}]
    blank = add_week(studio, chosen, NewWeek())
    assert ([day.is_rest for day in blank.days], blank.slots) == ([False] + [True] * 6, ())
    for wrong in (NewWeek(position=7), NewWeek(copy_from=9)):
        with pytest.raises((BadInput, NotFound)):
            add_week(studio, chosen, wrong)


def test_a_removed_week_closes_the_gap_and_the_only_one_stays(studio: Studio) -> None:
    chosen = program(studio, weeks=3)
    first, second, third = weeks_of(studio, chosen)
    with studio.act() as session:
        service.remove_week(session, chosen, second.id)
    assert [(week.id, week.number) for week in weeks_of(studio, chosen)] == [
        (first.id, 1),
        (third.id, 2),
    ]
    with studio.act() as session:
        service.remove_week(session, chosen, first.id)
        with pytest.raises(OnlyWeek):
            service.remove_week(session, chosen, third.id)
        with pytest.raises(NotFound):
            service.remove_week(session, program(studio), third.id)


def test_workouts_are_placed_moved_and_taken_off_without_gaps(studio: Studio) -> None:
    chosen = program(studio, weeks=1, days=(1,))
    day = weeks_of(studio, chosen)[0].days[0].id
    with studio.act() as session:
        first = placing.add_workout(
            session, studio.coach, chosen, day, workout(studio, "Row"), position=1
        )
        placing.add_workout(session, studio.coach, chosen, day, workout(studio, "Core"))
    assert placed(studio, chosen) == [(1, 1, 1, "Row"), (1, 1, 2, "Back squat"), (1, 1, 3, "Core")]
    with studio.act() as session:
        placing.move_workout(session, chosen, first.id, to_week=1, to_day=7)
    assert placed(studio, chosen) == [(1, 1, 1, "Back squat"), (1, 1, 2, "Core"), (1, 7, 1, "Row")]
    assert not weeks_of(studio, chosen)[0].days[6].is_rest
    with studio.act() as session:
        placing.remove_workout(session, chosen, weeks_of(studio, chosen)[0].slots[0].id)
    assert placed(studio, chosen) == [(1, 1, 1, "Core"), (1, 7, 1, "Row")]


def test_placing_is_refused_where_it_makes_no_sense(studio: Studio) -> None:
    chosen, other = program(studio, weeks=1, days=(1,)), program(studio)
    day = weeks_of(studio, chosen)[0].days[0].id
    fran = workout(studio)
    with studio.act() as session:
        with pytest.raises(NotFound):
            placing.add_workout(session, studio.coach, other, day, fran)
        with pytest.raises(BadInput):
            placing.add_workout(session, studio.coach, chosen, day, fran, position=6)
        with pytest.raises(WorkoutArchived):
            placing.add_workout(session, studio.coach, chosen, day, workout(studio, archived=True))
        for _ in range(5):
            placing.add_workout(session, studio.coach, chosen, day, fran)
        with pytest.raises(ProgramDayFull):
            placing.add_workout(session, studio.coach, chosen, day, fran)


def test_somebody_elses_private_workout_is_not_there(studio: Studio) -> None:
    chosen, secret = program(studio, weeks=1, days=(1,)), workout(studio, "Secret")
    with studio.act() as session:
        row = session.get_one(Workout, secret)
        row.visibility, row.created_by = Visibility.PRIVATE, studio.owner.user_id
    day = weeks_of(studio, chosen)[0].days[0].id
    with studio.act() as session:
        with pytest.raises(NotFound):
            placing.add_workout(session, studio.coach, chosen, day, secret)
        for actor in (studio.owner, studio.admin):
            placing.add_workout(session, actor, chosen, day, secret)


def test_copies_find_a_name_and_lists_leave_out_what_is_archived(studio: Studio) -> None:
    chosen = program(studio)
    with studio.act() as session:
        titles = [service.duplicate(session, studio.coach, chosen).title for _ in range(2)]
        service.update(session, chosen, ProgramChanges(status=ProgramStatus.ARCHIVED))
    assert titles == ["Squat cycle (2)", "Squat cycle (3)"]
    with studio.act() as session:
        found = queries.programs(session, ProgramFilter(words="CYCLE"), cut=Cut(limit=1))
        assert ([one.title for one in found.rows], found.total) == (["Squat cycle (2)"], 2)
        archived = queries.programs(
            session, ProgramFilter(status=ProgramStatus.ARCHIVED), cut=Cut()
        )
        assert [one.id for one in archived.rows] == [chosen]
        none = queries.programs(session, ProgramFilter(words="%"), cut=Cut())
        assert none.total == 0


def test_an_empty_program_is_neither_published_nor_saved(studio: Studio) -> None:
    with studio.act() as session:
        empty = service.create(session, studio.coach, NewProgram("Empty", 1, 1))
        with pytest.raises(ProgramEmpty):
            service.update(session, empty.id, ProgramChanges(status=ProgramStatus.PUBLISHED))
        with pytest.raises(ProgramEmpty):
            templates.create_from_program(session, studio.coach, NewTemplate(empty.id, "T"))
        with pytest.raises(StaleVersion):
            service.update(session, empty.id, ProgramChanges(title="x"), expected_version=9)


def test_a_program_that_people_have_is_not_deleted_by_the_way(studio: Studio) -> None:
    chosen = program(studio)
    assignment(studio, studio.member(), chosen)
    with studio.act() as session, pytest.raises(ProgramInUse) as refused:
        ending.delete_program(session, chosen, None, today=studio.day(0))
    assert refused.value.values == {"program": "Squat cycle", "people": 1}


def test_a_template_and_what_was_made_from_it_are_each_their_own(studio: Studio) -> None:
    chosen = program(studio)
    with studio.act() as session:
        kept = templates.create_from_program(session, studio.coach, NewTemplate(chosen, "Kept"))
        service.add_week(session, chosen, NewWeek())
        made = templates.instantiate(session, studio.coach, kept.id).program
        templates.edit_day(session, studio.coach, kept.id, Spot(1, 1), [workout(studio, "Other")])
        templates.update(session, kept.id, TemplateChanges(title="Renamed"))
    assert made.weeks == 2, "the template is as the program was"
    assert {title for *_, title in placed(studio, made.id)} == {"Back squat"}
    with studio.act() as session:
        templates.delete(session, kept.id)
    assert placed(studio, made.id) == placed(studio, chosen)[:6]


def test_parameters_make_a_lift_start_higher_or_lower(studio: Studio) -> None:
    chosen = template(studio, weeks=1, days=(1,), percents=(70, 80))
    with studio.act() as session:
        view = reading.template_view(session, chosen)
        assert view.parameters == (Parameter(lift="back_squat", percent=70),)
        higher = Parameter(lift="back_squat", percent=75)
        made = templates.instantiate(session, studio.coach, chosen, filled=[higher]).program
        loads = [slot.loads for week in queries.weeks(session, made.id) for slot in week.slots]
        assert loads == [{"back_squat": 5}]
        for unknown in ("deadlift", "bench_press"):
            wrong = Parameter(lift=unknown, percent=75)
            with pytest.raises(UnknownLift):
                templates.instantiate(session, studio.coach, chosen, filled=[wrong])
            with pytest.raises(UnknownLift):
                templates.update(session, chosen, TemplateChanges(parameters=(wrong,)))


def test_a_preview_tells_a_members_own_loads_or_only_the_share(studio: Studio) -> None:
    chosen = template(studio, weeks=1, days=(1, 3), percents=(70,))
    dana = studio.member()
    with studio.act() as session:
        body = reading.template_view(session, chosen).body
        due = reading.calendar(session, studio.org_id, body, SUNDAY, frozenset({0, 2}))
        assert [(one.day - SUNDAY).days for one in due] == [0, 2]
        (unknown,) = reading.loads_for(session, studio.org_id, dana, body)
        assert (unknown.share.percents, unknown.grams) == ((70.0,), ())
    lifted(studio, dana, 93)
    with studio.act() as session:
        (known,) = reading.loads_for(session, studio.org_id, dana, body)
        assert known.grams == (65_000,)


def test_a_template_outlives_its_workouts_and_says_which_are_gone(studio: Studio) -> None:
    chosen = template(studio, weeks=1, days=(1,))
    with studio.act() as session:
        templates.edit_day(session, studio.coach, chosen, Spot(1, 2), [workout(studio, "Row")])
        session.delete(
            session.get_one(
                Workout,
                next(
                    one.slot.workout_id
                    for one in reading.template_view(session, chosen).body.placed()
                    if one.slot.title == "Row"
                ),
            )
        )
        session.flush()
        made = templates.instantiate(session, studio.coach, chosen)
        assert made.left_out == ("Row",)
        templates.edit_day(session, studio.coach, chosen, Spot(1, 1), [])
        with pytest.raises(WorkoutsGone):
            templates.instantiate(session, studio.coach, chosen)


def test_templates_are_found_by_words_level_and_goal(studio: Studio) -> None:
    template(studio, "Strength", goal="Squat more", level=Level.ADVANCED)
    template(studio, "Engine")
    wanted = {
        TemplateFilter(): 2,
        TemplateFilter(words="GINE"): 1,
        TemplateFilter(goal="squat"): 1,
        TemplateFilter(level=Level.ADVANCED): 1,
        TemplateFilter(level=Level.BEGINNER): 0,
    }
    with studio.act() as session:
        for one, total in wanted.items():
            assert reading.templates(session, one, cut=Cut()).total == total
        first = reading.templates(session, TemplateFilter(), cut=Cut()).rows[0]
        copies = [templates.duplicate(session, studio.coach, first.id).title for _ in range(2)]
    assert copies == ["Engine (2)", "Engine (3)"]
