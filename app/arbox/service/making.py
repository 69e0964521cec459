"""Making and changing rows of ours from records of theirs, each kind by its domain's own rules."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from app.arbox.errors import LeadIsMember
from app.arbox.models import ArboxMapping, ArboxRecord, ImportBatch
from app.arbox.service.planning import PAYMENT_REF, Known, payment_state, plan_mapping
from app.arbox.terms import Kind, MappingKind, MappingState, Policy
from app.core.actor import Actor
from app.core.db import OrgRow, as_platform
from app.leads import service as leads
from app.leads.models import Lead
from app.leads.service import NewLead
from app.leads.terms import LeadSource, LeadStage, LostReason
from app.memberships import service as memberships
from app.memberships.models import Membership, MembershipPlan, PaymentEntry
from app.memberships.service import NewPlan, Payment, Terms
from app.memberships.terms import (
    PaymentKind,
    PaymentState,
    PaymentStatus,
    PeriodUnit,
    PlanKind,
)
from app.people import service as people
from app.people.models import Member
from app.people.service import NewMember
from app.people.views import MemberView
from app.schedule import service as schedule
from app.schedule.models import ClassType
from app.schedule.service import NewClassType
from app.studio.models import Org

SOURCE: Final = "arbox"
OLD_NEWS: Final = timedelta(days=7)
"""Before so long somebody came who came nobody knows when: no welcome goes out to them."""
_PLACES: Final = 20
"""Of a class type of theirs that doesn't say."""
MODELS: Final[dict[Kind, type[OrgRow]]] = {
    Kind.CLASS_TYPE: ClassType,
    Kind.PLAN: MembershipPlan,
    Kind.MEMBER: Member,
    Kind.MEMBERSHIP: Membership,
    Kind.FREEZE: Membership,
    Kind.PAYMENT: PaymentEntry,
    Kind.LEAD: Lead,
}


@dataclass(frozen=True, slots=True)
class Work:
    """One import at work, in one transaction."""

    session: Session
    actor: Actor
    org: Org
    batch: ImportBatch
    policy: Policy
    today: date
    now: datetime


def make(work: Work, one: ArboxRecord, at: Known) -> UUID:
    """A new row of ours; raises what the domain's rules do."""
    match one.kind:
        case Kind.CLASS_TYPE | Kind.PLAN:
            return _make_mapped(work, one, at)
        case Kind.MEMBER:
            return _make_member(work, one)
        case Kind.MEMBERSHIP:
            return _make_membership(work, one, at)
        case Kind.FREEZE:
            return _make_freeze(work, one, at)
        case Kind.PAYMENT:
            return take_payment(work, one, at, payment_state(one))
        case Kind.LEAD:
            return _make_lead(work, one, at)


def _make_mapped(work: Work, one: ArboxRecord, at: Known) -> UUID:
    session, org_id = work.session, work.org.id
    if one.kind is Kind.CLASS_TYPE:
        new = NewClassType(
            one.name,
            capacity=one.facts.get("capacity") or _PLACES,
            duration_min=one.facts.get("minutes") or 60,
        )
        made = schedule.create_class_type(session, org_id, new)
    else:
        made = memberships.create_plan(session, org_id, _plan(one))
    mapping = at.mappings[MappingKind(one.kind.value), one.arbox_id]
    mapping.local_id, mapping.state = made, MappingState.MAPPED
    return made


def _plan(one: ArboxRecord) -> NewPlan:
    facts = one.facts
    kind = _plan_kind(facts)
    months = facts.get("months") or 1
    timed = kind in {PlanKind.RECURRING, PlanKind.FIXED_TERM}
    return NewPlan(
        name=one.name,
        kind=kind,
        price_minor=facts.get("price") or 0,
        credits=facts.get("sessions"),
        period_unit=PeriodUnit.MONTH if timed else None,
        period_count=months if timed else 1,
        validity_days=facts.get("days"),
    )


def _plan_kind(facts: dict[str, Any]) -> PlanKind:
    """Their `type` says plan, session pack or trial; more than a month at once is a fixed term."""
    said = str(facts.get("type"))
    if "trial" in said:
        return PlanKind.TRIAL
    if "session" in said or "pack" in said or "punch" in said:
        return PlanKind.PUNCH_CARD
    return PlanKind.FIXED_TERM if (facts.get("months") or 1) > 1 else PlanKind.RECURRING


