"""Arbox: taking a studio over from there, one way."""

from app.arbox import queries
from app.arbox import service as arbox
from i18n import N_
from tools.catalog import _arbox, _cards
from tools.catalog._arbox_args import (
    Chosen,
    Disconnect,
    Mappings,
    NewMapping,
    NoArgs,
    OneBatch,
    RunImport,
)
from tools.kit.cards import Done, Facts, LinkCard, Table
from tools.kit.declare import ADMIN, OWNER, SNAPSHOT, Context, Effect, Started, tool
from tools.kit.values import Line


@tool(Effect.READ, "GET /integrations/arbox", label=N_("Show Arbox status"), role=ADMIN, quick=True)
def get_status(context: Context, args: NoArgs) -> Facts:  # noqa: ARG001 - a tool's signature
    """Show whether Arbox is connected, what was read and imported last, and what went wrong."""
    return _arbox.status(context)


@tool(
    Effect.WRITE,
    "POST /integrations/arbox/connect",
    label=N_("Connect Arbox"),
    role=OWNER,
    undo="disconnect",
)
def connect(context: Context, args: NoArgs) -> LinkCard:  # noqa: ARG001 - a tool's signature
    """Send the owner a link to a secure page for the Arbox key; never take the key in the chat."""
    return _arbox.form_link(context)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /integrations/arbox",
    label=N_("Disconnect Arbox"),
    role=OWNER,
    confirm=_arbox.ask_disconnect,
)
def disconnect(context: Context, args: Disconnect) -> Done:
    """Delete the stored Arbox key; what was imported stays."""
    arbox.disconnect(context.session, keep_mappings=args.keep_mappings)
    return Done(of="arbox.disconnect")


@tool(
    Effect.READ,
    "GET /integrations/arbox/mappings",
    label=N_("List Arbox mappings"),
    role=ADMIN,
)
def list_mappings(context: Context, args: Mappings) -> Table:
    """List what Arbox's locations, class types, plans, staff and lead statuses are with us."""
    found = queries.mappings(
        context.session,
        context.actor.language,
        cut=args.cut,
        kind=args.kind,
        unmapped_only=args.unmapped_only,
    )
    title = Line(key="arbox.list_mappings.title")
    return _cards.listing(title, _arbox.MAPPING_COLUMNS, found, _arbox.mapping_row)


@tool(
    Effect.WRITE,
    "PUT /integrations/arbox/mappings/{mapping_id}",
    label=N_("Change an Arbox mapping"),
    role=ADMIN,
    undo=SNAPSHOT,
)
def update_mapping(context: Context, args: NewMapping) -> Done:
    """Say what one thing of Arbox's is with us, or that it is ignored and left out of imports."""
    session, version = context.session, args.expected_version
    if args.ignore:
        arbox.ignore(session, args.mapping_id, expected_version=version)
    else:
        arbox.map_to(
            session,
            args.mapping_id,
            local_id=args.local_id,
            stage=args.stage,
            expected_version=version,
        )
    return _arbox.mapped(context, args.mapping_id)


@tool(
    Effect.READ,
    "POST /integrations/arbox/import/preview",
    label=N_("Preview the Arbox import"),
    role=ADMIN,
)
def preview_import(context: Context, args: Chosen) -> Facts:
    """Show what importing the data last read by arbox.sync_now would do, without doing it."""
    found = arbox.preview(
        context.session, context.actor.org_id, args.wanted, now=context.now, since=args.since
    )
    return _arbox.preview_card(context, found)


@tool(
    Effect.WRITE,
    "POST /integrations/arbox/import",
    label=N_("Import from Arbox"),
    role=OWNER,
    confirm=_arbox.ask_import,
    always=True,
    undo="rollback_import",
    step=_arbox.import_one,
    after=_arbox.leave_alone,
)
def run_import(context: Context, args: RunImport) -> Started:
    """Import what was previewed, in one batch that can be rolled back."""
    return _arbox.begin_import(context, args)


@tool(
    Effect.DESTRUCTIVE,
    "POST /integrations/arbox/imports/{batch_id}/rollback",
    label=N_("Roll an Arbox import back"),
    role=OWNER,
    confirm=_arbox.ask_rollback,
    always=True,
    step=_arbox.take_back,
)
def rollback_import(context: Context, args: OneBatch) -> Started:
    """Remove what an import made and restore what it changed, except what was touched since."""
    return _arbox.begin_rollback(context, args)


@tool(
    Effect.WRITE,
    "POST /integrations/arbox/sync",
    label=N_("Sync Arbox now"),
    role=ADMIN,
    step=_arbox.sync_step,
    fetch=_arbox.fetch_list,
)
def sync_now(context: Context, args: Chosen) -> Started:
    """Read Arbox anew and bring what was imported before up to date; one way, in the background."""
    return _arbox.begin_sync(context, args)
