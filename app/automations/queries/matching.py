"""For whom a trigger is so at a time, and on what occasion: one query a trigger."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Select, exists, func, or_, select, true
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from app.automations.shapes import Counts, Happens, Kind, Schedule, Shape
from app.automations.views import Match
from app.bookings import queries as bookings
from app.bookings.models import Booking
from app.bookings.terms import ACTIVE, BookingStatus
from app.leads.models import Lead
from app.leads.terms import OPEN
from app.memberships import queries as memberships
from app.memberships.models import CreditEntry, Membership, MembershipPlan, PaymentEntry
from app.memberships.queries.owing import open_charges
from app.memberships.terms import LIVE, OVER, CreditReason, PaymentKind, PaymentState, PlanKind
from app.messages.filters import AudienceFilter
from app.messages.queries.audience import filter_terms
from app.people.models import Member
from app.people.queries import HIDDEN
from app.people.terms import MemberStatus
from app.schedule.models import ClassSession, ClassType
from app.studio import queries as studio

BACK: Final = timedelta(days=3)
"""What happened longer ago than this is no occasion any more."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One gym at one time."""

    session: Session
    now: datetime
    zone: str
    person_id: UUID | None = None
    """Of them alone; None: of everybody."""

    @property
    def today(self) -> date:
        return self.now.astimezone(ZoneInfo(self.zone)).date()

    @property
    def clock(self) -> time:
        return self.now.astimezone(ZoneInfo(self.zone)).time()

    @property
    def since(self) -> datetime:
        return self.now - BACK

    def only(self, column: InstrumentedAttribute[Any]) -> ColumnElement[bool]:
        return true() if self.person_id is None else column == self.person_id


def matches(
    session: Session,
    org_id: UUID,
    shape: Shape,
    now: datetime,
    *,
    any_hour: bool = False,
    person_id: UUID | None = None,
) -> list[Match]:
    """Everybody for whom it is so, or one person alone; one for each occasion.

    Of an earlier `now` it says what was so then, by all that has become known since. A schedule
    waits for its day and hour, unless `any_hour` asks for whom it means.
    """
    scene = Scene(session, now, studio.org(session, org_id).timezone, person_id)
    match shape.trigger:
        case Happens(kind=kind):
            return _HAPPENS[kind](scene)
        case Counts(kind=Kind.ABSENT_N_DAYS, count=days):
            return _absent(scene, days)
        case Counts(kind=Kind.MEMBERSHIP_EXPIRING, count=days):
            return _expiring(scene, days)
        case Counts(count=credits_):
            return _credits_low(scene, credits_)
        case Schedule() as schedule:
            due = any_hour or _is_due(scene, schedule)
            return _everybody(scene, scene.today.isoformat()) if due else []


def _is_due(scene: Scene, schedule: Schedule) -> bool:
    return scene.today.isoweekday() % 7 in schedule.weekdays and scene.clock >= schedule.at


def _everybody(scene: Scene, ref: str, *terms: ColumnElement[bool]) -> list[Match]:
    query = select(Member.id).where(
        Member.status == MemberStatus.ACTIVE, scene.only(Member.id), *terms
    )
    return [Match(one, ref) for one in scene.session.scalars(query.order_by(Member.id))]


def _lead_created(scene: Scene) -> list[Match]:
    query = select(Lead.id).where(
        Lead.created_at > scene.since, Lead.stage.in_(OPEN), scene.only(Lead.id)
    )
    found = scene.session.scalars(query.order_by(Lead.id))
    return [Match(one, "created", is_lead=True) for one in found]


def _member_joined(scene: Scene) -> list[Match]:
    """Not those who were brought in from elsewhere with an older day of joining."""
    joined = Member.joined_on >= scene.today - BACK
    return _everybody(scene, "joined", joined, Member.created_at > scene.since)


def _birthday(scene: Scene) -> list[Match]:
    terms = filter_terms(AudienceFilter(birthday_days=0), scene.today, scene.now)
    return _everybody(scene, str(scene.today.year), *terms)


def _form_missing(scene: Scene) -> list[Match]:
    lacking = func.coalesce(Member.health_form_until, date(1, 1, 1)) < scene.today
    query = select(Member.id, Member.health_form_until).where(
        Member.status == MemberStatus.ACTIVE, lacking, scene.only(Member.id)
    )
    found = scene.session.execute(query.order_by(Member.id))
    return [Match(one, f"until:{until}") for one, until in found]


def _absent(scene: Scene, days: int) -> list[Match]:
    """The occasion is the last visit, so that each absence counts once."""
    last = bookings.last_visits()
    terms = filter_terms(AudienceFilter(absent_days=days), scene.today, scene.now)
    query = (
        select(Member.id, last.c.at)
        .outerjoin(last, last.c.member_id == Member.id)
        .where(Member.status == MemberStatus.ACTIVE, scene.only(Member.id), *terms)
    )
    found = scene.session.execute(query.order_by(Member.id))
    return [Match(one, f"since:{_mark(seen)}", {"days": days}) for one, seen in found]


def _mark(at: datetime | None) -> str:
    return "never" if at is None else at.isoformat(timespec="minutes")


