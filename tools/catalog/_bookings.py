"""Cards of bookings: what is shown, asked and told."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from app.bookings import queries, service
from app.bookings.eligibility import Verdict
from app.bookings.service import Booked, Cancelled, Refunded
from app.leads import queries as lead_queries
from app.leads import service as leads
from app.leads.service import Trial
from app.memberships.views import LedgerEntry
from app.people import queries as people
from tools.catalog._booking_args import (
    BookMember,
    BookSelf,
    Eligibility,
    LatePolicy,
    OneBooking,
    OneWaiting,
    Refund,
    UnbookMember,
    Waive,
)
from tools.catalog._cards import (
    booked_notes,
    booking_ref,
    booking_values,
    facts_of,
    moment,
    reason_of,
    session_values,
)
from tools.kit.cards import Confirm, Done, Facts, Option, Pick, TableRow
from tools.kit.declare import Context
from tools.kit.values import Day, Instant, Line, Name, Term, Terms, Value

LEDGER_COLUMNS = (
    "label.when",
    "label.change",
    "label.reason",
    "label.plan",
    "label.class",
    "label.until",
)


def ask_when_full(context: Context, args: BookMember) -> Pick | None:
    """What to do about a full class, unless the call says it; anything else fails as it runs."""
    if args.join_waitlist_if_full or args.override_reason is not None:
        return None
    who = _whom_if_full(context, args)
    if who is None:
        return None
    return _full(context, args.class_session_id, who, _WAITLIST, _OVER_CAPACITY)


def ask_self_when_full(context: Context, args: BookSelf) -> Pick | None:
    """For oneself there is no place too many: only the waiting list."""
    if args.join_waitlist_if_full:
        return None
    own = service.me(context.session, context.actor)
    verdict = service.check(context.session, args.class_session_id, own.id, now=context.now)
    return _full(context, args.class_session_id, own.name, _WAITLIST) if verdict.only_full else None


def book(context: Context, args: BookMember) -> Booked:
    match args.wish:
        case Trial() as trial:
            return leads.book_trial(context.session, context.actor, trial, now=context.now)
        case wish:
            return service.book(context.session, context.actor, wish, now=context.now)


def booked(of: str, made: Booked, *, was: Value | None = None) -> Done:
    values = booking_values(made.booking)
    return Done(
        of=of,
        values=values if was is None else {**values, "was": was},
        notes=booked_notes(made),
        ref=booking_ref(made.booking),
    )


def ask_cancel(context: Context, args: UnbookMember) -> Confirm:
    gone = service.preview_cancel(
        context.session,
        context.actor,
        args.booking_id,
        now=context.now,
        waive=args.late_policy is LatePolicy.WAIVE,
    )
    return _ask_gone("bookings.cancel_for_member", gone)


def ask_cancel_self(context: Context, args: OneBooking) -> Confirm:
    gone = service.preview_cancel_self(
        context.session, context.actor, args.booking_id, now=context.now
    )
    return _ask_gone("bookings.cancel_self", gone)


def ask_leave(context: Context, args: OneWaiting) -> Confirm:
    gone = service.preview_leave(
        context.session, context.actor, args.class_session_id, args.booking_id, now=context.now
    )
    values = booking_values(gone.booking)
    ref = booking_ref(gone.booking)
    return Confirm(of="bookings.leave_waitlist", values=values, effects=_place(gone), ref=ref)


def ask_refund(context: Context, args: Refund) -> Confirm:
    given = service.preview_refund(
        context.session, context.actor, args.booking_id, credits_=args.credits
    )
    return _ask_back("bookings.refund_credit", given, args.reason)


def ask_waive(context: Context, args: Waive) -> Confirm:
    given = service.preview_waive(context.session, context.actor, args.booking_id)
    return _ask_back("bookings.waive_late_cancel", given, args.reason)


def cancelled(of: str, gone: Cancelled) -> Done:
    return Done(
        of=of,
        values=_cancel_values(gone),
        notes=(_credit_line(gone),),
        ref=booking_ref(gone.booking),
    )


def left(gone: Cancelled) -> Done:
    values = booking_values(gone.booking)
    return Done(of="bookings.leave_waitlist", values=values, ref=booking_ref(gone.booking))


def refunded(of: str, given: Refunded) -> Done:
    return Done(of=of, values=_back_values(given), ref=booking_ref(given.booking))


def eligibility(context: Context, args: Eligibility, verdict: Verdict) -> Facts:
    """May they book, why not, in the order of the rules, and which membership would pay."""
    member = people.member(context.session, args.member_id)
    one = queries.session_view(context.session, args.class_session_id, context.actor.language)
    named = {"member": Name(text=member.name), "class": Name(text=one.title)}
    told: dict[str, Value | None] = {
        "label.can_book": verdict.reason is None,
        "label.reason": reason_of(verdict.reason) if verdict.reason else None,
        "label.all_reasons": Terms(keys=tuple(reason_of(rule).key for rule in verdict.failures))
        if len(verdict.failures) > 1
        else None,
        "label.membership": Name(text=verdict.cover.plan) if verdict.cover else None,
        "label.credits_left": verdict.cover.credits if verdict.cover else None,
    }
    return Facts(
        title=Line(
            key="bookings.check_eligibility.title", values={**named, "when": moment(one.slot)}
        ),
        facts=facts_of(told),
    )


def ledger_row_in(
    context: Context, entries: tuple[LedgerEntry, ...], zone: str
) -> Callable[[LedgerEntry], TableRow]:
    """How one of these movements is shown; the classes they were for are looked up at once."""
    ids = {one.booking_id for one in entries if one.booking_id is not None}
    titles = queries.titles(context.session, ids, context.actor.language)
    return lambda entry: _ledger_row(entry, titles, zone)


def _ledger_row(entry: LedgerEntry, titles: dict[UUID, str], zone: str) -> TableRow:
    title = titles.get(entry.booking_id) if entry.booking_id else None
    cells = (
        Instant(at=entry.at, zone=zone),
        entry.delta,
        Term(key=f"credit.{entry.reason}"),
        Name(text=entry.plan),
        Name(text=title) if title else None,
        Day(date=entry.expires_on) if entry.expires_on else None,
    )
    return TableRow(id=str(entry.id), cells=cells)


_WAITLIST: Final = "waitlist"
_OVER_CAPACITY: Final = "over_capacity"


def _whom_if_full(context: Context, args: BookMember) -> str | None:
    """The name of who would be booked, where only the places are in the way."""
    session = context.session
    if args.lead_id is not None:
        lead = lead_queries.lead(session, args.lead_id)
        one = queries.session_view(session, args.class_session_id, context.actor.language)
        return lead.name if one.booked >= one.capacity and one.is_open(context.now) else None
    if args.member_id is None:
        return None
    verdict = service.check(session, args.class_session_id, args.member_id, now=context.now)
    return people.member(session, args.member_id).name if verdict.only_full else None


def _full(context: Context, session_id: UUID, name: str, *ways: str) -> Pick:
    one = queries.session_view(context.session, session_id, context.actor.language)
    values = {**session_values(one), "member": Name(text=name)}
    queue = Line(key="bookings.book_member.waitlist", values={"waiting": one.waiting})
    over = Line(key="bookings.book_member.over_capacity")
    options = (
        Option(id=_WAITLIST, label=queue, patch={"join_waitlist_if_full": True}),
        Option(id=_OVER_CAPACITY, label=over, patch={"override_reason": "over capacity"}),
    )
    ask = Line(key="bookings.book_member.full", values=values)
    return Pick(ask=ask, options=tuple(one for one in options if one.id in ways))


def _ask_gone(of: str, gone: Cancelled) -> Confirm:
    return Confirm(
        of=of,
        values=_cancel_values(gone),
        effects=(_credit_line(gone),),
        ref=booking_ref(gone.booking),
    )


def _place(gone: Cancelled) -> tuple[Line, ...]:
    number = gone.booking.position
    return () if number is None else (Line(key="note.waitlisted", values={"number": number}),)


def _ask_back(of: str, given: Refunded, reason: str) -> Confirm:
    kind = "returned" if given.credits else "free"
    credit = Line(
        key=f"bookings.cancel_for_member.effect_{kind}", values={"credits": given.credits}
    )
    why = Line(key="card.reason", values={"reason": Name(text=reason)})
    values = _back_values(given)
    return Confirm(of=of, values=values, effects=(credit, why), ref=booking_ref(given.booking))


def _back_values(given: Refunded) -> dict[str, Value]:
    """`credits` are what comes back."""
    return {**booking_values(given.booking), "credits": given.credits}


def _cancel_values(gone: Cancelled) -> dict[str, Value]:
    """`credits` are what comes back; `late` says why none does."""
    return {**booking_values(gone.booking), "credits": gone.credits, "late": gone.late}


def _credit_line(gone: Cancelled) -> Line:
    kind = "late" if gone.late else "returned" if gone.credits else "free"
    return Line(key=f"bookings.cancel_for_member.effect_{kind}", values={"credits": gone.credits})
