"""Cards of figures about coaches, programs and leads."""

from collections.abc import Sequence

from app.analytics import views
from app.analytics.periods import Days
from app.analytics.queries import growth
from app.analytics.queries.growth import LeadsBy
from tools.catalog._analytics import Told, figures, part_value, parts_of, rate, titled
from tools.kit.cards import Facts, Table, TableRow
from tools.kit.values import Line, Name, Number, Percent, Term


def compliance(
    days: Days, coaches: Sequence[views.Followed], members: Sequence[views.Followed]
) -> Facts:
    due = sum(one.due for one in coaches)
    pooled = views.Followed(None, "", due, sum(one.weight for one in coaches))
    told: Told = {
        "figure.compliance": Percent(value=growth.compliance(pooled)),
        "figure.days_due": due,
        "figure.members": len(members),
    }
    tables = (
        _followed("coaches", "label.coach", coaches),
        _followed("members", "label.member", members),
    )
    return figures(titled("get_compliance_report", days), told, tables)


def leads(found: views.Conversion, by: LeadsBy | None) -> Facts:
    whole = found.whole
    told: Told = {
        "figure.leads": whole.created,
        "figure.contacted": whole.contacted,
        "figure.trials_booked": whole.trial_booked,
        "figure.trials_attended": whole.trial_attended,
        "figure.trial_show": rate(whole.trial_attended, whole.trials_past),
        "figure.won": whole.won,
        "figure.conversion": rate(whole.won, whole.created),
        "figure.won_in_period": found.won_in_period,
        "figure.days_to_join": None
        if found.median_days is None
        else Number(value=found.median_days),
        "figure.immature": True if found.immature else None,
    }
    columns = (
        "figure.part",
        "figure.leads",
        "figure.trials_attended",
        "figure.won",
        "figure.conversion",
    )
    rows = tuple(
        TableRow(
            id=key or "-",
            cells=(
                part_value(key, by),
                one.created,
                one.trial_attended,
                one.won,
                rate(one.won, one.created),
            ),
        )
        for key, one in found.parts
    )
    return figures(titled("get_lead_conversion", found.days), told, parts_of(by, columns, rows))


def coaches(days: Days, found: Sequence[views.CoachFigures]) -> Table:
    columns = ("label.coach", "figure.classes", "figure.fill", "figure.came", "figure.kept")
    rows = tuple(
        TableRow(
            id=str(one.coach_id),
            cells=(
                Name(text=one.name),
                one.visits.sessions,
                rate(one.visits.booked, one.visits.capacity),
                one.visits.attended,
                Percent(value=one.kept),
                Percent(value=one.compliance),
            ),
        )
        for one in found
    )
    title = titled("get_coach_performance", days)
    return Table(title=title, columns=(*columns, "figure.compliance"), rows=rows, total=len(rows))


def _followed(of: str, column: str, found: Sequence[views.Followed]) -> Table:
    rows = tuple(
        TableRow(
            id=str(one.id or "-"),
            cells=(
                Name(text=one.name) if one.name else Term(key="session.no_coach"),
                Percent(value=growth.compliance(one)),
                one.due,
            ),
        )
        for one in found
    )
    columns = (column, "figure.compliance", "figure.days_due")
    title = Line(key=f"analytics.get_compliance_report.{of}")
    return Table(title=title, columns=columns, rows=rows[:20], total=len(rows))
