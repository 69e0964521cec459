"""How programs are followed, how leads become members, and what coaches do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from statistics import median
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import and_, case, func, or_, select
from sqlalchemy.orm import Session

from app.analytics.periods import Days
from app.analytics.queries import visits
from app.analytics.queries.filters import check
from app.analytics.views import CoachFigures, Conversion, Followed, Leads, Visits
from app.bookings.models import Booking
from app.bookings.terms import BookingStatus
from app.leads.models import Lead, LeadActivity
from app.leads.terms import OPEN, ActivityKind, LeadStage, LostReason
from app.people.models import Member, Staff
from app.programs.compliance import WEIGHTS, Tally
from app.programs.models import Assignment, AssignmentDay, AssignmentPause
from app.programs.queries.assignments import paused_on
from app.programs.terms import AssignmentStatus, DayStatus
from app.schedule.models import ClassSession

YOUNG: Final = timedelta(days=30)
_NOT_LEADS = (LostReason.DUPLICATE, LostReason.SPAM)
_TALKED_TO = (*OPEN[1:], LeadStage.WON)
"""Whoever was ever there has been contacted."""
_KEPT = (BookingStatus.BOOKED, BookingStatus.NO_SHOW)
"""Of a class that is past: the trial was booked, and nobody came."""


class LeadsBy(StrEnum):
    """What leads may be told apart by."""

    SOURCE = "source"
    OWNER = "owner"
    STAGE = "stage"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class Asked:
    """Which assigned days count: due in these days and by today."""

    days: Days
    today: date
    coach_id: UUID | None = None
    program_id: UUID | None = None


def followed_by_coach(session: Session, asked: Asked) -> list[Followed]:
    """A coach's figure pools days, not members. Raises NotFound."""
    check(session, coach_id=asked.coach_id, program_id=asked.program_id)
    names = {one.id: one.name for one in session.scalars(select(Staff))}
    return _told(session.execute(_followed(Assignment.coach_id, asked)), names)


def followed_by_member(session: Session, asked: Asked) -> list[Followed]:
    """Who follows least comes first."""
    rows = session.execute(_followed(Assignment.member_id, asked)).all()
    wanted = select(Member).where(Member.id.in_([row[0] for row in rows]))
    names = {one.id: one.name for one in session.scalars(wanted)}
    return sorted(_told(rows, names), key=lambda one: (one.weight / one.due, one.name))


def conversion(
    session: Session, days: Days, by: LeadsBy | None, *, now: datetime, zone: str
) -> Conversion:
    """Leads created in the days, as far as they came by now; duplicates and spam are out."""
    cohort = _cohort(session, days, zone, now)
    parts: dict[str, list[_Lead]] = {}
    for one in cohort:
        parts.setdefault("" if by is None else one.label(by), []).append(one)
    waits = [one.days_to_join for one in cohort if one.days_to_join is not None]
    today = now.astimezone(ZoneInfo(zone)).date()
    return Conversion(
        days=days,
        whole=_funnel(cohort),
        won_in_period=_won(session, days, zone),
        median_days=median(waits) if waits else None,
        immature=today - days.last < YOUNG,
        parts=[] if by is None else [(key, _funnel(some)) for key, some in sorted(parts.items())],
    )


def coaches(
    session: Session, days: Days, *, now: datetime, today: date, coach_id: UUID | None = None
) -> list[CoachFigures]:
    """Those who taught in the days, or whose people had programs in them. Raises NotFound."""
    check(session, coach_id=coach_id)
    taught = visits.visits_by_coach(session, days, now=now)
    kept = visits.came_and_stayed(session, days, now=now, today=today)
    followed = {one.id: one for one in followed_by_coach(session, Asked(days, today))}
    rows = session.scalars(select(Staff).order_by(Staff.name, Staff.id))
    return [
        CoachFigures(
            coach_id=row.id,
            name=row.name,
            visits=taught.get(row.id, Visits()),
            kept=kept.get(row.id),
            compliance=compliance(followed[row.id]) if row.id in followed else None,
        )
        for row in rows
        if (row.id in taught or row.id in followed) and coach_id in {None, row.id}
    ]


def compliance(one: Followed) -> float | None:
    """Percent; None where too few days were due to tell."""
    return Tally(due=one.due, weight=one.weight).percent


