"""Cards of messages to one person, and of templates."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from app.messages import service
from app.messages.views import Plan, SentView, TemplateView
from tools.catalog._message_args import NewMessage, OneTemplate
from tools.catalog._when import zone_of
from tools.kit.cards import Confirm, Done, Ref, TableRow
from tools.kit.declare import Context
from tools.kit.values import Count, Instant, Line, Name, Quote, Term, Value

_TOLD = frozenset(
    {
        "person_gone",
        "no_address",
        "opted_out",
        "no_consent",
        "over_cap",
        "window_closed",
        "form_waiting",
        "form_not_reachable",
        "switched_off",
        "no_longer_so",
        "automation_cap",
    }
)
"""Reasons that have words of their own."""
SENT_COLUMNS = (
    "label.at",
    "label.recipient",
    "label.channel",
    "label.status",
    "label.delivered",
    "label.failed",
    "label.reason",
    "label.text",
)
TEMPLATE_COLUMNS = (
    "label.name",
    "label.channel",
    "label.language",
    "label.category",
    "label.approval",
    "label.text",
)


def ask_send(context: Context, args: NewMessage) -> Confirm:
    plan = service.plan_to_member(
        context.session, context.actor, args.member_id, args.said, now=context.now
    )
    return Confirm(
        of="messages.send_to_member",
        values=_values(context, plan),
        effects=(
            *how_lines(plan),
            *_other_language(plan),
            *later_lines(plan.leaves_at, context),
        ),
        ref=Ref(entity="member", id=args.member_id),
    )


def sent(context: Context, message_id: UUID, plan: Plan) -> Done:
    return Done(
        of="messages.send_to_member",
        values=_values(context, plan),
        notes=later_lines(plan.leaves_at, context),
        ref=Ref(entity="message", id=message_id),
    )


def later_lines(leaves_at: datetime, context: Context) -> tuple[Line, ...]:
    """That it waits for the end of the quiet hours."""
    if leaves_at <= context.now:
        return ()
    when = Instant(at=leaves_at, zone=zone_of(context))
    return (Line(key="messages.leaves_later", values={"when": when}),)


def how_lines(plan: Plan) -> tuple[Line, ...]:
    """That it is an offer, and by which template it goes."""
    offer = (Line(key=f"messages.kind_{plan.draft.category}"),)
    if plan.draft.template is None:
        return offer
    named: dict[str, Value] = {"name": Name(text=plan.draft.template)}
    return (*offer, Line(key="messages.by_template", values=named))


def _other_language(plan: Plan) -> tuple[Line, ...]:
    """That it isn't written in the language they are spoken to in."""
    (recipient,) = plan.recipients
    own = recipient.person.language
    if own == recipient.language:
        return ()
    told = {"language": Term(key=f"language.{own}")}
    return (Line(key="messages.other_language", values={**told}),)


def template_done(of: str, one: TemplateView) -> Done:
    return Done(of=of, values=_template_values(one), ref=_template_ref(one))


def ask_delete_template(context: Context, args: OneTemplate) -> Confirm:
    one = service.preview_delete_template(context.session, args.message_template_id)
    return Confirm(
        of="messages.delete_template", values=_template_values(one), ref=_template_ref(one)
    )


def sent_row_in(zone: str) -> Callable[[SentView], TableRow]:
    return lambda one: _sent_row(one, zone)


def template_row(one: TemplateView) -> TableRow:
    cells = (
        Name(text=one.name),
        Term(key=f"channel.{one.channel}"),
        Term(key=f"language.{one.language}"),
        Term(key=f"category.{one.category}"),
        Term(key=f"approval.{one.provider_status}"),
        Quote(text=one.body),
    )
    return TableRow(id=str(one.id), cells=cells)


def _sent_row(one: SentView, zone: str) -> TableRow:
    many = one.to is None
    cells: tuple[Value | None, ...] = (
        Instant(at=one.at, zone=zone),
        Count(n=one.recipients, of="recipients") if one.to is None else Name(text=one.to),
        Term(key=f"channel.{one.channel}"),
        Term(key=f"{'broadcast' if many else 'message'}.{one.state}"),
        one.delivered if many else None,
        one.failed if many and one.failed else None,
        _reason(one),
        Quote(text=one.body),
    )
    return TableRow(id=str(one.id), cells=cells)


def refusal(code: str) -> Term:
    """Why somebody wasn't written to, or something not done for them."""
    return Term(key=f"refusal.{code}" if code in _TOLD else "refusal.failed")


def _reason(one: SentView) -> Term | None:
    if one.reason is not None:
        return refusal(one.reason)
    return None if one.error_code is None else Term(key="refusal.provider")


def _values(context: Context, plan: Plan) -> dict[str, Value]:
    (recipient,) = plan.recipients
    text = service.text_of(context.session, context.actor.org_id, plan)
    return {
        "member": Name(text=recipient.person.name),
        "channel": Term(key=f"channel.{plan.draft.channel}"),
        "language": Term(key=f"language.{recipient.language}"),
        "text": Quote(text=text),
    }


def _template_values(one: TemplateView) -> dict[str, Value]:
    return {
        "name": Name(text=one.name),
        "channel": Term(key=f"channel.{one.channel}"),
        "language": Term(key=f"language.{one.language}"),
        "approval": Term(key=f"approval.{one.provider_status}"),
        "text": Quote(text=one.body),
    }


def _template_ref(one: TemplateView) -> Ref:
    return Ref(entity="message_template", id=one.id, version=one.version)
