"""A call is held at more than it can use, whatever is said in it, and settled however it ends."""

from dataclasses import dataclass, field

import pytest

from app.core.ids import new_id
from bot.conversation.shots import SIDE
from bot.model.adapter import ClaudeModel
from bot.model.priced import PICTURE, Priced, wanted
from bot.model.purse import NoRoom, Settle, Want
from bot.model.usage import Usage
from bot.playground.model_api.script import ScriptBrain
from bot.turn.events import Ended, Heard, Shown
from tests.bot.model.conftest import Talk


@dataclass
class Noting:
    wants: list[Want] = field(default_factory=list)
    used: list[Usage] = field(default_factory=list)

    def hold(self, want: Want) -> Settle:
        self.wants.append(want)
        return self.used.append


class Empty:
    def hold(self, want: Want) -> Settle:  # noqa: ARG002 - whatever is wanted
        raise NoRoom(Ended(reason="over_budget"))


HEBREW = "מי עוד לא שילם החודש, ומה שם המאמן של יום שלישי? "
IDS = "018f9d2e-6c1a-7b3e-9f00-5a4b3c2d1e0f "


@pytest.mark.parametrize("text", ["hello", HEBREW * 40, IDS * 80, "😀é" * 300])
def test_more_is_held_than_is_used(talk: Talk, brain: ScriptBrain, text: str) -> None:
    purse = Noting()
    brain.load([{"say": "Yes."}])
    model = ClaudeModel(talk.client, talk.settings, talk.prefix, purse=purse)
    list(model.reply([Heard(text=text)]))
    request = {
        "model": talk.settings.model,
        "max_tokens": 50,
        "messages": [{"role": "user", "content": [{"type": "text", "text": text}]}],
    }
    message = Priced(talk.client, purse, lambda: 0.0).ask(request)
    assert message.blocks()[-1]["text"] == "Yes."
    assert [use.outcome for use in purse.used] == ["whole", "whole"]
    for want, use in zip(purse.wants, purse.used, strict=True):
        assert want.prompt >= use.prompt > 0
        assert want.output >= use.output > 0


@pytest.mark.parametrize(("sign", "tokens"), [("😀", 3), ("漢", 2), ("ש", 1), ("ж", 1)])
def test_a_letter_that_is_many_bytes_is_held_for_as_many_tokens(sign: str, tokens: int) -> None:
    """A tokenizer that knows a sign by no name spells its bytes."""

    def held(text: str) -> int:
        said = {"role": "user", "content": [{"type": "text", "text": text}]}
        return wanted({"model": "claude-sonnet-5-5", "max_tokens": 1, "messages": [said]}).prompt

    assert held(sign * 1_000) - held("") >= 1_000 * tokens


def test_pictures_are_held_at_their_largest(talk: Talk, brain: ScriptBrain) -> None:
    """By their number: what they are made of says nothing of their tokens."""
    purse = Noting()
    brain.load([{"say": "Yes."}])
    shown = tuple(Shown(id=new_id(), content_type="image/jpeg", width=9, height=9) for _ in "1234")
    data = {one.id: "/9j/" * 50_000 for one in shown}
    model = ClaudeModel(talk.client, talk.settings, talk.prefix, pictures=data, purse=purse)
    list(model.reply([Heard(text="look", pictures=shown)]))
    (want,), (use,) = purse.wants, purse.used
    assert use.outcome == "whole"
    assert 4 * 1_500 < use.prompt <= want.prompt < 4 * 5_000
    assert (SIDE + 28) ** 2 / 750 <= PICTURE


def test_a_deferred_tool_counts_once_it_is_referred_to() -> None:
    tool = {"name": "tasks__list", "description": "x" * 3_000, "defer_loading": True}
    said = {"role": "user", "content": [{"type": "text", "text": "hi"}]}
    found = {"type": "tool_reference", "tool_name": "tasks__list"}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [found]}
    request = {"model": "claude-sonnet-5-5", "max_tokens": 1, "tools": [tool]}
    before = wanted({**request, "messages": [said]}).prompt
    after = wanted({**request, "messages": [said, {"role": "user", "content": [result]}]}).prompt
    assert after - before > 1_500


def test_without_room_nothing_is_sent(talk: Talk) -> None:
    model = ClaudeModel(talk.client, talk.settings, talk.prefix, purse=Empty())
    assert list(model.reply([Heard(text="hi")])) == [Ended(reason="over_budget")]
