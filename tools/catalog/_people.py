"""Cards of people: members found, one member's profile, staff."""

from uuid import UUID

from app.bookings import queries as bookings
from app.core.actor import Role
from app.memberships import queries as memberships
from app.memberships.views import Cover
from app.people.views import FoundMember, MemberView, StaffView
from app.studio import queries as studio
from tools.catalog._cards import moment
from tools.kit.cards import Fact, Facts, Ref, TableRow
from tools.kit.declare import Context
from tools.kit.values import Code, Day, Instant, Line, Name, Names, Term, Value

MEMBER_COLUMNS = (
    "label.member",
    "label.match",
    "label.phone",
    "label.status",
    "label.membership",
)
STAFF_COLUMNS = ("label.name", "label.role", "label.can_coach")


def member_rows(context: Context, found: tuple[FoundMember, ...]) -> tuple[TableRow, ...]:
    today = studio.today(context.session, context.actor.org_id, context.now)
    ids = [one.member.id for one in found]
    plans = memberships.plans_of(context.session, ids, today)
    return tuple(_member_row(one, plans.get(one.member.id, ())) for one in found)


def profile(context: Context, member: MemberView) -> Facts:
    """What a coach may know; who hasn't paid is for admins (rule 2)."""
    told = {**_person(member), **_bought(context, member), **_visits(context, member)}
    return Facts(
        title=Line(key="read.get_member.title", values={"member": Name(text=member.name)}),
        facts=tuple(
            Fact(label=key, value=value) for key, value in told.items() if value is not None
        ),
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


def _bought(context: Context, member: MemberView) -> dict[str, Value | None]:
    today = studio.today(context.session, context.actor.org_id, context.now)
    held = [one for one in memberships.covers(context.session, member.id, today) if one.covers]
    counted = [one.credits for one in held if one.credits is not None]
    ends = [one.until for one in held if one.until is not None]
    return {
        "label.membership": Names(all=tuple(one.plan for one in held)) if held else None,
        "label.frozen": True if any(one.frozen for one in held) else None,
        "label.until": Day(date=max(ends)) if ends and len(ends) == len(held) else None,
        "label.credits_left": sum(counted) if counted else None,
        "label.unpaid": _unpaid(context, held),
    }


def _unpaid(context: Context, held: list[Cover]) -> bool | None:
    may_know = context.actor.role.at_least(Role.ADMIN)
    return any(one.unpaid for one in held) if may_know else None


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
