"""Leads of three years, and the tasks that came of them."""

from datetime import datetime, time, timedelta
from random import Random
from typing import Final
from uuid import UUID

from app.leads.terms import ActivityKind, LeadSource, LeadStage, LostReason
from app.tasks.terms import TaskSource, TaskStatus
from bot.playground.demo.large.crowd import DAYS, Crowd
from bot.playground.demo.large.rows import ZONE, Rows

LEADS: Final = 3_000
_STAGES: Final = {
    LeadStage.WON: 35,
    LeadStage.LOST: 45,
    LeadStage.NEW: 6,
    LeadStage.CONTACTED: 6,
    LeadStage.TRIAL_BOOKED: 4,
    LeadStage.OFFER: 4,
}
_LOST: Final = (LostReason.PRICE, LostReason.SCHEDULE, LostReason.NO_RESPONSE)


def attract(rows: Rows, crowd: Crowd, rng: Random, staff: list[UUID]) -> None:
    people = list(crowd.names.items())
    for number in range(min(LEADS, len(people))):
        member_id, person = people[number]
        stage = rng.choices(list(_STAGES), [*_STAGES.values()])[0]
        day = rows.today - timedelta(days=rng.randrange(1, DAYS))
        at = datetime.combine(day, time(15), tzinfo=ZONE)
        won = stage is LeadStage.WON
        joined = min(at + timedelta(days=rng.randrange(1, 30)), rows.now)
        lead_id = rows.add(
            "lead",
            at=at,
            first_name=person.first,
            last_name=person.last,
            phone=f"+97253{3_000_000 + number}",
            language=person.language,
            source=rng.choice(list(LeadSource)),
            stage=stage,
            stage_since=joined,
            owner_id=rng.choice(staff),
            converted_member_id=member_id if won else None,
            converted_at=joined if won else None,
            lost_reason=rng.choice(_LOST) if stage is LeadStage.LOST else None,
            lost_at=joined if stage is LeadStage.LOST else None,
        )
        _followed_up(rows, rng, lead_id, at, staff)


def _followed_up(rows: Rows, rng: Random, lead_id: UUID, at: datetime, staff: list[UUID]) -> None:
    called = min(at + timedelta(hours=rng.randrange(1, 90)), rows.now)
    rows.add(
        "lead_activity", at=called, lead_id=lead_id, kind=ActivityKind.CALL, occurred_at=called
    )
    if rng.random() < 0.2:  # noqa: PLR2004 - a fifth need a second call
        done = called + timedelta(days=2) <= rows.now
        rows.add(
            "task",
            at=called,
            title="Call again",
            due_at=called + timedelta(days=2),
            status=TaskStatus.DONE if done else TaskStatus.OPEN,
            assignee_id=rng.choice(staff),
            lead_id=lead_id,
            source=TaskSource.MANUAL,
            completed_at=called + timedelta(days=2) if done else None,
        )
