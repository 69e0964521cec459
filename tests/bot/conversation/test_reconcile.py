"""Messages whose webhook never found us are brought in, in their order, once."""

from datetime import timedelta
from time import sleep

import pytest

from bot import worker
from bot.conversation.models import InboundState
from bot.conversation.phone import SKEW
from bot.turn.events import Heard
from tests.floor import Gym, Phone

NOW = timedelta()
DAY = timedelta(days=1)


@pytest.fixture
def phone(gym: Gym) -> Phone:
    return gym.linked()


def away(gym: Gym, phone: Phone, *texts: str) -> None:
    """What is written while nobody listens where the webhooks go."""
    assert gym.stage.twilio is not None
    service = gym.stage.twilio.service
    before = service.config
    service.point_at("http://127.0.0.1:9/nobody", "")
    for text in texts:
        assert not phone.writes(text)["accepted"]
    service.point_at(before.webhook_url, before.fallback_url)


def test_what_is_missing_is_brought_in_and_answered(gym: Gym, phone: Phone) -> None:
    gym.says(("one", [{"say": "Here."}]))
    away(gym, phone, "one", "two", "three")
    assert gym.stage.wiring.reconciler.run(DAY, settled=NOW) == 3
    gym.settle()
    (events,) = gym.events()
    assert isinstance(events[0], Heard)
    assert events[0].text == "one\ntwo\nthree"
    assert phone.got() == ["Here."]


def test_what_is_there_is_left_alone(gym: Gym, phone: Phone) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    phone.says("hello")
    away(gym, phone, "hello again")
    assert gym.stage.wiring.reconciler.run(DAY, settled=NOW) == 1
    assert gym.stage.wiring.reconciler.run(DAY, settled=NOW) == 0
    gym.settle()
    assert len(gym.turns()) == 2


def test_a_webhook_that_comes_after_all_changes_nothing(gym: Gym, phone: Phone) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    away(gym, phone, "hello")
    gym.stage.wiring.reconciler.run(DAY, settled=NOW)
    sid = gym.inbound(phone)[-1].key
    phone.writes("hello", sid=sid)
    gym.settle()
    assert [event.key for event in gym.inbound(phone)].count(sid) == 1
    assert len(gym.turns()) == 1


def test_what_may_still_come_by_itself_is_waited_for(gym: Gym, phone: Phone) -> None:
    away(gym, phone, "hello")
    assert gym.stage.wiring.reconciler.run(DAY) == 0
    assert len(gym.inbound(phone)) == 1


def test_an_answer_brought_in_late_is_none_to_a_newer_card(gym: Gym, phone: Phone) -> None:
    away(gym, phone, "1")
    gym.cancels()
    sleep(SKEW.total_seconds() + 1.1)  # the vendor's dates tell no parts of a second
    phone.says("cancel it")
    gym.stage.wiring.reconciler.run(DAY, settled=NOW)
    gym.settle()
    assert gym.calls() == []
    assert gym.inbound(phone)[-1].state is InboundState.ROUTED


def test_the_job_survives_a_vendor_that_is_away(gym: Gym) -> None:
    assert gym.stage.twilio is not None
    worker.use(gym.stage.wiring)
    worker.reconcile("3600")


def test_the_pulse_asks_for_it_first_for_a_day_then_for_an_hour(gym: Gym) -> None:
    asked: list[tuple[str, ...]] = []
    pulse = type(gym.stage.wiring.pulse)(
        gym.db, lambda *job: asked.append(job), {}, gym.stage.wiring.fallback.watch
    )
    for _ in range(3):
        pulse.beat()
    mine = [job for job in asked if job[0] == "bot.worker.reconcile"]
    assert mine == [("bot.worker.reconcile", "86400"), ("bot.worker.reconcile", "3600")]
