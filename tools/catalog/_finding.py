"""Arguments and cards of what is looked up across the studio: histories, a search, the audit."""

from collections.abc import Callable
from datetime import date
from typing import Final
from uuid import UUID

from pydantic import Field

from app.desk import queries as desk
from app.desk.queries import Happened, Hit, Kind, Thing
from app.people import queries as people
from app.people.views import MemberView
from app.search import queries as finding
from app.studio import queries as studio
from app.studio.paging import Page, page
from tools.catalog._args import Listed, MemberId, check_days
from tools.catalog._cards import listing, moment
from tools.kit import audit
from tools.kit.calls import Outcome
from tools.kit.cards import Done, Table, TableRow, Undone
from tools.kit.declare import Args, Context
from tools.kit.models import AuditEntry
from tools.kit.values import Code, Deed, Instant, Line, Name, Names, Quote, Term, Value

HISTORY_COLUMNS = ("label.at", "label.kind", "label.what", "label.status", "label.text")
FOUND_COLUMNS = ("label.kind", "label.name", "label.when", "label.contact", "label.status")
AUDIT_COLUMNS = (
    "label.at",
    "label.actor",
    "label.via",
    "label.action",
    "label.about",
    "label.result",
)
STATES: Final = {
    Kind.BOOKING: "booking",
    Kind.MEMBERSHIP: "membership",
    Kind.NOTE: "note_kind",
    Kind.MESSAGE: "message_state",
    Kind.CHAT: "direction",
    Kind.FORM: "form_state",
}
"""Under which keys the states of each kind have their words."""


class History(Listed):
    member_id: MemberId
    kinds: tuple[Kind, ...] = Field(default=(), max_length=7, description="Only these.")
    since: date | None = Field(default=None, description="From this local day on.")


class Search(Args):
    q: str = Field(min_length=1, max_length=100, description="What it is called, or a part of it.")
    types: tuple[Thing, ...] = Field(default=(), max_length=6, description="Only these.")
    limit: int = Field(default=20, ge=1, le=100, description="Rows wanted.")

    @property
    def meant(self) -> str:
        return self.q


class AuditLog(Listed):
    entity_type: str | None = Field(
        default=None,
        max_length=40,
        pattern="^[a-z_]+$",
        description="As results name ids: member, booking, class_session, ...",
    )
    entity_id: UUID | None = Field(default=None, description="What it was done to.")
    staff_id: UUID | None = Field(default=None, description="Who did it, by id from list_staff.")
    agent_only: bool = Field(default=False, description="Only what the assistant did.")
    from_date: date | None = Field(default=None, description="First local day.")
    to_date: date | None = Field(default=None, description="Last local day, included.")


def history(context: Context, member: MemberView, args: History) -> Table:
    org = studio.org(context.session, context.actor.org_id)
    since, _ = studio.instants(org, args.since, None)
    found = desk.timeline(
        context.session, context.actor, member.id, kinds=args.kinds, since=since, cut=args.cut
    )
    title = Line(key="read.get_member_timeline.title", values={"member": Name(text=member.name)})
    return listing(title, HISTORY_COLUMNS, found, lambda one: _happened(one, org.timezone))


def _happened(one: Happened, zone: str) -> TableRow:
    told = one.told
    state = f"{STATES[one.kind]}.{told.state}" if told.state else None
    cells: tuple[Value | None, ...] = (
        Instant(at=one.at, zone=zone),
        Term(key=f"timeline.{one.kind}"),
        Name(text=told.what) if told.what else None,
        Term(key=state) if state else None,
        Quote(text=told.text) if told.text else None,
    )
    return TableRow(id=str(one.id), cells=cells)


def found(context: Context, args: Search) -> Table:
    hits = finding.search(
        context.session,
        context.actor,
        args.q,
        things=args.types,
        now=context.now,
        limit=args.limit,
    )
    return Table(
        title=Line(key="read.search.title", values={"q": Name(text=args.q)}),
        columns=FOUND_COLUMNS,
        rows=tuple(map(_hit, hits)),
        total=len(hits),
    )


def _hit(hit: Hit) -> TableRow:
    members = hit.thing is Thing.MEMBER
    cells = (
        Term(key=f"found.{hit.thing}"),
        Name(text=hit.name),
        moment(hit.slot) if hit.slot else None,
        Code(text=hit.contact) if hit.contact else None,
        Term(key=f"member.{hit.state}") if members and hit.state else None,
    )
    return TableRow(id=hit.id, cells=cells)


def audit_log(context: Context, args: AuditLog) -> Table:
    check_days(args.from_date, args.to_date, most=3_660)
    org = studio.org(context.session, context.actor.org_id)
    since, until = studio.instants(org, args.from_date, args.to_date)
    user = people.staff(context.session, args.staff_id).user_id if args.staff_id else None
    wanted = audit.Filter(
        entity=args.entity_type,
        entity_id=args.entity_id,
        user_id=user,
        agent_only=args.agent_only,
        since=since,
        until=until,
    )
    listed = audit.listed(wanted)
    entries = page(context.session, listed, args.cut, lambda row: row[0])
    title = Line(key="read.get_audit_log.title")
    return listing(title, AUDIT_COLUMNS, entries, _entry_in(context, entries, org.timezone))


def _entry_in(
    context: Context, entries: Page[AuditEntry], zone: str
) -> Callable[[AuditEntry], TableRow]:
    """How one of these is shown; who did them, and to what, are looked up at once."""
    names = people.names_of_users(context.session, {one.user_id for one in entries.rows})
    about = _about(context, entries)

    def row(one: AuditEntry) -> TableRow:
        name = names.get(one.user_id)
        known = about.get(one.call_id) if one.call_id else None
        cells = (
            Instant(at=one.created_at, zone=zone),
            Name(text=name) if name else None,
            Term(key=f"via.{one.via}"),
            Deed(tool=one.tool),
            known,
            Term(key=f"audit.{_result(one)}"),
        )
        return TableRow(id=str(one.id), cells=cells)

    return row


def _result(one: AuditEntry) -> str:
    return one.result if one.result in {"done", "undone"} else "failed"


def _about(context: Context, entries: Page[AuditEntry]) -> dict[UUID, Names]:
    """The names that the cards of these calls told; none where somebody was erased since."""
    ids = [one.call_id for one in entries.rows if one.call_id is not None]
    found = audit.outcomes(context.session, ids)
    return {call_id: Names(all=names) for call_id, one in found.items() if (names := _names(one))}


def _names(outcome: Outcome) -> tuple[str, ...]:
    card = outcome.card
    values = card.values.values() if isinstance(card, Done | Undone) else ()
    return tuple(value.text for value in values if isinstance(value, Name))
