"""What each list of Arbox's holds, and the records that are made of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Final

from app.arbox.port import Raw
from app.arbox.reading import (
    Record,
    day,
    email,
    iso,
    key_of,
    minor,
    needed,
    person_name,
    phone,
    text,
    whole,
)
from app.arbox.terms import Entity, Kind, MappingKind

WINDOW: Final = timedelta(days=29)
"""First to last day of one question to a report: Arbox refuses more than 31 days."""
LOOK_BACK: Final = timedelta(days=365)
WEEK: Final = timedelta(days=6)
Read = Callable[[Raw, str], Record]


@dataclass(frozen=True, slots=True)
class Wanted:
    """One list to be read: `source` says what is in it."""

    source: str
    path: str
    query: dict[str, str] = field(default_factory=dict)
    label: str = ""

    @property
    def name(self) -> str:
        return " ".join([self.path.rpartition("/")[2], *([self.label] if self.label else [])])

    def of(self, branch: str | None) -> "Wanted":
        if branch is None:
            return self
        label = f"{self.label} #{branch}".strip()
        return replace(self, query={**self.query, "location_id": branch}, label=label)


@dataclass(frozen=True, slots=True)
class Thing:
    """Something of theirs that stands for something of ours."""

    kind: MappingKind
    arbox_id: str
    name: str


def lists_for(
    entities: frozenset[Entity], *, since: date | None, today: date, branches: tuple[str, ...] = ()
) -> list[Wanted]:
    """Every list that an import of these needs, what others depend on first.

    `branches` are theirs that count; without any, all do.
    """
    first = [Wanted("locations", "/locations"), Wanted("class_types", "/schedule/boxCategories")]
    first += [Wanted("plans", "/membershipTypes"), Wanted("statuses", "/statuses")]
    branched = list(_branched(entities, since, today))
    return first + [one.of(branch) for branch in branches or (None,) for one in branched]


def _branched(entities: frozenset[Entity], since: date | None, today: date) -> Iterator[Wanted]:
    """What each branch has of its own; members before what is about them."""
    lists = [_window("staff", "/schedule", today, today + WEEK, names=_SNAKE)]
    if entities & {Entity.MEMBERS, Entity.MEMBERSHIPS, Entity.PAYMENTS}:
        lists.append(Wanted("members", "/users"))
    recent = today - WINDOW
    if Entity.MEMBERSHIPS in entities:
        lists.append(_window("memberships", "/reports/activeMembershipsReport", recent, today))
        lists.append(_window("packs", "/reports/sessionsReport", recent, today))
        lists.append(_window("freezes", "/reports/membersOnHoldReport", recent, today))
    if Entity.PAYMENTS in entities:
        for first, last in windows(since or today - LOOK_BACK, today):
            path = "/reports/transactionsReport"
            lists.append(_window("payments", path, first, last))
            failed = _window("payments", path, first, last)
            lists.append(Wanted("failures", path, {**failed.query, "status": "FAIL"}, failed.label))
    if Entity.LEADS in entities:
        lists += [Wanted("leads", "/leads"), Wanted("lost", "/leads/lost")]
        lists.append(Wanted("converted", "/leads/converted"))
    yield from lists


def windows(first: date, last: date) -> list[tuple[date, date]]:
    """Spans that a report takes, without gap or overlap."""
    found = []
    while first <= last:
        end = min(first + WINDOW, last)
        found.append((first, end))
        first = end + timedelta(days=1)
    return found


_CAMEL = ("fromDate", "toDate")
_SNAKE = ("from_date", "to_date")


def _window(
    source: str, path: str, first: date, last: date, *, names: tuple[str, str] = _CAMEL
) -> Wanted:
    query = dict(zip(names, (first.isoformat(), last.isoformat()), strict=True))
    return Wanted(source, path, query, f"{first:%Y-%m-%d}")


def location(raw: Raw) -> Thing:
    name = needed(raw, "location_name", "name")
    return Thing(MappingKind.LOCATION, needed(raw, "location_id", "id"), name)


def status(raw: Raw) -> Thing:
    name = needed(raw, "status_name", "name", "lead_status")
    return Thing(MappingKind.STATUS, name, name)


def coach(raw: Raw) -> Thing:
    """Of a class: only the name is taken, whatever else they tell of the person."""
    said = raw.get("staff_member")
    named = said if isinstance(said, dict) else {"name": said}
    first, last = person_name(named)
    name = f"{first} {last}".strip()
    return Thing(MappingKind.STAFF, name, name)


def class_type(raw: Raw, region: str) -> Record:  # noqa: ARG001 - as every reader
    name = needed(raw, "box_category_name", "name")
    places, length = whole(raw, "max_participants", "max_users"), whole(raw, "length", "duration")
    facts = {"name": name, "capacity": places, "minutes": length}
    arbox_id = text(raw, "box_category_id", "id") or name
    return Record(Kind.CLASS_TYPE, arbox_id, name, facts=facts)


def plan(raw: Raw, region: str) -> Record:  # noqa: ARG001 - as every reader
    name = needed(raw, "membership_type_name", "name")
    facts = {
        "name": name,
        "type": (text(raw, "type") or "plan").casefold(),
        "price": minor(raw, "price") or 0,
        "sessions": whole(raw, "sessions", "session_count", "count_session"),
        "months": whole(raw, "months", "period_months"),
        "days": whole(raw, "days", "validity_days"),
    }
    return Record(Kind.PLAN, needed(raw, "membership_type_id", "id"), name, facts=facts)


def member(raw: Raw, region: str) -> Record:
    return _person(Kind.MEMBER, raw, region)


def lead(raw: Raw, region: str) -> Record:
    return _person(Kind.LEAD, raw, region)


def closed_lead(how: str) -> Read:
    """One that vanished from the open ones; told by another list."""

    def read(raw: Raw, region: str) -> Record:  # noqa: ARG001 - as every reader
        user = needed(raw, "user_id", "lead_id")
        reason = text(raw, "lost_reason_name", "lost_reason")
        facts = {"closed": how, "reason": reason}
        return Record(Kind.LEAD, user, "", user, facts=facts)

    return read


def membership(raw: Raw, region: str) -> Record:  # noqa: ARG001 - as every reader
    user = needed(raw, "user_id")
    plan_id, plan_name = text(raw, "membership_type_id"), text(raw, "membership_type_name")
    start = day(raw, "start_date", "start_time")
    facts = {
        "plan_id": plan_id,
        "plan": plan_name,
        "price": minor(raw, "price"),
        "start": iso(start),
        "end": iso(day(raw, "end_date", "end_time")),
        "status": (text(raw, "status") or "active").casefold(),
        "left": whole(raw, "sessions_left"),
    }
    own = text(raw, "membership_user_id")
    arbox_id = own or key_of(user, plan_id or plan_name, facts["start"])
    return Record(Kind.MEMBERSHIP, arbox_id, plan_name or "", user, facts=facts)


def freeze(raw: Raw, region: str) -> Record:  # noqa: ARG001 - as every reader
    facts = {
        "membership": text(raw, "membership_user_id"),
        "since": iso(day(raw, "start_suspend_time")),
        "until": iso(day(raw, "end_suspend_time")),
    }
    name = text(raw, "membership_type_name") or ""
    arbox_id = needed(raw, "membership_hold_id", "id")
    return Record(Kind.FREEZE, arbox_id, name, needed(raw, "user_id"), facts=facts)


def payment(*, failed: bool) -> Read:
    def read(raw: Raw, region: str) -> Record:  # noqa: ARG001 - as every reader
        digits = "".join(one for one in text(raw, "last_four_digits") or "" if one.isdigit())
        said = f"{text(raw, 'status')} {text(raw, 'type')}".casefold()
        facts = {
            "amount": minor(raw, "amount"),
            "on": iso(day(raw, "transaction_date", "date")),
            "last4": digits[-4:] or None,
            "failed": failed or "fail" in said or "declin" in said,
            "refund": "refund" in said,
        }
        name = text(raw, "item_name") or ""
        arbox_id = needed(raw, "transaction_id", "id")
        return Record(Kind.PAYMENT, arbox_id, name, needed(raw, "user_id"), facts=facts)

    return read


def _person(kind: Kind, raw: Raw, region: str) -> Record:
    first, last = person_name(raw)
    user, known, at = needed(raw, "user_id", "id"), phone(raw, region), email(raw)
    facts = {"first": first, "last": last, "phone": known, "email": at}
    if kind is Kind.MEMBER:
        facts["born"] = iso(day(raw, "birthday", "birthdate"))
        facts["joined"] = iso(day(raw, "member_since", "created_time", "created_at"))
    else:
        facts["status"] = text(raw, "lead_status", "status")
        facts["since"] = iso(day(raw, "created_time", "created_at"))
        facts["closed"] = None
    return Record(kind, user, f"{first} {last}".strip(), user, known, at, facts)


THINGS: Final[dict[str, Callable[[Raw], Thing]]] = {
    "locations": location,
    "statuses": status,
    "staff": coach,
}
RECORDS: Final[dict[str, Read]] = {
    "class_types": class_type,
    "plans": plan,
    "members": member,
    "memberships": membership,
    "packs": membership,
    "freezes": freeze,
    "payments": payment(failed=False),
    "failures": payment(failed=True),
    "leads": lead,
    "lost": closed_lead("lost"),
    "converted": closed_lead("converted"),
}
