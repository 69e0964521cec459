"""Whom an automation would reach now."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.automations.models import Automation, AutomationRun
from app.automations.queries.conditions import kept
from app.automations.queries.matching import matches
from app.automations.queries.reading import shape_of
from app.automations.shapes import SendMessage, Shape
from app.automations.terms import RunStatus
from app.automations.views import Match, Reach
from app.core.columns import among
from app.core.errors import NotFound
from app.messages import queries as messages
from app.messages import rules
from app.messages import service as sending
from app.messages.service import Said
from app.messages.views import LeftOut, Person

_DONE = (RunStatus.DONE, RunStatus.QUEUED)


def reach(session: Session, org_id: UUID, automation_id: UUID, now: datetime) -> Reach:
    """Everybody for whom it is so and for whom it wasn't done on that occasion.

    Raises NotFound.
    """
    row = session.get(Automation, automation_id)
    if row is None:
        raise NotFound(what="automation")
    shape = shape_of(row)
    found = meant(session, org_id, shape, now, any_hour=True)
    keys = [dedupe_key(row.id, one) for one in found]
    done = select(AutomationRun.dedupe_key).where(
        among(AutomationRun.dedupe_key, keys), AutomationRun.status.in_(_DONE)
    )
    gone = set(session.scalars(done))
    left = [one for one, key in zip(found, keys, strict=True) if key not in gone]
    return _told(session, org_id, shape, left, now)


def meant(
    session: Session, org_id: UUID, shape: Shape, now: datetime, *, any_hour: bool = False
) -> list[Match]:
    """The trigger and the conditions together."""
    found = matches(session, org_id, shape, now, any_hour=any_hour)
    ids = kept(session, org_id, shape, {one.person_id for one in found}, now)
    return [one for one in found if one.person_id in ids]


def dedupe_key(automation_id: UUID, one: Match) -> str:
    return f"{automation_id}:{one.person_id}:{one.ref}"


def people_of(session: Session, found: Sequence[Match]) -> dict[UUID, Person]:
    members = [one.person_id for one in found if not one.is_lead]
    leads = [one.person_id for one in found if one.is_lead]
    return messages.persons(session, members, leads)


def said_of(action: SendMessage) -> Said:
    return Said(
        action.channel,
        action.body.told if action.body else {},
        action.template_id,
        category=action.category,
    )


def _told(
    session: Session, org_id: UUID, shape: Shape, found: Sequence[Match], now: datetime
) -> Reach:
    """Where it only writes to people, those who may not be written to aren't reached."""
    people = people_of(session, found)
    refused = _refused(session, org_id, shape, list(people.values()), now)
    only_writes = all(isinstance(one, SendMessage) for one in shape.actions)
    out = {one.person.id for one in refused} if only_writes else set()
    reached = tuple(
        (people[one.person_id], one)
        for one in found
        if one.person_id in people and one.person_id not in out
    )
    ids = {person.id for person, _ in reached}
    return Reach(reached, refused, rules.audience_hash(ids))


def _refused(
    session: Session, org_id: UUID, shape: Shape, people: Sequence[Person], now: datetime
) -> tuple[LeftOut, ...]:
    """By the first of its messages."""
    writes = next((one for one in shape.actions if isinstance(one, SendMessage)), None)
    if writes is None:
        return ()
    said = sending.draft(session, said_of(writes), places=shape.places)
    gym = sending.house(session, org_id)
    known = messages.known(session, people, said.channel, gym.policy.cap, now)
    return rules.plan(said, people, known, gym, now).left_out
