"""What may go wrong with programs, assignments and the workout of the day: one code each."""

from app.core.errors import StudioError


class WorkoutArchived(StudioError):
    """`workout` is out of use, so it isn't placed anew."""

    code, status = "workout_archived", 409


class ProgramArchived(StudioError):
    """`program` is out of use, so nobody is given it."""

    code, status = "program_archived", 409


class ProgramEmpty(StudioError):
    """There is no workout in `program`."""

    code, status = "program_empty", 409


class ProgramInUse(StudioError):
    """`people` train by `program`: it must be said whether they keep their copies."""

    code, status = "program_in_use", 409


class OnlyWeek(StudioError):
    """A program has one week at least."""

    code, status = "only_week", 409


class TooManyWeeks(StudioError):
    """`limit` weeks are the most."""

    code, status = "too_many_weeks", 409


class ProgramDayFull(StudioError):
    """`limit` workouts a day are the most."""

    code, status = "program_day_full", 409


class WorkoutsGone(StudioError):
    """None of the workouts that the template names is there any more: `template`."""

    code, status = "workouts_gone", 409


class UnknownLift(StudioError):
    """`lift` is no parameter of `template`, or none of its loads is a share of that lift."""

    code, status = "unknown_lift", 422


class AlreadyAssigned(StudioError):
    """`member` trains by `program` already."""

    code, status = "already_assigned", 409


class NobodyToAssign(StudioError):
    """All of them have `program` already, or are archived."""

    code, status = "nobody_to_assign", 409


class MemberNotTraining(StudioError):
    """`member` is archived or erased."""

    code, status = "member_not_training", 409


class StartInPast(StudioError):
    """It would begin, or go on, on a day that is over: `date`."""

    code, status = "program_in_past", 409


class AssignmentOver(StudioError):
    """It is completed or cancelled, so it can't be changed: `state`."""

    code, status = "assignment_over", 409


class AssignmentBegun(StudioError):
    """Some of its days are over or marked: the rest can be shifted, the start can't be moved."""

    code, status = "assignment_begun", 409


class NothingLeft(StudioError):
    """No workout is ahead in it."""

    code, status = "nothing_left", 409


class AlreadyPaused(StudioError):
    code, status = "already_paused", 409


class AssignmentPaused(StudioError):
    """Its dates are set when it goes on: resume it first."""

    code, status = "assignment_paused", 409


class NotPaused(StudioError):
    code, status = "not_paused", 409


class ProgramGone(StudioError):
    """It was made from a single workout, or its program was deleted: there is nothing to follow."""

    code, status = "program_gone", 409


class DayAhead(StudioError):
    """A workout that is due on `date` isn't missed yet."""

    code, status = "day_ahead", 409


class PublishInPast(StudioError):
    """`at` is over."""

    code, status = "publish_in_past", 409


class AlreadyPublished(StudioError):
    code, status = "already_published", 409


class NotPublished(StudioError):
    """Members don't see it, and aren't going to."""

    code, status = "not_published", 409


class SameWeek(StudioError):
    """A week isn't copied onto itself."""

    code, status = "same_week", 422


class NothingToCopy(StudioError):
    """Nothing is programmed in the week of `date`, or all of it is there already."""

    code, status = "nothing_to_copy", 409


class AlreadyAttached(StudioError):
    """The class has `workout` already."""

    code, status = "already_attached", 409
