"""Figures, as owners and coaches ask for them."""

from datetime import date, timedelta
from typing import Any

from app.core.actor import Role
from tests.analytics import Books
from tests.requests.request import Request
from tests.studio import Studio

THIS_MONTH = {"from_date": "2026-11-01", "to_date": "2026-11-30"}


def members(studio: Studio) -> dict[str, Any]:
    """One who stays, and one who left on the tenth."""
    books = Books(studio)
    dana, noa = studio.person("Dana Levi"), studio.person("Noa Cohen")
    books.sold(date(2026, 9, 1), 38_000, member=dana)
    books.ends(date(2026, 11, 10), books.sold(date(2026, 9, 1), 30_000, member=noa), "moved away")
    return {}


def payments(studio: Studio) -> dict[str, Any]:
    dana = studio.person("Dana Levi")
    books = Books(studio)
    books.paid(dana, 38_000, date(2026, 11, 2))
    books.paid(dana, 38_000, studio.day(-10), status="failed")
    return {}


def visits(studio: Studio) -> dict[str, Any]:
    studio.booking(studio.member(), studio.session())
    return THIS_MONTH


def fading(studio: Studio) -> dict[str, Any]:
    """Somebody who has been here for long and hasn't come at all."""
    member_id = studio.member("Fay Levi")
    with studio.act() as session:
        from app.people.models import Member  # noqa: PLC0415 - for this one row

        session.get_one(Member, member_id).joined_on = studio.day(0) - timedelta(days=90)
    return {}


REQUESTS = [
    Request("analytics.get_overview", "how is today looking?", shows=("Classes",), role=Role.COACH),
    Request("analytics.get_mrr", "what's our MRR?", members, ("Recurring revenue",)),
    Request(
        "analytics.get_revenue_summary",
        "כמה נכנס החודש?",
        lambda studio: {**payments(studio), **THIS_MONTH, "group_by": "week"},
        ("הכנסות",),
    ),
    Request("analytics.list_unpaid_members", "who hasn't paid?", payments, ("Dana Levi", "₪380")),
    Request("analytics.get_churn", "кто ушёл в этом месяце?", members, ("Noa Cohen",)),
    Request(
        "analytics.get_retention",
        "how many of those who joined in September are still here?",
        lambda studio: {**members(studio), "cohort_from": "2026-09", "cohort_to": "2026-09"},
        ("September 2026",),
    ),
    Request("analytics.get_arpm", "כמה כל מתאמן משלם בממוצע?", members, ("הכנסה ממוצעת",)),
    Request(
        "analytics.get_attendance_summary",
        "how was attendance this month?",
        visits,
        ("Attendance",),
        role=Role.COACH,
    ),
    Request(
        "analytics.get_class_occupancy",
        "насколько заполнены занятия?",
        lambda studio: {**visits(studio), "group_by": "class_type"},
        ("Заполненность",),
        role=Role.COACH,
    ),
    Request(
        "analytics.get_no_show_stats",
        "who keeps not showing up?",
        visits,
        ("No-shows",),
        role=Role.COACH,
    ),
    Request("analytics.list_at_risk_members", "who may leave us?", fading, ("Fay Levi",)),
    Request(
        "analytics.get_compliance_report",
        "מי מתמיד בתוכנית שלו החודש?",
        lambda _: THIS_MONTH,
        ("התמדה",),
        role=Role.COACH,
    ),
    Request(
        "analytics.get_lead_conversion",
        "how do our leads convert?",
        lambda _: {**THIS_MONTH, "group_by": "source"},
        ("Leads",),
    ),
    Request("analytics.get_coach_performance", "compare the coaches", lambda _: THIS_MONTH),
]
