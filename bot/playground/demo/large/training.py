"""What a large gym trains: workouts, their results, programs that are followed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Final
from uuid import UUID

from app.programs.calendar import first_of_week
from app.programs.queries import programs
from app.programs.service import templates
from app.programs.service.templates import NewTemplate
from app.programs.terms import AssignmentKind, AssignmentStatus, DailyStatus, DayStatus
from app.workouts import queries as workouts
from app.workouts.scores import read_score
from app.workouts.terms import Division, ScoreType, WeightUnit
from bot.playground.demo.large.crowd import Bought, Crowd
from bot.playground.demo.large.rows import ZONE, Rows
from bot.playground.demo.site import Site
from bot.playground.demo.training import DAYS, WEEKS, program_of, workouts_of

SERIES: Final = 30
"""Workouts are made so many times over at the most, the last ones for the program."""
RESULTS: Final = 12_000
_FOLLOWING: Final = 3
"""One of so many follows a program."""
_BEHIND, _AHEAD = 60, 7
_MARKS: Final = {
    DayStatus.DONE: 70,
    DayStatus.PARTIAL: 10,
    DayStatus.UPCOMING: 14,
    DayStatus.SKIPPED: 6,
}
_LIFTS: Final = ("back_squat", "deadlift")


@dataclass(frozen=True, slots=True)
class _Part:
    workout_id: UUID
    id: UUID
    score: ScoreType


def train(
    rows: Rows, crowd: Crowd, site: Site, types: Mapping[str, UUID], coaches: Sequence[UUID]
) -> None:
    """Whoever trains now may follow the program; results are of all three years."""
    series = max(2, min(SERIES, len(crowd.names) // 100))
    made = [workouts_of(site, str(number)) for number in range(1, series + 1)]
    for number, type_id in enumerate(types.values()):
        _daily(rows, type_id, [pair[number % len(pair)] for pair in made])
    _results(rows, crowd, site.rng, _parts(site, made))
    _follow(rows, crowd, site, program_of(site, made[-1]), made[-1], coaches)


def _daily(rows: Rows, type_id: UUID, made: Sequence[UUID]) -> None:
    for number in range(-_BEHIND, _AHEAD + 1):
        rows.add(
            "daily_programming",
            date=rows.today + timedelta(days=number),
            class_type_id=type_id,
            workout_id=made[number % len(made)],
            status=DailyStatus.PUBLISHED,
        )


def _parts(site: Site, made: Sequence[Sequence[UUID]]) -> list[_Part]:
    """What is scored of these workouts, in order."""
    views = (workouts.workout(site.session, site.actor, one) for pair in made for one in pair)
    return [
        _Part(view.brief.id, part.id, part.section.score)
        for view in views
        for part in view.sections
        if part.section.score is not ScoreType.NONE
    ]


def _results(rows: Rows, crowd: Crowd, rng: Random, parts: Sequence[_Part]) -> None:
    divisions = list(Division)
    for _ in range(min(RESULTS, 4 * len(crowd.bought))):
        bought = rng.choice(crowd.bought)
        days = ((bought.left or rows.today) - bought.since).days
        day = bought.since + timedelta(days=rng.randrange(max(1, days)))
        _result(rows, rng, rng.choice(parts), bought, day, divisions)
    for bought in crowd.training(rows.today)[::2]:
        _records(rows, rng, bought)


def _result(  # noqa: PLR0917 - one row of a table
    rows: Rows,
    rng: Random,
    part: _Part,
    bought: Bought,
    day: date,
    divisions: Sequence[Division],
) -> None:
    text = _score(rng, part.score)
    score = read_score(text, part.score, WeightUnit.KG)
    rows.add(
        "workout_result",
        at=_at(rows, day),
        workout_id=part.workout_id,
        section_id=part.id,
        member_id=bought.member_id,
        performed_on=day,
        score_type=score.type,
        score_value=score.value,
        rounds=score.rounds,
        capped=score.capped,
        unit=score.unit,
        score_text=text,
        rx_level=rng.choice(divisions),
    )


def _score(rng: Random, score: ScoreType) -> str:
    match score:
        case ScoreType.TIME:
            return f"{rng.randrange(5, 20)}:{rng.randrange(60):02d}"
        case ScoreType.ROUNDS_REPS:
            return f"{rng.randrange(3, 9)}+{rng.randrange(1, 18)}"
        case ScoreType.LOAD:
            return f"{5 * rng.randrange(8, 36)} kg"
        case _:
            return str(rng.randrange(20, 200))


def _records(rows: Rows, rng: Random, bought: Bought) -> None:
    for lift in _LIFTS:
        rows.add(
            "personal_record",
            member_id=bought.member_id,
            exercise=lift,
            rep_max=1,
            value_g=1_000 * rng.randrange(50, 180),
            unit=WeightUnit.KG,
            achieved_on=bought.since,
        )


def _follow(  # noqa: PLR0917 - what an assignment is made of
    rows: Rows,
    crowd: Crowd,
    site: Site,
    program_id: UUID,
    made: Sequence[UUID],
    coaches: Sequence[UUID],
) -> None:
    program = programs.program(site.session, program_id)
    templates.create_from_program(site.session, site.actor, NewTemplate(program_id, program.title))
    titles = {one: workouts.brief(site.session, one).title for one in reversed(made)}
    sunday = first_of_week(rows.today, 0)
    for number, bought in enumerate(crowd.training(rows.today)[::_FOLLOWING]):
        start = sunday - timedelta(weeks=number % (2 * WEEKS))
        end = start + timedelta(days=7 * (WEEKS - 1) + max(DAYS) - 1)
        over = end < rows.today
        assignment_id = rows.add(
            "assignment",
            at=_at(rows, start),
            member_id=bought.member_id,
            kind=AssignmentKind.PROGRAM,
            program_id=program_id,
            title=program.title,
            revision=program.revision,
            coach_id=coaches[number % len(coaches)],
            start_date=start,
            end_date=end,
            status=AssignmentStatus.COMPLETED if over else AssignmentStatus.ACTIVE,
            ended_on=end if over else None,
        )
        _days(rows, site.rng, assignment_id, start, titles)


def _days(
    rows: Rows, rng: Random, assignment_id: UUID, start: date, titles: Mapping[UUID, str]
) -> None:
    for week in range(WEEKS):
        for day_no, (workout_id, title) in zip(DAYS, titles.items(), strict=True):
            due = start + timedelta(days=7 * week + day_no - 1)
            past = due < rows.today
            status = rng.choices(list(_MARKS), [*_MARKS.values()])[0]
            done = past and status in {DayStatus.DONE, DayStatus.PARTIAL}
            rows.add(
                "assignment_day",
                at=_at(rows, start),
                assignment_id=assignment_id,
                due_date=due,
                week_no=week + 1,
                day_no=day_no,
                position=0,
                workout_id=workout_id,
                title=title,
                status=status if past else DayStatus.UPCOMING,
                done_at=_at(rows, due) if done else None,
            )


def _at(rows: Rows, day: date) -> datetime:
    return min(datetime.combine(day, time(20), tzinfo=ZONE), rows.now)
