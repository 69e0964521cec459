"""Two workers at the same broadcast, or at the same automation, write to nobody twice."""

from datetime import timedelta
from functools import partial
from uuid import UUID

from sqlalchemy import func, select

from app.automations import service as automations
from app.automations.models import AutomationRun
from app.automations.shapes import MOST_ON_PRO, Shape
from app.messages import service
from app.messages.errors import BroadcastJustSent
from app.messages.models import Message
from app.messages.service import Said
from app.messages.views import Audience
from app.people.terms import Channel
from app.studio import service as gyms
from app.studio.terms import Tier
from tests.app.test_races import race
from tests.reachable import reachable
from tests.studio import Studio

PEOPLE = 20
BIRTHDAY = {
    "trigger": {"kind": "birthday"},
    "actions": [{"kind": "send_message", "channel": "sms", "body": {"en": "Hi {name}"}}],
}


def written(studio: Studio) -> tuple[int, int]:
    """How many messages, and to how many people."""
    with studio.act() as session:
        counted = select(func.count(Message.id), func.count(Message.member_id.distinct()))
        messages, people = session.execute(counted).one()
    return messages, people


def test_a_broadcast_that_several_carry_on_at_once_reaches_each_once(studio: Studio) -> None:
    for number in range(PEOPLE):
        reachable(studio, f"Member {number}")
    with studio.act() as session:
        said = Said(Channel.SMS, {"en": "Hi {name}"})
        found = service.plan_later(
            session,
            studio.owner,
            Audience(),
            said,
            send_at=studio.now + timedelta(hours=1),
            now=studio.now,
        )
        broadcast_id = service.schedule(session, studio.owner, found, now=studio.now).id
    studio.wait(hours=1)

    def carry() -> int:
        with studio.act() as session:
            return service.carry(session, broadcast_id, now=studio.now, chunk=4)

    for _ in range(2):
        race(*([carry] * 4))
    assert written(studio) == (PEOPLE, PEOPLE)


def test_one_broadcast_that_several_approve_at_once_is_sent_once(studio: Studio) -> None:
    reachable(studio)
    said = Said(Channel.SMS, {"en": "Hi {name}"})

    def start(said: Said = said) -> UUID:
        with studio.act() as session:
            found = service.plan(session, studio.owner, Audience(), said, now=studio.now)
            return service.start(session, studio.owner, found).id

    def schedule(hours: float = 30) -> UUID:
        with studio.act() as session:
            at, now = studio.now + timedelta(hours=hours), studio.now
            everybody, actor = Audience(), studio.admin
            found = service.plan_later(session, actor, everybody, said, send_at=at, now=now)
            return service.schedule(session, actor, found, now=now).id

    for act in (start, schedule):
        done = race(*([act] * 4))
        assert [type(one) for one in done if not isinstance(one, UUID)] == [BroadcastJustSent] * 3
    assert start(Said(Channel.SMS, {"en": "Hi again"})) is not None
    assert schedule(31) is not None
    studio.wait(minutes=11)
    assert start() is not None


def test_an_automation_that_several_look_at_and_run_at_once_reaches_each_once(
    studio: Studio,
) -> None:
    shape = Shape.model_validate(BIRTHDAY)
    with studio.act() as session:
        gyms.set_tier(session, studio.org_id, Tier.PRO)
        made = automations.create(session, studio.owner, "Birthdays", shape)
        automations.enable(session, studio.owner, made.id, now=studio.now)
    for number in range(PEOPLE):
        born = studio.day(0).replace(year=1990)
        reachable(studio, f"Member {number}", birth_date=born)

    def look() -> int:
        with studio.act() as session:
            return automations.look(session, made.id, now=studio.now)

    assert [one for one in race(*([look] * 4)) if one] == [PEOPLE]
    with studio.act() as session:
        runs = list(session.scalars(select(AutomationRun.id)))

    def run() -> None:
        for run_id in runs:
            with studio.act() as session:
                automations.run(session, run_id, now=studio.now)

    race(*([run] * 3))
    assert written(studio) == (PEOPLE, PEOPLE)


def test_the_last_free_place_of_a_tier_is_taken_once(studio: Studio) -> None:
    shape = Shape.model_validate(BIRTHDAY)
    with studio.act() as session:
        gyms.set_tier(session, studio.org_id, Tier.ELITE)
        made = [
            automations.create(session, studio.owner, f"No {number}", shape).id
            for number in range(MOST_ON_PRO + 2)
        ]
        for automation_id in made[3:]:
            automations.enable(session, studio.owner, automation_id, now=studio.now)
        gyms.set_tier(session, studio.org_id, Tier.PRO)

    def enable(automation_id: UUID) -> bool:
        with studio.act() as session:
            automations.enable(session, studio.owner, automation_id, now=studio.now)
        return True

    found = race(*(partial(enable, one) for one in made[:3]))
    assert sum(one is True for one in found) == 1
    with studio.act() as session:
        for automation_id in made[-3:]:
            automations.delete(session, studio.owner, automation_id)

    def create(name: str) -> bool:
        with studio.act() as session:
            automations.create(session, studio.owner, name, shape)
        return True

    found = race(*(partial(create, name) for name in ("Anna", "Ben", "Noa")))
    assert sum(one is True for one in found) == 1
