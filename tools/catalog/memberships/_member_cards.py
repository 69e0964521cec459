"""Cards of members: the roster, what changed, what is asked before somebody leaves."""

from collections.abc import Callable, Iterator

from app.desk.erasing import Erased, Farewell, preview_erase
from app.desk.leaving import Left, preview_archive, preview_suspend
from app.desk.queries import RosterRow, mentions
from app.people.service import Updated
from app.people.views import MemberView, NoteView
from tools.catalog._when import zone_of
from tools.catalog.memberships._member_args import Archive, Erase, Suspend
from tools.kit.cards import Confirm, Done, Ref, TableRow, Typed
from tools.kit.declare import Context
from tools.kit.values import Amount, Code, Instant, Line, Name, Names, Quote, Term, Terms, Value

ROSTER_COLUMNS = (
    "label.member",
    "label.status",
    "label.membership",
    "label.last_visit",
    "label.tags",
)


def roster_row_in(context: Context) -> Callable[[RosterRow], TableRow]:
    zone = zone_of(context)

    def row(one: RosterRow) -> TableRow:
        cells = (
            Name(text=one.member.name),
            Term(key=f"member.{one.member.status}"),
            Names(all=one.plans) if one.plans else None,
            Instant(at=one.last_visit, zone=zone) if one.last_visit else None,
            Names(all=one.member.tags) if one.member.tags else None,
        )
        return TableRow(id=str(one.member.id), cells=cells)

    return row


def ref(member: MemberView) -> Ref:
    return Ref(entity="member", id=member.id, version=member.version)


def created(member: MemberView) -> Done:
    contact = member.phone or member.email
    line = "memberships.create_member.contact"
    notes = (Line(key=line, values={"contact": Code(text=contact)}),) if contact else ()
    of = "memberships.create_member"
    return Done(of=of, values=_named(member), notes=notes, ref=ref(member))


def updated(done: Updated) -> Done:
    """What is different now, by name; where nothing is, that."""
    of = "memberships.update_member"
    fields: dict[str, Value] = {"same": True}
    if done.changed:
        told = (one for one in done.changed if one != "phone_extension")
        fields = {"fields": Terms(keys=tuple(f"label.{_label(name)}" for name in told))}
    return Done(of=of, values={**_named(done.member), **fields}, ref=ref(done.member))


def noted(member: MemberView, note: NoteView) -> Done:
    roles = Terms(keys=tuple(f"role.{role}" for role in note.visible_to))
    seen = Line(key="memberships.add_note.seen_by", values={"roles": roles})
    return Done(
        of="memberships.add_note",
        values={**_named(member), "kind": Term(key=f"note_kind.{note.kind}")},
        notes=(Line(key="memberships.add_note.text", values={"text": Quote(text=note.body)}), seen),
        ref=Ref(entity="member_note", id=note.id, version=note.version),
    )


def ask_suspend(context: Context, args: Suspend) -> Confirm:
    left = preview_suspend(
        context.session,
        context.actor,
        args.member_id,
        now=context.now,
        cancel_bookings=args.cancel_future_bookings,
    )
    of = "memberships.suspend_member"
    return Confirm(
        of=of,
        values=_leaving(left),
        effects=(*_bookings(of, left), *_why(args.reason)),
        ref=ref(left.member),
    )


def suspended(left: Left) -> Done:
    of = "memberships.suspend_member"
    notes = (*_bookings(of, left), *_why(left.reason))
    return Done(of=of, values=_leaving(left), notes=notes, ref=ref(left.member))


def ask_archive(context: Context, args: Archive) -> Confirm:
    left = preview_archive(context.session, context.actor, args.member_id, now=context.now)
    of = "memberships.archive_member"
    return Confirm(
        of=of,
        values=_leaving(left),
        effects=(*_bookings(of, left), *_lasting(of, left), *_why(args.reason)),
        ref=ref(left.member),
    )


def archived(left: Left) -> Done:
    of = "memberships.archive_member"
    notes = (*_bookings(of, left), *_lasting(of, left))
    return Done(of=of, values=_leaving(left), notes=notes, ref=ref(left.member))


def back(of: str, member: MemberView) -> Done:
    """They are again what they were before."""
    values = {**_named(member), "status": Term(key=f"member.{member.status}")}
    return Done(of=of, values=values, ref=ref(member))


def ask_erase(context: Context, args: Erase) -> Typed:
    """The name is typed by the person, so nobody is erased by a slip or by what a text says."""
    found = preview_erase(
        context.session,
        context.actor,
        args.member_id,
        now=context.now,
        though_owing=args.though_owing,
    )
    of = "memberships.erase_member_data"
    return Typed(
        of=of,
        values={**_named(found.member), "basis": Term(key=f"legal_basis.{args.legal_basis}")},
        effects=tuple(_lost(of, found, mentions(context.session, args.member_id))),
        words=" ".join(found.member.name.split()),
    )


def erased(done: Erased) -> Done:
    """Without the name, which is kept nowhere from now on."""
    cleared = done.cleared
    return Done(
        of="memberships.erase_member_data",
        values={
            "member": Name(text=done.member.name),
            "bookings": len(cleared.bookings),
            "credits": cleared.credits,
        },
        ref=ref(done.member),
    )


def _lost(of: str, found: Farewell, mentioned: int) -> Iterator[Line]:
    yield Line(key=f"{of}.effect_lost")
    if found.cleared.bookings:
        values: dict[str, Value] = {"bookings": len(found.cleared.bookings)}
        yield Line(key=f"{of}.effect_bookings", values=values)
    yield from _plans(of, found.plans)
    if found.owed is not None:
        owed = Amount(minor=found.owed.minor, currency=found.owed.currency)
        yield Line(key=f"{of}.effect_owed", values={"owed": owed})
    yield Line(key=f"{of}.effect_kept")
    if mentioned:
        yield Line(key=f"{of}.effect_mentioned", values={"texts": mentioned})
    yield Line(key=f"{of}.effect_for_good")


def _named(member: MemberView) -> dict[str, Value]:
    return {"member": Name(text=member.name)}


def _leaving(left: Left) -> dict[str, Value]:
    gone = {"bookings": len(left.cleared.bookings), "credits": left.cleared.credits}
    return {**_named(left.member), **gone}


def _bookings(of: str, left: Left) -> Iterator[Line]:
    """What goes and comes back, and what stays though one might think it goes."""
    yield Line(key=f"{of}.effect")
    if left.cleared.bookings:
        yield Line(key=f"{of}.effect_bookings", values=_leaving(left))
    if left.staying:
        yield Line(key=f"{of}.effect_staying", values={"bookings": left.staying})


def _lasting(of: str, left: Left) -> Iterator[Line]:
    if left.programs:
        yield Line(key=f"{of}.effect_programs", values={"programs": Names(all=left.programs)})
    yield from _plans(of, left.plans)


def _plans(of: str, plans: tuple[str, ...]) -> Iterator[Line]:
    if plans:
        yield Line(key=f"{of}.effect_plans", values={"plans": Names(all=plans)})


def _why(reason: str | None) -> Iterator[Line]:
    if reason:
        yield Line(key="note.reason", values={"reason": Quote(text=reason)})


def _label(field: str) -> str:
    return {"primary_coach_id": "primary_coach"}.get(field, field)
