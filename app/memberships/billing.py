"""Billing dates and terms: whole periods from an anchor day that shorter months bend (rule 29).

Pure. Dates are local days; an anchor is a day of the month, 1 to 31.
"""

from calendar import monthrange
from datetime import date, timedelta

from app.memberships.terms import PeriodUnit

MONTHS = 12


def month_ahead(day: date, months: int, anchor: int) -> date:
    """The anchor day of a later month, or that month's last day where it has none."""
    year, month = divmod(day.year * MONTHS + day.month - 1 + months, MONTHS)
    return date(year, month + 1, min(anchor, monthrange(year, month + 1)[1]))


def next_after(day: date, unit: PeriodUnit, count: int, anchor: int) -> date:
    """The billing date one period after this one."""
    match unit:
        case PeriodUnit.WEEK:
            return day + timedelta(weeks=count)
        case PeriodUnit.MONTH:
            return month_ahead(day, count, anchor)
        case PeriodUnit.YEAR:
            return month_ahead(day, count * MONTHS, anchor)


def first_after(start: date, unit: PeriodUnit, count: int, anchor: int) -> date:
    """The first billing date: the next anchor day; a whole period on where the start is one."""
    if unit is not PeriodUnit.MONTH or start == month_ahead(start, 0, anchor):
        return next_after(start, unit, count, anchor)
    same_month = month_ahead(start, 0, anchor)
    return same_month if same_month > start else month_ahead(start, 1, anchor)


def coming(start: date, unit: PeriodUnit, count: int, anchor: int, *, after: date) -> date:
    """The first billing date of a membership that comes after a day."""
    day = first_after(start, unit, count, anchor)
    while day <= after:
        day = next_after(day, unit, count, anchor)
    return day


def last_of_term(start: date, unit: PeriodUnit, count: int) -> date:
    """The last day of a term that begins on a day."""
    return next_after(start, unit, count, start.day) - timedelta(days=1)


def notice_over(noticed: date) -> date:
    """One month after notice: when the law lets a cancellation take effect (rule 30)."""
    return month_ahead(noticed, 1, noticed.day)
