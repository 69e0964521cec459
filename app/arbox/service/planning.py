"""What an import would do with each record: pure decisions over what is known of both sides."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final
from uuid import UUID

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from app.arbox.models import ArboxMapping, ArboxRecord
from app.arbox.reading import name_key
from app.arbox.terms import Act, Kind, MappingKind, MappingState
from app.arbox.views import Planned
from app.core.columns import among
from app.leads.models import Lead
from app.leads.terms import OPEN
from app.memberships.models import Membership, PaymentEntry
from app.memberships.terms import PaymentState
from app.people.models import Member
from app.people.terms import MemberStatus

PERSON_FIELDS: Final = {
    "first": "first_name",
    "last": "last_name",
    "phone": "phone",
    "email": "email",
    "born": "birth_date",
}
"""Facts of a person -> columns of ours."""
MEMBERSHIP_FIELDS: Final = {"end": "end_date", "price": "price_minor"}
PAYMENT_REF: Final = "arbox:"


@dataclass(frozen=True, slots=True)
class Known:
    """All that decisions on some records need, read at once, however many there are."""

    records: tuple[ArboxRecord, ...]
    mappings: Mapping[tuple[MappingKind, str], ArboxMapping]
    today: date
    taken: Collection[UUID]
    """Members of ours who are somebody else's record already."""
    members: Mapping[UUID, Member]
    by_address: Mapping[str, list[Member]]
    memberships: Mapping[UUID, Membership]
    payments: Mapping[str, PaymentEntry]
    leads: Mapping[UUID, Lead]
    open_leads: Mapping[str, Lead]
    people: Mapping[str, UUID | None]
    """Users of theirs that are members here; None: they are going to be, by the same import."""
    bought: Mapping[str, UUID | None] = field(default_factory=dict)
    """The same of memberships, by their id there."""


def known(
    session: Session, records: Iterable[ArboxRecord], *, today: date, coming: bool = False
) -> Known:
    """`coming`: what else these records make counts as there already."""
    records = tuple(records)
    local = {one.local_id for one in records if one.local_id}
    users = {one.person for one in records if one.person}
    addresses = {at for one in records for at in (one.phone, one.email) if at}
    mappings = {(row.kind, row.arbox_id): row for row in session.scalars(select(ArboxMapping))}
    found = list(session.scalars(select(Member).where(_met(local, addresses))))
    return Known(
        records=records,
        mappings=mappings,
        today=today,
        taken=_taken(session, [row.id for row in found]),
        members={row.id: row for row in found},
        by_address=_by_address(found),
        memberships=_by_id(session, Membership, local),
        payments=_payments(session, records),
        leads=_by_id(session, Lead, local),
        open_leads=_open_leads(session, addresses),
        people=_linked(session, Kind.MEMBER, users, records, coming=coming),
        bought=_linked(session, Kind.MEMBERSHIP, _memberships(records), records, coming=coming),
    )


def decide(one: ArboxRecord, at: Known) -> Planned:
    """Raises nothing: what can't be is a `skip` with the code of why."""
    return _skip(one, "arbox_erased") if one.ignored else _DECIDE[one.kind](one, at)


def column_value(column: str, value: Any) -> Any:  # noqa: ANN401 - JSON, and a column's value
    is_day = column in {"birth_date", "end_date"} and value is not None
    return date.fromisoformat(value) if is_day else value


def _mapped(one: ArboxRecord, at: Known) -> Planned:
    row = at.mappings.get((MappingKind(one.kind.value), one.arbox_id))
    if row is not None and row.state is MappingState.IGNORED:
        return _skip(one, "arbox_ignored")
    if row is not None and row.local_id is not None:
        return _plan(one, Act.SAME, local_id=row.local_id)
    return _plan(one, Act.CREATE)


def _member(one: ArboxRecord, at: Known) -> Planned:
    if one.local_id is not None:
        return _linked_person(one, at.members.get(one.local_id))
    met = [
        row
        for key in (one.phone, one.email)
        for row in at.by_address.get(key or "", [])
        if row.id not in at.taken
    ]
    if not met:
        return _plan(one, Act.CREATE)
    same = [row for row in met if name_key(row.name) == name_key(one.name)]
    if not same:
        return _conflict(one, met[0], "arbox_same_address")
    ours = [getattr(same[0], name) for name in _differing(one, same[0])]
    if any(value not in {None, ""} for value in ours):
        return _conflict(one, same[0], "arbox_differs")
    return _plan(one, Act.UPDATE, local_id=same[0].id, fields=_differing(one, same[0]))


