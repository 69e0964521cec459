"""Reading the gym: its settings, places and local day."""

from datetime import date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.errors import NotFound
from app.core.storable import storable
from app.studio.models import Location, Org


def org(session: Session, org_id: UUID) -> Org:
    """Raises NotFound where the session is bound to another org."""
    found = session.get(Org, org_id)
    if found is None:
        raise NotFound(what="org")
    return found


def org_held(session: Session, org_id: UUID) -> Org:
    """The same as it is now, and kept so: whoever counts within its limits does it alone."""
    query = select(Org).where(Org.id == org_id).with_for_update(key_share=True)
    found = session.scalar(query.execution_options(populate_existing=True))
    if found is None:
        raise NotFound(what="org")
    return found


def org_by_slug(platform: Session, slug: str) -> UUID | None:
    """A gym by its short name, in a platform transaction."""
    return platform.scalar(select(Org.id).where(Org.slug == storable(slug)))


def all_orgs(platform: Session) -> list[Org]:
    """Every gym, for the operator; a platform transaction."""
    return list(platform.scalars(select(Org).order_by(Org.slug)))


def location(session: Session, location_id: UUID) -> Location:
    found = session.get(Location, location_id)
    if found is None or not found.active:
        raise NotFound(what="location")
    return found


def only_location(session: Session) -> Location | None:
    """Where classes are held in a gym of one place; None where there are several or none."""
    found = session.scalars(select(Location).where(Location.active).limit(2)).all()
    return found[0] if len(found) == 1 else None


def today(session: Session, org_id: UUID, now: datetime) -> date:
    """The org's local day."""
    return now.astimezone(ZoneInfo(org(session, org_id).timezone)).date()


def instants(
    of: Org, first: date | None, last: date | None
) -> tuple[datetime | None, datetime | None]:
    """The span of some local days: from the first one's midnight to the one after the last's."""
    zone = ZoneInfo(of.timezone)
    begin = None if first is None else datetime.combine(first, time(), tzinfo=zone)
    if last is None or last == date.max:  # no day comes after it
        return begin, None
    end = datetime.combine(last + timedelta(days=1), time(), tzinfo=zone)
    return begin, end
