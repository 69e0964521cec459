"""What may go wrong with workouts, exercises and results: one code each."""

from app.core.errors import StudioError


class UnknownExercise(StudioError):
    """`exercise` is neither in the library nor one of the gym's own."""

    code, status = "unknown_exercise", 422


class ExerciseExists(StudioError):
    """`name` is known already: `exercise`."""

    code, status = "exercise_exists", 409


class WorkoutInUse(StudioError):
    """It is on the schedule, assigned or has results, so it is archived instead (rule 41).

    `workout`, and how many `uses` there are.
    """

    code, status = "workout_in_use", 409


class LastSection(StudioError):
    """It is the only one of `workout`."""

    code, status = "last_section", 409


class NothingScored(StudioError):
    """No part of `workout` is scored, and the score doesn't say what it counts."""

    code, status = "nothing_scored", 422


class BadScore(StudioError):
    """`score` can't be read as what is `wanted`: a time, rounds and reps, a weight."""

    code, status = "bad_score", 422


class ResultInFuture(StudioError):
    """`date` has not come yet."""

    code, status = "result_in_future", 422


class TextTooLong(StudioError):
    """More than `limit` characters."""

    code, status = "text_too_long", 422


class NothingToRead(StudioError):
    """The text has no line with anything in it."""

    code, status = "nothing_to_read", 422
