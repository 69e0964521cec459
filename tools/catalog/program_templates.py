"""Program templates: programs kept to make others from."""

from app.programs.queries import templates as queries
from app.programs.service import templates as service
from i18n import N_
from tools.catalog import _program_templates
from tools.catalog._cards import listing
from tools.catalog._template_args import (
    CopyTemplate,
    EditDay,
    OneTemplate,
    Preview,
    SaveTemplate,
    Templates,
    UpdateTemplate,
    UseTemplate,
    parameters,
)
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import SNAPSHOT, Context, Effect, tool
from tools.kit.values import Line


@tool(
    Effect.READ,
    "GET /program-templates/{template_id}",
    label=N_("Show a program template"),
    quick=True,
)
def get(context: Context, args: OneTemplate) -> Facts:
    """Show a template's weeks, days, workouts and starting percents."""
    view = queries.template_view(context.session, args.template_id)
    return _program_templates.facts(context, view)


@tool(
    Effect.READ,
    "POST /program-templates/{template_id}/preview",
    label=N_("See a program template on dates"),
)
def preview(context: Context, args: Preview) -> Facts:
    """Show the dates a template would give, and a member's loads; creates nothing."""
    return _program_templates.preview(context, args)


@tool(
    Effect.WRITE,
    "POST /program-templates",
    label=N_("Save a program as a template"),
    undo="delete",
)
def create_from_program(context: Context, args: SaveTemplate) -> Done:
    """Save a program as it is now as a reusable template."""
    made = service.create_from_program(context.session, context.actor, args.new)
    return _program_templates.done("program_templates.create_from_program", made)


@tool(
    Effect.WRITE,
    "PATCH /program-templates/{template_id}",
    label=N_("Change a program template"),
    undo=SNAPSHOT,
)
def update(context: Context, args: UpdateTemplate) -> Done:
    """Change a template's title, description, goal, level or starting percents."""
    view = service.update(
        context.session, args.template_id, args.changes, expected_version=args.expected_version
    )
    return _program_templates.done("program_templates.update", view)


@tool(
    Effect.WRITE,
    "PUT /program-templates/{template_id}/weeks/{week}/days/{day}",
    label=N_("Change a day of a program template"),
    undo=SNAPSHOT,
)
def edit_day(context: Context, args: EditDay) -> Done:
    """Replace the workouts on one day of a template; programs made from it stay."""
    view = service.edit_day(
        context.session,
        context.actor,
        args.template_id,
        args.spot,
        args.workouts,
        expected_version=args.expected_version,
    )
    return _program_templates.day_edited(context, args, view)


@tool(
    Effect.WRITE,
    "POST /program-templates/{template_id}/duplicate",
    label=N_("Copy a program template"),
    undo="delete",
)
def duplicate(context: Context, args: CopyTemplate) -> Done:
    """Copy a template."""
    made = service.duplicate(context.session, context.actor, args.template_id, args.title)
    return _program_templates.done("program_templates.duplicate", made)


@tool(
    Effect.WRITE,
    "POST /program-templates/{template_id}/instantiate",
    label=N_("Make a program from a template"),
    undo=SNAPSHOT,
)
def instantiate(context: Context, args: UseTemplate) -> Done:
    """Create a program from a template; assign it to give it dates."""
    made = service.instantiate(
        context.session,
        context.actor,
        args.template_id,
        title=args.title,
        filled=parameters(args.parameters),
    )
    return _program_templates.made(made)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /program-templates/{template_id}",
    label=N_("Delete a program template"),
    confirm=_program_templates.ask_delete,
    undo=SNAPSHOT,
)
def delete(context: Context, args: OneTemplate) -> Done:
    """Delete a template; programs made from it stay as they are."""
    gone = service.delete(context.session, args.template_id)
    return Done(of="program_templates.delete", values=_program_templates.values(gone))


@tool(Effect.READ, "GET /program-templates", label=N_("List program templates"), quick=True)
def list(context: Context, args: Templates) -> Table:  # noqa: A001 - the action's name
    """List reusable program templates."""
    found = queries.templates(context.session, args.wanted, cut=args.cut)
    title = Line(key="program_templates.list.title")
    return listing(title, _program_templates.COLUMNS, found, _program_templates.row)
