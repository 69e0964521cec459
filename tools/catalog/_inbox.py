"""Cards of the inbox: what is shown, asked and told."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from app.inbox import queries, rules, service
from app.inbox.service import Approved, Planned, Reply
from app.inbox.terms import Direction, ThreadStatus
from app.inbox.views import MessageView, ThreadFilter, ThreadView
from app.messages import queries as messages
from app.messages import service as drafting
from app.messages.errors import NoText
from app.messages.texts import content_variables, filled
from app.people.terms import Channel
from app.studio import queries as studio
from tools.catalog import _inbox_args as args_of
from tools.catalog._cards import facts_of
from tools.catalog._messages import later_lines
from tools.catalog._tasks import own_place
from tools.catalog._when import shown_at, zone_of
from tools.kit.cards import Confirm, Done, Facts, Ref, Table, TableRow
from tools.kit.declare import Context
from tools.kit.values import Code, Instant, Line, Name, Quote, Term, Value

THREAD_COLUMNS = (
    "label.from_whom",
    "label.channel",
    "label.unread",
    "label.at",
    "label.assignee",
    "label.status",
    "label.text",
)
_GLANCE = 80
_MESSAGES = ("label.at", "label.by", "label.kind", "label.status", "label.text")


def wanted(context: Context, args: args_of.Threads) -> ThreadFilter:
    return ThreadFilter(
        statuses=args.status,
        channels=args.channel,
        assignee_id=own_place(context) if args.mine else args.assignee_id,
        unread=args.unread,
    )


def row_in(context: Context) -> Callable[[ThreadView], TableRow]:
    zone = zone_of(context)
    return lambda view: TableRow(
        id=str(view.id),
        cells=(
            Name(text=view.contact),
            Term(key=f"channel.{view.channel}"),
            view.unread or None,
            Instant(at=view.last_message_at, zone=zone),
            Name(text=view.assignee) if view.assignee else None,
            None if view.status is ThreadStatus.OPEN else Term(key=f"thread.{view.status}"),
            _beginning(view.last_text) if view.last_text else None,
        ),
    )


def facts(context: Context, args: args_of.Reading) -> Facts:
    view = queries.thread(context.session, args.thread_id)
    zone = zone_of(context)
    told = {**_thread(view, zone, context.now), **_draft(context, view)}
    return Facts(
        title=Line(key="inbox.get_thread.title", values=values(view)),
        facts=facts_of(told),
        ref=_ref(view),
        tables=(_messages(context, view, args, zone),),
    )


def said(context: Context, args: args_of.Replying) -> Reply:
    """The words themselves, or a template's in the language of whoever gets it.

    Raises NotFound, NoText without either or with both, OtherChannel, MissingValues.
    """
    if args.template_id is None:
        if args.body is None:
            raise NoText
        return Reply(args.body)
    view = queries.thread(context.session, args.thread_id)
    channel = rules.WRITABLE.get(view.channel, Channel.WHATSAPP)
    texts = {} if args.body is None else {view.language or "en": args.body}
    wish = drafting.Said(channel, texts, args.template_id, args.variables)
    draft = drafting.draft(context.session, wish)
    org = studio.org(context.session, context.actor.org_id)
    language = draft.wording.language_for(view.language or org.language, org.language)
    variant = draft.wording.variants[language]
    words = {**draft.wording.given, **_words(context, view, org.name)}
    template = Approved(args.template_id, variant.ref, content_variables(variant, words))
    return Reply(filled(variant.body, words), template, draft.category)


def ask_reply(context: Context, args: args_of.Replying) -> Confirm:
    text = said(context, args)
    planned = service.preview_reply(
        context.session,
        context.actor,
        args.thread_id,
        text,
        had=messages.had,
        now=context.now,
    )
    return Confirm(
        of="inbox.reply",
        values=_sent(planned, text),
        effects=later_lines(planned.leaves_at, context),
        ref=_ref(planned.thread),
    )


def replied(context: Context, planned: Planned, text: Reply) -> Done:
    return Done(
        of="inbox.reply",
        values=_sent(planned, text),
        notes=later_lines(planned.leaves_at, context),
        ref=_ref(planned.thread),
    )


def done(context: Context, of: str, thread_id: UUID, **more: Value | None) -> Done:
    view = queries.thread(context.session, thread_id)
    told = {key: one for key, one in more.items() if one is not None}
    return Done(of=of, values={**values(view), **told}, ref=_ref(view))


def values(view: ThreadView) -> dict[str, Value]:
    """The names that every card about a thread uses."""
    assignee = {"assignee": Name(text=view.assignee)} if view.assignee else {}
    return {
        "contact": Name(text=view.contact),
        "channel": Term(key=f"channel.{view.channel}"),
        **assignee,
    }


def _sent(planned: Planned, text: Reply) -> dict[str, Value]:
    """To whom, on what, and every word of it."""
    view = planned.thread
    return {**values(view), "handle": Code(text=view.handle), "text": Quote(text=text.body)}


def _words(context: Context, view: ThreadView, gym: str) -> dict[str, str]:
    """What goes into a template's places for a person; of a stranger only the address is known."""
    person_id = view.member_id or view.lead_id
    members = [view.member_id] if view.member_id else []
    leads = [view.lead_id] if view.lead_id else []
    person = messages.persons(context.session, members, leads).get(person_id) if person_id else None
    return person.words(gym) if person else {"name": "", "fullname": view.contact, "gym": gym}


def _thread(view: ThreadView, zone: str, now: datetime) -> dict[str, Value | None]:
    open_now = rules.window_open(view, now)
    return {
        "label.status": Term(key=f"thread.{view.status}"),
        "label.address": Code(text=view.handle),
        "label.assignee": Name(text=view.assignee) if view.assignee else None,
        "label.unread": view.unread or None,
        "label.free_text_until": shown_at(rules.window_until(view), zone) if open_now else None,
        "label.only_templates": None if open_now else True,
        "label.outcome": Quote(text=view.outcome) if view.outcome else None,
    }


def _draft(context: Context, view: ThreadView) -> dict[str, Value | None]:
    found = queries.draft(context.session, view.id)
    if found is None:
        return {}
    return {
        "label.draft": Quote(text=found.body),
        "label.draft_by": Name(text=found.by) if found.by else None,
        "label.draft_version": found.version,
    }


def _messages(context: Context, view: ThreadView, args: args_of.Reading, zone: str) -> Table:
    found = queries.messages(context.session, view.id, limit=args.limit, before=args.before)
    return Table(
        title=Line(key="inbox.get_thread.messages"),
        columns=_MESSAGES,
        rows=tuple(_message_row(one, view, zone) for one in found),
        total=queries.message_count(context.session, view.id),
    )


def _message_row(one: MessageView, view: ThreadView, zone: str) -> TableRow:
    theirs = one.direction is Direction.IN
    by = view.contact if theirs else one.by
    cells = (
        Instant(at=one.at, zone=zone),
        Name(text=by) if by else None,
        Term(key="thread.note") if one.direction is Direction.NOTE else None,
        Term(key=f"message.{one.state}") if one.state else None,
        Quote(text=one.body),
    )
    return TableRow(id=str(one.id), cells=cells)


def _beginning(text: str) -> Name:
    """Enough of a message to know which it is, in one line."""
    line = " ".join(text.split())
    return Name(text=line if len(line) <= _GLANCE else f"{line[:_GLANCE]}…")


def _ref(view: ThreadView) -> Ref:
    return Ref(entity="thread", id=view.id, version=view.version)
