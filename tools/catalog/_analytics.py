"""Cards of figures."""

from collections.abc import Sequence
from datetime import date

from app.analytics import views
from app.analytics.formulas import percent
from app.analytics.periods import Days, MonthOf
from app.analytics.queries.growth import LeadsBy
from app.analytics.queries.overview import Headline
from app.analytics.queries.payments import MoneyBy
from app.analytics.queries.visits import VisitsBy
from app.studio.paging import Page
from tools.catalog._cards import facts_of, listing
from tools.kit.cards import Facts, Table, TableRow
from tools.kit.values import (
    Amount,
    Code,
    Day,
    Line,
    Month,
    Name,
    Number,
    Percent,
    Span,
    Term,
    Terms,
    Value,
)

GAINS = ("new", "reactivation", "expansion", "unfreeze")
LOSSES = {"contraction": "contraction", "freeze": "freeze", "churn": "gone"}
AFTER = {
    1: "figure.after_1",
    2: "figure.after_2",
    3: "figure.after_3",
    6: "figure.after_6",
    12: "figure.after_12",
}
"""Months after joining that a cohort is shown at."""
VISIT_COLUMNS = (
    "figure.part",
    "figure.classes",
    "figure.fill",
    "figure.attended_fill",
    "figure.came",
    "figure.no_show_rate",
)
UNPAID_COLUMNS = ("label.member", "figure.owes", "figure.days_overdue", "label.since")
RISK_COLUMNS = ("label.member", "figure.risk", "figure.score", "figure.reasons", "label.last_visit")
Told = dict[str, Value | None]


def figures(title: Line, told: Told, tables: Sequence[Table] = ()) -> Facts:
    return Facts(title=title, facts=facts_of(told), tables=tuple(tables))


def money(minor: int | None) -> Amount | None:
    return None if minor is None else Amount(minor=minor)


def overview(found: Headline) -> Facts:
    told: Told = {
        "figure.classes": found.classes,
        "figure.places_booked": found.booked,
        "figure.fill": Percent(value=percent(found.booked, found.places)),
        "figure.came": found.came,
        "figure.active_members": found.members,
        "figure.new_leads": found.new_leads,
        "figure.follow_ups_due": found.follow_ups,
        "figure.tasks_due": found.tasks,
        "figure.mrr": money(found.mrr),
        "figure.members_owing": found.owing,
        "figure.owes": money(found.owed),
    }
    return figures(
        Line(key="analytics.get_overview.title", values={"day": Day(date=found.day)}), told
    )


def mrr(found: views.Mrr) -> Facts:
    told: Told = {
        "figure.mrr": money(found.end),
        "figure.arr": money(found.yearly),
        "figure.mrr_start": money(found.start),
        **{f"figure.{name}": money(found.movement[name]) for name in GAINS if found.moved[name]},
        **{
            f"figure.{name}": money(-found.movement[of])
            for of, name in LOSSES.items()
            if found.moved[of]
        },
        "figure.paying_members": found.members,
        "figure.compared": money(found.compared),
    }
    return figures(_monthly("get_mrr", found.month, so_far=found.so_far), told)


def churn(found: views.Churn) -> Facts:
    told: Told = {
        "figure.at_start": found.at_start,
        "figure.left": found.lost,
        "figure.churn": Percent(value=found.rate),
        "figure.gross_churn": Percent(value=found.gross),
        "figure.net_churn": Percent(value=found.net),
        "figure.early_exits": found.early_exits or None,
    }
    rows = tuple(_left(one) for one in found.left)
    title = Line(key="analytics.get_churn.left")
    columns = ("label.member", "label.plan", "figure.last_day", "label.reason", "figure.mrr")
    left = Table(title=title, columns=columns, rows=rows[:20], total=len(rows))
    tables = (left,) if rows else ()
    return figures(_monthly("get_churn", found.month, so_far=found.so_far), told, tables)


