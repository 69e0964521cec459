"""Many at once, on real threads: one copy a person, no gaps in a program, one workout a day."""

from collections.abc import Callable
from uuid import UUID

from app.core.errors import StudioError
from app.programs.errors import AlreadyAssigned, AlreadyAttached, AlreadyPaused
from app.programs.queries import daily as days
from app.programs.queries import programs as queries
from app.programs.service import moving, placing
from app.programs.service import programs as service
from app.programs.service.programs import NewWeek
from tests.app.test_races import race
from tests.programming import assignment, attach, class_type, program, programmed, workout
from tests.studio import Studio

AT_ONCE = 6


def failures(results: list[object]) -> list[type[StudioError]]:
    return [type(one) for one in results if isinstance(one, StudioError)]


def test_a_member_gets_a_program_once_however_often_it_is_given(studio: Studio) -> None:
    dana, chosen = studio.member(), program(studio)

    results = race(*[lambda: assignment(studio, dana, chosen)] * AT_ONCE)

    assert failures([*results]) == [AlreadyAssigned] * (AT_ONCE - 1)


def test_weeks_and_workouts_that_are_added_at_once_leave_no_gap(studio: Studio) -> None:
    chosen = program(studio, weeks=1, days=(1,))
    with studio.act() as session:
        day = queries.week(session, chosen, 1).days[0].id
    placed = [workout(studio, f"Workout {number}") for number in range(4)]

    def add_week() -> None:
        with studio.act() as session:
            service.add_week(session, chosen, NewWeek(position=1))

    def place(of: UUID) -> Callable[[], None]:
        def act() -> None:
            with studio.act() as session:
                placing.add_workout(session, studio.coach, chosen, day, of, position=1)

        return act

    assert failures([*race(*[add_week] * 4, *map(place, placed))]) == []

    with studio.act() as session:
        weeks = queries.weeks(session, chosen)
    assert [week.number for week in weeks] == [1, 2, 3, 4, 5]
    assert [slot.position for week in weeks for slot in week.slots] == [1, 2, 3, 4, 5]


def test_of_many_pauses_one_begins(studio: Studio) -> None:
    dana = assignment(studio, studio.member(), program(studio))

    def pause() -> None:
        with studio.act() as session:
            moving.pause(session, studio.coach, dana, today=studio.day(0), until=studio.day(20))

    assert failures([*race(*[pause] * AT_ONCE)]) == [AlreadyPaused] * (AT_ONCE - 1)


def test_a_day_that_many_set_at_once_has_one_workout(studio: Studio) -> None:
    kind = class_type(studio)
    placed = [workout(studio, f"Workout {number}") for number in range(AT_ONCE)]

    def set_to(of: UUID) -> Callable[[], UUID]:
        return lambda: programmed(studio, kind, studio.day(1), of)

    assert failures([*race(*map(set_to, placed))]) == []

    with studio.act() as session:
        found = days.programmed(
            session, days.Days(studio.day(1), studio.day(1), kind), "en", now=studio.now
        )
    assert len(found) == 1


def test_a_class_has_a_workout_once(studio: Studio) -> None:
    wod, grace = studio.session(), workout(studio, "Grace")

    results = race(*[lambda: attach(studio, wod, grace)] * AT_ONCE)

    assert failures([*results]) == [AlreadyAttached] * (AT_ONCE - 1)
