"""Who may book what: the rules in their order, over facts that were looked up (rule 15). Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from app.bookings.errors import (
    Clash,
    ClassNotInPlan,
    DailyLimit,
    Full,
    FutureLimit,
    HealthFormMissing,
    MembershipFrozen,
    MemberSuspended,
    NoCredits,
    NoMembership,
    NoShowBlock,
    NotBookable,
    NotOpenYet,
    SessionOff,
    SessionOver,
    Unpaid,
    WeeklyLimit,
)
from app.memberships.views import Cover
from app.people.terms import MemberStatus
from app.schedule.times import Slot
from app.studio.policy import BookingPolicy, opens_at

BARRED = (MemberStatus.SUSPENDED, MemberStatus.ARCHIVED, MemberStatus.ERASED)
"""Who may not book at all."""


@dataclass(frozen=True, slots=True)
class Places:
    """How a class is filled; `held` places were freed and wait for the queue to move."""

    capacity: int
    booked: int
    waiting: int
    held: int = 0

    @property
    def free(self) -> int:
        return self.capacity - self.booked - self.held


@dataclass(frozen=True, slots=True)
class OtherClass:
    """A class that the member holds at the same time."""

    title: str
    date: date
    slot: Slot


@dataclass(frozen=True, slots=True)
class Case:
    """All facts that the rules ask for, of one member and one class."""

    now: datetime
    slot: Slot
    cancelled: bool
    class_type_id: UUID
    credit_cost: int
    policy: BookingPolicy
    places: Places
    member: str
    member_status: MemberStatus
    health_form_until: date | None
    covers: tuple[Cover, ...]
    week_visits: dict[UUID, int]
    """Visits of the class's week by membership."""
    same_day: int
    ahead: int
    clash: OtherClass | None
    blocked_until: datetime | None = None
    """Until when no-shows close booking ahead."""
    trial: bool = False
    """A first class: it takes no membership."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`failures` in the order of the rules; `cover` pays, where one does."""

    failures: tuple[NotBookable, ...]
    cover: Cover | None

    @property
    def reason(self) -> NotBookable | None:
        return self.failures[0] if self.failures else None

    @property
    def only_full(self) -> bool:
        return bool(self.failures) and all(isinstance(one, Full) for one in self.failures)

    def beside(self, *kinds: type[NotBookable]) -> "Verdict":
        """The verdict without the rules that don't count this time."""
        kept = tuple(one for one in self.failures if not isinstance(one, kinds))
        return Verdict(kept, self.cover)


def judge(case: Case) -> Verdict:
    cover, refusal = _cover(case)
    failures = (*_of_member_and_class(case), *refusal, *_of_limits(case))
    return Verdict(failures, cover)


def _of_member_and_class(case: Case) -> Iterator[NotBookable]:
    if case.member_status in BARRED:
        yield MemberSuspended(member=case.member)
    if case.cancelled:
        yield SessionOff()
    if case.slot.starts_at <= case.now:
        yield SessionOver()


def _cover(case: Case) -> tuple[Cover | None, tuple[NotBookable, ...]]:
    """The membership that pays, or why none does: each rule sifts what the one before has left."""
    left = [one for one in case.covers if one.covers]
    if not left:
        return None, () if case.trial else (NoMembership(date=case.slot.date),)
    thawed = [one for one in left if not one.frozen]
    if not thawed:
        return _best(left), (MembershipFrozen(plan=_best(left).plan),)
    fitting = [one for one in thawed if _in_plan(one, case.class_type_id)]
    if not fitting:
        return _best(thawed), (ClassNotInPlan(plan=_best(thawed).plan),)
    return _payable(case, fitting)


def _payable(case: Case, fitting: list[Cover]) -> tuple[Cover, tuple[NotBookable, ...]]:
    able = [one for one in fitting if _shortage(case, one) is None]
    if not able:
        first = _best(fitting)
        shortage = _shortage(case, first)
        return first, (shortage,) if shortage else ()
    paid = [one for one in able if not one.unpaid] if case.policy.blocks_debtors else able
    return (_best(paid), ()) if paid else (_best(able), (Unpaid(plan=_best(able).plan),))


def _shortage(case: Case, cover: Cover) -> NotBookable | None:
    needed, left = case.credit_cost, cover.credits
    if needed and left is not None and min(left, cover.largest_lot) < needed:
        return NoCredits(plan=cover.plan, credits=max(left, 0))
    used = case.week_visits.get(cover.membership_id, 0)
    if cover.weekly_limit is not None and used >= cover.weekly_limit:
        return WeeklyLimit(plan=cover.plan, limit=cover.weekly_limit)
    return None


def _best(covers: list[Cover]) -> Cover:
    """What costs no credit first, then soonest expiry, then the narrowest plan (rule 23)."""
    return min(
        covers,
        key=lambda one: (
            one.credits is not None,
            one.expires_on or date.max,
            len(one.class_type_ids) or float("inf"),
        ),
    )


def _in_plan(cover: Cover, class_type_id: UUID) -> bool:
    return not cover.class_type_ids or class_type_id in cover.class_type_ids


def _of_limits(case: Case) -> Iterator[NotBookable]:
    policy = case.policy
    if policy.needs_health_form and (case.health_form_until or date.min) < case.slot.date:
        yield HealthFormMissing(member=case.member)
    opens = opens_at(policy, case.slot.starts_at, case.slot.zone)
    if opens is not None and case.now < opens:
        yield NotOpenYet(opens_at=opens)
    if case.blocked_until is not None and not _is_today(case):
        yield NoShowBlock(until=case.blocked_until)
    if policy.max_bookings_per_day is not None and case.same_day >= policy.max_bookings_per_day:
        yield DailyLimit(limit=policy.max_bookings_per_day)
    if policy.max_future_bookings is not None and case.ahead >= policy.max_future_bookings:
        yield FutureLimit(limit=policy.max_future_bookings)
    yield from _of_place(case)


def _is_today(case: Case) -> bool:
    return case.slot.date == case.now.astimezone(ZoneInfo(case.slot.zone)).date()


def _of_place(case: Case) -> Iterator[NotBookable]:
    if case.clash is not None:
        named = {"class": case.clash.title}
        yield Clash(date=case.clash.date, time=case.clash.slot.start, **named)
    places = case.places
    if places.free <= 0:
        yield Full(booked=places.booked, capacity=places.capacity, waiting=places.waiting)
