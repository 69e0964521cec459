"""Extending many memberships at once: which, what is asked, and what is begun."""

from app.memberships import queries, service
from app.memberships.views import MembershipView
from tools.catalog._when import today_of
from tools.catalog.memberships._commerce_args import BulkExtension
from tools.kit.cards import Confirm
from tools.kit.declare import Context, Item, Started
from tools.kit.values import Count, Line, Names, Value


def ask(context: Context, args: BulkExtension) -> Confirm:
    able, rest = _sorted_out(context, args)
    names = Names(all=tuple(dict.fromkeys(one.member for one in able)))
    people = (Line(key="memberships.bulk_extend.people", values={"people": names}),) if able else ()
    return Confirm(
        of="memberships.bulk_extend",
        values=_bulk_values(args, len(able)),
        effects=(*people, *_skipped(rest)),
    )


def started(context: Context, args: BulkExtension) -> Started:
    able, rest = _sorted_out(context, args)
    return Started(
        items=tuple(Item(id=str(one.id), name=one.member) for one in able),
        counted="memberships",
        values={"days": Count(n=args.days, of="days")},
        notes=_skipped(rest),
    )


def _sorted_out(
    context: Context, args: BulkExtension
) -> tuple[list[MembershipView], list[MembershipView]]:
    """What can be extended, and what goes on anyway or is being cancelled."""
    found = queries.extensible(context.session, args.filter.wanted, today_of(context))
    able = [one for one in found if service.extensible(one)]
    return able, [one for one in found if not service.extensible(one)]


def _skipped(rest: list[MembershipView]) -> tuple[Line, ...]:
    endless = sum(one.end_date is None for one in rest)
    leaving = len(rest) - endless
    lines = []
    if endless:
        lines.append(Line(key="memberships.bulk_extend.endless", values={"n": endless}))
    if leaving:
        lines.append(Line(key="memberships.bulk_extend.leaving", values={"n": leaving}))
    return tuple(lines)


def _bulk_values(args: BulkExtension, count: int) -> dict[str, Value]:
    return {
        "memberships": Count(n=count, of="memberships"),
        "days": Count(n=args.days, of="days"),
    }
