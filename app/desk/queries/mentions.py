"""How many texts about others name a person: they outlive an erasure, so it says so before."""

from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Select, Text, cast, func, or_, select, union_all
from sqlalchemy.orm import InstrumentedAttribute, Session

from app.core.db import OrgRow
from app.core.erasing import Gone, erasure_of
from app.leads.models import Lead, LeadActivity
from app.messages.models import Announcement
from app.people import service as people
from app.people.models import Member, MemberNote
from app.schedule.models import ClassSession, SessionSeries
from app.tasks.models import Task, TaskEvent
from app.workouts.models import WorkoutResult

_Texts = dict[type[OrgRow], tuple[InstrumentedAttribute[Any], ...]]
TEXTS: Final[_Texts] = {
    Task: (Task.title, Task.notes, Task.outcome),
    TaskEvent: (TaskEvent.note,),
    Member: (Member.emergency_contact,),
    MemberNote: (MemberNote.body,),
    ClassSession: (ClassSession.title, ClassSession.notes, ClassSession.cancel_reason),
    SessionSeries: (SessionSeries.title, SessionSeries.notes),
    Lead: (Lead.notes,),
    LeadActivity: (LeadActivity.body,),
    Announcement: (Announcement.titles, Announcement.bodies),
    WorkoutResult: (WorkoutResult.notes,),
}
"""What people write in their own words."""


def mentions(session: Session, member_id: UUID) -> int:
    """How many rows of others say their name, phone or e-mail. Raises NotFound, MemberErased."""
    row = people.locked(session, member_id)
    gone, words = people.gone(session, row), people.words_for(row)
    if not words:
        return 0
    found = union_all(*(_naming(model, gone, words) for model in TEXTS)).subquery()
    return session.scalar(select(func.count()).select_from(found)) or 0


def _naming(model: type[OrgRow], gone: Gone, words: tuple[str, ...]) -> Select[UUID]:
    says = or_(*(_says(column, word) for column in TEXTS[model] for word in words))
    others = select(model.id).where(says)
    if model is Member:
        return others.where(model.id != gone.member_id)
    if hasattr(model, "__erase__"):
        return others.where(erasure_of(model).where(model, gone).is_not(True))
    return others


def _says(column: InstrumentedAttribute[Any], word: str) -> ColumnElement[bool]:
    """A phone by its digits, however they are set apart."""
    text = func.lower(cast(column, Text))
    if word.isdigit():
        text = func.regexp_replace(text, r"[\s().-]", "", "g")
    return func.strpos(text, word.lower()) > 0
