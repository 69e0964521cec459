"""Reading the gym's news."""

from collections.abc import Collection
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.messages.filters import AudienceFilter
from app.messages.models import Announcement
from app.messages.queries.audience import counting
from app.messages.queries.sent import pushed
from app.messages.terms import AnnouncementStatus
from app.messages.texts import Variant, Wording
from app.messages.views import AnnouncementView
from app.studio import queries as studio
from app.studio.paging import Cut, Page, page


def announcements(
    session: Session,
    org_id: UUID,
    language: str,
    *,
    statuses: Collection[AnnouncementStatus] = (),
    now: datetime,
    cut: Cut,
) -> Page[AnnouncementView]:
    """What is pinned first, then the newest."""
    today = studio.today(session, org_id, now)
    pinned = case((Announcement.pin_until >= today, 0), else_=1)
    newest = func.coalesce(
        Announcement.published_at, Announcement.publish_at, Announcement.created_at
    )
    query = select(Announcement).order_by(pinned, newest.desc(), Announcement.id.desc())
    if statuses:
        query = query.where(Announcement.status.in_(statuses))
    found: Page[Announcement] = page(session, query, cut, lambda row: row[0])
    shown = _views(session, found.rows, language, today=today, now=now)
    return Page(shown, found.total, found.cursor)


def announcement(
    session: Session, org_id: UUID, announcement_id: UUID, language: str, *, now: datetime
) -> AnnouncementView:
    found = session.get(Announcement, announcement_id)
    if found is None:
        raise NotFound(what="announcement")
    today = studio.today(session, org_id, now)
    (view,) = _views(session, (found,), language, today=today, now=now)
    return view


def wording_of(view: AnnouncementView) -> Wording:
    """As it is pushed: the title, then the text."""
    texts = {
        language: Variant(body=f"{view.titles[language]}\n{body}")
        for language, body in view.bodies.items()
    }
    return Wording(variants=texts)


def _views(
    session: Session,
    rows: Collection[Announcement],
    language: str,
    *,
    today: date,
    now: datetime,
) -> tuple[AnnouncementView, ...]:
    """Each with how many it is for: all counted in one query."""
    if not rows:
        return ()
    audiences = [AudienceFilter.model_validate(row.audience) for row in rows]
    reach = session.execute(select(*(counting(one, today, now) for one in audiences))).one()
    told = pushed(session, [row.id for row in rows])
    return tuple(
        _view(row, language, wanted, reach=number, pushed=told.get(row.id, 0))
        for row, wanted, number in zip(rows, audiences, reach, strict=True)
    )


def _view(
    row: Announcement, language: str, wanted: AudienceFilter, *, reach: int, pushed: int
) -> AnnouncementView:
    shown = language if language in row.bodies else next(iter(row.bodies))
    return AnnouncementView(
        id=row.id,
        version=row.version,
        status=row.status,
        titles=row.titles,
        bodies=row.bodies,
        title=row.titles[shown],
        body=row.bodies[shown],
        audience=wanted,
        publish_at=row.publish_at,
        published_at=row.published_at,
        pin_until=row.pin_until,
        push=row.push,
        reach=reach,
        pushed=pushed,
    )