def _conflict(one: ArboxRecord, row: Member, why: str) -> Planned:
    fields = _differing(one, row)
    return _plan(one, Act.CONFLICT, why=why, local_id=row.id, fields=fields)


def _differing(one: ArboxRecord, row: Member) -> tuple[str, ...]:
    """Columns in which theirs says something, and something else than ours."""
    return _changed(one.facts, {}, PERSON_FIELDS, row)


def _linked_person(one: ArboxRecord, row: Member | None) -> Planned:
    if row is None or row.status is MemberStatus.ERASED:
        return _skip(one, "arbox_erased")
    return _moved(one, row, PERSON_FIELDS)


def _membership(one: ArboxRecord, at: Known) -> Planned:
    if one.local_id is not None:
        row = at.memberships.get(one.local_id)
        return _skip(one, "arbox_gone") if row is None else _moved(one, row, MEMBERSHIP_FIELDS)
    if one.facts.get("start") is None:
        return _skip(one, "arbox_incomplete")
    if (one.facts.get("end") or "9999") < at.today.isoformat():
        return _skip(one, "arbox_over")
    if one.person not in at.people:
        return _skip(one, "arbox_no_member")
    mapping = plan_mapping(one.facts, at)
    if mapping is None:
        return _skip(one, "arbox_no_plan")
    ignored = mapping.state is MappingState.IGNORED
    return _skip(one, "arbox_ignored") if ignored else _plan(one, Act.CREATE)


def plan_mapping(facts: Mapping[str, Any], at: Known) -> ArboxMapping | None:
    """The mapping of a membership's plan: by its id, else by its name."""
    row = at.mappings.get((MappingKind.PLAN, str(facts.get("plan_id"))))
    if row is not None or not facts.get("plan"):
        return row
    key = name_key(str(facts["plan"]))
    plans = [row for (kind, _), row in at.mappings.items() if kind is MappingKind.PLAN]
    return next((row for row in plans if name_key(row.arbox_name) == key), None)


def _freeze(one: ArboxRecord, at: Known) -> Planned:
    if one.local_id is not None:
        return _plan(one, Act.SAME, local_id=one.local_id)
    if not one.facts.get("since") or not one.facts.get("until"):
        return _skip(one, "arbox_incomplete")
    there = one.facts.get("membership") in at.bought
    return _plan(one, Act.CREATE) if there else _skip(one, "arbox_no_membership")


def _payment(one: ArboxRecord, at: Known) -> Planned:
    if one.facts.get("amount") is None or one.facts.get("on") is None:
        return _skip(one, "arbox_incomplete")
    if one.person not in at.people:
        return _skip(one, "arbox_no_member")
    row = at.payments.get(PAYMENT_REF + one.arbox_id)
    if row is None:
        return _plan(one, Act.CREATE)
    same = (row.amount_minor, row.status) == (abs(one.facts["amount"]), payment_state(one))
    return _plan(one, Act.SAME if same else Act.UPDATE, local_id=row.id)


def payment_state(one: ArboxRecord) -> PaymentState:
    return PaymentState.FAILED if one.facts["failed"] else PaymentState.SUCCEEDED


def _lead(one: ArboxRecord, at: Known) -> Planned:
    closed = one.facts.get("closed")
    if one.local_id is not None:
        row = at.leads.get(one.local_id)
        if row is None:
            return _skip(one, "arbox_gone")
        closes = closed is not None and row.stage in OPEN
        return _plan(one, Act.UPDATE if closes else Act.SAME, local_id=row.id)
    if closed is not None:
        return _skip(one, "arbox_closed")
    if one.phone is None:
        return _skip(one, "arbox_no_phone")
    if one.phone in at.by_address:
        return _skip(one, "arbox_is_member")
    row = at.open_leads.get(one.phone)
    return _plan(one, Act.CREATE) if row is None else _skip(one, "arbox_known_lead")


