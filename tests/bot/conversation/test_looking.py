"""Automations are looked at by the pulse, and what they do leaves once."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from app.automations import queries, service
from app.automations.models import Automation, AutomationRun
from app.automations.shapes import Shape
from app.core import outbox
from app.core.actor import Role
from app.core.outbox import Outbox
from app.studio import service as gyms
from app.studio.terms import Tier
from app.tasks.models import Task
from bot.conversation import looking, relay
from bot.conversation.models import OutboundMessage
from bot.conversation.pulse import Pulse
from bot.conversation.queue import LOOK_AROUND
from tests.floor import Gym
from tests.reachable import reachable


def switched_on(gym: Gym, *actions: dict[str, Any], name: str = "Birthdays") -> UUID:
    shape = Shape.model_validate({"trigger": {"kind": "birthday"}, "actions": actions})
    with gym.db.transaction(gym.org_id) as session:
        gyms.set_tier(session, gym.org_id, Tier.ELITE)
        made = service.create(session, gym.owner, name, shape)
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


CALL = {"kind": "create_task", "title": "Call {name}"}
BREAK = """
CREATE FUNCTION break_it() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE 'too much' USING ERRCODE = 'program_limit_exceeded'; END $$;
CREATE TRIGGER break_it BEFORE INSERT ON automation_run FOR EACH ROW
WHEN (NEW.automation_id = '%s') EXECUTE FUNCTION break_it();
"""


@pytest.fixture
def breaks(gym: Gym) -> Iterator[Callable[[UUID], None]]:
    """Has the server itself refuse what one automation wants to keep."""

    def break_it(automation_id: UUID) -> None:
        with gym.db.engine.begin() as connection:
            connection.exec_driver_sql(BREAK % automation_id)

    yield break_it
    with gym.db.engine.begin() as connection:
        connection.exec_driver_sql("DROP FUNCTION break_it CASCADE")


def test_one_that_breaks_holds_up_no_other(gym: Gym, breaks: Callable[[UUID], None]) -> None:
    broken = [switched_on(gym, CALL, name=name) for name in ("one", "two")]
    sound = switched_on(gym, CALL, name="three")
    with gym.db.transaction(gym.org_id) as session:
        session.get_one(Automation, broken[0]).trigger = {"kind": "nonsense"}
    breaks(broken[1])
    reachable(gym.studio, birth_date=gym.studio.day(0).replace(year=1990))
    assert looking.look_all(gym.db, gym.org_id) == 1
    with gym.db.transaction(gym.org_id) as session:
        (run,) = session.scalars(select(AutomationRun)).all()
        assert run.automation_id == sound
        assert queries.due(session, session.info["now"]) == []


def test_an_act_that_the_server_refuses_holds_up_none_behind_it(gym: Gym) -> None:
    with gym.db.transaction(gym.org_id) as session:
        for topic in ("refused", "sound"):
            outbox.put(session, gym.org_id, topic, {}, wait=outbox.AT_ONCE)
    done = []

    def refused(session: Session, _: Outbox) -> None:
        session.execute(text("SET LOCAL statement_timeout = '1ms'"))
        session.execute(text("SELECT pg_sleep(1)"))

    acts = {"refused": refused, "sound": lambda _, row: done.append(row.topic)}
    assert relay.relay_due(gym.db, acts, gym.org_id) == 2
    assert done == ["sound"]