def retention(found: Sequence[views.Cohort], horizon: int) -> Table:
    shown = [month for month in AFTER if month <= horizon]
    rows = tuple(
        TableRow(
            id=f"{one.month.year}-{one.month.month:02d}",
            cells=(
                month_value(one.month),
                one.size,
                *(_known(one.shares[ahead]) for ahead in shown),
            ),
        )
        for one in found
    )
    columns = ("figure.joined", "figure.members", *(AFTER[month] for month in shown))
    title = Line(key="analytics.get_retention.title")
    return Table(title=title, columns=columns, rows=rows, total=len(rows))


def arpm(found: views.Arpm, *, so_far: bool) -> Facts:
    told: Told = {
        "figure.arpm": money(found.amount),
        "figure.paying_members": found.members,
        "figure.realised": money(found.realised),
        "figure.lifetime": money(found.lifetime),
    }
    trend = [(month, amount) for month, amount in found.trend.items() if amount is not None]
    rows = tuple(
        TableRow(id=str(month.first), cells=(month_value(month), money(amount)))
        for month, amount in trend
    )
    title = Line(key="analytics.get_arpm.trend")
    table = Table(title=title, columns=("figure.month", "figure.arpm"), rows=rows, total=len(rows))
    return figures(_monthly("get_arpm", found.month, so_far=so_far), told, (table,) if rows else ())


def revenue(found: views.Revenue, by: MoneyBy | None) -> Facts:
    whole = found.whole
    told: Told = {
        "figure.collected": money(whole.collected),
        "figure.refunds": money(whole.refunds) if whole.refunds else None,
        "figure.net": money(whole.net),
        "figure.failed": money(whole.failed),
        "figure.failed_count": whole.failed_count,
        "figure.outstanding": money(found.outstanding),
    }
    columns = ("figure.part", "figure.collected", "figure.refunds", "figure.failed")
    rows = tuple(
        TableRow(
            id=key or "-",
            cells=(
                part_value(key, by),
                money(one.collected),
                money(one.refunds) if one.refunds else None,
                money(one.failed) if one.failed else None,
            ),
        )
        for key, one in found.parts
    )
    return figures(titled("get_revenue_summary", found.days), told, parts_of(by, columns, rows))


def unpaid(found: Page[views.Owing], day: date) -> Table:
    title = Line(key="analytics.list_unpaid_members.title", values={"day": Day(date=day)})

    def row(one: views.Owing) -> TableRow:
        owes = Amount(minor=one.amount, currency=one.currency)
        cells = (Name(text=one.name), owes, one.overdue(day), Day(date=one.since))
        return TableRow(id=str(one.member_id), cells=cells)

    return listing(title, UNPAID_COLUMNS, found, row)


def attendance(found: views.Attendance, people: int, by: VisitsBy | None) -> Facts:
    whole = found.whole
    told: Told = {
        "figure.classes": whole.sessions,
        "figure.check_ins": whole.attended,
        "figure.people": people,
        "figure.visits_each": Number(value=whole.attended / found.members)
        if found.members
        else None,
        "figure.attendance_rate": rate(whole.attended, whole.attended + whole.no_shows),
        "figure.late_rate": rate(whole.late, whole.attended + whole.no_shows + whole.late),
    }
    return figures(titled("get_attendance_summary", found.days), told, _visit_parts(found, by))


def occupancy(found: views.Attendance, by: VisitsBy) -> Facts:
    whole = found.whole
    told: Told = {
        "figure.classes": whole.sessions,
        "figure.fill": rate(whole.booked, whole.capacity),
        "figure.attended_fill": rate(whole.attended, whole.capacity),
        "figure.waiting_rate": rate(whole.waiting, whole.capacity),
    }
    return figures(titled("get_class_occupancy", found.days), told, _visit_parts(found, by))