@dataclass(frozen=True, slots=True)
class _Lead:
    """A lead of the cohort with what its activities and its trial say."""

    lead: Lead
    owner: str
    reached: bool
    trial_attended: bool
    trial_past: bool
    month: str

    @property
    def contacted(self) -> bool:
        """A lead may be lost without that."""
        booked = self.lead.trial_booking_id is not None
        return self.reached or booked or self.lead.stage in _TALKED_TO

    @property
    def days_to_join(self) -> float | None:
        if self.lead.stage is not LeadStage.WON or self.lead.converted_at is None:
            return None
        return (self.lead.converted_at - self.lead.created_at) / timedelta(days=1)

    def label(self, by: LeadsBy) -> str:
        match by:
            case LeadsBy.SOURCE:
                return self.lead.source.value
            case LeadsBy.OWNER:
                return self.owner
            case LeadsBy.STAGE:
                return self.lead.stage.value
            case LeadsBy.MONTH:
                return self.month


def _cohort(session: Session, days: Days, zone: str, now: datetime) -> list[_Lead]:
    reached = (
        select(LeadActivity.id)
        .where(
            LeadActivity.lead_id == Lead.id,
            or_(
                LeadActivity.stage.in_(_TALKED_TO),
                and_(LeadActivity.stage.is_(None), LeadActivity.kind != ActivityKind.NOTE),
            ),
        )
        .exists()
    )
    query = (
        select(
            Lead,
            Staff.name.label("owner"),
            reached.label("reached"),
            Booking.status.label("trial_status"),
            (ClassSession.ends_at <= now).label("trial_past"),
        )
        .outerjoin(Staff, Staff.id == Lead.owner_id)
        .outerjoin(Booking, Booking.id == Lead.trial_booking_id)
        .outerjoin(ClassSession, ClassSession.id == Booking.class_session_id)
        .where(
            *_on(Lead.created_at, days, zone),
            or_(Lead.lost_reason.is_(None), Lead.lost_reason.not_in(_NOT_LEADS)),
        )
    )
    return [
        _Lead(
            lead=lead,
            owner=owner or "",
            reached=reached,
            trial_attended=trial is BookingStatus.ATTENDED,
            trial_past=trial is BookingStatus.ATTENDED or (trial in _KEPT and bool(past)),
            month=lead.created_at.astimezone(ZoneInfo(zone)).strftime("%Y-%m"),
        )
        for lead, owner, reached, trial, past in session.execute(query)
    ]


def _funnel(cohort: Iterable[_Lead]) -> Leads:
    found = list(cohort)
    return Leads(
        created=len(found),
        contacted=sum(one.contacted for one in found),
        trial_booked=sum(one.lead.trial_booking_id is not None for one in found),
        trial_attended=sum(one.trial_attended for one in found),
        trials_past=sum(one.trial_past for one in found),
        won=sum(one.lead.stage is LeadStage.WON for one in found),
    )


def _won(session: Session, days: Days, zone: str) -> int:
    query = select(func.count()).where(
        Lead.stage == LeadStage.WON, *_on(Lead.converted_at, days, zone)
    )
    return session.scalar(query) or 0


def _on(column: Any, days: Days, zone: str) -> tuple[Any, ...]:  # noqa: ANN401 - expressions of SQL
    local = func.date(func.timezone(zone, column))
    return local >= days.first, local <= days.last


def _followed(group: Any, asked: Asked) -> Any:  # noqa: ANN401 - a column, a select of four
    """Days due so far; paused and excused ones are out, rest days have no row at all."""
    weight = case(WEIGHTS, value=AssignmentDay.status, else_=0.0)
    query = (
        select(group, func.count(), func.sum(weight), func.count(Assignment.member_id.distinct()))
        .select_from(AssignmentDay)
        .join(Assignment, Assignment.id == AssignmentDay.assignment_id)
        .where(
            Assignment.status != AssignmentStatus.CANCELLED,
            AssignmentDay.due_date >= asked.days.first,
            AssignmentDay.due_date <= min(asked.days.last, asked.today),
            AssignmentDay.status != DayStatus.EXCUSED,
            ~select(AssignmentPause.id).where(paused_on(AssignmentDay.due_date)).exists(),
        )
        .group_by(group)
    )
    if asked.coach_id is not None:
        query = query.where(Assignment.coach_id == asked.coach_id)
    return (
        query
        if asked.program_id is None
        else query.where(Assignment.program_id == asked.program_id)
    )


def _told(rows: Iterable[Any], names: Mapping[UUID, str]) -> list[Followed]:
    found = [
        Followed(key, names.get(key, ""), due, float(weight or 0), people)
        for key, due, weight, people in rows
    ]
    return sorted(found, key=lambda one: one.name)
