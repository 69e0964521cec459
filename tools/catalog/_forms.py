"""Cards of forms: what is shown, asked and told."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from app.forms import queries, service
from app.forms.fields import Answer, Field
from app.forms.views import Copy, InstanceFilter, InstanceView, MissingView, TemplateView
from app.studio.paging import Page
from tools.catalog import _form_args as args_of
from tools.catalog._cards import facts_of
from tools.catalog._when import shown_at, today_of, zone_of
from tools.kit.cards import Confirm, Done, Facts, Ref, Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Code, Day, Instant, Line, Name, Names, Quote, Term, Value

TEMPLATE_COLUMNS = (
    "label.form",
    "label.kind",
    "label.questions",
    "label.valid_days",
    "label.signature",
    "label.active",
)
INSTANCE_COLUMNS = (
    "label.member",
    "label.form",
    "label.status",
    "label.at",
    "label.due",
    "label.valid_until",
    "label.flagged",
    "label.undelivered",
)
MISSING_COLUMNS = ("label.member", "label.phone", "label.expired_on", "label.sent_at")
_QUESTIONS = ("label.question", "label.kind", "label.options", "label.required", "label.flagging")
_ANSWERS = ("label.question", "label.answer")


def template_row(one: TemplateView) -> TableRow:
    cells = (
        Name(text=one.title),
        Term(key=f"form_kind.{one.kind}"),
        len(one.fields),
        one.valid_for_days,
        one.requires_signature,
        None if one.active else Term(key="form.inactive"),
    )
    return TableRow(id=str(one.id), cells=cells)


def template_facts(one: TemplateView) -> Facts:
    told: dict[str, Value | None] = {
        "label.kind": Term(key=f"form_kind.{one.kind}"),
        "label.language": Term(key=f"language.{one.language}"),
        "label.form_version": one.number,
        "label.valid_days": one.valid_for_days,
        "label.signature": one.requires_signature,
        "label.active": one.active,
    }
    rows = tuple(_question_row(number, field) for number, field in enumerate(one.fields, 1))
    return Facts(
        title=Line(key="forms.get_template.title", values={"form": Name(text=one.title)}),
        facts=facts_of(told),
        ref=template_ref(one),
        tables=(
            Table(
                title=Line(key="forms.get_template.questions"),
                columns=_QUESTIONS,
                rows=rows,
                total=len(rows),
            ),
        ),
    )


def template_done(of: str, one: TemplateView) -> Done:
    return Done(of=of, values=_template_values(one), ref=template_ref(one))


def ask_delete_template(context: Context, args: args_of.OneTemplate) -> Confirm:
    one = service.check_deletable(context.session, args.form_template_id)
    waiting = queries.unanswered_count(context.session, one.id)
    effects = (Line(key="forms.delete_template.effect", values={"waiting": waiting}),)
    return Confirm(
        of="forms.delete_template",
        values=_template_values(one),
        effects=effects if waiting else (),
        ref=template_ref(one),
    )


def instances(context: Context, args: args_of.Instances) -> Page[InstanceView]:
    today = today_of(context)
    wanted = InstanceFilter(args.member_id, args.form_template_id, args.status)
    return queries.instances(context.session, wanted, today=today, cut=args.cut)


def instance(context: Context, instance_id: UUID) -> InstanceView:
    today = today_of(context)
    return queries.instance(context.session, instance_id, today=today)


def instance_row_in(context: Context) -> Callable[[InstanceView], TableRow]:
    zone = zone_of(context)
    return lambda one: TableRow(
        id=str(one.id),
        cells=(
            Name(text=one.member),
            Name(text=one.title),
            Term(key=f"form.{one.status}"),
            Instant(at=one.sent_at, zone=zone),
            Day(date=one.due_on) if one.due_on else None,
            Day(date=one.valid_until) if one.valid_until else None,
            one.flagged,
            one.undelivered,
        ),
    )


def instance_facts(context: Context, one: InstanceView) -> Facts:
    """With the answers, as far as this person may read them (rule 2)."""
    zone = zone_of(context)
    told: dict[str, Value | None] = {
        "label.status": Term(key=f"form.{one.status}"),
        "label.channel": Term(key=f"channel.{one.channel}"),
        "label.sent_at": Instant(at=one.sent_at, zone=zone),
        "label.undelivered": one.undelivered or None,
        "label.due": Day(date=one.due_on) if one.due_on else None,
        "label.opened_at": shown_at(one.opened_at, zone),
        "label.submitted_at": shown_at(one.submitted_at, zone),
        "label.valid_until": Day(date=one.valid_until) if one.valid_until else None,
        "label.flagged": one.flagged or None,
        "label.decision": Term(key=f"form_decision.{one.decision}") if one.decision else None,
        "label.by": Name(text=one.reviewed_by) if one.reviewed_by else None,
        "label.note": Quote(text=one.review_note) if one.review_note else None,
    }
    copy = queries.copy(context.session, one.id)
    if copy is not None and copy.signed_by:
        told["label.signed_by"] = Name(text=copy.signed_by)
    return Facts(
        title=Line(key="forms.get_instance.title", values=instance_values(one)),
        facts=facts_of(told),
        ref=_instance_ref(one),
        tables=() if copy is None else (_answers(context, copy),),
    )


def missing(context: Context, args: args_of.Missing) -> Page[MissingView]:
    today = today_of(context)
    through = today + timedelta(days=args.expiring_within_days)
    return queries.missing(
        context.session, args.form_template_id, today=today, through=through, cut=args.cut
    )


def missing_row_in(context: Context) -> Callable[[MissingView], TableRow]:
    zone = zone_of(context)
    return lambda one: TableRow(
        id=str(one.member.id),
        cells=(
            Name(text=one.member.name),
            Code(text=one.member.phone) if one.member.phone else None,
            Day(date=one.expired_on) if one.expired_on else None,
            shown_at(one.waiting_since, zone),
        ),
    )


def missing_title(context: Context, template_id: UUID) -> Line:
    one = queries.template(context.session, template_id)
    return Line(key="forms.list_missing.title", values={"form": Name(text=one.title)})


def instance_done(of: str, one: InstanceView) -> Done:
    return Done(of=of, values=instance_values(one), ref=_instance_ref(one))


def ask_cancel(context: Context, args: args_of.OneInstance) -> Confirm:
    service.check_cancellable(context.session, args.form_instance_id)
    one = instance(context, args.form_instance_id)
    return Confirm(of="forms.cancel_instance", values=instance_values(one), ref=_instance_ref(one))


def instance_values(one: InstanceView) -> dict[str, Value]:
    told: dict[str, Value] = {
        "form": Name(text=one.title),
        "member": Name(text=one.member),
        "channel": Term(key=f"channel.{one.channel}"),
    }
    if one.decision is not None:
        told["decision"] = Term(key=f"form_decision.{one.decision}")
    return told


def _answers(context: Context, copy: Copy) -> Table:
    may_read = queries.may_read_medical(context.actor)
    rows = tuple(
        TableRow(
            id=str(number),
            cells=(
                Name(text=field.label),
                Term(key="form.hidden") if field.medical and not may_read else _answer(given),
            ),
        )
        for number, (field, given) in enumerate(copy.answers, 1)
    )
    title = Line(key="forms.get_instance.answers")
    return Table(title=title, columns=_ANSWERS, rows=rows, total=len(rows))


def _answer(given: Answer | None) -> Value | None:
    match given:
        case None:
            return None
        case bool():
            return Term(key="value.yes" if given else "value.no")
        case float():
            return Name(text=f"{given:g}")
        case str():
            return Quote(text=given)


def _question_row(number: int, field: Field) -> TableRow:
    cells = (
        Name(text=field.label),
        Term(key=f"field_type.{field.type}"),
        Names(all=field.options) if field.options else None,
        field.required,
        field.flags,
    )
    return TableRow(id=str(number), cells=cells)


def _template_values(one: TemplateView) -> dict[str, Value]:
    return {
        "form": Name(text=one.title),
        "kind": Term(key=f"form_kind.{one.kind}"),
        "questions": len(one.fields),
        "number": one.number,
        "off": not one.active,
    }


def template_ref(one: TemplateView) -> Ref:
    return Ref(entity="form_template", id=one.id, version=one.version)


def _instance_ref(one: InstanceView) -> Ref:
    return Ref(entity="form_instance", id=one.id, version=one.version)
