"""A turn's purse: room for each call in the gym's day, waited for a little where others hold it."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date, datetime

import structlog
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.core.db import Database, now_of
from bot.conversation import budget, doings
from bot.conversation.budget import Account, AtCap, Caps, Held, Payer
from bot.conversation.models import UsageDay, UsageRow
from bot.model.prices import worst_case
from bot.model.purse import NoRoom, Settle, Want, booked
from bot.model.usage import Usage
from bot.turn.events import DayLimit, Ended

PATIENCE_S = 5.0
LOOK_S = 0.25
"""How often it is looked again for room that others hold."""

_log = structlog.get_logger()

Near = Callable[[Session, DayLimit], None]
"""Told in the transaction by which a day comes near its cap, once a day."""


@dataclass(frozen=True, slots=True)
class Purse:
    """`link`: where the limit is raised, told to who `may_raise` it."""

    db: Database
    caps: Caps
    payer: Payer
    link: str = ""
    may_raise: bool = True
    near: Near = lambda *_: None
    patience_s: float = PATIENCE_S

    def hold(self, want: Want) -> Settle:
        """Raises NoRoom: over budget, busy, or a model that has no price."""
        until = time.monotonic() + self.patience_s
        first = True
        while True:
            found = self._try(want, first=first)
            if isinstance(found, Held):
                return lambda usage: self._settle(found, want, usage)
            if time.monotonic() >= until:
                raise NoRoom(Ended(reason="busy"))
            time.sleep(LOOK_S)
            first = False

    def ending(self, ended: Ended) -> Ended:
        """The end of the turn, telling of the limit where this turn has brought it near."""
        if ended.reason != "done":
            return ended
        with self.db.transaction(self.payer.org_id) as session:
            org = budget.account(session, self.payer.org_id)
            query = select(UsageDay.day).where(UsageDay.warned_turn == self.payer.turn_id)
            day = session.scalar(query.order_by(UsageDay.day.desc()).limit(1))
        if day is None:
            return ended
        return ended.model_copy(update={"limit": self._limit(org, org.reset(day))})

    def _try(self, want: Want, *, first: bool) -> Held | AtCap:
        payer = self.payer
        with self.db.transaction(payer.org_id) as session:
            org = budget.account(session, payer.org_id)
            cap = self.caps.of(org.tier)
            if first:
                budget.settle_lost(session, cap=cap, lane=payer.lane)
            day = org.day(now_of(session))
            micros = _worst(want, day)
            found = budget.hold(session, payer, day=day, model=want.model, micros=micros, cap=cap)
        if isinstance(found, AtCap) and found.spent:
            if not payer.aside:
                _log.warning(
                    doings.CAP_HIT, org=str(payer.org_id), tier=org.tier.value, cap_micros=cap
                )
            raise NoRoom(Ended(reason="over_budget", limit=self._limit(org, org.reset(day))))
        return found

    def _limit(self, org: Account, reset: datetime) -> DayLimit:
        link = self.link if self.may_raise else ""
        return DayLimit(tier=org.tier.value, reset=reset, link=link, asks_owner=not self.may_raise)

    def _settle(self, held: Held, want: Want, usage: Usage) -> None:
        """A database that is away is logged: the hold stays, and is booked at its most."""
        micros = booked(usage, held.day, want, held.micros)
        doings.watch_cache(usage, str(self.payer.org_id))
        if micros > held.micros:
            _log.error("hold_too_small", model=want.model, held=held.micros, booked=micros)
        try:
            with self.db.transaction(self.payer.org_id) as session:
                org = budget.account(session, self.payer.org_id)
                cap = self.caps.of(org.tier)
                row = _row(self.payer, usage, micros)
                if budget.settle(session, held, row, cap=cap, warns=not self.payer.aside):
                    _log.warning("daily_cap_near", org=str(self.payer.org_id), tier=org.tier.value)
                    reset = org.reset(held.day)
                    self.near(session, self._limit(org, reset))
        except SQLAlchemyError as error:
            turn = str(self.payer.turn_id)
            _log.error("usage_not_kept", turn=turn, error=type(error).__name__)


def _worst(want: Want, day: date) -> int:
    try:
        return worst_case(want.model, day, want.prompt, want.output)
    except LookupError:
        _log.error("model_without_price", model=want.model)
        raise NoRoom(Ended(reason="model_failed")) from None


def _row(payer: Payer, usage: Usage, micros: int) -> UsageRow:
    return UsageRow(
        org_id=payer.org_id,
        conversation_id=payer.conversation_id,
        turn_id=payer.turn_id,
        model=usage.model,
        input_tokens=usage.input,
        output_tokens=usage.output,
        cache_write_5m=usage.cache_write_5m,
        cache_write_1h=usage.cache_write_1h,
        cache_read=usage.cache_read,
        cost_micros=micros,
        detail=asdict(usage),
    )
