"""One message to one person."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.messages import queries, rules
from app.messages.service.drafting import Said, draft, house
from app.messages.service.writing import Letter, Origin, write
from app.messages.texts import filled
from app.messages.views import Draft, Person, Plan
from app.people import queries as people
from app.studio import queries as studio


def plan_to_member(
    session: Session, actor: Actor, member_id: UUID, said: Said, *, now: datetime
) -> Plan:
    """What `send_to_member` would do. Raises a Refusal where they may not be written to."""
    people.present(session, member_id)
    person = queries.person(session, member_id)
    return _plan(session, actor.org_id, person, draft(session, said), now)


def send_to_member(
    session: Session, actor: Actor, member_id: UUID, said: Said, *, now: datetime
) -> tuple[UUID, Plan]:
    """Write to a member: at once, or when the quiet hours are over. The message's id."""
    plan = plan_to_member(session, actor, member_id, said, now=now)
    (recipient,) = plan.recipients
    letter = Letter(recipient.person, recipient.language, None)
    origin = Origin(actor.org_id, actor.user_id)
    made = write(session, plan.draft, letter, origin, now=now, at=plan.leaves_at)
    return made.id, plan


def text_of(session: Session, org_id: UUID, plan: Plan) -> str:
    """The whole text that the one person of this plan gets."""
    (recipient,) = plan.recipients
    person = recipient.person
    gym = studio.org(session, org_id).name
    wording = plan.draft.wording
    values = {**wording.given, **person.words(gym)}
    return filled(wording.variants[recipient.language].body, values)


def _plan(session: Session, org_id: UUID, person: Person, said: Draft, now: datetime) -> Plan:
    gym = house(session, org_id)
    known = queries.known(session, [person], said.channel, gym.policy.cap, now)
    plan = rules.plan(said, [person], known, gym, now)
    if plan.left_out:
        raise plan.left_out[0].reason
    return plan
