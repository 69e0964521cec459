"""What holds for every conversation, however it goes."""

import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.playground.model_api.answer import Answer, Call, Say
from bot.playground.model_api.errors import Refused
from bot.playground.model_api.events import draw
from bot.playground.model_api.request import MessagesRequest
from bot.playground.model_api.service import Prepared, Service
from tests.bot.playground.model_api.bodies import MARK, Body, body, result, text, tool, user

UNHURRIED = settings(deadline=None, max_examples=40)
RULES = "A rule of the studio. " * 120
WORDS = st.text(min_size=1, max_size=30).filter(str.strip)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


class Replay:
    """Answers what it was told to, one after another."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._answers = iter(answers)

    def answer(self, _: MessagesRequest) -> Answer:
        return next(self._answers)


ANSWERS = st.lists(
    st.builds(lambda words: Answer((Say(words),)), WORDS)
    | st.builds(
        lambda inputs: Answer(tuple(Call("members__list", each) for each in inputs)),
        st.lists(st.dictionaries(st.text(max_size=8), JSON, max_size=3), min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=6,
)


def converse(answers: Sequence[Answer]) -> tuple[list[Body], list[Prepared]]:
    """Plays a conversation; gives the requests that were sent and what came of each."""
    service = Service(Replay(answers))
    fields = body(max_tokens=100_000, tools=[tool()], system=[text(RULES, cache_control=MARK)])
    sent, prepared = [], []
    for _ in answers:
        sent.append(deepcopy(fields))
        came = service.prepare(MessagesRequest.model_validate(fields))
        service.begin(came)
        prepared.append(came)
        content = came.reply.message()["content"]
        calls = [block["id"] for block in content if block["type"] == "tool_use"]
        said = user(*map(result, calls)) if calls else user("go on")
        fields["messages"] += [{"role": "assistant", "content": content}, said]
    return sent, prepared


@UNHURRIED
@given(ANSWERS)
def test_an_appended_transcript_is_always_taken_and_its_tokens_add_up(
    answers: Sequence[Answer],
) -> None:
    _, prepared = converse(answers)
    for before, after in zip([None, *prepared], prepared, strict=False):
        usage = after.plan.usage()
        created, read = usage["cache_creation_input_tokens"], usage["cache_read_input_tokens"]
        assert usage["input_tokens"] + created + read == after.plan.total
        assert usage["input_tokens"] > 0
        assert (created > 0, read > 0) == (before is None, before is not None)
        assert before is None or after.plan.total > before.plan.total


@UNHURRIED
@given(ANSWERS.filter(lambda answers: len(answers) > 1), st.data())
def test_no_earlier_word_can_be_changed_under_signed_thinking(
    answers: Sequence[Answer], data: st.DataObject
) -> None:
    fields = converse(answers)[0][-1]
    earlier = fields["messages"][:-1]
    blocks = [b for m in earlier for b in m["content"] if b["type"] in {"text", "tool_use"}]
    last_thinking = earlier[-1]["content"]
    changeable = [block for block in blocks if block not in last_thinking]
    block = data.draw(st.sampled_from(changeable))
    if block["type"] == "text":
        block["text"] += "."
    else:
        block["input"]["added"] = True
    with pytest.raises(Refused, match="bound to a different conversation"):
        Service(Replay(answers)).prepare(MessagesRequest.model_validate(fields))


@UNHURRIED
@given(st.dictionaries(st.text(max_size=8), JSON, max_size=5))
def test_the_fragments_of_a_call_make_its_json(arguments: dict[str, Any]) -> None:
    (drawn,) = draw(Answer((Call("members__list", arguments),)))
    joined = "".join(delta["partial_json"] for delta in drawn.deltas)
    assert drawn.deltas[0]["partial_json"] == ""
    assert json.loads(joined or "{}") == arguments == drawn.whole["input"]
