"""Cards of announcements: what is on the feed, what goes out with it."""

from collections.abc import Callable, Iterator
from datetime import datetime
from uuid import UUID

from app.messages import queries, service
from app.messages.service import NewsChanges, Publishing
from app.messages.terms import AnnouncementStatus
from app.messages.views import AnnouncementView, Plan
from i18n import language_of_text
from tools.catalog._announcement_args import NewsChange, OneAnnouncement, Publish
from tools.catalog._broadcasts import effects
from tools.catalog._when import instant_of, zone_of
from tools.kit.cards import Confirm, Done, Ref, TableRow
from tools.kit.declare import Context
from tools.kit.values import Code, Count, Day, Instant, Line, Name, Quote, Term, Terms, Value

_TO_COME = (AnnouncementStatus.DRAFT, AnnouncementStatus.SCHEDULED)
COLUMNS = (
    "label.title",
    "label.status",
    "label.at",
    "label.reach",
    "label.pushed",
    "label.pinned_until",
    "label.languages",
    "label.text",
)


def view(context: Context, announcement_id: UUID) -> AnnouncementView:
    actor = context.actor
    return queries.announcement(
        context.session, actor.org_id, announcement_id, actor.language, now=context.now
    )


def row_in(context: Context) -> Callable[[AnnouncementView], TableRow]:
    """Of news for who hasn't paid, how many it is for is told to admins alone."""
    zone, actor = zone_of(context), context.actor
    return lambda one: _row(one, zone, counted=queries.may_know(actor, one.audience))


def changes(context: Context, args: NewsChange) -> NewsChanges:
    """Which of its languages is meant, if that isn't said: the one the words are in."""
    words = " ".join(filter(None, (args.title, args.body)))
    language = args.language or language_of_text(words)
    key = language.value if language else next(iter(view(context, args.announcement_id).bodies))
    return NewsChanges(
        titles={key: args.title} if args.title else {},
        bodies={key: args.body} if args.body else {},
        audience=args.audience,
        pin_until=args.pin_until,
    )


def publishing(context: Context, args: Publish) -> Publishing:
    at = None if args.publish_at is None else instant_of(context, args.publish_at)
    return Publishing(at, args.push)


def ask_publish(context: Context, args: Publish) -> Confirm:
    wanted = publishing(context, args)
    one, push = service.plan_publish(
        context.session, context.actor, args.announcement_id, wanted, now=context.now
    )
    return Confirm(
        of="announcements.publish",
        values={**_values(one), **_pushed(push)},
        effects=(
            *_texts(one),
            *_at_lines(context, wanted.at),
            *_pin_lines(one),
            *_push_lines(push),
        ),
        ref=_ref(one),
    )


def published(context: Context, one: AnnouncementView, push: Plan | None) -> Done:
    return Done(
        of="announcements.publish",
        values={**_values(one), **_when(context, one), **_pushed(push)},
        ref=_ref(one),
    )


def unpublished(one: AnnouncementView, spared: int) -> Done:
    """What was pushed already stays with people; what wasn't never goes."""
    notes = []
    if one.pushed:
        told = Count(n=one.pushed, of="members")
        notes.append(Line(key="announcements.stays_with", values={"people": told}))
    if spared:
        told = Count(n=spared, of="members")
        notes.append(Line(key="announcements.spared", values={"people": told}))
    return done("announcements.unpublish", one, *notes)


def done(of: str, one: AnnouncementView, *notes: Line) -> Done:
    lines = (*_pin_lines(one), *notes) if one.status in _TO_COME else notes
    return Done(of=of, values=_values(one), notes=lines, ref=_ref(one))


def ask_delete(context: Context, args: OneAnnouncement) -> Confirm:
    one = view(context, args.announcement_id)
    return Confirm(
        of="announcements.delete", values=_values(one), effects=_texts(one), ref=_ref(one)
    )


def _row(one: AnnouncementView, zone: str, *, counted: bool) -> TableRow:
    at = one.published_at or one.publish_at
    cells = (
        Name(text=one.title),
        Term(key=f"announcement.{one.status}"),
        Instant(at=at, zone=zone) if at else None,
        one.reach if counted else None,
        (one.pushed or None) if counted else None,
        Day(date=one.pin_until) if one.pin_until else None,
        Terms(keys=tuple(f"language.{language}" for language in sorted(one.bodies))),
        Quote(text=one.body),
    )
    return TableRow(id=str(one.id), cells=cells)


def _texts(one: AnnouncementView) -> tuple[Line, ...]:
    """Every language in full: what one agrees to is all of it."""
    return tuple(
        Line(
            key="announcements.text",
            values={
                "language": Term(key=f"language.{language}"),
                "title": Name(text=one.titles[language]),
                "text": Quote(text=body),
            },
        )
        for language, body in one.bodies.items()
    )


def _at_lines(context: Context, at: datetime | None) -> Iterator[Line]:
    if at is not None:
        when = Instant(at=at, zone=zone_of(context))
        yield Line(key="announcements.at", values={"when": when})


def _pin_lines(one: AnnouncementView) -> Iterator[Line]:
    if one.pin_until is not None:
        yield Line(key="announcements.pinned", values={"pinned": Day(date=one.pin_until)})


def _push_lines(push: Plan | None) -> Iterator[Line]:
    """Who is written to; the texts are told already."""
    if push is None:
        yield Line(key="announcements.no_push")
        return
    values = _pushed(push)
    told = {name: values[name] for name in ("channel", "recipients")}
    yield Line(key="announcements.push", values=told)
    yield from (one for one in effects(push) if one.key != "messages.broadcast.text")


def _pushed(push: Plan | None) -> dict[str, Value]:
    """`audience` marks just these people: the approval is of them alone (rule 37)."""
    if push is None:
        return {}
    return {
        "recipients": Count(n=len(push.recipients), of="recipients"),
        "channel": Term(key=f"channel.{push.draft.channel}"),
        "audience": Code(text=push.audience_hash),
    }


def _values(one: AnnouncementView) -> dict[str, Value]:
    return {
        "title": Name(text=one.title),
        "reach": Count(n=one.reach, of="members"),
        "status": Term(key=f"announcement.{one.status}"),
        "text": Quote(text=one.body),
    }


def _when(context: Context, one: AnnouncementView) -> dict[str, Value]:
    return (
        {}
        if one.publish_at is None
        else {"when": Instant(at=one.publish_at, zone=zone_of(context))}
    )


def _ref(one: AnnouncementView) -> Ref:
    return Ref(entity="announcement", id=one.id, version=one.version)
