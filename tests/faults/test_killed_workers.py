"""Row 7: a worker is killed with -9 wherever it hurts; the next one goes on within 15 s."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic, sleep
from typing import Any

import pytest
from sqlalchemy import select

from bot.cli.stage import Stage
from bot.conversation.models import BudgetHold, OutboundState, TurnState, UsageDay, UsageRow
from bot.playground.model_api.faults import FaultKind
from bot.playground.model_api.script import ScriptBrain
from bot.playground.twilio_api.records import Message
from bot.playground.twilio_api.rules import Rule
from bot.turn.events import Ended, Said
from tests.faults.victims import kill, worker
from tests.floor import Gym, Phone, call, open_gym, settled, within
from tests.leftovers import end_leftovers
from tools.kit.cards import Done

pytestmark = [pytest.mark.faults, pytest.mark.long]

GOES_ON_S = 15
WORDS = "It is on the schedule now."
POINTS = ("before the model", "in mid-stream", "at the post", "at a lost post", "asked", "writing")


@dataclass
class Scene:
    """One conversation, brought to the point at which its worker dies."""

    point: str
    gym: Gym
    phone: Phone
    went_on_after: float = -1.0
    told: list[str] = field(default_factory=list)

    @property
    def sent(self) -> list[Message]:
        """What the vendor took of what the turn had to tell."""
        assert self.gym.stage.twilio is not None
        return self.gym.stage.twilio.service.store.matching(
            lambda one: one.to == self.phone.address and WORDS in one.look.body
        )

    def script(self) -> list[dict[str, Any]]:
        gym = self.gym
        if self.point == "asked":
            session_id = gym.studio.session()
            gym.studio.booking(gym.studio.member(), session_id)
            first = call("class_sessions.cancel", class_session_id=session_id)
        else:
            args = {"class_type_id": gym.studio.class_type_id, "date": str(gym.studio.day(1))}
            first = call("class_sessions.create", start_time="07:00", **args)
        last: dict[str, Any] = {"say": WORDS}
        if self.point == "in mid-stream":
            last["fault"] = {"kind": FaultKind.SILENCE, "after": 3, "seconds": 60}
        return [{"when": self.point, "steps": [first, last]}]

    def provoke(self) -> None:
        """What makes the worker linger at this point."""
        assert self.gym.stage.twilio is not None
        assert self.gym.stage.model is not None
        rules = self.gym.stage.twilio.service.rules
        if self.point == "before the model":
            kind = FaultKind.RATE_LIMITED
            self.gym.stage.model.inject(kind, retry_after=18, when=self.point)
        elif self.point == "at the post":
            rules.add(Rule(to=self.phone.number, outcome="hang", seconds=12, times=1))
        elif self.point == "at a lost post":
            rules.add(Rule(to=self.phone.number, outcome="hang_unaccepted", seconds=12, times=1))

    def reached(self) -> bool:
        model = self.gym.stage.model
        assert model is not None
        asked = [one for one in model.requests if self.point.encode() in one.raw]
        match self.point:
            case "before the model":
                return bool(asked)
            case "in mid-stream":
                return len(asked) == 2 and len(self.gym.calls()) == 1
            case "at the post":
                return bool(self.sent)
            case "at a lost post":
                return self.phone.rows()[-1].state is OutboundState.SENDING and not self.rules
            case "asked":
                return self.gym.turns()[0].state is TurnState.ASKED and not self.gym.busy()
            case _:
                return True

    @property
    def rules(self) -> int:
        assert self.gym.stage.twilio is not None
        return len(self.gym.stage.twilio.service.rules)

    def done(self) -> bool:
        ended = [turn.state for turn in self.gym.turns()] == [TurnState.ENDED]
        return ended and not self.gym.busy()


def scene(place: Stage, brain: ScriptBrain, database_url: str, point: str) -> Scene:
    gym = open_gym(place, brain, database_url)
    phone = gym.linked()
    gym.working = True
    return Scene(point, gym, phone)


def take_over(scenes: list[Scene], begun: float, kick: Callable[[], object]) -> None:
    """Another worker comes; note how long each took to be finished."""
    kick()
    while any(one.went_on_after < 0 for one in scenes):
        for one in scenes:
            if one.went_on_after < 0 and one.done():
                one.went_on_after = monotonic() - begun
                one.told = one.phone.got()
        assert monotonic() - begun < 2 * GOES_ON_S, [one.point for one in scenes if not one.done()]
        sleep(0.1)


@pytest.fixture(scope="module")
def scenes(
    idle: Stage, script: ScriptBrain, database_url: str, redis_url: str
) -> Iterator[dict[str, Scene]]:
    """One worker dies at five points at once, another one right after its write."""
    end_leftovers(database_url, redis_url)
    at_once = [scene(idle, script, database_url, point) for point in POINTS[:-1]]
    alone = scene(idle, script, database_url, POINTS[-1])
    script.load([step for one in (*at_once, alone) for step in one.script()])
    with worker(idle.wiring.settings, dies_after_write=True) as process:
        alone.phone.writes(alone.point)
        process.join(30)
        assert not process.is_alive()
    assert len(alone.gym.calls()) == 1
    assert not settled(alone.gym.events()[0])
    with worker(idle.wiring.settings) as process:
        for one in at_once:
            one.provoke()
            one.phone.writes(one.point)
        within(40, lambda: all(one.reached() for one in at_once))
        kill(process)
    asked = next(one for one in at_once if one.point == "asked")
    asked.phone.got()
    with worker(idle.wiring.settings):
        take_over([*at_once, alone], monotonic(), lambda: asked.phone.writes("1"))
    yield {one.point: one for one in (*at_once, alone)}
    for one in (*at_once, alone):
        one.gym.studio.db.close()
    assert idle.model is not None
    idle.model.forget()


@pytest.mark.parametrize("point", POINTS)
def test_another_worker_goes_on_in_time_and_each_write_is_there_once(
    scenes: dict[str, Scene], point: str
) -> None:
    one = scenes[point]
    assert 0 < one.went_on_after < GOES_ON_S
    tool = "class_sessions.cancel" if point == "asked" else "class_sessions.create"
    assert [each.tool for each in one.gym.calls()] == [tool]
    (events,) = one.gym.events()
    assert [type(event.card) for event in settled(events)] == [Done]
    assert sum(isinstance(event, Said) and not event.ours for event in events) == 2
    assert events[-1] == Ended(reason="done")
    assert "\n".join(one.told).count(WORDS) == 1


def test_what_the_vendor_had_taken_is_found_there_and_not_sent_again(
    scenes: dict[str, Scene],
) -> None:
    one = scenes["at the post"]
    (sent,) = one.sent
    assert one.phone.rows()[-1].sid == sent.sid
    assert not one.phone.rows()[-1].maybe_twice


def test_what_the_vendor_knows_nothing_of_is_sent_once_more_and_marked(
    scenes: dict[str, Scene],
) -> None:
    one = scenes["at a lost post"]
    assert len(one.sent) == 1
    assert one.phone.rows()[-1].maybe_twice


def test_nothing_else_is_marked(scenes: dict[str, Scene]) -> None:
    marked = [
        point for point, one in scenes.items() if any(r.maybe_twice for r in one.phone.rows())
    ]
    assert marked == ["at a lost post"]


@pytest.mark.parametrize("point", POINTS)
def test_nothing_stays_held_and_the_call_that_nobody_saw_end_is_booked(
    scenes: dict[str, Scene], point: str
) -> None:
    gym = scenes[point].gym
    with gym.db.transaction(gym.org_id) as session:
        day = session.scalars(select(UsageDay)).one()
        rows = list(session.scalars(select(UsageRow)))
        assert session.scalars(select(BudgetHold)).all() == []
    assert (day.held_micros, day.spent_micros) == (0, sum(row.cost_micros for row in rows))
    lost = [row for row in rows if row.detail["outcome"] == "lost"]
    assert len(lost) == (point == "in mid-stream")
    assert all(row.cost_micros > 0 for row in lost)