def _expiring(scene: Scene, days: int) -> list[Match]:
    """Not where another membership goes on beyond it."""
    other = aliased(Membership)
    last, other_last = memberships.ends(Membership), memberships.ends(other)
    renewed = exists(
        select(other.id).where(
            other.member_id == Membership.member_id,
            other.id != Membership.id,
            other.status.in_(LIVE),
            or_(other_last.is_(None), other_last > last),
        )
    )
    query = _held(scene, Membership.id, Membership.member_id, MembershipPlan.name, last).where(
        last.between(scene.today, scene.today + timedelta(days=days)),
        ~renewed,
    )
    return [
        Match(member_id, f"{membership_id}:{until}", {"plan": plan, "until": until.isoformat()})
        for membership_id, member_id, plan, until in scene.session.execute(query)
    ]


def _credits_low(scene: Scene, most: int) -> list[Match]:
    """The occasion is what was granted last, so that each card counts once."""
    granted = CreditEntry.reason == CreditReason.GRANT
    good = or_(CreditEntry.expires_on.is_(None), CreditEntry.expires_on >= scene.today)
    left = func.coalesce(func.sum(CreditEntry.delta).filter(good), 0)
    newest = func.max(CreditEntry.created_at).filter(granted)
    query = (
        _held(scene, Membership.id, Membership.member_id, MembershipPlan.name, left, newest)
        .join(CreditEntry, CreditEntry.membership_id == Membership.id)
        .where(Membership.credits_per_period.is_not(None), memberships.covering(scene.today))
        .group_by(Membership.id, Membership.member_id, MembershipPlan.name)
        .having(left <= most)
    )
    return [
        Match(member_id, f"{membership_id}:{_mark(at)}", {"plan": plan, "credits": number})
        for membership_id, member_id, plan, number, at in scene.session.execute(query)
    ]


def _payment_failed(scene: Scene) -> list[Match]:
    """Not where it was paid since, by whatever charge of the same invoice."""
    open_ = open_charges(scene.today)
    query = select(PaymentEntry.id, PaymentEntry.member_id).where(
        PaymentEntry.kind == PaymentKind.CHARGE,
        PaymentEntry.status == PaymentState.FAILED,
        PaymentEntry.due_date.between(scene.today - BACK, scene.today),
        PaymentEntry.member_id.in_(select(open_.c.member_id).where(open_.c.left > 0)),
        scene.only(PaymentEntry.member_id),
    )
    found = scene.session.execute(query.order_by(PaymentEntry.id))
    return [Match(member_id, str(payment_id)) for payment_id, member_id in found]


def _no_show(scene: Scene) -> list[Match]:
    return _of_bookings(
        scene,
        Booking.status == BookingStatus.NO_SHOW,
        ClassSession.starts_at.between(scene.since, scene.now),
    )


def _trial_attended(scene: Scene) -> list[Match]:
    trial = exists(
        select(MembershipPlan.id)
        .join(Membership, Membership.plan_id == MembershipPlan.id)
        .where(Membership.id == Booking.membership_id, MembershipPlan.kind == PlanKind.TRIAL)
    )
    of_lead = exists(select(Lead.id).where(Lead.trial_booking_id == Booking.id))
    return _of_bookings(
        scene,
        Booking.status == BookingStatus.ATTENDED,
        ClassSession.starts_at.between(scene.since, scene.now),
        or_(trial, of_lead),
    )


def _class_cancelled(scene: Scene) -> list[Match]:
    """Those who had a place, or waited for one."""
    return _of_bookings(
        scene, ClassSession.cancelled_at > scene.since, Booking.cancelled_from.in_(ACTIVE)
    )


def _of_bookings(scene: Scene, *terms: ColumnElement[bool]) -> list[Match]:
    query = (
        select(Booking.id, Booking.member_id, ClassSession, ClassType)
        .join(ClassSession, ClassSession.id == Booking.class_session_id)
        .join(ClassType, ClassType.id == ClassSession.class_type_id)
        .join(Member, Member.id == Booking.member_id)
        .where(*terms, Member.status.not_in(HIDDEN), scene.only(Member.id))
        .order_by(Booking.id)
    )
    return [
        Match(member_id, str(booking_id), _class_facts(one, kind))
        for booking_id, member_id, one, kind in scene.session.execute(query)
    ]


def _class_facts(one: ClassSession, kind: ClassType) -> dict[str, Any]:
    when = datetime.combine(one.local_date, one.local_start)
    names = {language: one.title or kind.name(language) for language in ("en", "he", "ru")}
    return {"class": names, "when": when.isoformat(timespec="minutes")}


def _held(scene: Scene, *columns: Any) -> Select[Any]:  # noqa: ANN401 - whatever is asked of them
    """Memberships of people who are here; not those that are over, unless it is of one earlier."""
    live = LIVE if scene.person_id is None else (*LIVE, *OVER)
    return (
        select(*columns)
        .select_from(Membership)
        .join(MembershipPlan, MembershipPlan.id == Membership.plan_id)
        .join(Member, Member.id == Membership.member_id)
        .where(Membership.status.in_(live), Member.status.not_in(HIDDEN), scene.only(Member.id))
    )


_HAPPENS: Final[dict[Kind, Callable[[Scene], list[Match]]]] = {
    Kind.LEAD_CREATED: _lead_created,
    Kind.MEMBER_JOINED: _member_joined,
    Kind.TRIAL_ATTENDED: _trial_attended,
    Kind.NO_SHOW: _no_show,
    Kind.PAYMENT_FAILED: _payment_failed,
    Kind.BIRTHDAY: _birthday,
    Kind.CLASS_CANCELLED: _class_cancelled,
    Kind.FORM_MISSING: _form_missing,
}
