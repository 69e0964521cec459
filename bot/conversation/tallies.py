"""What a gym's model calls used and cost, added up by whatever is asked for."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import ColumnElement, Date, String, cast, func, select
from sqlalchemy.orm import Session

from app.studio import queries as studio
from bot.conversation.models import Conversation, UsageRow

By = Literal["call", "conversation", "user", "org", "day", "model", "kind"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Tokens as the API counts them; `hit_ratio` is the share of the prompts read from the cache.

    `misses` counts prefixes that were not what they had been, by the API's reason; `outcomes` how
    calls ended.
    """

    key: str
    calls: int
    input: int
    output: int
    cache_write_5m: int
    cache_write_1h: int
    cache_read: int
    micros: int
    misses: dict[str, int]
    outcomes: dict[str, int]

    @property
    def hit_ratio(self) -> float | None:
        written = self.cache_write_5m + self.cache_write_1h
        prompt = self.input + written + self.cache_read
        return round(self.cache_read / prompt, 4) if prompt else None


def tallies(session: Session, org_id: UUID, by: By, *, day: date | None = None) -> list[Tally]:
    """One for each key, dearest first; of the gym's local day, or of all days."""
    on = _day(studio.org(session, org_id).timezone)
    key = _key(by, on)
    wanted = [] if day is None else [on == day]
    sums = [
        func.sum(getattr(UsageRow, name))
        for name in (
            "input_tokens",
            "output_tokens",
            "cache_write_5m",
            "cache_write_1h",
            "cache_read",
            "cost_micros",
        )
    ]
    query = select(key, func.count(), *sums).select_from(UsageRow).where(*wanted).group_by(key)
    if by == "user":
        query = query.join(Conversation, Conversation.id == UsageRow.conversation_id)
    misses = _counts(session, by, key, wanted, "cache_miss_reason")
    outcomes = _counts(session, by, key, wanted, "outcome")
    found = [
        Tally(
            key=row[0],
            calls=row[1],
            input=int(row[2]),
            output=int(row[3]),
            cache_write_5m=int(row[4]),
            cache_write_1h=int(row[5]),
            cache_read=int(row[6]),
            micros=int(row[7]),
            misses=misses.get(row[0], {}),
            outcomes=outcomes.get(row[0], {}),
        )
        for row in session.execute(query)
    ]
    return sorted(found, key=lambda one: (-one.micros, one.key))


def _day(zone: str) -> ColumnElement[Any]:
    """Calls of before budgets were kept have the day on which they ended."""
    return func.coalesce(UsageRow.day, cast(func.timezone(zone, UsageRow.created_at), Date))


def _key(by: By, day: ColumnElement[Any]) -> ColumnElement[str]:
    keys: dict[By, ColumnElement[Any]] = {
        "call": UsageRow.id.expression,
        "conversation": UsageRow.conversation_id.expression,
        "user": Conversation.user_id.expression,
        "org": UsageRow.org_id.expression,
        "day": day,
        "model": UsageRow.model.expression,
        "kind": func.coalesce(UsageRow.detail["kind"].astext, "unknown"),
    }
    return cast(keys[by], String)


def _counts(
    session: Session, by: By, key: ColumnElement[str], wanted: list[ColumnElement[bool]], name: str
) -> dict[str, dict[str, int]]:
    reason = UsageRow.detail[name].astext
    query = select(key, reason, func.count()).select_from(UsageRow).where(reason.is_not(None))
    if by == "user":
        query = query.join(Conversation, Conversation.id == UsageRow.conversation_id)
    counted: dict[str, dict[str, int]] = {}
    for one, said, count in session.execute(query.where(*wanted).group_by(key, reason)):
        counted.setdefault(one, {})[said] = count
    return counted
