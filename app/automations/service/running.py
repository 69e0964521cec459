"""Looking whether triggers are so, and doing for each person what is to be done, once."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.automations.models import Automation, AutomationRun
from app.automations.queries import dedupe_key, meant, reach, shape_of
from app.automations.queries.conditions import kept
from app.automations.queries.matching import matches
from app.automations.service.doing import Occasion, do
from app.automations.service.seeding import keep
from app.automations.shapes import Shape
from app.automations.terms import RunStatus
from app.automations.views import Match, Reach
from app.core import outbox
from app.core.actor import Actor, Role, Via
from app.core.errors import NotFound, StudioError
from app.messages import queries as messages
from app.messages.errors import AudienceChanged, AudienceEmpty
from app.messages.rules import counted
from app.messages.views import Person
from app.people.consent import OverCap, QuietHours, Refusal, quiet_until
from app.people.terms import Category
from app.studio import queries as studio

RUN: Final = "run_automation"
"""Body: `run_id`; carried out by `run`."""
EVERY: Final = timedelta(minutes=5)
NOBODY: Final = UUID(int=0)

_log = structlog.get_logger(__name__)


def system(org_id: UUID) -> Actor:
    """Who acts where nobody does."""
    return Actor(org_id, NOBODY, Role.OWNER, via=Via.MACHINE)


def look(session: Session, automation_id: UUID, *, now: datetime) -> int:
    """Queue what is to be done for those for whom it has become so; how many they are.

    Looking again at the same time queues nothing: an occasion is a row, and there once.
    """
    row = session.get(Automation, automation_id, with_for_update=True)
    if row is None or not row.enabled:
        return 0
    shape = shape_of(row)
    row.next_look_at = now + EVERY
    found = meant(session, row.org_id, shape, now)
    at = now + timedelta(minutes=shape.delay_min)
    made = keep(session, row, found, RunStatus.QUEUED, now=now, at=at)
    for run_id in made:
        _queue(session, row.org_id, run_id, wait=at - now)
    session.flush()
    return len(made)


def put_off(session: Session, automation_id: UUID, *, now: datetime) -> None:
    """Don't look at it again before its time."""
    row = session.get(Automation, automation_id, with_for_update=True)
    if row is not None:
        row.next_look_at = now + EVERY


def run(session: Session, run_id: UUID, *, now: datetime) -> None:
    """Do what is to be done, or say why not; a run that is over stays as it is."""
    row = session.get(AutomationRun, run_id, with_for_update=True)
    if row is None or row.status is not RunStatus.QUEUED:
        return
    owner = session.get(Automation, row.automation_id)
    if owner is None or not owner.enabled:
        _end(row, RunStatus.SKIPPED, "switched_off", now)
        return
    shape = shape_of(owner)
    later = _own_quiet_end(session, row.org_id, shape, now)
    if later is not None:
        row.due_at = later
        _queue(session, row.org_id, row.id, wait=later - now)
        return
    _carry_out(session, system(row.org_id), row, shape, now)


def plan_now(
    session: Session, actor: Actor, automation_id: UUID, audience_hash: str, *, now: datetime
) -> Reach:
    """Whom `run_now` would reach. Raises AudienceChanged, AudienceEmpty, NotFound."""
    found = reach(session, actor.org_id, automation_id, now)
    size = len(found.people)
    if audience_hash != found.audience_hash:
        before = counted(audience_hash)
        raise AudienceChanged(before=before, now=size, audience_hash=found.audience_hash)
    if not size:
        raise AudienceEmpty(left_out=len(found.refused))
    return found


def run_for(
    session: Session, actor: Actor, automation_id: UUID, one: Match, *, now: datetime
) -> None:
    """Do it for one person at once, because somebody wants it; on one occasion only once.

    Raises the StudioError of what can't be done for them.
    """
    owner = session.get(Automation, automation_id)
    if owner is None:
        raise NotFound(what="automation")
    keep(session, owner, [one], RunStatus.QUEUED, now=now, at=now)
    same = AutomationRun.dedupe_key == dedupe_key(owner.id, one)
    row = session.scalars(select(AutomationRun).where(same).with_for_update()).one()
    if row.status is RunStatus.DONE:
        return
    row.due_at = now
    error = _carry_out(session, actor, row, shape_of(owner), now)
    if error is not None:
        raise error


