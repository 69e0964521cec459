"""The budgets of all gyms: purses for their turns, and who is told that a day nears its cap."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import structlog
from sqlalchemy.orm import Session

from app.core.actor import Role
from app.core.db import Database
from app.core.settings import Settings
from app.people import queries as people
from bot.conversation import budget
from bot.conversation.budget import Caps, Payer
from bot.conversation.purse import Purse
from bot.conversation.run import Setting
from bot.stream.entries import Person
from bot.turn.events import DayLimit, Ended, Event

Tell = Callable[[Session, Person, str, Mapping[str, object]], None]
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Budgets:
    """`tell` reaches all pages of a person; `link` is where an owner raises the limit."""

    db: Database
    caps: Caps
    link: str
    tell: Tell

    @classmethod
    def of(cls, db: Database, settings: Settings, tell: Tell) -> "Budgets":
        caps = Caps(settings.cap_lite_micros, settings.cap_pro_micros, settings.cap_elite_micros)
        return cls(db, caps, settings.upgrade_url, tell)

    def purse(self, setting: Setting) -> Purse:
        conversation = setting.conversation.id
        payer = Payer(
            setting.turn.org_id, conversation, setting.turn.id, f"conversation:{conversation}"
        )
        owner = setting.actor.role is Role.OWNER
        near = partial(self._near, payer)
        return Purse(self.db, self.caps, payer, self.link, may_raise=owner, near=near)

    def aside(self, payer: Payer) -> Purse:
        """For what is done beside turns: waits for no room, and tells nobody of the limit."""
        return Purse(self.db, self.caps, payer, patience_s=0.0)

    def ending(self, setting: Setting, event: Event) -> Event:
        return self.purse(setting).ending(event) if isinstance(event, Ended) else event

    def sweep(self) -> None:
        """Book what workers held that have died since: nobody knows what their calls came to."""
        with self.db.platform() as session:
            orgs = budget.orgs_with_lost(session)
        for org_id in orgs:
            with self.db.transaction(org_id) as session:
                cap = self.caps.of(budget.account(session, org_id).tier)
                lost = budget.settle_lost(session, cap=cap)
            _log.warning("holds_lost", org=str(org_id), calls=lost)

    def _near(self, payer: Payer, session: Session, limit: DayLimit) -> None:
        value = {
            "conversation_id": payer.conversation_id,
            "tier": limit.tier,
            "reset": limit.reset,
            "percent": budget.WARN_AT,
        }
        for one in people.list_staff(session):
            if one.role is Role.OWNER:
                self.tell(session, Person(payer.org_id, one.user_id), "budget_near", value)
