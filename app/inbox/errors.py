"""What may go wrong with threads: one code each."""

from app.core.errors import StudioError
from app.people.consent import Refusal


class NeedsTemplate(Refusal):
    """`name` hasn't written on WhatsApp for a day: only an approved template may go."""

    code = "needs_template"


class CantWriteThere(Refusal):
    """Nothing can be sent on `channel` from here."""

    code = "cant_write_there"


class ThreadTaken(StudioError):
    """Somebody else, `name`, sees to it: only who has read that gives it to another."""

    code, status = "thread_taken", 409


class ThreadClosedAlready(StudioError):
    """`name`: the thread is closed."""

    code, status = "thread_closed_already", 409


class ThreadNotClosed(StudioError):
    """`name`: the thread is open, so there is nothing to open again."""

    code, status = "thread_not_closed", 409


class NoDraft(StudioError):
    """There is no draft, so none can be taken away."""

    code, status = "no_draft", 409
