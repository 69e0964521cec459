"""The small model first: one look-up at once, reading alone, and letting go without a trace."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from app.core.actor import Role
from bot.conversation.lane_rates import lane_rates
from bot.conversation.minds import Minds
from bot.conversation.models import Turn, UsageRow
from bot.conversation.run import run_conversation
from bot.playground.model_api.faults import FaultKind
from bot.stream.publish import Publisher
from bot.turn.events import Ended, Event, Heard, Ran, Said
from tests.floor import Gym, Phone, call
from tools.kit.cards import Table

UNPAID, SCHEDULE = "analytics.list_unpaid_members", "class_sessions.list"
HAIKU, SONNET = "haiku", "sonnet"


@pytest.fixture
def routed(gym: Gym) -> Iterator[Gym]:
    """The gym with its turns routed."""
    wiring = gym.stage.wiring
    settings = wiring.settings.model_copy(update={"quick_route": True})
    vars(wiring)["minds"] = Minds(
        wiring.db, settings, wiring.registry, lambda: wiring.claude, wiring.budgets.purse
    )
    yield gym
    del vars(wiring)["minds"]


def scene(model: str, *steps: dict[str, Any], offers: str = "") -> dict[str, Any]:
    return {"model": model, "offers": offers, "steps": list(steps)}


def quick(*steps: dict[str, Any]) -> dict[str, Any]:
    return scene(HAIKU, *steps, offers="escalate_to_assistant")


def reading(*steps: dict[str, Any]) -> dict[str, Any]:
    return scene(HAIKU, *steps, offers="hand_over")


def onward(lane: str) -> dict[str, Any]:
    return call("escalate_to_assistant", lane=lane)


def requests_of(gym: Gym) -> list[dict[str, Any]]:
    assert gym.stage.model is not None
    return [json.loads(one.raw) for one in gym.stage.model.requests]


def kinds(gym: Gym, turn: Turn) -> list[str]:
    with gym.db.transaction(gym.org_id) as session:
        mine = select(UsageRow).where(UsageRow.turn_id == turn.id).order_by(UsageRow.created_at)
        return [row.detail["kind"] for row in session.scalars(mine)]


def models(events: Sequence[Event]) -> set[str]:
    """Whose messages a turn holds, ours aside."""
    return {one.model for one in events if isinstance(one, Said) and not one.ours}


def test_one_look_up_is_answered_by_the_small_model_alone(routed: Gym) -> None:
    phone = routed.linked()
    routed.brain.load([quick(call(UNPAID), {"say": "Nobody owes anything."})])
    (told,) = phone.says("who hasn't paid?")
    assert told.endswith("Nobody owes anything.")
    (events,), (turn,) = routed.events(), routed.turns()
    assert [type(one) for one in events] == [Heard, Said, Ran, Said, Ended]
    assert models(events) == {"claude-haiku-5-5"}
    assert (turn.lane, turn.handed_over) == ("quick", False)
    assert kinds(routed, turn) == ["quick", "quick_words"]

    first, words = requests_of(routed)
    assert first["tool_choice"] == {"type": "any"}
    assert "stream" not in first or first["stream"] is False
    assert first["tools"] == words["tools"]
    assert first["system"] == words["system"]
    assert "cache_control" in first["system"][0]
    assert len(json.dumps(first["tools"])) < 60_000

    again = routed.linked(role=Role.COACH)
    routed.brain.load([quick(onward("act")), scene(SONNET, {"say": "That is for an admin."})])
    assert again.says("who hasn't paid?")[-1] == "That is for an admin."
    asked = {tool["name"] for tool in requests_of(routed)[-2]["tools"]}
    assert "analytics__list_unpaid_members" not in asked
    assert "class_sessions__list" in asked


def test_whatever_is_no_single_look_up_goes_on_and_leaves_nothing_behind(routed: Gym) -> None:
    phone = routed.linked()
    torn = {"say": "-", "fault": {"kind": FaultKind.SPEND_CAP, "times": 1}}
    refused = {"say": "", "stop_reason": "refusal"}
    looks = [
        onward("act"),
        {"say": "I can tell that without looking."},
        call("escalate_to_assistant", lane="elsewhere"),
        call(SCHEDULE, **{"from": "nonsense"}),
        call("class_sessions.get_roster", class_session_id="0193e6f0-0000-7000-8000-000000000000"),
        call("class_sessions.cancel", class_session_id="0193e6f0-0000-7000-8000-000000000000"),
        {"calls": [*call(UNPAID)["calls"], *onward("act")["calls"]]},
        refused,
        torn,
    ]
    for number, look in enumerate(looks):
        main = scene(SONNET, {"say": f"Main says {number}."})
        routed.brain.load([{"when": f"question {number}", **one} for one in (quick(look), main)])
        assert phone.says(f"question {number}")[-1].endswith(f"Main says {number}."), look
        turn, events = routed.turns()[-1], routed.events()[-1]
        assert (turn.lane, turn.handed_over) == ("act", False)
        assert models(events) == {"claude-sonnet-5-5"}
        assert Counter(kinds(routed, turn)) == {"quick": 1, "main": 1}
        assert "escalate_to_assistant" not in json.dumps(requests_of(routed)[-1]["messages"])


def test_a_request_that_only_reads_stays_with_the_small_model(routed: Gym) -> None:
    phone = routed.linked()
    two = {"calls": [*call(UNPAID)["calls"], *call("tasks.list")["calls"]]}
    routed.brain.load([quick(two), reading(two, call("leads.list"), {"say": "All quiet."})])
    assert phone.says("money, tasks and leads?")[-1].endswith("All quiet.")
    (turn,), (events,) = routed.turns(), routed.events()
    assert (turn.lane, turn.handed_over) == ("read", False)
    assert kinds(routed, turn) == ["quick", "read", "read", "read"]
    assert models(events) == {"claude-haiku-5-5"}
    offered = {tool["name"] for tool in requests_of(routed)[-1]["tools"]}
    assert "class_sessions__cancel" not in offered
    assert "read__find_tools" in offered


def test_the_wish_to_write_hands_the_turn_over_with_what_was_read(routed: Gym) -> None:
    phone = routed.linked()
    routed.studio.session()
    for let_go in (
        call("hand_over"),
        call("tasks.create", title="Call Dana"),
        {"say": "", "stop_reason": "refusal"},
    ):
        routed.brain.load(
            [
                quick(onward("read")),
                reading(call(UNPAID), let_go),
                scene(SONNET, {"say": "-"}, {"say": "not reached"}, {"say": "Over to me."}),
                {"when": "look", "model": SONNET, "steps": [call("x.y"), {"say": "Over to me."}]},
            ]
        )
        phone.says("NEW")
        assert phone.says("look who owes and see to it")[-1].endswith("Over to me.")
        turn, events = routed.turns()[-1], routed.events()[-1]
        assert (turn.lane, turn.handed_over) == ("read", True)
        assert kinds(routed, turn) == ["quick", "read", "read", "main"]
        cards = [one.card for one in events if isinstance(one, Ran)]
        assert any(isinstance(card, Table) for card in cards)
        thought = [one for one in events if isinstance(one, Said) and "haiku" in one.model]
        assert any(block["type"] == "thinking" for one in thought for block in one.blocks)
        sent = json.dumps(requests_of(routed)[-1]["messages"])
        assert "analytics__list_unpaid_members" in sent
        assert "thinking" not in sent
        assert "hand_over" not in sent
        assert "tasks__create" not in sent.partition("tool_reference")[0]


def test_words_that_fail_are_said_by_the_main_model_from_the_same_result(routed: Gym) -> None:
    phone = routed.linked()
    routed.brain.load(
        [
            quick(call(UNPAID), {**onward("act"), "say": "Let me see, "}),
            scene(SONNET, call("x.y"), {"say": "Nobody owes."}),
        ]
    )
    assert phone.says("who owes us?")[-1].endswith("Nobody owes.")
    (turn,), (events,) = routed.turns(), routed.events()
    assert (turn.lane, turn.handed_over) == ("quick", True)
    assert [type(one) for one in events] == [Heard, Said, Ran, Said, Ended]
    assert "Let me see" not in "".join(one.text for one in events if isinstance(one, Said))


class Killed(Exception):
    pass


class Dying(Publisher):
    """Dies once something of this kind is stored, and before anybody is told."""

    at: type[Event] = Ran

    def publish(self, event: Event, seq: int | None = None) -> None:
        if isinstance(event, self.at):
            raise Killed
        super().publish(event, seq)


class DyingEarly(Dying):
    at = Said


def killed(gym: Gym, dying: type[Publisher], text: str) -> Phone:
    """A phone whose words a worker took and died over; another has taken the turn up since."""
    phone, wiring = gym.linked(), gym.stage.wiring
    phone.writes(text)
    gym.work_inbound()
    (conversation,) = gym.conversations()
    parts = replace(wiring.parts, publisher_for=lambda turn: dying(wiring.brisk_redis, turn.id))
    with pytest.raises(Killed):
        run_conversation(parts, gym.org_id, conversation.id)
    gym.settle()
    return phone


def test_a_worker_killed_before_the_words_leaves_the_turn_in_its_lane(routed: Gym) -> None:
    routed.brain.load([quick(call(UNPAID), {"say": "Nobody owes anything."})])
    assert killed(routed, Dying, "who owes us?").got()[-1].endswith("Nobody owes anything.")
    (turn,), (events,) = routed.turns(), routed.events()
    assert [type(one) for one in events] == [Heard, Said, Ran, Said, Ended]
    assert kinds(routed, turn) == ["quick", "quick_words"]


def test_a_worker_killed_in_the_reading_lane_leaves_the_turn_there(routed: Gym) -> None:
    gone = {"say": "-", "fault": {"kind": FaultKind.SPEND_CAP, "times": None}}
    routed.brain.load(
        [
            quick(onward("read")),
            reading(call(UNPAID), gone),
            scene(SONNET, call("x.y"), {"say": "Nobody owes."}),
        ]
    )
    assert killed(routed, DyingEarly, "who owes us?").got()[-1].endswith("Nobody owes.")
    (turn,) = routed.turns()
    assert (turn.lane, turn.handed_over) == ("read", True)
    assert kinds(routed, turn) == ["quick", "read", "read", "main"]


def test_what_became_of_the_routes_can_be_counted(routed: Gym) -> None:
    phone = routed.linked()
    says = scene(SONNET, call("x.y"), {"say": "Main."}, {"say": "Main."})
    played = [
        (quick(call(UNPAID), {"say": "None."}),),
        (quick(call(UNPAID), onward("act")), says),
        (quick(onward("act")), scene(SONNET, {"say": "Main."})),
        (quick(onward("read")), reading(call(UNPAID), {"say": "None."})),
        (quick(onward("read")), reading(call(UNPAID), call("hand_over")), says),
    ]
    for scenes in played:
        routed.brain.load(scenes)
        phone.says("NEW")
        phone.says("how are we doing?")
    with routed.db.transaction(routed.org_id) as session:
        found = lane_rates(session)
        cost = sum(session.scalars(select(UsageRow.cost_micros)))
    assert (found.turns, found.looked, found.quick, found.read, found.act) == (5, 5, 2, 2, 1)
    assert (found.hit_rate, found.wrong_route_rate, found.hand_over_rate) == (0.2, 0.5, 0.5)
    assert set(found.micros) == {"quick", "read", "act"}
    assert sum(found.micros.values()) == cost


def test_what_may_lean_on_the_turn_before_goes_to_the_main_model_at_once(routed: Gym) -> None:
    phone = routed.linked()
    for before in ([call("tasks.create", title="Call Dana"), {"say": "Done."}], [{"say": "Who?"}]):
        routed.brain.load(
            [
                quick(onward("act")),
                scene(SONNET, *before),
                {"when": "and now", "model": SONNET, "steps": [{"say": "At once."}]},
            ]
        )
        phone.says("NEW")
        phone.says("do it")
        assert phone.says("and now")[-1].endswith("At once.")
        turn = routed.turns()[-1]
        assert turn.lane == "act"
        assert kinds(routed, turn) == ["main"]
