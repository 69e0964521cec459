"""Figures of the gym: what comes in, who stays, who comes, who may leave."""

from app.analytics.periods import Days, MonthOf
from app.analytics.queries import growth, money, overview, payments, risk, visits
from app.analytics.queries.visits import VisitsBy
from app.analytics.views import Attendance
from app.core.actor import Role
from i18n import N_
from tools.catalog import _analytics, _analytics_args, _analytics_people
from tools.catalog._analytics_args import month_of
from tools.catalog._when import today_of, week_start_of, zone_of
from tools.kit.cards import Facts, Table
from tools.kit.declare import ADMIN, Context, Effect, tool


@tool(Effect.READ, "GET /analytics/overview", label=N_("Show today's figures"), quick=True)
def get_overview(context: Context, args: _analytics_args.Overview) -> Facts:
    """Show a day's headline numbers; money only for admins and owners."""
    day = args.date or today_of(context)
    sees_money = context.actor.role.at_least(Role.ADMIN)
    found = overview.headline(
        context.session,
        day,
        now=context.now,
        today=today_of(context),
        zone=zone_of(context),
        money=sees_money,
    )
    return _analytics.overview(found)


@tool(
    Effect.READ,
    "GET /analytics/mrr",
    label=N_("Show recurring revenue"),
    role=ADMIN,
    quick=True,
)
def get_mrr(context: Context, args: _analytics_args.Mrr) -> Facts:
    """Show monthly recurring revenue with new, expansion, contraction, freeze and lost parts."""
    today = today_of(context)
    month = month_of(args.month, today)
    other = None if args.compare_to is None else month_of(args.compare_to, today)
    return _analytics.mrr(money.mrr(context.session, month, today=today, compare=other))


@tool(
    Effect.READ,
    "GET /analytics/revenue",
    label=N_("Show collected revenue"),
    role=ADMIN,
    quick=True,
)
def get_revenue_summary(context: Context, args: _analytics_args.RevenueOf) -> Facts:
    """Show collected, failed and outstanding amounts of a period from the read-only ledger."""
    found = payments.revenue(
        context.session,
        args.days,
        args.group_by,
        zone=zone_of(context),
        week_start=week_start_of(context),
    )
    return _analytics.revenue(found, args.group_by)


@tool(
    Effect.READ,
    "GET /analytics/unpaid",
    label=N_("List who hasn't paid"),
    role=ADMIN,
    quick=True,
)
def list_unpaid_members(context: Context, args: _analytics_args.Unpaid) -> Table:
    """List members with an unpaid or failed charge: amount owed and days overdue."""
    day = args.as_of or today_of(context)
    due_in = None if args.month is None else month_of(args.month, day).days
    found = payments.unpaid(
        context.session,
        day,
        zone=zone_of(context),
        due_in=due_in,
        min_days=args.min_days_overdue,
        cut=args.cut,
    )
    return _analytics.unpaid(found, day)


@tool(Effect.READ, "GET /analytics/churn", label=N_("Show churn"), role=ADMIN, quick=True)
def get_churn(context: Context, args: _analytics_args.Churn) -> Facts:
    """Show member churn and revenue churn of a month with who left and why."""
    today = today_of(context)
    month = month_of(args.month, today)
    return _analytics.churn(money.churn(context.session, month, today=today, plan_id=args.plan_id))


@tool(Effect.READ, "GET /analytics/retention", label=N_("Show retention"), role=ADMIN)
def get_retention(context: Context, args: _analytics_args.Retention) -> Table:
    """Show cohort retention by the month of the first payment: percent still here after."""
    today = today_of(context)
    first, last = (month_of(one, today) for one in (args.cohort_from, args.cohort_to))
    horizon = args.horizon_months
    found = money.cohorts(context.session, _near(first, last), last, months=horizon, today=today)
    return _analytics.retention(found, horizon)


