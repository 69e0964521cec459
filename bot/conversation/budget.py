"""A gym's day under its cap: what a call may cost is held before it, what it did cost booked after.

Each function is part of the caller's transaction, which is the gym's.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import delete, select, text
from sqlalchemy.orm import Session

from app.core.db import now_of
from app.core.ids import new_id
from app.studio import queries as studio
from app.studio.terms import Tier
from bot.conversation.models import BudgetHold, UsageDay, UsageRow

LONGEST = timedelta(minutes=10)
"""No call takes longer: a hold of this age is lost, whoever has its lane."""
WARN_AT = 80
"""Percent of the cap."""

_HOLD = text(
    """
    INSERT INTO usage_day
        (id, created_at, updated_at, org_id, version, day, spent_micros, held_micros)
    SELECT :id, :now, :now, :org, 1, :day, 0, :micros WHERE :micros <= :cap
    ON CONFLICT (org_id, day) DO UPDATE
        SET held_micros = usage_day.held_micros + :micros, updated_at = :now
        WHERE usage_day.spent_micros + usage_day.held_micros + :micros <= :cap
    RETURNING id
    """
)
_KEEP_HOLD = text(
    """
    INSERT INTO budget_hold
        (id, created_at, updated_at, org_id, version, conversation_id, turn_id, lane, day, model,
         micros, expires_at)
    VALUES (:id, :now, :now, :org, 1, :conversation, :turn, :lane, :day, :model,
            :micros, clock_timestamp() + :longest)
    """
)
_BOOK = text(
    """
    WITH before AS
        (SELECT id, warned_turn FROM usage_day WHERE org_id = :org AND day = :day FOR UPDATE)
    UPDATE usage_day AS this
    SET held_micros = held_micros - :held, spent_micros = spent_micros + :spent, updated_at = :now,
        warned_turn = CASE WHEN :warns AND this.warned_turn IS NULL
                           AND spent_micros + :spent >= :warn
                      THEN :turn ELSE this.warned_turn END
    FROM before WHERE this.id = before.id
    RETURNING before.warned_turn IS NULL AND this.warned_turn IS NOT NULL
    """
)
_LOST = """
    SELECT hold.id{more} FROM budget_hold AS hold
    LEFT JOIN lease ON lease.lane = hold.lane
    WHERE hold.expires_at < clock_timestamp()
       OR lease.holder IS NULL OR lease.expires_at < clock_timestamp()
    """
_LOST_ORGS = text(f"SELECT DISTINCT org_id FROM ({_LOST.format(more=', hold.org_id')}) AS lost")  # noqa: S608 - ours


@dataclass(frozen=True, slots=True)
class Caps:
    """Micro-dollars of a local day, by tier."""

    lite: int
    pro: int
    elite: int

    def of(self, tier: Tier) -> int:
        return {Tier.LITE: self.lite, Tier.PRO: self.pro, Tier.ELITE: self.elite}[tier]


@dataclass(frozen=True, slots=True)
class Account:
    """A gym as its budget sees it."""

    tier: Tier
    zone: str

    def day(self, now: datetime) -> date:
        """The local one."""
        return now.astimezone(ZoneInfo(self.zone)).date()

    def reset(self, day: date) -> datetime:
        """When the next day begins; where its midnight is skipped, the moment that follows."""
        midnight = datetime.combine(day + timedelta(days=1), time(), tzinfo=ZoneInfo(self.zone))
        return midnight.astimezone(UTC)


def account(session: Session, org_id: UUID) -> Account:
    org = studio.org(session, org_id)
    return Account(org.tier, org.timezone)


@dataclass(frozen=True, slots=True)
class Payer:
    """For whom calls are made; `lane` is the one whose lease the caller holds meanwhile.

    `aside`: beside turns, where nobody would hear that the day's limit is near or used up.
    """

    org_id: UUID
    conversation_id: UUID
    turn_id: UUID
    lane: str
    aside: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    id: UUID
    day: date
    micros: int


@dataclass(frozen=True, slots=True)
class AtCap:
    """There is no room. `spent`: not even once all calls under way have cost nothing."""

    spent: bool


def hold(
    session: Session, payer: Payer, *, day: date, model: str, micros: int, cap: int
) -> Held | AtCap:
    """Hold `micros` of the day in one statement that can't pass the cap, whoever comes at once."""
    values = {"org": payer.org_id, "day": day, "now": now_of(session), "micros": micros}
    if session.execute(_HOLD, {**values, "id": new_id(), "cap": cap}).first() is None:
        spent = session.scalar(select(UsageDay.spent_micros).where(UsageDay.day == day)) or 0
        return AtCap(spent=spent + micros > cap)
    held = Held(new_id(), day, micros)
    ids = {"id": held.id, "conversation": payer.conversation_id, "turn": payer.turn_id}
    more = {"lane": payer.lane, "model": model, "longest": LONGEST}
    session.execute(_KEEP_HOLD, {**values, **ids, **more})
    return held


def settle(session: Session, held: Held, row: UsageRow, *, cap: int, warns: bool = True) -> bool:
    """Book the row in the hold's place. True where this is to tell that the day is near its cap.

    A hold that was given up as lost is booked already: its row gets what is known now.
    """
    row.id, row.day = held.id, held.day
    gone = delete(BudgetHold).where(BudgetHold.id == held.id).returning(BudgetHold.micros)
    micros = session.scalar(gone)
    before = 0
    if micros is None:
        before = session.get_one(UsageRow, held.id, with_for_update=True).cost_micros
        row = session.merge(row)
    else:
        session.add(row)
    spent = row.cost_micros - before
    return _book(session, row, held=micros or 0, spent=spent, cap=cap, warns=warns)


def settle_lost(session: Session, *, cap: int, lane: str | None = None) -> int:
    """Book at their most the calls whose makers died, or in `lane`, whose holder is the caller.

    Gives how many there were.
    """
    lost = select(BudgetHold).order_by(BudgetHold.day).with_for_update(skip_locked=True)
    if lane is None:
        ids = list(session.scalars(text(_LOST.format(more=""))))
        lost = lost.where(BudgetHold.id.in_(ids))
    else:
        lost = lost.where(BudgetHold.lane == lane)
    holds = list(session.scalars(lost))
    for one in holds:
        row = _lost_row(one)
        session.delete(one)
        session.add(row)
        _book(session, row, held=one.micros, spent=one.micros, cap=cap, warns=True)
    return len(holds)


def orgs_with_lost(platform: Session) -> list[UUID]:
    return list(platform.scalars(_LOST_ORGS))


def _book(session: Session, row: UsageRow, *, held: int, spent: int, cap: int, warns: bool) -> bool:
    values = {"org": row.org_id, "day": row.day, "turn": row.turn_id, "now": now_of(session)}
    warn = max(1, cap * WARN_AT // 100)
    sums = {"held": held, "spent": spent, "warn": warn, "warns": warns}
    session.flush()
    return bool(session.scalar(_BOOK, {**values, **sums}))


def _lost_row(one: BudgetHold) -> UsageRow:
    return UsageRow(
        id=one.id,
        org_id=one.org_id,
        conversation_id=one.conversation_id,
        turn_id=one.turn_id,
        day=one.day,
        model=one.model,
        input_tokens=0,
        output_tokens=0,
        cache_write_5m=0,
        cache_write_1h=0,
        cache_read=0,
        cost_micros=one.micros,
        detail={"outcome": "lost"},
    )
