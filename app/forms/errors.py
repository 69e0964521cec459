"""What may go wrong with forms: one code each."""

from app.core.errors import StudioError
from app.people.consent import Refusal


class FormInactive(StudioError):
    """`form` is switched off, so it isn't sent."""

    code, status = "form_inactive", 409


class FormSigned(StudioError):
    """`signed` copies of `form` are kept, so it can be switched off but not deleted."""

    code, status = "form_signed", 409


class FormWaiting(Refusal):
    """`name` has this form already and hasn't answered it."""

    code = "form_waiting"


class NotReachable(Refusal):
    """`name` has no phone, or no e-mail address, or is archived."""

    code = "form_not_reachable"


class FormDueInPast(StudioError):
    """`date` is over."""

    code, status = "form_due_in_past", 422


class FormNotOpen(StudioError):
    """`form` of `member` was answered or cancelled already."""

    code, status = "form_not_open", 409


class FormNotAnswered(StudioError):
    """`form` of `member` has no answers that could be reviewed."""

    code, status = "form_not_answered", 409


class AnswersMissing(StudioError):
    """These questions want another answer: `questions`."""

    code, status = "answers_missing", 422


class NoSuchForm(StudioError):
    """A link that leads nowhere any more."""

    code, status = "no_such_form", 404
