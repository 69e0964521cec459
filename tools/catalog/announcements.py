"""Announcements: the gym's news, on its feed and pushed to whom it is for."""

from app.messages import queries, service
from i18n import N_
from tools.catalog import _announcements
from tools.catalog._announcement_args import (
    Announcements,
    NewAnnouncement,
    NewsChange,
    OneAnnouncement,
    Publish,
)
from tools.catalog._cards import listing
from tools.kit.cards import Done, Table
from tools.kit.declare import ADMIN, SNAPSHOT, Context, Effect, tool
from tools.kit.values import Line


@tool(Effect.READ, "GET /announcements", label=N_("List announcements"), quick=True)
def list(context: Context, args: Announcements) -> Table:  # noqa: A001 - the action's name
    """List announcements with their state and how many members each is for."""
    actor = context.actor
    found = queries.announcements(
        context.session,
        actor.org_id,
        actor.language,
        statuses=args.status,
        now=context.now,
        cut=args.cut,
    )
    title, row = Line(key="announcements.list.title"), _announcements.row_in(context)
    return listing(title, _announcements.COLUMNS, found, row)


@tool(
    Effect.WRITE,
    "POST /announcements",
    label=N_("Write an announcement"),
    undo="delete",
)
def create_draft(context: Context, args: NewAnnouncement) -> Done:
    """Write an announcement as a draft; nobody sees it until it is published."""
    made = service.create_draft(context.session, context.actor, args.news, now=context.now)
    return _announcements.done("announcements.create_draft", made)


@tool(
    Effect.WRITE,
    "PATCH /announcements/{announcement_id}",
    label=N_("Change an announcement"),
    undo=SNAPSHOT,
)
def update(context: Context, args: NewsChange) -> Done:
    """Change an announcement's text in a language, its audience or how long it is pinned."""
    view = service.update_news(
        context.session,
        context.actor,
        args.announcement_id,
        _announcements.changes(context, args),
        now=context.now,
        expected_version=args.expected_version,
    )
    return _announcements.done("announcements.update", view)


@tool(
    Effect.WRITE,
    "POST /announcements/{announcement_id}/publish",
    role=ADMIN,
    label=N_("Publish an announcement"),
    confirm=_announcements.ask_publish,
    always=True,
    undo="unpublish",
)
def publish(context: Context, args: Publish) -> Done:
    """Publish an announcement now or at a time; with push its audience is written to as well."""
    view, push = service.publish(
        context.session,
        context.actor,
        args.announcement_id,
        _announcements.publishing(context, args),
        now=context.now,
    )
    return _announcements.published(context, view, push)


@tool(
    Effect.WRITE,
    "POST /announcements/{announcement_id}/unpublish",
    role=ADMIN,
    label=N_("Take an announcement off"),
    undo=SNAPSHOT,
)
def unpublish(context: Context, args: OneAnnouncement) -> Done:
    """Take an announcement off the feed; what was pushed already stays with people."""
    view, spared = service.unpublish(
        context.session, context.actor, args.announcement_id, now=context.now
    )
    return _announcements.unpublished(view, spared)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /announcements/{announcement_id}",
    role=ADMIN,
    label=N_("Delete an announcement"),
    confirm=_announcements.ask_delete,
    undo=SNAPSHOT,
)
def delete(context: Context, args: OneAnnouncement) -> Done:
    """Delete an announcement."""
    gone = service.delete_news(
        context.session, context.actor, args.announcement_id, now=context.now
    )
    return _announcements.done("announcements.delete", gone)
