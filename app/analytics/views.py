"""What the figures say, as they are shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from app.analytics.periods import Days, MonthOf


@dataclass(frozen=True, slots=True)
class Mrr:
    """Recurring revenue at a month's end, or now; `movement` leads there from the month before."""

    month: MonthOf
    so_far: bool
    start: int
    end: int
    movement: Mapping[str, int]
    moved: Mapping[str, int]
    """How many members moved it, by the same names."""
    members: int
    compared: int | None = None
    """At the end of the month that it was to be compared with."""

    @property
    def yearly(self) -> int:
        return 12 * self.end


@dataclass(frozen=True, slots=True)
class Left:
    member_id: UUID
    name: str
    plan: str
    last_day: date | None
    reason: str | None
    monthly: int


@dataclass(frozen=True, slots=True)
class Churn:
    month: MonthOf
    so_far: bool
    at_start: int
    lost: int
    early_exits: int
    rate: float | None
    gross: float | None
    net: float | None
    left: Sequence[Left]


@dataclass(frozen=True, slots=True)
class Cohort:
    """Those whose first paid month it was, and the share of them still there each month after."""

    month: MonthOf
    size: int
    shares: Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Arpm:
    """Revenue a paying member; `realised` is what was collected instead."""

    month: MonthOf
    members: int
    amount: int | None
    realised: int | None
    lifetime: int | None
    trend: Mapping[MonthOf, int | None]


@dataclass(frozen=True, slots=True)
class PeriodMoney:
    """Of a period, or of one part of it."""

    collected: int = 0
    refunds: int = 0
    failed: int = 0
    failed_count: int = 0

    @property
    def net(self) -> int:
        return self.collected - self.refunds


@dataclass(frozen=True, slots=True)
class Revenue:
    days: Days
    whole: PeriodMoney
    outstanding: int
    """Open at the end of the last day."""
    parts: Sequence[tuple[str, PeriodMoney]] = ()


@dataclass(frozen=True, slots=True)
class Owing:
    member_id: UUID
    name: str
    amount: int
    currency: str
    since: date
    charges: int
    failed: bool

    def overdue(self, day: date) -> int:
        return (day - self.since).days


@dataclass(frozen=True, slots=True)
class Visits:
    """Places taken in classes that were held, and what became of them."""

    sessions: int = 0
    capacity: int = 0
    booked: int = 0
    attended: int = 0
    no_shows: int = 0
    late: int = 0
    waiting: int = 0
    people: int = 0


@dataclass(frozen=True, slots=True)
class Attendance:
    days: Days
    whole: Visits
    members: int
    """Active ones, the frozen left out."""
    parts: Sequence[tuple[str, Visits]] = ()


@dataclass(frozen=True, slots=True)
class Repeater:
    member_id: UUID
    name: str
    no_shows: int
    late: int


@dataclass(frozen=True, slots=True)
class AtRisk:
    member_id: UUID
    name: str
    score: int
    level: str
    reasons: Sequence[str]
    days_since: int
    last_visit: date | None


@dataclass(frozen=True, slots=True)
class Followed:
    """How far programs were followed, of one coach or member."""

    id: UUID | None
    name: str
    due: int
    weight: float
    people: int = 1


@dataclass(frozen=True, slots=True)
class Leads:
    """A cohort of leads, and how far they came by now."""

    created: int = 0
    contacted: int = 0
    trial_booked: int = 0
    trial_attended: int = 0
    trials_past: int = 0
    won: int = 0


@dataclass(frozen=True, slots=True)
class Conversion:
    days: Days
    whole: Leads
    won_in_period: int
    median_days: float | None
    immature: bool
    parts: Sequence[tuple[str, Leads]] = field(default=())


@dataclass(frozen=True, slots=True)
class CoachFigures:
    coach_id: UUID
    name: str
    visits: Visits
    kept: float | None
    """Percent of those who came in the first half of the period and still train at its end."""
    compliance: float | None