def stands(session: Session, cause_key: str) -> bool:
    """Whether it is still so what a message that waits was written for; see `doing` for its key."""
    key = cause_key.rpartition(":")[0]
    row = session.scalar(select(AutomationRun).where(AutomationRun.dedupe_key == key))
    owner = session.get(Automation, row.automation_id) if row is not None else None
    return row is None or owner is None or _still_so(session, row, shape_of(owner))


def _carry_out(
    session: Session, actor: Actor, row: AutomationRun, shape: Shape, now: datetime
) -> StudioError | None:
    """What went wrong first, if nothing at all could be done."""
    person = _person(session, row)
    so = person is not None and kept(session, row.org_id, shape, {person.id}, now)
    if person is None or not so or not _still_so(session, row, shape):
        _end(row, RunStatus.SKIPPED, "no_longer_so", now)
        return None
    if _capped(session, row, shape, now):
        _end(row, RunStatus.CAPPED, "automation_cap", now)
        return None
    occasion = Occasion(row.dedupe_key, person, row.facts, shape)
    errors = _do_all(session, actor, occasion, now)
    if len(errors) == len(shape.actions):
        return _fail(row, errors[0], now)
    _end(row, RunStatus.DONE, errors[0].code if errors else None, now)
    return None


def _still_so(session: Session, row: AutomationRun, shape: Shape) -> bool:
    """Whether nothing has become of the occasion since.

    As of when it was seen, or is to be acted on: an absence goes on for longer than its days, and
    a membership that was about to end may be over by now; but a visit, a payment or a renewal
    since then is known.
    """
    person_id = row.member_id or row.lead_id
    return any(
        one.ref == row.trigger_ref
        for at in (row.created_at, row.due_at)
        for one in matches(session, row.org_id, shape, at, any_hour=True, person_id=person_id)
    )


def _person(session: Session, row: AutomationRun) -> Person | None:
    members = [row.member_id] if row.member_id else []
    leads = [row.lead_id] if row.lead_id else []
    return next(iter(messages.persons(session, members, leads).values()), None)


def _do_all(session: Session, actor: Actor, occasion: Occasion, now: datetime) -> list[StudioError]:
    """Each by itself: what can't be done doesn't keep the others from being done."""
    errors = []
    for number, action in enumerate(occasion.shape.actions):
        try:
            with session.begin_nested():
                do(session, actor, action, occasion, number=number, now=now)
        except StudioError as error:
            _log.info("automation_action_refused", action=action.kind, code=error.code)
            errors.append(error)
    return errors


def _fail(row: AutomationRun, error: StudioError, now: datetime) -> StudioError:
    match error:
        case OverCap():
            status = RunStatus.CAPPED
        case Refusal():
            status = RunStatus.SKIPPED
        case _:
            status = RunStatus.FAILED
    _end(row, status, error.code, now)
    return error


def _end(row: AutomationRun, status: RunStatus, reason: str | None, now: datetime) -> None:
    row.status, row.reason, row.finished_at = status, reason, now


def _capped(session: Session, row: AutomationRun, shape: Shape, now: datetime) -> bool:
    """Whether it has reached them within the days of its own cap."""
    if shape.cap_days is None:
        return False
    theirs = (
        AutomationRun.member_id == row.member_id
        if row.member_id
        else AutomationRun.lead_id == row.lead_id
    )
    since = now - timedelta(days=shape.cap_days)
    before = select(AutomationRun.id).where(
        AutomationRun.automation_id == row.automation_id,
        theirs,
        AutomationRun.id != row.id,
        AutomationRun.status == RunStatus.DONE,
        AutomationRun.finished_at > since,
    )
    return session.scalar(before.limit(1)) is not None


def _own_quiet_end(session: Session, org_id: UUID, shape: Shape, now: datetime) -> datetime | None:
    if shape.quiet_from is None or shape.quiet_to is None:
        return None
    hours = QuietHours(since=shape.quiet_from, until=shape.quiet_to, marketing=())
    zone = studio.org(session, org_id).timezone
    return quiet_until(hours, Category.UTILITY, zone, now=now)


def _queue(session: Session, org_id: UUID, run_id: UUID, *, wait: timedelta) -> None:
    outbox.put(session, org_id, RUN, {"run_id": str(run_id)}, wait=wait)