@tool(
    Effect.READ,
    "GET /analytics/arpm",
    label=N_("Show revenue per member"),
    role=ADMIN,
    quick=True,
)
def get_arpm(context: Context, args: _analytics_args.Arpm) -> Facts:
    """Show average recurring revenue per paying member, its trend and lifetime value."""
    today = today_of(context)
    month = month_of(args.month, today)
    found = money.arpm(
        context.session, month, today=today, zone=zone_of(context), plan_id=args.plan_id
    )
    return _analytics.arpm(found, so_far=today <= month.last)


@tool(Effect.READ, "GET /analytics/attendance", label=N_("Show attendance"), quick=True)
def get_attendance_summary(context: Context, args: _analytics_args.Attendance) -> Facts:
    """Show check-ins, different members, visits per member and attendance rate of a period."""
    found = _held(context, args.days, args.group_by)
    people = visits.people(context.session, args.days, now=context.now)
    return _analytics.attendance(found, people, args.group_by)


@tool(Effect.READ, "GET /analytics/occupancy", label=N_("Show how full classes are"), quick=True)
def get_class_occupancy(context: Context, args: _analytics_args.Occupancy) -> Facts:
    """Show the fill rate of classes held, by class type, weekday, hour or coach."""
    found = _held(context, args.days, args.group_by)
    return _analytics.occupancy(found, args.group_by)


@tool(Effect.READ, "GET /analytics/no-shows", label=N_("Show no-shows"), quick=True)
def get_no_show_stats(context: Context, args: _analytics_args.NoShows) -> Facts:
    """Show no-show and late-cancel rates of a period and who repeats them."""
    found = _held(context, args.days, None)
    who = visits.repeaters(
        context.session, args.days, least=args.min_count, now=context.now, cut=args.cut
    )
    return _analytics.no_shows(found, who)


@tool(Effect.READ, "GET /analytics/at-risk", label=N_("List members at risk"), quick=True)
def list_at_risk_members(context: Context, args: _analytics_args.Risk) -> Table:
    """List active members who may leave, the likeliest first, with the reasons and score."""
    found = risk.at_risk(
        context.session,
        today_of(context),
        now=context.now,
        zone=zone_of(context),
        threshold_days=args.threshold_days,
        with_money=context.actor.role.at_least(Role.ADMIN),
        cut=args.cut,
    )
    return _analytics.at_risk(found)


@tool(Effect.READ, "GET /analytics/compliance", label=N_("Show program compliance"), quick=True)
def get_compliance_report(context: Context, args: _analytics_args.Compliance) -> Facts:
    """Show how far assigned programs were followed, by coach and by member."""
    asked = growth.Asked(args.days, today_of(context), args.coach_id, args.program_id)
    by_coach = growth.followed_by_coach(context.session, asked)
    by_member = growth.followed_by_member(context.session, asked)
    return _analytics_people.compliance(args.days, by_coach, by_member)


@tool(
    Effect.READ,
    "GET /analytics/lead-conversion",
    label=N_("Show lead conversion"),
    role=ADMIN,
    quick=True,
)
def get_lead_conversion(context: Context, args: _analytics_args.Leads) -> Facts:
    """Show how leads of a period convert, by source, owner or stage, and how long it takes."""
    found = growth.conversion(
        context.session, args.days, args.group_by, now=context.now, zone=zone_of(context)
    )
    return _analytics_people.leads(found, args.group_by)


@tool(Effect.READ, "GET /analytics/coaches", label=N_("Compare coaches"), role=ADMIN)
def get_coach_performance(context: Context, args: _analytics_args.Coaches) -> Table:
    """Compare coaches on classes taught, fill rate, retention and program compliance."""
    found = growth.coaches(
        context.session,
        args.days,
        now=context.now,
        today=today_of(context),
        coach_id=args.coach_id,
    )
    return _analytics_people.coaches(args.days, found)


def _held(context: Context, days: Days, by: VisitsBy | None) -> Attendance:
    return visits.attendance(
        context.session,
        days,
        by,
        language=context.actor.language,
        week_start=week_start_of(context),
        now=context.now,
        today=today_of(context),
    )


def _near(first: MonthOf, last: MonthOf) -> MonthOf:
    """At most three years of cohorts."""
    return max(first, last.plus(-35))