def _moved(one: ArboxRecord, row: Any, fields: Mapping[str, str]) -> Planned:  # noqa: ANN401 - a row of ours
    """Theirs is taken where only they changed it; where both did, people decide."""
    before = one.applied or {}
    changed = _changed(one.facts, before, fields, row)
    ours = [
        column
        for fact, column in fields.items()
        if column in changed and getattr(row, column) != column_value(column, before.get(fact))
    ]
    if not changed:
        return _plan(one, Act.SAME, local_id=row.id)
    if ours:
        why = "arbox_both_changed"
        return _plan(one, Act.CONFLICT, why=why, local_id=row.id, fields=tuple(changed))
    return _plan(one, Act.UPDATE, local_id=row.id, fields=tuple(changed))


def _changed(
    theirs: Mapping[str, Any],
    before: Mapping[str, Any],
    fields: Mapping[str, str],
    row: Any,  # noqa: ANN401 - a row of ours
) -> tuple[str, ...]:
    """Columns whose fact is another than before, and is something else than ours."""
    return tuple(
        column
        for fact, column in fields.items()
        if theirs.get(fact) is not None
        and theirs.get(fact) != before.get(fact)
        and getattr(row, column) != column_value(column, theirs[fact])
    )


def _plan(
    one: ArboxRecord,
    act: Act,
    *,
    why: str | None = None,
    local_id: UUID | None = None,
    fields: tuple[str, ...] = (),
) -> Planned:
    return Planned(one.id, one.kind, one.name, act, why, local_id, fields)


def _skip(one: ArboxRecord, why: str) -> Planned:
    return _plan(one, Act.SKIP, why=why)


def _met(ids: Collection[UUID], addresses: Collection[str]) -> Any:  # noqa: ANN401 - a condition
    reachable = or_(among(Member.phone, addresses), among(Member.email, addresses))
    return or_(among(Member.id, ids), reachable & (Member.status != MemberStatus.ERASED))


def _by_address(rows: Iterable[Member]) -> dict[str, list[Member]]:
    found: dict[str, list[Member]] = {}
    for row in rows:
        for at in (row.phone, row.email):
            if at and row.status is not MemberStatus.ERASED:
                found.setdefault(at, []).append(row)
    return found


def _by_id(session: Session, model: Any, ids: Collection[UUID]) -> dict[UUID, Any]:  # noqa: ANN401 - any model
    return {row.id: row for row in session.scalars(select(model).where(among(model.id, ids)))}


def _payments(session: Session, records: Iterable[ArboxRecord]) -> dict[str, PaymentEntry]:
    refs = [PAYMENT_REF + one.arbox_id for one in records if one.kind is Kind.PAYMENT]
    query = select(PaymentEntry).where(among(PaymentEntry.provider_ref, refs))
    return {str(row.provider_ref): row for row in session.scalars(query)}


def _open_leads(session: Session, addresses: Collection[str]) -> dict[str, Lead]:
    query = select(Lead).where(among(Lead.phone, addresses), Lead.stage.in_(OPEN))
    return {row.phone: row for row in session.scalars(query)}


def _taken(session: Session, ids: Collection[UUID]) -> set[UUID]:
    query = select(ArboxRecord.local_id).where(
        ArboxRecord.kind == Kind.MEMBER, among(ArboxRecord.local_id, ids)
    )
    return {one for one in session.scalars(query) if one is not None}


def _memberships(records: Iterable[ArboxRecord]) -> set[str]:
    return {str(one.facts.get("membership")) for one in records if one.kind is Kind.FREEZE}


def _linked(
    session: Session,
    kind: Kind,
    ids: Collection[str],
    records: Iterable[ArboxRecord],
    *,
    coming: bool,
) -> dict[str, UUID | None]:
    query = select(ArboxRecord.arbox_id, ArboxRecord.local_id).where(
        ArboxRecord.kind == kind,
        among(ArboxRecord.arbox_id, ids),
        ArboxRecord.local_id.is_not(None),
    )
    found: dict[str, UUID | None] = dict(session.execute(query).all())
    if coming:
        for one in records:
            if one.kind is kind and not one.ignored:
                found.setdefault(one.arbox_id, None)
    return found


_DECIDE: Final[dict[Kind, Callable[[ArboxRecord, Known], Planned]]] = {
    Kind.CLASS_TYPE: _mapped,
    Kind.PLAN: _mapped,
    Kind.MEMBER: _member,
    Kind.MEMBERSHIP: _membership,
    Kind.FREEZE: _freeze,
    Kind.PAYMENT: _payment,
    Kind.LEAD: _lead,
}
