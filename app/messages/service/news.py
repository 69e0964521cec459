"""Announcements: written, published now or at a time, pushed to their audience, taken off."""

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final
from uuid import UUID

from sqlalchemy.orm import Session

from app.core import outbox
from app.core.actor import Actor, Role
from app.core.errors import BadInput, NotAllowed, NotFound, StaleVersion
from app.core.outbox import UNDO_WINDOW
from app.messages import queries
from app.messages.errors import AnnouncementState, TooSoon
from app.messages.filters import AudienceFilter
from app.messages.models import Announcement
from app.messages.queries.announcements import wording_of
from app.messages.service import broadcasts
from app.messages.terms import AnnouncementStatus
from app.messages.views import AnnouncementView, Audience, Draft, Plan
from app.people.terms import Category, Channel

PUBLISH: Final = "publish_announcement"
"""Body: `announcement_id`; carried out by `publish_due`."""
_OFF: Final = (AnnouncementStatus.DRAFT, AnnouncementStatus.UNPUBLISHED)
_ON: Final = (AnnouncementStatus.SCHEDULED, AnnouncementStatus.PUBLISHED)


@dataclass(frozen=True, slots=True)
class News:
    """`titles` and `bodies` by language, of the same languages."""

    titles: dict[str, str]
    bodies: dict[str, str]
    audience: AudienceFilter = field(default_factory=AudienceFilter)
    pin_until: date | None = None


@dataclass(frozen=True, slots=True)
class NewsChanges:
    """What is None stays; texts are changed language by language."""

    titles: dict[str, str] = field(default_factory=dict)
    bodies: dict[str, str] = field(default_factory=dict)
    audience: AudienceFilter | None = None
    pin_until: date | None = None


@dataclass(frozen=True, slots=True)
class Publishing:
    """`at` None: now. `push`: on what its audience is written to as well."""

    at: datetime | None = None
    push: Channel | None = None


def create_draft(session: Session, actor: Actor, new: News, *, now: datetime) -> AnnouncementView:
    _check_texts(new.titles, new.bodies)
    _check_audience(session, actor, new.audience, now)
    row = Announcement(
        org_id=actor.org_id,
        titles=new.titles,
        bodies=new.bodies,
        audience=new.audience.told,
        pin_until=new.pin_until,
        author_id=actor.user_id,
    )
    session.add(row)
    session.flush()
    return _view(session, actor, row.id, now)


def update_news(
    session: Session,
    actor: Actor,
    announcement_id: UUID,
    changes: NewsChanges,
    *,
    now: datetime,
    expected_version: int | None = None,
) -> AnnouncementView:
    """Below admin drafts alone are changed, and not those whose audience one may not know.

    Raises StaleVersion, NotAllowed, and AnnouncementState where a push of it is approved and waits.
    """
    row = _row(session, announcement_id)
    if row.status is not AnnouncementStatus.DRAFT and not actor.role.at_least(Role.ADMIN):
        raise NotAllowed
    if expected_version is not None and row.version != expected_version:
        raise StaleVersion
    if broadcasts.pending_push(session, row.id):
        raise AnnouncementState(state=row.status.value)
    titles, bodies = row.titles | changes.titles, row.bodies | changes.bodies
    _check_texts(titles, bodies)
    row.titles, row.bodies = titles, bodies
    was = AudienceFilter.model_validate(row.audience)
    queries.check_may_know(actor, was)
    if changes.audience is not None:
        _check_audience(session, actor, changes.audience, now)
        row.audience = changes.audience.told
    row.pin_until = changes.pin_until or row.pin_until
    session.flush()
    return _view(session, actor, row.id, now)


def plan_publish(
    session: Session, actor: Actor, announcement_id: UUID, wanted: Publishing, *, now: datetime
) -> tuple[AnnouncementView, Plan | None]:
    """What is published, and who is written to of it.

    Raises AnnouncementState, TooSoon, AudienceEmpty.
    """
    row = _row(session, announcement_id)
    if row.status not in _OFF:
        raise AnnouncementState(state=row.status.value)
    if wanted.at is not None and wanted.at <= now:
        raise TooSoon(at=wanted.at)
    view = _view(session, actor, row.id, now)
    return view, _plan_push(session, actor, view, wanted, now)


