"""Cards of sending forms: to whom, in which words, and who is left out."""

from uuid import UUID

from app.core.errors import BadInput
from app.forms import queries, service
from app.forms.service import FORM_LINK
from app.forms.views import SendPlan
from app.messages import queries as messages
from app.messages.views import Audience
from app.studio import queries as studio
from app.studio.paging import Cut
from i18n import Language, Shown, formats, phrase
from tools.catalog._form_args import Sending, SendingMany
from tools.catalog._forms import template_ref
from tools.catalog._messages import later_lines
from tools.kit.cards import Confirm, Done, Ref
from tools.kit.declare import Context, Item, Started
from tools.kit.values import Day, Line, Name, Names, Quote, Term, Value

_EVERYBODY = Cut(limit=5_000)


def ask_send(context: Context, args: Sending) -> Confirm:
    plan = service.preview_send(
        context.session, context.actor, args.wish, args.member_id, now=context.now
    )
    (member,) = plan.recipients
    return Confirm(
        of="forms.send_instance",
        values={**_send_values(plan, args), "member": Name(text=member.name)},
        effects=(*_texts(context, plan, args), *later_lines(plan.leaves_at, context)),
        ref=Ref(entity="member", id=member.id),
    )


def sent(context: Context, args: Sending, instance_id: UUID, plan: SendPlan) -> Done:
    (member,) = plan.recipients
    return Done(
        of="forms.send_instance",
        values={**_send_values(plan, args), "member": Name(text=member.name)},
        notes=later_lines(plan.leaves_at, context),
        ref=Ref(entity="form_instance", id=instance_id),
    )


def ask_send_many(context: Context, args: SendingMany) -> Confirm:
    plan = plan_many(context, args)
    names = Names(all=tuple(one.name for one in plan.recipients))
    left_out = Names(all=tuple(one.member.name for one in plan.left_out))
    told: dict[str, Value] = {"recipients": len(plan.recipients), "names": names}
    without = Line(key="forms.bulk_send.left_out", values={"names": left_out})
    return Confirm(
        of="forms.bulk_send",
        values={**_send_values(plan, args), **told},
        effects=(
            *_texts(context, plan, args),
            *((without,) if plan.left_out else ()),
            *later_lines(plan.leaves_at, context),
        ),
        ref=template_ref(plan.template),
    )


def send_to_many(context: Context, args: SendingMany) -> Started:
    """To those who can get it now; who can't is told in the question and on the card."""
    plan = plan_many(context, args)
    people = (*plan.recipients, *(one.member for one in plan.left_out))
    return Started(
        items=tuple(Item(id=str(one.id), name=one.name) for one in people),
        counted="forms",
        values=_send_values(plan, args),
        notes=later_lines(plan.leaves_at, context),
        ref=template_ref(plan.template),
    )


def send_one(context: Context, args: SendingMany, item: Item) -> None:
    service.send(context.session, context.actor, args.wish, UUID(item.id), now=context.now)


def plan_many(context: Context, args: SendingMany) -> SendPlan:
    """Raises BadInput unless it says in one way who is meant, and where nobody is."""
    ways = (bool(args.member_ids), args.segment_id is not None, args.missing)
    ids = _meant(context, args)
    if sum(ways) != 1 or not ids:
        raise BadInput(fields=("member_ids", "segment_id", "missing"))
    return service.plan(context.session, context.actor, args.wish, ids, now=context.now)


def _meant(context: Context, args: SendingMany) -> list[UUID]:
    session, actor = context.session, context.actor
    if args.missing:
        today = studio.today(session, actor.org_id, context.now)
        found = queries.missing(
            session, args.form_template_id, today=today, through=today, cut=_EVERYBODY
        )
        return [one.member.id for one in found.rows]
    if args.segment_id is not None:
        audience = Audience(segment_id=args.segment_id)
        return [one.id for one in messages.members(session, actor, audience, context.now)]
    return [*args.member_ids]


def _send_values(plan: SendPlan, args: Sending | SendingMany) -> dict[str, Value]:
    due: dict[str, Value] = {"due": Day(date=args.due_on)} if args.due_on else {}
    return {
        "form": Name(text=plan.template.title),
        "channel": Term(key=f"channel.{args.channel}"),
        **due,
    }


def _texts(context: Context, plan: SendPlan, args: Sending | SendingMany) -> tuple[Line, ...]:
    """What they will read, in each language in which somebody of them is written to."""
    languages = sorted({Language.of(one.language) for one in plan.recipients})
    return tuple(
        Line(key="forms.message", values={"text": Quote(text=_text(context, plan, args, one))})
        for one in languages
    )


def _text(
    context: Context,
    plan: SendPlan,
    args: Sending | SendingMany,
    language: Language,
) -> str:
    org = studio.org(context.session, context.actor.org_id)
    today = studio.today(context.session, org.id, context.now)
    words = {
        "gym": Shown(org.name),
        "form": Shown(plan.template.title),
        "link": Shown("https://…"),
    }
    if args.due_on is not None:
        words["due"] = formats.day(args.due_on, language, today=today)
    return phrase(f"notice.{FORM_LINK}", language, words)