def no_shows(found: views.Attendance, who: Page[views.Repeater]) -> Facts:
    whole = found.whole
    told: Told = {
        "figure.no_show_rate": rate(whole.no_shows, whole.attended + whole.no_shows),
        "figure.late_rate": rate(whole.late, whole.attended + whole.no_shows + whole.late),
        "figure.no_shows": whole.no_shows,
        "figure.late_cancels": whole.late,
    }
    columns = ("label.member", "figure.no_shows", "figure.late_cancels")
    table = listing(Line(key="analytics.get_no_show_stats.repeaters"), columns, who, _repeater)
    return figures(titled("get_no_show_stats", found.days), told, (table,))


def at_risk(found: Page[views.AtRisk]) -> Table:
    def row(one: views.AtRisk) -> TableRow:
        why = Terms(keys=tuple(f"risk_reason.{reason}" for reason in one.reasons))
        last = Day(date=one.last_visit) if one.last_visit else None
        level = Term(key=f"risk.{one.level}")
        return TableRow(
            id=str(one.member_id), cells=(Name(text=one.name), level, one.score, why, last)
        )

    return listing(Line(key="analytics.list_at_risk_members.title"), RISK_COLUMNS, found, row)


def _known(share: float | None) -> Percent | None:
    return None if share is None else Percent(value=share)


def month_value(month: MonthOf) -> Month:
    return Month(year=month.year, month=month.month)


def part_value(key: str, by: MoneyBy | VisitsBy | LeadsBy | None) -> Value:
    """What a part of the whole is called: by its kind a day, a month, a name or a word."""
    match by:
        case _ if not key:
            return Term(key="analytics.none")
        case MoneyBy.DAY | MoneyBy.WEEK | VisitsBy.DAY | VisitsBy.WEEK:
            return Day(date=date.fromisoformat(key))
        case MoneyBy.MONTH | VisitsBy.MONTH | LeadsBy.MONTH:
            return Month(year=int(key[:4]), month=int(key[5:]))
        case VisitsBy.WEEKDAY:
            return Term(key=f"weekday.{key}")
        case VisitsBy.HOUR:
            return Code(text=key)
        case LeadsBy.SOURCE:
            return Term(key=f"lead_source.{key}")
        case LeadsBy.STAGE:
            return Term(key=f"lead_stage.{key}")
        case _:
            return Name(text=key)


def titled(action: str, days: Days) -> Line:
    span = Span(start=days.first, end=days.last)
    return Line(key=f"analytics.{action}.title", values={"days": span})


def _monthly(action: str, month: MonthOf, *, so_far: bool) -> Line:
    values: dict[str, Value] = {"month": month_value(month), "so_far": so_far}
    return Line(key=f"analytics.{action}.title", values=values)


def rate(part: float, whole: float) -> Percent:
    return Percent(value=percent(part, whole))


def _left(one: views.Left) -> TableRow:
    cells = (
        Name(text=one.name),
        Name(text=one.plan),
        Day(date=one.last_day) if one.last_day else None,
        Name(text=one.reason) if one.reason else None,
        money(one.monthly),
    )
    return TableRow(id=str(one.member_id), cells=cells)


def _repeater(one: views.Repeater) -> TableRow:
    return TableRow(id=str(one.member_id), cells=(Name(text=one.name), one.no_shows, one.late))


def parts_of(by: object, columns: tuple[str, ...], rows: tuple[TableRow, ...]) -> tuple[Table, ...]:
    if by is None or not rows:
        return ()
    title = Line(key=f"analytics.by_{by}")
    return (Table(title=title, columns=columns, rows=rows, total=len(rows)),)


def _visit_parts(found: views.Attendance, by: VisitsBy | None) -> tuple[Table, ...]:
    rows = tuple(
        TableRow(
            id=key or "-",
            cells=(
                part_value(key, by),
                one.sessions,
                rate(one.booked, one.capacity),
                rate(one.attended, one.capacity),
                one.attended,
                rate(one.no_shows, one.attended + one.no_shows),
            ),
        )
        for key, one in found.parts
    )
    return parts_of(by, VISIT_COLUMNS, rows)
