"""Automations: what happens by itself for a member or lead, and what came of it."""

from app.automations import queries, service
from app.studio import queries as studio
from i18n import N_
from tools.catalog import _automations
from tools.catalog._args import check_days
from tools.catalog._automation_args import (
    AutomationChanges,
    Automations,
    NewAutomation,
    OneAutomation,
    Preview,
    RunNow,
    Runs,
)
from tools.catalog._cards import listing
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import ADMIN, SNAPSHOT, Context, Effect, Started, tool
from tools.kit.values import Line


@tool(Effect.READ, "GET /automations", role=ADMIN, label=N_("List automations"), quick=True)
def list(context: Context, args: Automations) -> Table:  # noqa: A001 - the action's name
    """List automations with state, trigger, actions and last run; says which the plan lacks."""
    found = queries.automations(
        context.session, context.actor.org_id, enabled=args.enabled, trigger=args.trigger
    )
    return _automations.table(context, found)


@tool(
    Effect.READ,
    "GET /automations/{automation_id}",
    role=ADMIN,
    label=N_("Show an automation"),
)
def get(context: Context, args: OneAutomation) -> Facts:
    """Show an automation's trigger, conditions, actions with their texts, and limits."""
    return _automations.facts(context, _automations.view(context, args.automation_id))


@tool(
    Effect.READ,
    "GET /automations/{automation_id}/runs",
    role=ADMIN,
    label=N_("Show what an automation did"),
    quick=True,
)
def list_runs(context: Context, args: Runs) -> Table:
    """Show recent runs of an automation: who was reached, skipped or failed, and why."""
    check_days(args.from_date, args.to_date)
    org = studio.org(context.session, context.actor.org_id)
    since, until = studio.instants(org, args.from_date, args.to_date)
    found = queries.runs(
        context.session,
        args.automation_id,
        statuses=args.status,
        since=since,
        until=until,
        cut=args.cut,
    )
    title, row = Line(key="automations.list_runs.title"), _automations.run_row_in(org.timezone)
    return listing(title, _automations.RUN_COLUMNS, found, row)


@tool(
    Effect.READ,
    "POST /automations/{automation_id}/preview",
    role=ADMIN,
    label=N_("Preview an automation"),
)
def preview_audience(context: Context, args: Preview) -> Facts:
    """Dry-run an automation: who it would reach now, and who may not be written to."""
    return _automations.preview(context, args)


@tool(
    Effect.WRITE,
    "POST /automations",
    role=ADMIN,
    label=N_("Add an automation"),
    undo="delete",
)
def create(context: Context, args: NewAutomation) -> Done:
    """Create an automation, switched off; refused if the gym's plan lacks its actions."""
    made = service.create(context.session, context.actor, args.name, args.shape)
    return _automations.done("automations.create", made)


@tool(
    Effect.WRITE,
    "PATCH /automations/{automation_id}",
    role=ADMIN,
    label=N_("Change an automation"),
    undo=SNAPSHOT,
)
def update(context: Context, args: AutomationChanges) -> Done:
    """Change an automation; what is left out stays, and nobody is reached for what was before."""
    before = _automations.view(context, args.automation_id)
    view = service.update(
        context.session,
        context.actor,
        args.automation_id,
        args.over(before.shape),
        now=context.now,
        name=args.name,
        expected_version=args.expected_version,
    )
    return _automations.done("automations.update", view)


@tool(
    Effect.WRITE,
    "POST /automations/{automation_id}/enable",
    role=ADMIN,
    label=N_("Switch an automation on"),
    confirm=_automations.ask_enable,
    always=True,
    undo="disable",
)
def enable(context: Context, args: OneAutomation) -> Done:
    """Switch an automation on from now; whoever meets its trigger already is left alone."""
    on = service.enable(context.session, context.actor, args.automation_id, now=context.now)
    return _automations.enabled(on)


@tool(
    Effect.WRITE,
    "POST /automations/{automation_id}/disable",
    role=ADMIN,
    label=N_("Switch an automation off"),
    undo="enable",
)
def disable(context: Context, args: OneAutomation) -> Done:
    """Switch an automation off; what it has queued and not done yet is dropped."""
    off = service.disable(context.session, context.actor, args.automation_id)
    return _automations.done("automations.disable", off)


@tool(
    Effect.WRITE,
    "POST /automations/{automation_id}/run",
    role=ADMIN,
    label=N_("Run an automation now"),
    confirm=_automations.ask_run,
    always=True,
    step=_automations.run_one,
)
def run_now(context: Context, args: RunNow) -> Started:
    """Run an automation at once for just those who were previewed, even for what was before."""
    return _automations.started(context, args)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /automations/{automation_id}",
    role=ADMIN,
    label=N_("Delete an automation"),
    confirm=_automations.ask_delete,
    undo=SNAPSHOT,
)
def delete(context: Context, args: OneAutomation) -> Done:
    """Delete an automation; the history of what it did is kept."""
    gone = service.delete(context.session, context.actor, args.automation_id)
    return _automations.done("automations.delete", gone)
