"""Leads: people who may join, from the first word to the plan they buy."""

from app.leads import queries, service
from i18n import N_
from tools.catalog import _leads
from tools.catalog._cards import listing
from tools.catalog._lead_args import (
    Converting,
    FollowingUp,
    LeadChangesArgs,
    Leads,
    Logging,
    Losing,
    NewLeadArgs,
    OneLead,
    Pipeline,
    Staging,
)
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import ADMIN, SNAPSHOT, Context, Effect, tool
from tools.kit.values import Line


@tool(Effect.READ, "GET /leads/{lead_id}", label=N_("Show a lead"), quick=True)
def get(context: Context, args: OneLead) -> Facts:
    """Show one lead: contact, stage, trial, next step, open tasks and what was done so far."""
    return _leads.facts(context, queries.lead(context.session, args.lead_id))


@tool(Effect.READ, "GET /leads/pipeline", label=N_("Show the lead pipeline"), quick=True)
def get_pipeline(context: Context, args: Pipeline) -> Facts:
    """Count the leads of each open stage, and name those that have been there longest."""
    return _leads.pipeline(context, queries.pipeline(context.session, _leads.of(context, args)))


@tool(Effect.WRITE, "POST /leads", label=N_("Add a lead"), undo="delete")
def create(context: Context, args: NewLeadArgs) -> Done:
    """Take a lead in; where a member or an open lead has this phone, that one is given back."""
    made = service.create(context.session, context.actor, args.new, now=context.now)
    return _leads.created(context, made)


@tool(Effect.WRITE, "PATCH /leads/{lead_id}", label=N_("Change a lead"), undo=SNAPSHOT)
def update(context: Context, args: LeadChangesArgs) -> Done:
    """Change a lead's details, source or who looks after them; what is left out stays."""
    service.change(
        context.session,
        context.actor,
        args.lead_id,
        args.changes,
        expected_version=args.expected_version,
    )
    return _leads.done(context, "leads.update", queries.lead(context.session, args.lead_id))


@tool(
    Effect.WRITE,
    "POST /leads/{lead_id}/stage",
    label=N_("Move a lead to another stage"),
    undo=SNAPSHOT,
)
def set_stage(context: Context, args: Staging) -> Done:
    """Move a lead to another open stage of the pipeline, with a note for the history."""
    service.set_stage(
        context.session,
        context.actor,
        args.lead_id,
        args.stage,
        now=context.now,
        note=args.note,
        trial_booking_id=args.trial_booking_id,
    )
    return _leads.done(context, "leads.set_stage", queries.lead(context.session, args.lead_id))


@tool(
    Effect.WRITE,
    "POST /leads/{lead_id}/activities",
    label=N_("Record a contact with a lead"),
    undo=SNAPSHOT,
)
def log_activity(context: Context, args: Logging) -> Done:
    """Record a call, message, visit or note on a lead; it sends nothing."""
    new = _leads.activity(context, args)
    service.log_activity(context.session, context.actor, args.lead_id, new, now=context.now)
    return _leads.logged(context, args)


@tool(
    Effect.WRITE,
    "POST /leads/{lead_id}/follow-ups",
    label=N_("Plan a follow-up"),
    undo=SNAPSHOT,
)
def schedule_follow_up(context: Context, args: FollowingUp) -> Done:
    """Set when a lead is to be contacted next, and make a task of it."""
    wish = _leads.follow_up(context, args)
    service.schedule_follow_up(context.session, context.actor, args.lead_id, wish, now=context.now)
    view = queries.lead(context.session, args.lead_id)
    return _leads.done(context, "leads.schedule_follow_up", view)


@tool(
    Effect.WRITE,
    "POST /leads/{lead_id}/convert",
    label=N_("Turn a lead into a member"),
    role=ADMIN,
    undo=SNAPSHOT,
)
def convert(context: Context, args: Converting) -> Done:
    """Make a member of a lead, with a plan if they buy one; takes no payment, books nothing."""
    made = service.convert(
        context.session,
        context.actor,
        args.lead_id,
        now=context.now,
        plan_id=args.plan_id,
        start=args.start_date,
        member_id=args.member_id,
    )
    return _leads.converted(context, args.lead_id, made)


@tool(Effect.WRITE, "POST /leads/{lead_id}/lost", label=N_("Close a lead as lost"), undo=SNAPSHOT)
def mark_lost(context: Context, args: Losing) -> Done:
    """Close an open lead that won't join, with the reason."""
    service.mark_lost(
        context.session,
        context.actor,
        args.lead_id,
        args.lost_reason,
        now=context.now,
        note=args.note,
    )
    return _leads.done(context, "leads.mark_lost", queries.lead(context.session, args.lead_id))


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /leads/{lead_id}",
    label=N_("Delete a lead"),
    role=ADMIN,
    confirm=_leads.ask_delete,
    undo=SNAPSHOT,
)
def delete(context: Context, args: OneLead) -> Done:
    """Delete a lead with all that was done about them; one who won't join is marked lost."""
    told = _leads.values(context, queries.lead(context.session, args.lead_id))
    service.delete(context.session, args.lead_id)
    return Done(of="leads.delete", values=told)


@tool(Effect.READ, "GET /leads", label=N_("List leads"), quick=True, core=True)
def list(context: Context, args: Leads) -> Table:  # noqa: A001 - the action's name
    """List leads (default: open ones) by name, stage, source, owner, age or next follow-up."""
    found = queries.leads(context.session, _leads.wanted(context, args), cut=args.cut)
    row = _leads.row_in(context)
    return listing(Line(key="leads.list.title"), _leads.LEAD_COLUMNS, found, row)
