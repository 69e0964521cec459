"""What a gym does by itself: classes end, small ones are told of, memberships renew, and so on.

All of it may be done at any time and again: what is done already is passed by.
"""

from collections import Counter
from collections.abc import Callable
from functools import partial
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.bookings import service as bookings
from app.bookings.service import Flag
from app.core.db import Database, lost, now_of
from app.memberships import service as memberships
from app.memberships.service import PlanKept
from app.people import queries as people
from app.schedule import service as schedule
from app.studio import queries as studio
from app.tasks import service as tasks
from app.tasks.service import NewTask
from app.tasks.terms import Priority, TaskSource
from bot.render.reader import Reader
from bot.render.speech import Speech
from i18n import Language
from i18n.marks import bare
from tools.kit.values import Moment, Name, Value

_log = structlog.get_logger()


def tend(db: Database, org_id: UUID) -> None:
    """See to one class after the other, each in its own transaction, then let series grow.

    A fault in one of them is logged and doesn't stop the others.
    """
    for find, part in ((bookings.ended, _close), (bookings.small, _flag_small)):
        with db.transaction(org_id) as session:
            found = find(session, now=now_of(session))
        for session_id in found:
            _see_to(db, org_id, partial(part, session_id=session_id))
    _see_to(db, org_id, _extend)


def retime(db: Database, org_id: UUID) -> None:
    """After new rules of time zones: classes to come keep their local time (rule 47)."""
    with db.transaction(org_id) as session:
        moved = schedule.retime(session, now=now_of(session))
    if moved:
        _log.warning("classes_retimed", org=str(org_id), classes=moved)


def roll_over(session: Session, org_id: UUID) -> Counter[str]:
    """Some of the memberships that are due; what a person should see to becomes a task."""

    def tell(kept: PlanKept) -> None:
        values = {
            "member": Name(text=people.member(session, kept.member_id).name),
            "plan": Name(text=kept.plan),
            "wanted": Name(text=kept.wanted),
            "other": Name(text=kept.other),
        }
        new = NewTask(
            title=bare(_speech(session, org_id).say("task.plan_kept", values)),
            member_id=kept.member_id,
            priority=Priority.HIGH,
            source=TaskSource.AUTOMATION,
        )
        tasks.create(session, bookings.system(org_id), new, now=now_of(session))

    return memberships.roll_over(session, org_id, now=now_of(session), tell=tell)


def _see_to(db: Database, org_id: UUID, part: Callable[[Session, UUID], None]) -> None:
    try:
        with db.transaction(org_id) as session:
            part(session, org_id)
    except Exception as error:  # one part's fault must not stop those behind it
        if lost(error):
            raise
        _log.error("tending_failed", org=str(org_id), part=repr(part), exc_info=error)


def _close(session: Session, org_id: UUID, *, session_id: UUID) -> None:
    language = studio.org(session, org_id).language
    closed = bookings.close_class(session, session_id, language, now=now_of(session))
    _report(session, org_id, closed.flags)


def _flag_small(session: Session, org_id: UUID, *, session_id: UUID) -> None:
    language = studio.org(session, org_id).language
    flags = bookings.flag_small(session, session_id, language, now=now_of(session))
    _report(session, org_id, flags)


def _extend(session: Session, org_id: UUID) -> None:
    made = schedule.extend_series(session, org_id, now=now_of(session))
    if made:
        _log.info("series_extended", org=str(org_id), classes=made)


def _report(session: Session, org_id: UUID, flags: tuple[Flag, ...]) -> None:
    """A task for whoever gives the class, in the gym's language."""
    speech, now = _speech(session, org_id), now_of(session)
    for flag in flags:
        new = NewTask(
            title=bare(speech.say(f"task.{flag.kind}", _values(flag))),
            due_at=max(flag.due_at, now),
            assignee_id=_coach(session, flag),
            priority=Priority.HIGH if flag.kind == "few_booked" else Priority.NORMAL,
            source=TaskSource.AUTOMATION,
        )
        tasks.create(session, bookings.system(org_id), new, now=now)


def _speech(session: Session, org_id: UUID) -> Speech:
    org = studio.org(session, org_id)
    return Speech(Reader(Language.of(org.language), org.timezone, now_of(session)))


def _values(flag: Flag) -> dict[str, Value]:
    slot = flag.session.slot
    return {
        "class": Name(text=flag.session.title),
        "when": Moment(date=slot.date, start=slot.start),
        "booked": flag.session.booked,
        "minimum": flag.minimum or 0,
    }


def _coach(session: Session, flag: Flag) -> UUID | None:
    if flag.session.coach_id is None:
        return None
    return flag.session.coach_id if people.staff(session, flag.session.coach_id).active else None
