"""Reading workouts, exercises, results and records."""

from app.workouts.queries.exercises import (
    all_exercises,
    check_known,
    find_exercises,
    own_exercises,
)
from app.workouts.queries.results import (
    best_lifts,
    leaderboard,
    member_results,
    records,
    result,
)
from app.workouts.queries.workouts import (
    brief,
    briefs,
    section,
    workout,
    workouts,
)

__all__ = [
    "all_exercises",
    "best_lifts",
    "brief",
    "briefs",
    "check_known",
    "find_exercises",
    "leaderboard",
    "member_results",
    "own_exercises",
    "records",
    "result",
    "section",
    "workout",
    "workouts",
]
