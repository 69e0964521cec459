"""What bounds a turn: the rights its words were said with, how far back the model is told."""

import pytest

from app.core.actor import Role
from bot.conversation import accept, ledger
from bot.conversation.delivery import shown_events
from bot.conversation.models import Surface
from bot.turn.events import Event, Heard, Ran, Said
from tests.floor import Gym
from tools.kit.cards import Failed, LinkCard
from tools.kit.values import Code, Line


def test_a_turn_has_no_more_rights_than_the_token_its_words_came_with(gym: Gym) -> None:
    gym.says(("hello", [{"say": "Hi."}]))
    narrowed = gym.owner.at_most(Role.COACH)
    with gym.db.transaction(gym.org_id) as session:
        opened = accept.open_conversation(session, narrowed, Surface.WEB)
        accept.say(session, narrowed, opened.id, "hello", enqueue=lambda *_: None)
    gym.settle()
    with gym.db.transaction(gym.org_id) as session:
        facts = session.get_one(type(opened), opened.id).facts
    assert facts is not None
    assert facts["role"] == "coach"


@pytest.mark.parametrize(
    ("number", "first"), [(1, 0), (20, 0), (40, 0), (41, 20), (60, 20), (61, 40), (1000, 960)]
)
def test_the_model_is_told_of_the_last_turns_in_strides(number: int, first: int) -> None:
    assert ledger.first_remembered(number) == first
    assert number - first <= ledger.REMEMBERED


def test_a_link_that_a_tool_made_reaches_the_phone_and_a_failure_is_the_models_to_tell() -> None:
    link = LinkCard(line=Line(key="card.more"), url=Code(text="https://gym.example/x"))
    events: list[Event] = [
        Heard(text="send me the list"),
        Said(calls=()),
        Ran(call_id="1", card=link),
        Ran(call_id="2", card=Failed(code="not_found"), ok=False),
    ]
    assert shown_events(events) == [link]
