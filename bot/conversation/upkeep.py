"""Keeping warm what the model's cache holds for all gyms of a role, while any of them is open.

A prompt of no tokens reads tools and static block, and so renews their time. It serves every gym,
so that none pays for it: what it costs is booked on the operator's own table.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Role
from app.core.db import Database, now_of
from app.studio import queries as studio
from bot.conversation.leases import hold
from bot.conversation.models import Turn, UpkeepRow, Words
from bot.model.faults import VendorFault, describe
from bot.model.priced import Priced
from bot.model.prices import worst_case
from bot.model.prompt import Json
from bot.model.purse import NoRoom, Purse, Settle, Want, booked
from bot.model.usage import Usage
from bot.turn.events import Ended

_LANE = "upkeep"
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Upkeep:
    """`every` is a little less than the cache's time to live; `hours` are local, each gym's own.

    `vendor_for` makes the vendor for whoever pays, `request_for` a role's prompt of no tokens.
    """

    db: Database
    every: timedelta
    hours: tuple[int, int]
    vendor_for: Callable[[Purse], Priced]
    request_for: Callable[[Role], Json]

    def run(self) -> tuple[Role, ...]:
        """Renew what is due, and give whose it was; nothing where another worker does."""
        with hold(self.db, _LANE) as lease:
            if lease is None:
                return ()
            return tuple(role for role in self._due() if self._renew(role))

    def _due(self) -> list[Role]:
        with self.db.platform() as session:
            now = now_of(session)
            late = UpkeepRow.created_at > now - self.every
            renewed = set(session.scalars(select(UpkeepRow.role).where(late)))
            gyms = self._open(session, now)
        roles = {role for org_id, midnight in gyms for role in self._at_work(org_id, midnight)}
        return sorted(roles - renewed)

    def _open(self, platform: Session, now: datetime) -> list[tuple[UUID, datetime]]:
        """The gyms that are open and have had a turn of late, and when their day began."""
        talked = select(Turn.org_id).where(Turn.created_at > now - timedelta(days=1)).distinct()
        lately = set(platform.scalars(talked))
        found: list[tuple[UUID, datetime]] = []
        for org in studio.all_orgs(platform):
            here = now.astimezone(ZoneInfo(org.timezone))
            first, last = self.hours
            if org.id in lately and first <= here.hour < last:
                found.append((org.id, datetime.combine(here.date(), time(), tzinfo=here.tzinfo)))
        return found

    def _at_work(self, org_id: UUID, midnight: datetime) -> list[Role]:
        """The roles that have written since their day began."""
        with self.db.transaction(org_id) as session:
            wrote = select(Words.role).where(Words.created_at >= midnight).distinct()
            return list(session.scalars(wrote))

    def _renew(self, role: Role) -> bool:
        try:
            self.vendor_for(House(self.db, role)).ask(self.request_for(role))
        except VendorFault as fault:
            _log.warning("upkeep_missed", role=role.value, fault=describe(fault))
            return False
        except NoRoom:
            return False
        return True


@dataclass(frozen=True, slots=True)
class House:
    """The operator's purse: without a cap, since the clock bounds it, but never without a price."""

    db: Database
    role: Role

    def hold(self, want: Want) -> Settle:
        day = self.db.clock.now().date()
        try:
            worst = worst_case(want.model, day, want.prompt, want.output)
        except LookupError:
            _log.exception("model_without_price", model=want.model)
            raise NoRoom(Ended(reason="model_failed")) from None
        return lambda usage: self._keep(usage, booked(usage, day, want, worst))

    def _keep(self, usage: Usage, micros: int) -> None:
        with self.db.platform() as session:
            session.add(
                UpkeepRow(
                    role=self.role,
                    model=usage.model,
                    cost_micros=micros,
                    detail=asdict(usage),
                )
            )
