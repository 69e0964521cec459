"""Reading messages, audiences, templates and news."""

from app.messages.queries.announcements import announcement, announcements
from app.messages.queries.people import had, known, person, persons
from app.messages.queries.reach import check_may_know, count, may_know, members
from app.messages.queries.segments import segment, segments, system_id
from app.messages.queries.sent import SentFilter, broadcast, sent
from app.messages.queries.templates import (
    list_templates,
    orgs_unapproved,
    template,
    template_view,
    unapproved,
    wording_of,
)

__all__ = [
    "SentFilter",
    "announcement",
    "announcements",
    "broadcast",
    "check_may_know",
    "count",
    "had",
    "known",
    "list_templates",
    "may_know",
    "members",
    "orgs_unapproved",
    "person",
    "persons",
    "segment",
    "segments",
    "sent",
    "system_id",
    "template",
    "template_view",
    "unapproved",
    "wording_of",
]
