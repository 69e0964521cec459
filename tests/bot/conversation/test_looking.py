"""Automations are looked at by the pulse, and what they do leaves once."""

from typing import Any
from uuid import UUID

from sqlalchemy import select

from app.automations import service
from app.automations.models import Automation
from app.automations.shapes import Shape
from app.core.actor import Role
from app.studio import service as gyms
from app.studio.terms import Tier
from app.tasks.models import Task
from bot.conversation import looking, relay
from bot.conversation.models import OutboundMessage
from bot.conversation.pulse import Pulse
from bot.conversation.queue import LOOK_AROUND
from tests.floor import Gym
from tests.reachable import reachable


def switched_on(gym: Gym, *actions: dict[str, Any]) -> UUID:
    shape = Shape.model_validate({"trigger": {"kind": "birthday"}, "actions": actions})
    with gym.db.transaction(gym.org_id) as session:
        gyms.set_tier(session, gym.org_id, Tier.ELITE)
        made = service.create(session, gym.owner, "Birthdays", shape)
        service.enable(session, gym.owner, made.id, now=session.info["now"])
    return made.id


def looked(gym: Gym) -> None:
    looking.look_all(gym.db, gym.org_id)
    relay.relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
    gym.settle()


def written(gym: Gym, number: str) -> list[str]:
    with gym.db.platform() as session:
        query = select(OutboundMessage.body).where(OutboundMessage.recipient == number)
        return list(session.scalars(query))


def test_the_pulse_has_it_looked_at_and_a_message_leaves_once(gym: Gym) -> None:
    dana = gym.phone("sms")
    text = {"kind": "send_message", "channel": "sms", "body": {"en": "Many happy, {name}"}}
    switched_on(gym, text)
    reachable(gym.studio, phone=dana.number, birth_date=gym.studio.day(0).replace(year=1990))
    asked: list[tuple[str, ...]] = []
    pulse = Pulse(gym.db, lambda *job: asked.append(job), {}, lambda _: None)
    pulse.beat()
    assert (LOOK_AROUND, str(gym.org_id)) in asked
    for _ in range(3):
        looked(gym)
        gym.later(minutes=5)
    assert written(gym, dana.number) == ["Many happy, Dana"]


def test_the_team_is_told_on_the_phone_or_finds_a_task(gym: Gym) -> None:
    owner = gym.linked(role=Role.OWNER)
    gym.says(("hello", [{"say": "Hello."}]))
    owner.says("hello")
    tells = [
        {"kind": "notify_staff", "staff_id": str(gym.studio.staff[role]), "text": "{name} is 36"}
        for role in (Role.OWNER, Role.COACH)
    ]
    switched_on(gym, *tells)
    reachable(gym.studio, birth_date=gym.studio.day(0).replace(year=1990))
    looked(gym)
    assert [text for text in owner.got() if "36" in text] == ["Dana is 36"]
    with gym.db.transaction(gym.org_id) as session:
        (task,) = session.scalars(select(Task)).all()
    assert (task.title, task.assignee_id) == ("Dana is 36", gym.studio.staff[Role.COACH])


def test_one_that_breaks_holds_up_no_other(gym: Gym) -> None:
    broken = switched_on(gym, {"kind": "create_task", "title": "Call {name}"})
    with gym.db.transaction(gym.org_id) as session:
        row = session.get_one(Automation, broken)
        row.trigger = {"kind": "nonsense"}
    looking.look_all(gym.db, gym.org_id)
    with gym.db.transaction(gym.org_id) as session:
        row = session.get_one(Automation, broken)
        assert row.next_look_at > session.info["now"]
