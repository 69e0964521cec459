"""What can be done with forms."""

from app.forms.service.answering import fill_in, look, submit
from app.forms.service.reviewing import mark_reviewed
from app.forms.service.sending import (
    FORM_LINK,
    FormRequest,
    cancel,
    check_cancellable,
    new_link,
    not_delivered,
    plan,
    preview_send,
    send,
)
from app.forms.service.templates import (
    HEALTH_DAYS,
    FormChanges,
    NewForm,
    check_deletable,
    create,
    delete,
    update,
)

__all__ = [
    "FORM_LINK",
    "HEALTH_DAYS",
    "FormChanges",
    "FormRequest",
    "NewForm",
    "cancel",
    "check_cancellable",
    "check_deletable",
    "create",
    "delete",
    "fill_in",
    "look",
    "mark_reviewed",
    "new_link",
    "not_delivered",
    "plan",
    "preview_send",
    "send",
    "submit",
    "update",
]
