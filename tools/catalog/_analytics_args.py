"""Arguments of the tools for figures."""

import datetime as dt
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from app.analytics.periods import Days, MonthOf
from app.analytics.queries.growth import LeadsBy
from app.analytics.queries.payments import MoneyBy
from app.analytics.queries.visits import VisitsBy
from app.core.errors import BadInput
from tools.catalog._args import Listed
from tools.kit.declare import Args

MONTH = r"^20\d\d-(0[1-9]|1[0-2])$"
MonthArg = Annotated[
    str | None, Field(pattern=MONTH, description="YYYY-MM; else this month, so far.")
]
PlanId = Annotated[UUID | None, Field(description="Only this plan, from memberships.list_plans.")]
_LONGEST = 731


def month_of(given: str | None, today: dt.date) -> MonthOf:
    """Raises BadInput for one to come."""
    found = MonthOf.of(today) if given is None else MonthOf(int(given[:4]), int(given[5:]))
    if found > MonthOf.of(today):
        raise BadInput(fields="month")
    return found


class Overview(Args):
    date: dt.date | None = Field(default=None, description="Local day, YYYY-MM-DD; else today.")


class Mrr(Args):
    month: MonthArg = None
    compare_to: str | None = Field(
        default=None, pattern=MONTH, description="YYYY-MM to compare with; else the month before."
    )


class Churn(Args):
    month: MonthArg = None
    plan_id: PlanId = None


class Arpm(Args):
    month: MonthArg = None
    plan_id: PlanId = None


class Retention(Args):
    cohort_from: str = Field(pattern=MONTH, description="First month of joining, YYYY-MM.")
    cohort_to: str = Field(pattern=MONTH, description="Last month of joining, YYYY-MM.")
    horizon_months: int = Field(default=6, ge=1, le=12, description="Months after joining.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.cohort_from <= self.cohort_to:
            raise ValueError("cohort_from is after cohort_to")
        return self


class Period(Args):
    from_date: dt.date = Field(description="First local day, YYYY-MM-DD.")
    to_date: dt.date = Field(description="Last local day, included, YYYY-MM-DD.")

    @property
    def days(self) -> Days:
        """Raises BadInput for days in the wrong order, or over two years."""
        days = Days(self.from_date, self.to_date)
        if not 1 <= days.count <= _LONGEST:
            raise BadInput(fields="from_date, to_date")
        return days


class RevenueOf(Period):
    group_by: MoneyBy | None = Field(default=None, description="Also told apart by this.")


class Unpaid(Listed):
    as_of: dt.date | None = Field(default=None, description="Local day, YYYY-MM-DD; else today.")
    month: str | None = Field(
        default=None,
        pattern=MONTH,
        description="Only who has a charge due in this month and open: who hasn't paid it.",
    )
    min_days_overdue: int = Field(default=0, ge=0, le=3_650, description="Only this long overdue.")


class Attendance(Period):
    group_by: VisitsBy | None = Field(default=None, description="Also told apart by this.")


class Occupancy(Period):
    group_by: VisitsBy = Field(
        default=VisitsBy.CLASS_TYPE, description="What classes are told apart by."
    )


class NoShows(Period, Listed):
    min_count: int = Field(
        default=2, ge=1, le=100, description="Name members with at least so many."
    )


class Risk(Listed):
    threshold_days: int = Field(
        default=10, ge=3, le=120, description="Days without a visit that begin to count."
    )


class Compliance(Period):
    coach_id: UUID | None = Field(default=None, description="Only this coach's, from list_staff.")
    program_id: UUID | None = Field(default=None, description="Only this program's.")


class Leads(Period):
    group_by: LeadsBy | None = Field(default=None, description="Also told apart by this.")


class Coaches(Period):
    coach_id: UUID | None = Field(default=None, description="Only this one, from read.list_staff.")
