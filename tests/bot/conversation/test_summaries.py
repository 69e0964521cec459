"""Old turns are summed up beside the conversation, and nothing that is under way notices."""

import json
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, update

from app.core.actor import Role
from bot.conversation import summaries
from bot.conversation.budget import Payer
from bot.conversation.leases import hold
from bot.conversation.models import BudgetHold, Lease, SummaryRow, Turn, UsageDay
from bot.conversation.relay import relay_due
from bot.model.purse import Purse
from bot.playground.model_api.faults import FaultKind
from bot.turn.events import Heard
from tests.bot.conversation.asides import requests_of, small_says, used, work_asides
from tests.floor import Gym, Phone, call

TEXT = "Noa looked at the class of Monday and wants it kept."


def rows(gym: Gym) -> list[SummaryRow]:
    with gym.db.transaction(gym.org_id) as session:
        return list(session.scalars(select(SummaryRow).order_by(SummaryRow.until)))


def script(gym: Gym, *small: dict[str, Any], more: list[dict[str, Any]] | None = None) -> None:
    """The main model answers each sentence in one way; `small` is what the small one says."""
    looks = call("class_sessions.get", class_session_id=gym.studio.session())
    scenes = [{"when": f"sentence {n}.", "steps": [{"say": f"Answer {n}."}]} for n in range(2, 40)]
    first = {"when": "sentence 1.", "steps": [looks, {"say": "Answer 1."}]}
    gym.brain.load([small_says(*small), first, *scenes, *(more or [])])


def talk(phone: Phone, first: int, last: int) -> None:
    for n in range(first, last + 1):
        assert phone.says(f"sentence {n}.")[-1].endswith(f"Answer {n}.")


def told(gym: Gym) -> str:
    """What the main model was told of before, in its last request."""
    return json.dumps(requests_of(gym)[-1]["messages"], ensure_ascii=False)


def test_past_twenty_four_messages_a_summary_stands_for_the_oldest(gym: Gym) -> None:
    phone = gym.linked()
    script(gym, {"say": TEXT})
    talk(phone, 1, 12)
    assert work_asides(gym) == []
    talk(phone, 13, 13)
    assert work_asides(gym) == ["sum_up"]
    (row,) = rows(gym)
    assert (row.until, row.serves, row.text) == (9, 14, TEXT)

    talk(phone, 14, 14)
    sent = told(gym)
    assert "<earlier_turns>" in sent
    assert TEXT in sent
    (thing,) = row.things
    assert (thing["kind"], thing["id"]) == ("class_session", str(thing["id"]))
    assert thing["id"] in sent, "the class of the first turn is still in play"
    assert "sentence 9." not in sent
    assert all(f"sentence {n}." in sent for n in range(10, 15))
    assert len(gym.events()) == 14, "what is stored stays whole"
    assert Heard in {type(event) for event in gym.events()[0]}

    talk(phone, 15, 22)
    assert work_asides(gym) == ["sum_up"]
    first, second = rows(gym)
    assert (second.until, second.serves) == (18, 23)
    assert second.things == first.things
    summed = requests_of(gym)[-1]
    assert summed["model"] == "claude-haiku-5-5"
    assert json.dumps({"so_far": TEXT}, separators=(",", ":")) in str(summed["messages"])
    assert [row.detail["outcome"] for row in used(gym, "summary")] == ["whole"] * 2
    assert all(0 < row.cost_micros < 1_000 for row in used(gym, "summary"))


def test_a_turn_that_waits_goes_on_from_what_it_began_with(gym: Gym) -> None:
    phone = gym.linked()
    session_id = gym.studio.session()
    gym.studio.booking(gym.studio.member(), session_id)
    cancel = call("class_sessions.cancel", class_session_id=session_id)
    asks = {"when": "sentence 40.", "steps": [cancel, {"say": "All set."}]}
    script(gym, {"say": TEXT}, more=[asks])
    talk(phone, 1, 13)
    phone.says("sentence 40.")
    before = told(gym)

    assert work_asides(gym) == ["sum_up"]
    assert [(row.until, row.serves) for row in rows(gym)] == [(9, 15)]
    assert phone.says("1")[-1].endswith("All set.")
    after = told(gym)
    assert "<earlier_turns>" not in after
    assert len(after) > len(before)
    assert '"thinking"' in after

    talk(phone, 14, 14)
    assert "<earlier_turns>" in told(gym)


def test_what_cant_be_used_is_left_and_made_again_later(gym: Gym) -> None:
    phone = gym.linked()
    script(gym, {"say": TEXT})
    talk(phone, 1, 13)
    for said in (
        {"say": "Sum", "stop_reason": "max_tokens"},
        {"say": "", "stop_reason": "refusal"},
        {"say": "..."},
        {"say": "x" * 5_000},
        {"say": "-", "fault": {"kind": FaultKind.SPEND_CAP, "times": 1}},
        {"say": "-", "fault": {"kind": FaultKind.OVERLOADED, "times": 1}},
    ):
        script(gym, said)
        gym.stage.wiring.asides.sum_up(gym.org_id, gym.conversations()[0].id)
        assert rows(gym) == [], said
    assert work_asides(gym) == ["sum_up"]
    script(gym, {"say": TEXT})
    talk(phone, 14, 14)
    assert "sentence 1." in told(gym), "as it was before"
    assert work_asides(gym) == ["sum_up"]
    assert [(row.until, row.serves) for row in rows(gym)] == [(10, 15)]
    assert holds(gym) == 0


