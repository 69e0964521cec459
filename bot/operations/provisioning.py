"""Gyms and who works in them, as the operator sets them up: by command and by API alike."""

from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy.exc import IntegrityError

from app.core.actor import Role
from app.core.db import Database, as_org
from app.core.errors import NotFound, StudioError
from app.core.ids import new_id
from app.desk import plans
from app.desk.plans import Moved
from app.people import queries as people
from app.people import service as logins
from app.people.service import NewUser
from app.people.views import StaffView
from app.studio import queries, service
from app.studio.service import NewOrg
from app.studio.terms import Tier
from bot.conversation.storage import Kept, kept
from bot.conversation.tallies import By, Tally, tallies


class SlugTaken(StudioError):
    """There is a gym of that short name, `slug`, already."""

    code, status = "slug_taken", 409


class AlreadyStaff(StudioError):
    """Whoever signs in by that e-mail works in this gym already, or did: `name`."""

    code, status = "already_staff", 409


@dataclass(frozen=True, slots=True)
class Gym:
    id: UUID
    slug: str
    name: str
    tier: Tier
    timezone: str
    language: str


def storage_json(one: Kept) -> dict[str, Any]:
    return {
        "day": one.day.isoformat(),
        "rows": one.rows,
        "bytes": one.bytes,
        "more": {str(span): more for span, more in one.more.items()},
        "tables": dict(one.tables),
    }


@dataclass(frozen=True, slots=True)
class Provisioning:
    """What the operator may do; each act is a transaction of its own."""

    db: Database

    def gyms(self) -> list[Gym]:
        with self.db.platform() as session:
            return [
                Gym(org.id, org.slug, org.name, org.tier, org.timezone, org.language)
                for org in queries.all_orgs(session)
            ]

    def gym(self, slug_or_id: str) -> Gym:
        """Raises NotFound."""
        found = (one for one in self.gyms() if slug_or_id in {one.slug, str(one.id)})
        gym = next(found, None)
        if gym is None:
            raise NotFound(what="org")
        return gym

    def add_gym(self, new: NewOrg) -> Gym:
        """Raises SlugTaken, and BadInput for a zone that there isn't."""
        org_id = new_id()
        try:
            with self.db.platform() as session, as_org(session, org_id):
                service.create_org(session, org_id, new)
        except IntegrityError:
            raise SlugTaken(slug=new.slug) from None
        return self.gym(str(org_id))

    def change_tier(self, slug_or_id: str, tier: Tier) -> Moved:
        """With the automations that the tier has no more. Raises NotFound."""
        org_id = self.gym(slug_or_id).id
        with self.db.transaction(org_id) as session:
            return plans.change_tier(session, org_id, tier)

    def usage(self, slug_or_id: str, by: By, day: date | None = None) -> list[Tally]:
        """What its calls of the model came to. Raises NotFound."""
        org_id = self.gym(slug_or_id).id
        with self.db.transaction(org_id) as session:
            return tallies(session, org_id, by, day=day)

    def storage(self, org_id: UUID | None) -> Kept | None:
        """What a gym keeps, or without one the whole installation; None before the first look."""
        with self.db.platform() as session:
            return kept(session, org_id)

    def staff(self, slug_or_id: str) -> tuple[StaffView, ...]:
        """Also those who have left. Raises NotFound."""
        with self.db.transaction(self.gym(slug_or_id).id) as session:
            return people.list_staff(session, active=None)

    def add_staff(self, slug_or_id: str, new: NewUser, role: Role) -> StaffView:
        """With the login of that e-mail, if there is one. Raises NotFound, AlreadyStaff."""
        org_id = self.gym(slug_or_id).id
        with self.db.platform() as session:
            known = logins.login_of(session, new.email) if new.email else None
            user_id = known or logins.create_user(session, new)
            with as_org(session, org_id):
                if people.staff_of_user(session, user_id) is not None:
                    raise AlreadyStaff(name=new.name)
                place = logins.add_staff(session, org_id, user_id, name=new.name, role=role)
                return people.staff(session, place)

    def change_staff(
        self,
        slug_or_id: str,
        user_id: UUID,
        *,
        role: Role | None = None,
        active: bool | None = None,
    ) -> StaffView:
        """Raises NotFound, LastOwner."""
        with self.db.transaction(self.gym(slug_or_id).id) as session:
            place = logins.change_staff(session, user_id, role=role, active=active)
            return people.staff(session, place)
