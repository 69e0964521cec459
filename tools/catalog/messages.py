"""Messages to members: one or many, with the templates they are made of."""

from app.messages import queries, service
from app.messages.queries import SentFilter
from app.studio import queries as studio
from i18n import N_
from tools.catalog import _broadcasts, _messages
from tools.catalog._args import check_days
from tools.catalog._cards import listing
from tools.catalog._message_args import (
    Meant,
    NewMessage,
    NewMessageTemplate,
    OneBroadcast,
    OneTemplate,
    Scheduling,
    Sending,
    Sent,
    Templates,
)
from tools.kit.cards import Done, Facts, Table
from tools.kit.declare import ADMIN, SNAPSHOT, Context, Effect, Started, tool
from tools.kit.values import Line


@tool(Effect.READ, "GET /messages", label=N_("List messages sent"), quick=True)
def list_sent(context: Context, args: Sent) -> Table:
    """List messages and broadcasts, sent or scheduled, with delivery state and failures."""
    check_days(args.from_date, args.to_date)
    org = studio.org(context.session, context.actor.org_id)
    span = studio.instants(org, args.from_date, args.to_date)
    wanted = SentFilter(args.member_id, args.broadcast_id, args.states, *span)
    found = queries.sent(context.session, wanted, cut=args.cut)
    title = Line(key="messages.list_sent.title")
    return listing(title, _messages.SENT_COLUMNS, found, _messages.sent_row_in(org.timezone))


@tool(Effect.READ, "GET /message-templates", label=N_("List message templates"), quick=True)
def list_templates(context: Context, args: Templates) -> Table:
    """List message templates by channel, language and approval state."""
    found = queries.list_templates(
        context.session,
        channel=args.channel,
        language=args.language,
        statuses=args.status,
        cut=args.cut,
    )
    title = Line(key="messages.list_templates.title")
    return listing(title, _messages.TEMPLATE_COLUMNS, found, _messages.template_row)


@tool(Effect.READ, "POST /messages/broadcasts/preview", label=N_("Preview a broadcast"))
def preview_broadcast(context: Context, args: Meant) -> Facts:
    """Count who would get a text, show it in each language, and say who is left out and why."""
    found = service.plan(context.session, context.actor, args.audience, args.said, now=context.now)
    return _broadcasts.preview(context, found)


@tool(
    Effect.WRITE,
    "POST /message-templates",
    role=ADMIN,
    label=N_("Add a message template"),
    undo="delete_template",
)
def create_template(context: Context, args: NewMessageTemplate) -> Done:
    """Create a message template; on WhatsApp it must be approved before it is sent."""
    made = service.create_template(context.session, context.actor, args.new)
    return _messages.template_done("messages.create_template", made)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /message-templates/{message_template_id}",
    role=ADMIN,
    label=N_("Delete a message template"),
    confirm=_messages.ask_delete_template,
    undo=SNAPSHOT,
)
def delete_template(context: Context, args: OneTemplate) -> Done:
    """Delete a message template that no automation sends."""
    gone = service.delete_template(context.session, args.message_template_id)
    return _messages.template_done("messages.delete_template", gone)


@tool(
    Effect.WRITE,
    "POST /members/{member_id}/messages",
    label=N_("Write to a member"),
    confirm=_messages.ask_send,
    always=True,
    core=True,
)
def send_to_member(context: Context, args: NewMessage) -> Done:
    """Send one message to one member; in quiet hours it leaves when they are over."""
    sent = service.send_to_member(
        context.session,
        context.actor,
        args.member_id,
        args.said,
        now=context.now,
    )
    return _messages.sent(context, *sent)


@tool(
    Effect.WRITE,
    "POST /messages/broadcasts",
    role=ADMIN,
    label=N_("Send a broadcast"),
    confirm=_broadcasts.ask_send,
    always=True,
    step=_broadcasts.send_one,
)
def send_broadcast(context: Context, args: Sending) -> Started:
    """Send a text to many members now, to just those who were previewed."""
    found = _broadcasts.plan_now(context, args)
    return _broadcasts.started(service.start(context.session, context.actor, found), found)


@tool(
    Effect.WRITE,
    "POST /messages/broadcasts/schedule",
    role=ADMIN,
    label=N_("Schedule a broadcast"),
    confirm=_broadcasts.ask_schedule,
    always=True,
    undo="cancel_scheduled",
)
def schedule_broadcast(context: Context, args: Scheduling) -> Done:
    """Schedule a text to many members; who gets it is settled now."""
    found = _broadcasts.plan_later(context, args)
    made = service.schedule(context.session, context.actor, found, now=context.now)
    return _broadcasts.done(context, "messages.schedule_broadcast", made)


@tool(
    Effect.DESTRUCTIVE,
    "DELETE /messages/broadcasts/{broadcast_id}",
    role=ADMIN,
    label=N_("Cancel a scheduled broadcast"),
    confirm=_broadcasts.ask_cancel,
    undo=SNAPSHOT,
)
def cancel_scheduled(context: Context, args: OneBroadcast) -> Done:
    """Cancel a scheduled broadcast before it is sent."""
    gone = service.cancel(context.session, args.broadcast_id)
    return _broadcasts.done(context, "messages.cancel_scheduled", gone)
