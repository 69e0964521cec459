"""Forms: health declarations, waivers and whatever else members fill in and sign."""

from app.forms import queries, service
from i18n import N_
from tools.catalog import _form_sending, _forms
from tools.catalog._cards import listing
from tools.catalog._form_args import (
    Instances,
    Missing,
    NewTemplate,
    OneInstance,
    OneTemplate,
    Reviewing,
    Sending,
    SendingMany,
    TemplateChanges,
    Templates,
)
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import ADMIN, SNAPSHOT, Context, Effect, Started, tool
from tools.kit.values import Line


@tool(Effect.READ, "GET /form-templates", label=N_("List forms"), quick=True)
def list_templates(context: Context, args: Templates) -> Table:
    """List the gym's forms, such as health declaration, waiver and check-in (default: in use)."""
    found = queries.templates(context.session, kind=args.kind, active=args.active, cut=args.cut)
    title = Line(key="forms.list_templates.title")
    return listing(title, _forms.TEMPLATE_COLUMNS, found, _forms.template_row)


@tool(Effect.READ, "GET /form-templates/{form_template_id}", label=N_("Show a form"), quick=True)
def get_template(context: Context, args: OneTemplate) -> Facts:
    """Show a form's questions and settings, in the version that is sent now."""
    return _forms.template_facts(queries.template(context.session, args.form_template_id))


@tool(
    Effect.WRITE,
    "POST /form-templates",
    label=N_("Add a form"),
    role=ADMIN,
    undo="delete_template",
)
def create_template(context: Context, args: NewTemplate) -> Done:
    """Add a form with its questions; in a health declaration each yes wants a look."""
    made = service.create(context.session, context.actor, args.new, now=context.now)
    return _forms.template_done("forms.create_template", made)


@tool(
    Effect.WRITE,
    "PATCH /form-templates/{form_template_id}",
    label=N_("Change a form"),
    role=ADMIN,
    undo=SNAPSHOT,
)
def update_template(context: Context, args: TemplateChanges) -> Done:
    """Change a form or switch it off; what was sent already keeps the version it had."""
    made = service.update(
        context.session,
        args.form_template_id,
        args.changes,
        now=context.now,
        expected_version=args.expected_version,
    )
    return _forms.template_done("forms.update_template", made)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /form-templates/{form_template_id}",
    label=N_("Delete a form"),
    role=ADMIN,
    confirm=_forms.ask_delete_template,
    undo=SNAPSHOT,
)
def delete_template(context: Context, args: OneTemplate) -> Done:
    """Delete a form that nobody has signed; one with signed copies can only be switched off."""
    gone = service.delete(context.session, args.form_template_id)
    return _forms.template_done("forms.delete_template", gone)


@tool(Effect.READ, "GET /form-instances", label=N_("List sent forms"), quick=True)
def list_instances(context: Context, args: Instances) -> Table:
    """List sent forms by member, form or status, the last sent first."""
    found = _forms.instances(context, args)
    title = Line(key="forms.list_instances.title")
    return listing(title, _forms.INSTANCE_COLUMNS, found, _forms.instance_row_in(context))


@tool(Effect.READ, "GET /form-instances/{form_instance_id}", label=N_("Show a sent form"))
def get_instance(context: Context, args: OneInstance) -> Facts:
    """Show a sent form with its answers; medical ones are hidden from coaches."""
    return _forms.instance_facts(context, _forms.instance(context, args.form_instance_id))


@tool(
    Effect.READ,
    "GET /form-templates/{form_template_id}/missing",
    label=N_("List who hasn't signed a form"),
    quick=True,
)
def list_missing(context: Context, args: Missing) -> Table:
    """List active members without a signed copy that counts, or whose copy soon ends."""
    title = _forms.missing_title(context, args.form_template_id)
    found = _forms.missing(context, args)
    return listing(title, _forms.MISSING_COLUMNS, found, _forms.missing_row_in(context))


@tool(
    Effect.WRITE,
    "POST /form-instances",
    label=N_("Send a form"),
    confirm=_form_sending.ask_send,
    always=True,
    undo="cancel_instance",
)
def send_instance(context: Context, args: Sending) -> Done:
    """Send a member the link to a form; the link itself is shown to nobody else."""
    made, plan = service.send(
        context.session, context.actor, args.wish, args.member_id, now=context.now
    )
    return _form_sending.sent(context, args, made, plan)


@tool(
    Effect.WRITE,
    "POST /form-instances/bulk",
    label=N_("Send a form to many"),
    role=ADMIN,
    confirm=_form_sending.ask_send_many,
    always=True,
    undo=SNAPSHOT,
    step=_form_sending.send_one,
)
def bulk_send(context: Context, args: SendingMany) -> Started:
    """Send a form to some members, to a saved group, or to all who miss it: one of the three."""
    return _form_sending.send_to_many(context, args)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /form-instances/{form_instance_id}",
    label=N_("Cancel a sent form"),
    confirm=_forms.ask_cancel,
    undo=SNAPSHOT,
)
def cancel_instance(context: Context, args: OneInstance) -> Done:
    """Cancel a sent form that wasn't answered; its link leads nowhere any more."""
    service.cancel(context.session, args.form_instance_id)
    one = _forms.instance(context, args.form_instance_id)
    return _forms.instance_done("forms.cancel_instance", one)


@tool(
    Effect.WRITE,
    "POST /form-instances/{form_instance_id}/review",
    label=N_("Review a form"),
    undo=SNAPSHOT,
)
def mark_reviewed(context: Context, args: Reviewing) -> Done:
    """Mark an answered form reviewed; a flagged health declaration counts once it is approved."""
    one = service.mark_reviewed(
        context.session,
        context.actor,
        args.form_instance_id,
        args.decision,
        now=context.now,
        note=args.note,
    )
    return _forms.instance_done("forms.mark_reviewed", one)
