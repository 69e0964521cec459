"""Cards of broadcasts: who gets what, who is left out and why, when it leaves."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from app.messages import service
from app.messages.texts import filled
from app.messages.views import BroadcastView, LeftOut, Plan
from app.studio import queries as studio
from tools.catalog._cards import facts_of
from tools.catalog._message_args import OneBroadcast, Scheduling, Sending
from tools.catalog._messages import how_lines, refusal
from tools.catalog._when import instant_of, zone_of
from tools.kit.cards import Confirm, Done, Facts, Ref, Table, TableRow
from tools.kit.declare import Args, Context, Item, Started
from tools.kit.values import Code, Count, Instant, Line, Names, Quote, Term, Value

MOST_NAMES = 300
"""So many people are told by name; of more, how many they are."""


def plan_now(context: Context, args: Sending) -> Plan:
    """Raises AudienceChanged, AudienceEmpty and all that a preview does."""
    found = service.plan(context.session, context.actor, args.audience, args.said, now=context.now)
    return service.checked(found, args.audience_hash)


def plan_later(context: Context, args: Scheduling) -> Plan:
    send_at = instant_of(context, args.send_at)
    return service.plan_later(
        context.session,
        context.actor,
        args.audience,
        args.said,
        send_at=send_at,
        now=context.now,
    )


def preview(context: Context, found: Plan) -> Facts:
    told: dict[str, Value | None] = {
        "label.recipients": len(found.recipients),
        "label.not_getting": len(found.left_out),
        "label.channel": Term(key=f"channel.{found.draft.channel}"),
        "label.leaves_at": _later(context, found.leaves_at),
        "label.audience_hash": Code(text=found.audience_hash),
    }
    return Facts(
        title=Line(key="messages.preview_broadcast.title"),
        facts=facts_of(told),
        tables=(_samples(context, found), *left_out_table(found.left_out)),
    )


def ask_send(context: Context, args: Sending) -> Confirm:
    found = plan_now(context, args)
    return Confirm(
        of="messages.send_broadcast", values=_values(context, found), effects=effects(found)
    )


def ask_schedule(context: Context, args: Scheduling) -> Confirm:
    found = plan_later(context, args)
    return Confirm(
        of="messages.schedule_broadcast", values=_values(context, found), effects=effects(found)
    )


def ask_cancel(context: Context, args: OneBroadcast) -> Confirm:
    one = service.preview_cancel(context.session, args.broadcast_id)
    return Confirm(of="messages.cancel_scheduled", values=_told(context, one), ref=_ref(one))


def started(made: BroadcastView, found: Plan) -> Started:
    """One item a person; the last one closes it."""
    items = [Item(id=str(one.person.id), name=one.person.name) for one in found.recipients]
    broadcast = {"broadcast_id": str(made.id)}
    return Started(
        items=tuple(one.model_copy(update={"more": broadcast}) for one in items),
        counted="messages",
        values={"channel": Term(key=f"channel.{made.channel}"), "text": Quote(text=made.body)},
        ref=_ref(made),
    )


def send_one(context: Context, _: Args, item: Item) -> None:
    """Raises a Refusal where this one may not be written to any more."""
    broadcast_id = UUID(item.more["broadcast_id"])
    service.write_one(context.session, broadcast_id, UUID(item.id), now=context.now)


def done(context: Context, of: str, one: BroadcastView) -> Done:
    return Done(of=of, values=_told(context, one), ref=_ref(one))


def effects(found: Plan) -> tuple[Line, ...]:
    """The kind, each text in full with how many get it, the people, and who is left out."""
    return (*how_lines(found), *_texts(found), *_people(found), *left_out_lines(found.left_out))


def _texts(found: Plan) -> Iterator[Line]:
    for language, number in _split(found).items():
        body = found.draft.wording.variants[language].body
        values: dict[str, Value] = {
            "language": Term(key=f"language.{language}"),
            "number": number,
            "text": Quote(text=filled(body, found.draft.wording.given)),
        }
        yield Line(key="messages.broadcast.text", values=values)


def _people(found: Plan) -> Iterator[Line]:
    names = tuple(one.person.name for one in found.recipients)
    if len(names) <= MOST_NAMES:
        yield Line(key="messages.broadcast.people", values={"people": Names(all=names)})


def left_out_lines(left_out: Sequence[LeftOut]) -> Iterator[Line]:
    """Who isn't written to, by reason."""
    for code, names in _by_reason(left_out).items():
        values: dict[str, Value] = {
            "reason": refusal(code),
            "number": len(names),
            "people": Names(all=names[:MOST_NAMES]),
        }
        yield Line(key="messages.broadcast.left_out", values=values)


def _by_reason(left_out: Sequence[LeftOut]) -> dict[str, tuple[str, ...]]:
    names: dict[str, list[str]] = defaultdict(list)
    for one in left_out:
        names[one.reason.code].append(one.person.name)
    return {code: tuple(found) for code, found in names.items()}


def _split(found: Plan) -> dict[str, int]:
    """How many get it in each language, the gym's biggest group first."""
    numbers: dict[str, int] = defaultdict(int)
    for one in found.recipients:
        numbers[one.language] += 1
    return dict(sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0])))


def _samples(context: Context, found: Plan) -> Table:
    """Each text as the first who gets it will read it."""
    gym = studio.org(context.session, context.actor.org_id).name
    rows = [
        TableRow(
            id=language,
            cells=(
                Term(key=f"language.{language}"),
                number,
                Quote(text=_sample(found, language, gym)),
            ),
        )
        for language, number in _split(found).items()
    ]
    return Table(
        title=Line(key="messages.preview_broadcast.texts"),
        columns=("label.language", "label.recipients", "label.text"),
        rows=tuple(rows),
        total=len(rows),
    )


def _sample(found: Plan, language: str, gym: str) -> str:
    person = next(one.person for one in found.recipients if one.language == language)
    body = found.draft.wording.variants[language].body
    return filled(body, {**found.draft.wording.given, **person.words(gym)})


def left_out_table(left_out: Sequence[LeftOut]) -> tuple[Table, ...]:
    rows = [
        TableRow(id=code, cells=(refusal(code), len(names), Names(all=names)))
        for code, names in _by_reason(left_out).items()
    ]
    table = Table(
        title=Line(key="messages.preview_broadcast.left_out"),
        columns=("label.reason", "label.recipients", "label.name"),
        rows=tuple(rows),
        total=len(rows),
    )
    return (table,) if rows else ()


def _values(context: Context, found: Plan) -> dict[str, Value]:
    """`audience` marks just these people: an approval is of them alone (rule 37)."""
    return {
        "recipients": Count(n=len(found.recipients), of="recipients"),
        "channel": Term(key=f"channel.{found.draft.channel}"),
        "left_out": len(found.left_out),
        "audience": Code(text=found.audience_hash),
        **({"when": when} if (when := _later(context, found.leaves_at)) else {}),
    }


def _told(context: Context, one: BroadcastView) -> dict[str, Value]:
    return {
        "recipients": Count(n=one.recipients, of="recipients"),
        "channel": Term(key=f"channel.{one.channel}"),
        "when": Instant(at=one.send_at, zone=zone_of(context)),
        "text": Quote(text=one.body),
    }


def _later(context: Context, leaves_at: datetime) -> Instant | None:
    return Instant(at=leaves_at, zone=zone_of(context)) if leaves_at > context.now else None


def _ref(one: BroadcastView) -> Ref:
    return Ref(entity="broadcast", id=one.id, version=one.version)
