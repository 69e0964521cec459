"""Cards of people: members found, one member's profile, staff."""

from collections.abc import Iterator
from datetime import date, timedelta
from uuid import UUID

from app.bookings import queries as bookings
from app.core.actor import Role
from app.memberships import queries as memberships
from app.memberships.views import Cover
from app.people import queries as people
from app.people.views import FoundMember, MemberView, NoteView, Profile, StaffView
from app.studio import queries as studio
from app.studio.paging import Cut
from app.studio.policy import merged
from tools.catalog._cards import facts_of, listing, moment
from tools.catalog._when import today_of
from tools.kit.cards import Facts, Ref, Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Code, Day, Instant, Line, Name, Names, Quote, Term, Terms, Value

MEMBER_COLUMNS = (
    "label.member",
    "label.match",
    "label.phone",
    "label.status",
    "label.membership",
)
NOTE_COLUMNS = ("label.at", "label.kind", "label.text", "label.author")
NOTES = 5
SOON = timedelta(days=14)
FEW = 1
STAFF_COLUMNS = ("label.name", "label.role", "label.can_coach")


def member_rows(context: Context, found: tuple[FoundMember, ...]) -> tuple[TableRow, ...]:
    today = today_of(context)
    ids = [one.member.id for one in found]
    plans = memberships.plans_of(context.session, ids, today)
    return tuple(_member_row(one, plans.get(one.member.id, ())) for one in found)


def profile(context: Context, found: Profile) -> Facts:
    """What a coach may know; who hasn't paid, and notes for admins, are for admins (rule 2)."""
    member, org = found.member, studio.org(context.session, context.actor.org_id)
    today = studio.today(context.session, org.id, context.now)
    held = memberships.covers(context.session, member.id, today)
    policy = merged(org.booking_policy)
    told = {
        **_person(member),
        **_known(found),
        **_bought([one for one in held if one.covers]),
        "label.unpaid": _unpaid(context, member.id, today),
        **_visits(context, member),
        "label.flags": _flags(found, held, needs_form=policy.needs_health_form, today=today),
    }
    return Facts(
        title=Line(key="read.get_member.title", values={"member": Name(text=member.name)}),
        facts=facts_of(told),
        tables=tuple(_notes(context, member, org.timezone)),
        ref=Ref(entity="member", id=member.id, version=member.version),
    )


def staff_row(person: StaffView, class_types: dict[UUID, str]) -> TableRow:
    names = tuple(class_types[one] for one in person.class_type_ids if one in class_types)
    cells = (
        Name(text=person.name),
        Term(key=f"role.{person.role}"),
        Names(all=names) if names else None,
    )
    return TableRow(id=str(person.id), cells=cells)


def _member_row(found: FoundMember, plans: tuple[str, ...]) -> TableRow:
    member = found.member
    cells = (
        Name(text=member.name),
        Term(key="match.exact" if found.exact else "match.close"),
        Code(text=member.phone) if member.phone else None,
        Term(key=f"member.{member.status}"),
        Names(all=plans) if plans else None,
    )
    return TableRow(id=str(member.id), cells=cells)


def _person(member: MemberView) -> dict[str, Value | None]:
    return {
        "label.status": Term(key=f"member.{member.status}"),
        "label.phone": Code(text=member.phone) if member.phone else None,
        "label.email": Code(text=member.email) if member.email else None,
        "label.language": Term(key=f"language.{member.language}"),
        "label.since": Day(date=member.joined_on),
        "label.tags": Names(all=member.tags) if member.tags else None,
        "label.health_form_until": Day(date=member.health_form_until)
        if member.health_form_until
        else None,
    }


def _known(found: Profile) -> dict[str, Value | None]:
    """What the gym knows beside the contacts, as far as it does."""
    texts = {
        "label.nickname": found.nickname,
        "label.primary_coach": found.primary_coach,
        "label.emergency_contact": found.emergency_contact,
        "label.suspend_reason": found.suspend_reason,
        "label.archive_reason": found.archive_reason,
    }
    return {
        **{key: Name(text=text) if text else None for key, text in texts.items()},
        "label.birth_date": Day(date=found.birth_date) if found.birth_date else None,
        "label.gender": Term(key=f"gender.{found.gender}") if found.gender else None,
    }


def _flags(
    found: Profile, held: tuple[Cover, ...], *, needs_form: bool, today: date
) -> Terms | None:
    """What whoever meets this member should know at once."""
    covering = [one for one in held if one.covers]
    ends = [one.until for one in covering if one.until is not None]
    counted = [one.credits for one in covering if one.credits is not None]
    declared = found.member.health_form_until or date.min
    born = found.birth_date
    flags = {
        "no_membership": not covering,
        "ends_soon": len(ends) == len(covering) > 0 and max(ends) <= today + SOON,
        "credits_low": bool(counted) and sum(counted) <= FEW,
        "form_missing": needs_form and declared < today,
        "birthday": born is not None and (born.month, born.day) == (today.month, today.day),
    }
    keys = tuple(f"flag.{name}" for name, so in flags.items() if so)
    return Terms(keys=keys) if keys else None


def _notes(context: Context, member: MemberView, zone: str) -> Iterator[Table]:
    """The last few, as far as this person may see them."""
    found = people.notes(context.session, context.actor, member.id, cut=Cut(NOTES))
    if found.rows:
        title = Line(key="read.get_member.notes")
        yield listing(title, NOTE_COLUMNS, found, lambda note: _note_row(note, zone))


def _note_row(note: NoteView, zone: str) -> TableRow:
    cells = (
        Instant(at=note.at, zone=zone),
        Term(key=f"note_kind.{note.kind}"),
        Quote(text=note.body),
        Name(text=note.author) if note.author else None,
    )
    return TableRow(id=str(note.id), cells=cells)


def _bought(held: list[Cover]) -> dict[str, Value | None]:
    counted = [one.credits for one in held if one.credits is not None]
    ends = [one.until for one in held if one.until is not None]
    return {
        "label.membership": Names(all=tuple(one.plan for one in held)) if held else None,
        "label.frozen": True if any(one.frozen for one in held) else None,
        "label.until": Day(date=max(ends)) if ends and len(ends) == len(held) else None,
        "label.credits_left": sum(counted) if counted else None,
    }


def _unpaid(context: Context, member_id: UUID, today: date) -> bool | None:
    may_know = context.actor.role.at_least(Role.ADMIN)
    return memberships.in_debt(context.session, member_id, today) if may_know else None


def _visits(context: Context, member: MemberView) -> dict[str, Value | None]:
    session, actor = context.session, context.actor
    ahead = bookings.next_booking(session, member.id, actor.language, now=context.now)
    last = bookings.last_visit(session, member.id)
    zone = studio.org(session, actor.org_id).timezone
    return {
        "label.next_booking": moment(ahead.slot) if ahead else None,
        "label.next_class": Name(text=ahead.title) if ahead else None,
        "label.last_visit": Instant(at=last, zone=zone) if last else None,
    }
