"""What waits at the demo gym's front desk: leads, tasks, and a message without an answer."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from app.inbox import service as inbox
from app.inbox.terms import ThreadChannel
from app.leads.terms import ActivityKind, LeadSource, LeadStage, LostReason
from app.tasks.terms import Priority, TaskSource, TaskStatus
from bot.playground.demo.large.rows import Rows
from bot.playground.demo.names import Person
from bot.playground.demo.site import Site
from bot.playground.demo.texts import INTERESTS, QUESTION, TASKS

_STAGES = (
    *[LeadStage.NEW] * 3,
    *[LeadStage.CONTACTED] * 2,
    *[LeadStage.TRIAL_DONE] * 2,
    *[LeadStage.OFFER] * 2,
    LeadStage.LOST,
)
_SOURCES = (LeadSource.WEBSITE, LeadSource.INSTAGRAM, LeadSource.REFERRAL, LeadSource.WALK_IN)
_HOURS = 18
_DUE = (-1, 0, 0, 1, 3)
"""In so many days each task is due: one is late."""


def keep_busy(site: Site, prospects: Sequence[Person], staff: Sequence[UUID]) -> None:
    """`staff` are who looks after them, by staff id: the owner first."""
    rows = Rows(site.session, site.actor.org_id, site.now)
    phones = [f"+97253{site.rng.randrange(2_000_000, 10_000_000)}" for _ in prospects]
    leads = [
        _lead(site, rows, number, person, phones[number], staff)
        for number, person in enumerate(prospects)
    ]
    _tasks(site, rows, staff, leads)
    rows.flush()
    text = QUESTION[prospects[0].language]
    asked = site.now - timedelta(minutes=40)
    inbox.receive(
        site.session, site.actor.org_id, ThreadChannel.WHATSAPP, phones[0], text, at=asked
    )


def _lead(  # noqa: PLR0917 - one row of a table
    site: Site, rows: Rows, number: int, person: Person, phone: str, staff: Sequence[UUID]
) -> UUID:
    """The newest came in today; whoever is past the first stage was called a day later."""
    stage = _STAGES[number % len(_STAGES)]
    came = site.now - timedelta(hours=2 + _HOURS * number)
    moved = came if stage is LeadStage.NEW else came + timedelta(hours=_HOURS)
    lost = stage is LeadStage.LOST
    lead_id = rows.add(
        "lead",
        at=came,
        first_name=person.first,
        last_name=person.last,
        phone=phone,
        language=person.language,
        source=_SOURCES[number % len(_SOURCES)],
        stage=stage,
        stage_since=moved,
        owner_id=staff[number % len(staff)],
        interest=site.rng.choice(INTERESTS[person.language]),
        lost_reason=LostReason.PRICE if lost else None,
        lost_at=moved if lost else None,
    )
    if stage is not LeadStage.NEW:
        _staged(site, rows, lead_id, stage, moved)
    return lead_id


def _staged(site: Site, rows: Rows, lead_id: UUID, stage: LeadStage, at: datetime) -> None:
    rows.add(
        "lead_activity",
        at=at,
        lead_id=lead_id,
        kind=ActivityKind.STAGE_CHANGE,
        stage=stage,
        occurred_at=at,
        actor_id=site.actor.user_id,
    )


def _tasks(site: Site, rows: Rows, staff: Sequence[UUID], leads: Sequence[UUID]) -> None:
    """Two are the owner's; the last is about whoever has had a trial."""
    made = site.now - timedelta(days=2)
    trial = leads[_STAGES.index(LeadStage.TRIAL_DONE)]
    whose = (0, 0, *range(1, len(staff)))
    titles = TASKS[site.actor.language]
    for number, (title, days) in enumerate(zip(titles, _DUE, strict=True)):
        rows.add(
            "task",
            at=made,
            title=title,
            due_at=site.at(site.today + timedelta(days=days), 20),
            priority=Priority.HIGH if days < 0 else Priority.NORMAL,
            status=TaskStatus.OPEN,
            assignee_id=staff[whose[number % len(whose)]],
            lead_id=trial if number == len(titles) - 1 else None,
            source=TaskSource.MANUAL,
        )