def _make_member(work: Work, one: ArboxRecord) -> UUID:
    facts = one.facts
    new = NewMember(
        facts["first"],
        facts.get("last") or "",
        phone=facts.get("phone"),
        email=facts.get("email"),
        language=work.org.language,
        joined_on=_day(facts.get("joined")) or work.today - OLD_NEWS,
        birth_date=_day(facts.get("born")),
        source=SOURCE,
    )
    return people.add_member(work.session, work.org.id, new, today=work.today)


def _make_membership(work: Work, one: ArboxRecord, at: Known) -> UUID:
    """Paid for elsewhere, so nothing is billed here; a pack has the sessions that are left."""
    facts = one.facts
    mapping = plan_mapping(facts, at)
    member_id = at.people.get(one.person or "")
    if mapping is None or mapping.local_id is None or member_id is None:
        raise LookupError(one.arbox_id)
    plan = work.session.get_one(MembershipPlan, mapping.local_id)
    return memberships.sell(
        work.session,
        work.actor,
        member_id,
        plan.id,
        start=date.fromisoformat(facts["start"]),
        end=_day(facts.get("end")),
        payment=PaymentStatus.EXTERNAL,
        terms=Terms(
            price_minor=facts.get("price"),
            external_ref=f"{SOURCE}:{one.arbox_id}",
            credits=None if plan.credits_per_period is None else facts.get("left"),
        ),
    )


def _make_freeze(work: Work, one: ArboxRecord, at: Known) -> UUID:
    membership_id = at.bought.get(str(one.facts["membership"]))
    if membership_id is None:
        raise LookupError(one.arbox_id)
    since, until = (date.fromisoformat(one.facts[name]) for name in ("since", "until"))
    memberships.bring_in_freeze(
        work.session, work.actor, membership_id, since, until, today=work.today
    )
    return membership_id


def take_payment(work: Work, one: ArboxRecord, at: Known, state: PaymentState) -> UUID:
    """The ledger is the provider's: it is written as the platform, by its reference."""
    facts = one.facts
    member_id = at.people.get(one.person or "")
    if member_id is None:
        raise LookupError(one.arbox_id)
    refund = facts["refund"] or facts["amount"] < 0
    day = date.fromisoformat(facts["on"])
    payment = Payment(
        member_id=member_id,
        membership_id=None,
        kind=PaymentKind.REFUND if refund else PaymentKind.CHARGE,
        status=state,
        amount_minor=abs(facts["amount"]),
        currency=work.org.currency,
        due_date=day,
        paid_at=_noon(work, day) if state is PaymentState.SUCCEEDED else None,
        method_last4=facts.get("last4"),
        provider_ref=PAYMENT_REF + one.arbox_id,
    )
    with as_platform(work.session):
        (made,) = memberships.take_in(work.session, work.org.id, [payment])
    return made


def _make_lead(work: Work, one: ArboxRecord, at: Known) -> UUID:
    facts = one.facts
    new = NewLead(
        facts["first"],
        one.phone or "",
        LeadSource.ARBOX,
        last_name=facts.get("last") or "",
        email=facts.get("email"),
    )
    added = leads.create(work.session, work.actor, new, now=work.now)
    if isinstance(added, MemberView):  # they became a member since this was decided
        raise LeadIsMember(name=added.name)
    _since(work, added.lead_id, _day(facts.get("since")))
    stage = _stage(at.mappings.get((MappingKind.STATUS, str(facts.get("status")))))
    if stage not in {None, LeadStage.NEW}:
        leads.set_stage(work.session, work.actor, added.lead_id, stage, now=work.now)
    return added.lead_id


def _since(work: Work, lead_id: UUID, day: date | None) -> None:
    """They have been a lead since they were one there; nobody knows: for longer than is news."""
    row = work.session.get_one(Lead, lead_id)
    since = day or work.today - OLD_NEWS
    row.created_at = min(work.now, _noon(work, since))
    work.session.flush()


def _noon(work: Work, day: date) -> datetime:
    return datetime.combine(day, time(12), ZoneInfo(work.org.timezone)).astimezone(UTC)


def close_lead(work: Work, one: ArboxRecord) -> None:
    """It left their list of open leads: they joined, or they were lost."""
    if one.local_id is None:
        raise LookupError(one.arbox_id)
    if one.facts["closed"] == "converted":
        leads.convert(work.session, work.actor, one.local_id, now=work.now)
    else:
        reason = LostReason.OTHER
        note = one.facts.get("reason")
        leads.mark_lost(work.session, work.actor, one.local_id, reason, now=work.now, note=note)


def _stage(mapping: ArboxMapping | None) -> LeadStage | None:
    return LeadStage(mapping.stage) if mapping is not None and mapping.stage else None


def _day(said: str | None) -> date | None:
    return None if said is None else date.fromisoformat(said)
