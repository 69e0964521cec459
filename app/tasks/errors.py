"""What may go wrong with tasks: one code each."""

from app.core.errors import StudioError


class DueInPast(StudioError):
    """It would have been due already, at `at`."""

    code, status = "due_in_past", 422


class DueTooFar(StudioError):
    """`at` is more than two years ahead."""

    code, status = "due_too_far", 422


class TaskNotOpen(StudioError):
    """`title` is done or cancelled already."""

    code, status = "task_not_open", 409


class TaskNotDone(StudioError):
    """`title` is open, so there is nothing to open again."""

    code, status = "task_not_done", 409


class StaffLeft(StudioError):
    """`name` is no longer on the team."""

    code, status = "staff_left", 409
