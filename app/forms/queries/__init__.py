"""Reading forms: templates, what was sent, what was answered, and what is missing."""

from app.forms.queries.instances import (
    copy,
    instance,
    instances,
    may_read_medical,
    waiting,
)
from app.forms.queries.missing import last_health_declaration, missing
from app.forms.queries.templates import (
    answered_count,
    template,
    templates,
    unanswered_count,
)

__all__ = [
    "answered_count",
    "copy",
    "instance",
    "instances",
    "last_health_declaration",
    "may_read_medical",
    "missing",
    "template",
    "templates",
    "unanswered_count",
    "waiting",
]
