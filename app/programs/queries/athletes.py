"""A coach's people: how each has done what was due lately, and who needs attention."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.programs.compliance import DueDay, Tally, tally
from app.programs.models import Assignment, AssignmentDay
from app.programs.queries import assignments as queries
from app.programs.terms import OVER, AssignmentStatus
from app.programs.views import AssignmentView, Athlete

BEHIND_BELOW: Final = 60
"""Percent of what was due."""
SILENT_FOR: Final = timedelta(days=10)
ENDING_WITHIN: Final = timedelta(days=7)


class Sort(StrEnum):
    ATTENTION = "attention"
    COMPLIANCE = "compliance"
    LAST_ACTIVITY = "last_activity"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Overview:
    """`tally` pools the days of all of them, so whoever has more days weighs more."""

    athletes: tuple[Athlete, ...]
    tally: Tally


@dataclass(frozen=True, slots=True)
class _Case:
    """One person's assignments, with what was due."""

    held: list[AssignmentView]
    due: list[DueDay]
    last_done: date | None


def overview(
    session: Session, coach_id: UUID, *, today: date, zone: str, window_days: int, sort: Sort
) -> Overview:
    since = today - timedelta(days=window_days - 1)
    held = queries.of_coach(session, coach_id, since, today=today)
    ids = [one.id for one in held]
    due = queries.due_days(session, ids, since, today)
    last = _last_done(session, ids, zone)
    by_member: dict[UUID, list[AssignmentView]] = defaultdict(list)
    for one in held:
        by_member[one.member_id].append(one)
    athletes = [
        _athlete(_Case(some, [day for one in some for day in due[one.id]], last.get(member)), today)
        for member, some in by_member.items()
    ]
    pooled = sum((one.tally for one in athletes), Tally())
    return Overview(tuple(sorted(athletes, key=_ORDERS[sort])), pooled)


def _last_done(session: Session, ids: Iterable[UUID], zone: str) -> dict[UUID, date]:
    """The local day on which each last marked a workout as done, in part at least."""
    query = (
        select(Assignment.member_id, func.max(AssignmentDay.done_at))
        .join(AssignmentDay, AssignmentDay.assignment_id == Assignment.id)
        .where(Assignment.id.in_(list(ids)), AssignmentDay.done_at.is_not(None))
        .group_by(Assignment.member_id)
    )
    return {member: _local(at, zone) for member, at in session.execute(query) if at}


def _local(at: datetime, zone: str) -> date:
    return at.astimezone(ZoneInfo(zone)).date()


def _athlete(case: _Case, today: date) -> Athlete:
    current = [one for one in case.held if one.status not in OVER] or case.held
    statuses = {one.status for one in current}
    active = AssignmentStatus.ACTIVE in statuses
    counted = tally(case.due, today)
    return Athlete(
        member_id=current[0].member_id,
        member=current[0].member,
        titles=tuple(sorted({one.title for one in current})),
        tally=counted,
        last_done=case.last_done,
        status=AssignmentStatus.ACTIVE if active else current[0].status,
        ends=max(one.end for one in current),
        concerns=tuple(_concerns(case, counted, current, today)) if active else (),
    )


def _concerns(
    case: _Case, counted: Tally, current: list[AssignmentView], today: date
) -> Iterable[str]:
    quiet_since = today - SILENT_FOR
    begun = min(one.start for one in current) <= quiet_since
    if begun and counted.due and (case.last_done is None or case.last_done <= quiet_since):
        yield "silent"
    if counted.percent is not None and counted.percent < BEHIND_BELOW:
        yield "behind"
    if max(one.end for one in current) <= today + ENDING_WITHIN:
        yield "ending"


def _by_compliance(one: Athlete) -> tuple[float, str]:
    """The lowest first; who has too few days to tell comes last."""
    percent = one.tally.percent
    return (101.0 if percent is None else percent, one.member)


_ORDERS: Final = {
    Sort.ATTENTION: lambda one: (-len(one.concerns), *_by_compliance(one)),
    Sort.COMPLIANCE: _by_compliance,
    Sort.LAST_ACTIVITY: lambda one: (one.last_done or date.min, one.member),
    Sort.NAME: lambda one: (one.member,),
}
