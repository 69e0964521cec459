"""What can be done with a lead."""

from app.leads.service.closing import Converted, convert, delete, mark_lost
from app.leads.service.keeping import Added, LeadChanges, NewLead, change, create
from app.leads.service.trials import Trial, book_trial, forget_trial, let_in
from app.leads.service.working import (
    FollowUp,
    NewActivity,
    log_activity,
    schedule_follow_up,
    set_stage,
)

__all__ = [
    "Added",
    "Converted",
    "FollowUp",
    "LeadChanges",
    "NewActivity",
    "NewLead",
    "Trial",
    "book_trial",
    "change",
    "convert",
    "create",
    "delete",
    "forget_trial",
    "let_in",
    "log_activity",
    "mark_lost",
    "schedule_follow_up",
    "set_stage",
]
