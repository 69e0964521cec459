"""The inbox: what members, leads and strangers write to the gym, and what it answers."""

from app.inbox import queries, service
from app.messages import queries as messages
from i18n import N_
from tools.catalog import _inbox
from tools.catalog._cards import listing
from tools.catalog._inbox_args import (
    Assigning,
    Closing,
    Drafting,
    Marking,
    Noting,
    OneThread,
    Reading,
    Replying,
    Threads,
)
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import SNAPSHOT, Context, Effect, tool
from tools.kit.values import Line, Quote


@tool(Effect.READ, "GET /inbox/threads", label=N_("List threads"), quick=True)
def list_threads(context: Context, args: Threads) -> Table:
    """List threads (default: not closed) by state, channel, assignee or unread; unread first."""
    found = queries.threads(context.session, _inbox.wanted(context, args), cut=args.cut)
    row = _inbox.row_in(context)
    return listing(Line(key="inbox.list_threads.title"), _inbox.THREAD_COLUMNS, found, row)


@tool(
    Effect.READ,
    "GET /inbox/threads/{thread_id}",
    label=N_("Read a thread"),
    quick=True,
)
def get_thread(context: Context, args: Reading) -> Facts:
    """Show the last messages of a thread, whose it is, its draft and what may be sent now."""
    return _inbox.facts(context, args)


@tool(
    Effect.WRITE,
    "POST /inbox/threads/{thread_id}/messages",
    label=N_("Answer in a thread"),
    confirm=_inbox.ask_reply,
    always=True,
)
def reply(context: Context, args: Replying) -> Done:
    """Answer in a thread on its channel; after a day WhatsApp takes only an approved template."""
    text = _inbox.said(context, args)
    _, planned = service.reply(
        context.session,
        context.actor,
        args.thread_id,
        text,
        had=messages.had,
        now=context.now,
    )
    return _inbox.replied(context, planned, text)


@tool(
    Effect.WRITE,
    "PUT /inbox/threads/{thread_id}/draft",
    label=N_("Save a draft answer"),
    undo=SNAPSHOT,
)
def save_draft(context: Context, args: Drafting) -> Done:
    """Keep a draft of an answer without sending it; a thread has one, which the team shares."""
    service.save_draft(
        context.session,
        context.actor,
        args.thread_id,
        args.body,
        expected_version=args.expected_version,
    )
    gone = True if not args.body else None
    return _inbox.done(context, "inbox.save_draft", args.thread_id, gone=gone)


@tool(
    Effect.WRITE,
    "POST /inbox/threads/{thread_id}/assign",
    label=N_("Assign a thread"),
    undo=SNAPSHOT,
)
def assign_thread(context: Context, args: Assigning) -> Done:
    """Say who of the team is to see to a thread."""
    service.assign(
        context.session, args.thread_id, args.assignee_id, expected_version=args.expected_version
    )
    return _inbox.done(context, "inbox.assign_thread", args.thread_id)


@tool(
    Effect.WRITE,
    "POST /inbox/threads/{thread_id}/notes",
    label=N_("Add a note for the team"),
    undo=SNAPSHOT,
)
def add_internal_note(context: Context, args: Noting) -> Done:
    """Put a note into a thread that only the team ever sees."""
    service.add_note(context.session, context.actor, args.thread_id, args.body, now=context.now)
    note = Quote(text=args.body)
    return _inbox.done(context, "inbox.add_internal_note", args.thread_id, note=note)


@tool(
    Effect.WRITE,
    "POST /inbox/threads/{thread_id}/close",
    label=N_("Close a thread"),
    undo="reopen_thread",
)
def close_thread(context: Context, args: Closing) -> Done:
    """Close a thread that was seen to; what they write next opens it again."""
    service.close(
        context.session, context.actor, args.thread_id, now=context.now, outcome=args.outcome
    )
    return _inbox.done(context, "inbox.close_thread", args.thread_id)


@tool(
    Effect.WRITE,
    "POST /inbox/threads/{thread_id}/reopen",
    label=N_("Open a thread again"),
    undo="close_thread",
)
def reopen_thread(context: Context, args: OneThread) -> Done:
    """Open a closed thread again."""
    service.reopen(context.session, context.actor, args.thread_id)
    return _inbox.done(context, "inbox.reopen_thread", args.thread_id)


@tool(
    Effect.WRITE,
    "POST /inbox/threads/{thread_id}/read",
    label=N_("Mark a thread read or unread"),
    undo=SNAPSHOT,
)
def mark_read(context: Context, args: Marking) -> Done:
    """Mark a thread read, or unread again."""
    service.mark_read(context.session, args.thread_id, read=args.read)
    unread = None if args.read else True
    return _inbox.done(context, "inbox.mark_read", args.thread_id, unread=unread)