def holds(gym: Gym) -> int:
    with gym.db.transaction(gym.org_id) as session:
        assert all(day.held_micros == 0 for day in session.scalars(select(UsageDay)))
        return len(session.scalars(select(BudgetHold)).all())


def test_a_day_that_is_used_up_leaves_no_room_for_it_and_tells_nobody(gym: Gym) -> None:
    phone = gym.linked()
    script(gym, {"say": TEXT})
    talk(phone, 1, 13)
    with gym.db.transaction(gym.org_id) as session:
        session.execute(update(UsageDay).values(spent_micros=10**12))
    asked = len(requests_of(gym))
    assert work_asides(gym) == ["sum_up"]
    assert (rows(gym), len(requests_of(gym)), phone.got()) == ([], asked, [])
    with gym.db.transaction(gym.org_id) as session:
        assert session.scalars(select(UsageDay)).one().warned_turn is None


def test_two_workers_sum_up_once_and_one_who_lost_its_lane_keeps_nothing(gym: Gym) -> None:
    phone = gym.linked()
    script(gym, {"say": TEXT})
    talk(phone, 1, 13)
    (conversation,) = gym.conversations()
    with hold(gym.db, f"summary:{conversation.id}") as lease:
        assert lease is not None
        assert work_asides(gym) == ["sum_up"]
        assert (rows(gym), used(gym, "summary")) == ([], [])
    asides = gym.stage.wiring.asides

    def taken_over(payer: Payer) -> Purse:
        with gym.db.platform() as session:
            lanes = update(Lease).where(Lease.lane == payer.lane)
            session.execute(lanes.values(holder=None))
        return asides.purse(payer)

    replace(asides, purse=taken_over).sum_up(gym.org_id, conversation.id)
    assert rows(gym) == []
    asides.sum_up(gym.org_id, conversation.id)
    asides.sum_up(gym.org_id, conversation.id)
    assert [row.until for row in rows(gym)] == [9]


@pytest.fixture
def looked_up(gym: Gym) -> tuple[Phone, Phone]:
    """An owner about to erase Dana, and a coach who has looked her up twelve turns ago."""
    member_id = gym.studio.person("Dana Levinsky")
    show = call("read.get_member", member_id=member_id)
    erase = call("memberships.erase_member_data", member_id=member_id, legal_basis="request")
    owner, coach = gym.linked(), gym.linked(role=Role.COACH)
    script(
        gym,
        {"say": "Dana Levinsky was looked up."},
        more=[
            {"when": "show her", "steps": [show, {"say": "That is she."}]},
            {"when": "erase Dana", "steps": [erase, {"say": "Done."}]},
        ],
    )
    coach.says("show her")
    talk(coach, 2, 13)
    owner.says("erase Dana")
    return owner, coach


def erase(gym: Gym, owner: Phone) -> None:
    owner.says("Dana Levinsky")
    gym.later(seconds=20)
    relay_due(gym.db, gym.stage.wiring.acts, gym.org_id)
    gym.settle()


def test_an_erasure_takes_what_stood_for_a_turn_of_theirs(
    gym: Gym, looked_up: tuple[Phone, Phone]
) -> None:
    owner, coach = looked_up
    assert work_asides(gym) == ["sum_up"]
    assert "Levinsky" in rows(gym)[0].text
    erase(gym, owner)
    assert rows(gym) == []

    script(gym, {"say": TEXT})
    talk(coach, 14, 14)
    assert "<earlier_turns>" not in told(gym)
    assert "Levinsky" not in told(gym)
    assert work_asides(gym) == ["sum_up"]
    assert "Levinsky" not in json.dumps(requests_of(gym)[-1])
    assert [row.text for row in rows(gym)] == [TEXT]


def test_what_was_read_before_an_erasure_is_not_kept_after_it(
    gym: Gym, looked_up: tuple[Phone, Phone]
) -> None:
    owner, _ = looked_up
    asides = gym.stage.wiring.asides
    coaches = next(one for one in gym.conversations() if one.user_id == gym.studio.coach.user_id)

    def purse(payer: Payer) -> Purse:
        erase(gym, owner)
        return asides.purse(payer)

    replace(asides, purse=purse).sum_up(gym.org_id, coaches.id)
    assert "Levinsky" in json.dumps(requests_of(gym)[-1]), "it was read before"
    assert rows(gym) == []


def test_a_turn_that_is_being_changed_is_not_waited_for(gym: Gym) -> None:
    phone = gym.linked()
    script(gym, {"say": TEXT})
    talk(phone, 1, 13)
    (conversation,) = gym.conversations()
    with gym.db.transaction(gym.org_id) as session:
        found = summaries.unsummed(session, conversation.id)
    assert found is not None
    with gym.db.transaction(gym.org_id) as other:
        other.scalars(select(Turn).where(Turn.number == 3).with_for_update()).one()
        with gym.db.transaction(gym.org_id) as session:
            assert not summaries.keep(session, conversation.id, found, TEXT)
    with gym.db.transaction(gym.org_id) as session:
        assert summaries.keep(session, conversation.id, found, TEXT)
    with gym.db.transaction(gym.org_id) as session:
        assert not summaries.keep(session, conversation.id, found, TEXT), "once"