def publish(
    session: Session, actor: Actor, announcement_id: UUID, wanted: Publishing, *, now: datetime
) -> tuple[AnnouncementView, Plan | None]:
    """Put it on the feed, now or then; who is to be written to is settled now."""
    _, push = plan_publish(session, actor, announcement_id, wanted, now=now)
    row = _row(session, announcement_id)
    row.push = push is not None
    row.publish_at = wanted.at
    if wanted.at is None:
        row.status, row.published_at = AnnouncementStatus.PUBLISHED, now
    else:
        row.status = AnnouncementStatus.SCHEDULED
        body = {"announcement_id": str(row.id)}
        outbox.put(session, actor.org_id, PUBLISH, body, wait=wanted.at - now)
    if push is not None:
        wait = max(push.leaves_at - now, UNDO_WINDOW)
        broadcasts.push(session, actor, push, row.id, wait=wait)
    session.flush()
    return _view(session, actor, row.id, now), push


def publish_due(session: Session, announcement_id: UUID, *, now: datetime) -> None:
    """Put on the feed what was scheduled, unless it was taken off or put off meanwhile."""
    row = session.get(Announcement, announcement_id, with_for_update=True)
    if row is None or row.status is not AnnouncementStatus.SCHEDULED:
        return
    if row.publish_at is not None and row.publish_at <= now:
        row.status, row.published_at = AnnouncementStatus.PUBLISHED, now
        session.flush()


def unpublish(
    session: Session, actor: Actor, announcement_id: UUID, *, now: datetime
) -> tuple[AnnouncementView, int]:
    """Take it off the feed, or off the plan; how many people are spared a push.

    Raises AnnouncementState.
    """
    row = _row(session, announcement_id)
    if row.status not in _ON:
        raise AnnouncementState(state=row.status.value)
    spared = broadcasts.cancel_pushes(session, row.id)
    row.status = AnnouncementStatus.UNPUBLISHED
    session.flush()
    return _view(session, actor, row.id, now), spared


def delete_news(
    session: Session, actor: Actor, announcement_id: UUID, *, now: datetime
) -> AnnouncementView:
    row = _row(session, announcement_id)
    view = _view(session, actor, row.id, now)
    broadcasts.cancel_pushes(session, row.id)
    session.delete(row)
    session.flush()
    return view


def _plan_push(
    session: Session, actor: Actor, view: AnnouncementView, wanted: Publishing, now: datetime
) -> Plan | None:
    """News of the gym is no marketing: it needs no consent, but who opted out isn't told."""
    if wanted.push is None:
        return None
    people = queries.members(session, actor, Audience(view.audience), now)
    said = Draft(wanted.push, Category.UTILITY, wording_of(view))
    at = wanted.at or now + UNDO_WINDOW
    found = broadcasts.plan_for(session, actor.org_id, people, said, at=at)
    return broadcasts.checked(found)


def _check_texts(titles: dict[str, str], bodies: dict[str, str]) -> None:
    """A language has both or neither."""
    if not bodies or titles.keys() != bodies.keys():
        raise BadInput(fields=("title", "body"))


def _check_audience(session: Session, actor: Actor, wanted: AudienceFilter, now: datetime) -> None:
    """Raises NotFound, NotAllowed."""
    queries.members(session, actor, Audience(wanted), now)


def _row(session: Session, announcement_id: UUID) -> Announcement:
    row = session.get(Announcement, announcement_id, with_for_update=True)
    if row is None:
        raise NotFound(what="announcement")
    return row


def _view(session: Session, actor: Actor, announcement_id: UUID, now: datetime) -> AnnouncementView:
    return queries.announcement(session, actor.org_id, announcement_id, actor.language, now=now)
