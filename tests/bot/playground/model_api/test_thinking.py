"""Thinking is signed over what stood before it, and the signature is checked when it comes back."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import anthropic
import pytest

from bot.playground.model_api.script import ScriptBrain
from bot.playground.model_api.server import serve
from tests.bot.playground.model_api.bodies import (
    HAIKU,
    MARK,
    OLD_HAIKU,
    SONNET,
    Body,
    body,
    result,
    text,
    tool,
    user,
)

SCRIPT = [
    {"say": "One.", "calls": [{"name": "members__list", "input": {"q": "a", "b": 1}}]},
    {"calls": [{"name": "find_tools", "input": {}}]},
    {"say": "Done."},
    {"say": "Again."},
    {"say": "And again."},
]
TOOLS = [
    tool(),
    tool("find_tools"),
    tool("bookings__cancel", defer_loading=True),
    tool("leads__list", defer_loading=True),
]
REFERENCE = [{"type": "tool_reference", "tool_name": "bookings__cancel"}]
Change = Callable[[Body], None]
BOUND = "Invalid `signature` in `thinking` block. The block is bound to a different conversation."


@pytest.fixture(scope="module")
def sdk() -> Iterator[anthropic.Anthropic]:
    with (
        serve(ScriptBrain(SCRIPT)) as server,
        anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client,
    ):
        yield client


def ask(sdk: anthropic.Anthropic, fields: Body) -> anthropic.types.Message:
    create: Any = sdk.messages.create
    answer: anthropic.types.Message = create(**fields)
    return answer


def said(answer: anthropic.types.Message) -> Body:
    """An answer as it goes back into the transcript, verbatim."""
    return {
        "role": "assistant",
        "content": answer.model_dump(mode="json", exclude_none=True)["content"],
    }


@pytest.fixture(scope="module")
def transcript(sdk: anthropic.Anthropic) -> Body:
    """A conversation of two turns and four thinking blocks, ready for the third turn."""
    fields = body(tools=TOOLS, system=[text("You serve a gym."), text("Gym A.")])
    for content in ("members", REFERENCE):
        answer = ask(sdk, fields)
        call = answer.content[-1]
        assert isinstance(call, anthropic.types.ToolUseBlock)
        fields["messages"] += [said(answer), user(result(call.id, content))]
    for words in ("more", "and more"):
        fields["messages"] += [said(ask(sdk, fields)), user(words)]
    return fields


def thinking_places(fields: Body) -> list[int]:
    return [
        number
        for number, message in enumerate(fields["messages"])
        if isinstance(message["content"], list) and message["content"][0]["type"] == "thinking"
    ]


def drop(fields: Body, *numbers: int) -> None:
    for number in numbers:
        del fields["messages"][number]["content"][0]


def test_an_answer_begins_with_signed_thinking_without_its_text(
    sdk: anthropic.Anthropic,
) -> None:
    first = ask(sdk, body()).content[0]
    assert isinstance(first, anthropic.types.ThinkingBlock)
    assert first.thinking == ""
    assert first.signature


def test_thinking_is_shown_where_that_is_asked(sdk: anthropic.Anthropic) -> None:
    thinking = {"type": "adaptive", "display": "summarized"}
    fields = body(thinking=thinking)
    answer = ask(sdk, fields)
    assert isinstance(answer.content[0], anthropic.types.ThinkingBlock)
    assert answer.content[0].thinking


def test_a_forced_choice_leaves_no_room_for_thinking(sdk: anthropic.Anthropic) -> None:
    forced = body(model=HAIKU, tools=[tool()], tool_choice={"type": "any"})
    assert [block.type for block in ask(sdk, forced).content] == ["text", "tool_use"]


def test_between_tools_there_is_thinking_only_after_results(sdk: anthropic.Anthropic) -> None:
    fields = body(thinking={"type": "between_tools"})
    first = ask(sdk, fields)
    call = first.content[-1]
    assert [block.type for block in first.content] == ["text", "tool_use"]
    assert isinstance(call, anthropic.types.ToolUseBlock)
    fields["messages"] += [said(first), user(result(call.id))]
    assert [block.type for block in ask(sdk, fields).content] == ["thinking", "tool_use"]


def test_the_transcript_is_taken_back_as_it_was(sdk: anthropic.Anthropic, transcript: Body) -> None:
    assert len(thinking_places(transcript)) == 4
    assert ask(sdk, deepcopy(transcript)).content[-1].type == "text"


def _shorten_result(fields: Body) -> None:
    fields["messages"][2]["content"][0]["content"] = "mem"


def _edit_input(fields: Body) -> None:
    fields["messages"][1]["content"][-1]["input"]["q"] = "b"


def _reorder_input(fields: Body) -> None:
    fields["messages"][1]["content"][-1]["input"] = {"b": 1, "q": "a"}


def _edit_words(fields: Body) -> None:
    fields["messages"][0] = user("hello")


def _delete_turn(fields: Body) -> None:
    del fields["messages"][0:6]


def _edit_system(fields: Body) -> None:
    fields["system"][1]["text"] = "Gym B."


def _edit_tool(fields: Body) -> None:
    fields["tools"][0]["description"] = "Lists people."


def _remove_tool(fields: Body) -> None:
    del fields["tools"][0]


def _add_loaded_tool(fields: Body) -> None:
    fields["tools"].append(tool("rooms__list"))


def _edit_referenced_tool(fields: Body) -> None:
    fields["tools"][2]["description"] = "Cancels."


def _remove_deferred_tool(fields: Body) -> None:
    del fields["tools"][3]


def _drop_middle(fields: Body) -> None:
    drop(fields, thinking_places(fields)[1])


INVALID = (
    _shorten_result,
    _edit_input,
    _reorder_input,
    _edit_words,
    _delete_turn,
    _edit_system,
    _edit_tool,
    _remove_tool,
    _add_loaded_tool,
    _edit_referenced_tool,
    _remove_deferred_tool,
    _drop_middle,
)


@pytest.mark.parametrize("change", INVALID, ids=lambda change: change.__name__)
def test_thinking_over_a_changed_prefix_is_refused(
    sdk: anthropic.Anthropic,
    transcript: Body,
    change: Change,
) -> None:
    fields = deepcopy(transcript)
    change(fields)
    with pytest.raises(anthropic.BadRequestError) as caught:
        ask(sdk, fields)
    assert BOUND in str(caught.value)


@pytest.mark.parametrize(
    "change", [c for c in INVALID if c is not _drop_middle], ids=lambda change: change.__name__
)
def test_a_changed_prefix_is_taken_once_all_thinking_is_gone(
    sdk: anthropic.Anthropic,
    transcript: Body,
    change: Change,
) -> None:
    fields = deepcopy(transcript)
    drop(fields, *thinking_places(fields))
    change(fields)
    assert ask(sdk, fields).content


def _drop_all(fields: Body) -> None:
    drop(fields, *thinking_places(fields))


def _drop_oldest(fields: Body) -> None:
    drop(fields, *thinking_places(fields)[:2])


def _drop_newest(fields: Body) -> None:
    drop(fields, *thinking_places(fields)[-2:])


def _move_marks(fields: Body) -> None:
    fields["system"][0]["cache_control"] = MARK
    fields["messages"][2]["content"][0]["cache_control"] = MARK
    fields["messages"][-1]["content"][0]["cache_control"] = MARK


def _add_deferred_tool(fields: Body) -> None:
    fields["tools"].append(tool("rooms__list", defer_loading=True))


def _change_parameters(fields: Body) -> None:
    fields["max_tokens"] = 2000
    fields["output_config"] = {"effort": "low"}


def _edit_below_and_drop_above(fields: Body) -> None:
    """What compaction does: from the first changed byte on, older thinking goes."""
    fields["messages"][4]["content"][0]["content"] = [text("a digest")]
    drop(fields, *thinking_places(fields)[2:])


VALID = (
    _drop_all,
    _drop_oldest,
    _drop_newest,
    _move_marks,
    _add_deferred_tool,
    _change_parameters,
    _edit_below_and_drop_above,
)


@pytest.mark.parametrize("change", VALID, ids=lambda change: change.__name__)
def test_what_leaves_the_prefix_alone_is_taken(
    sdk: anthropic.Anthropic,
    transcript: Body,
    change: Change,
) -> None:
    fields = deepcopy(transcript)
    change(fields)
    answer = ask(sdk, fields)
    fields["messages"] += [said(answer), user("go on")]
    with pytest.raises(anthropic.BadRequestError, match="no step for turn 4"):
        ask(sdk, fields)


def test_another_models_thinking_is_silently_ignored(
    sdk: anthropic.Anthropic, transcript: Body
) -> None:
    with_it = deepcopy(transcript) | {"model": HAIKU}
    without = deepcopy(with_it)
    drop(without, *thinking_places(without))
    assert ask(sdk, with_it).usage.input_tokens == ask(sdk, without).usage.input_tokens


def test_counting_tokens_checks_the_binding_too(sdk: anthropic.Anthropic, transcript: Body) -> None:
    fields = deepcopy(transcript)
    del fields["max_tokens"]
    _edit_system(fields)
    count: Any = sdk.messages.count_tokens
    with pytest.raises(anthropic.BadRequestError, match="bound to a different conversation"):
        count(**fields)


def test_a_signature_nobody_gave_is_refused(sdk: anthropic.Anthropic, transcript: Body) -> None:
    fields = deepcopy(transcript)
    fields["messages"][1]["content"][0]["signature"] = "RXFRQg=="
    with pytest.raises(anthropic.BadRequestError, match=r"messages\.1\.content\.0: Invalid `sig"):
        ask(sdk, fields)


def test_thinking_of_the_last_answer_must_stay_as_it_was(
    sdk: anthropic.Anthropic, transcript: Body
) -> None:
    fields = deepcopy(transcript)
    last = thinking_places(fields)[-1]
    fields["messages"][last]["content"][0]["thinking"] = "I thought otherwise."
    with pytest.raises(anthropic.BadRequestError, match="latest assistant message cannot be mod"):
        ask(sdk, fields)


def test_old_models_bind_nothing_to_the_prefix(sdk: anthropic.Anthropic) -> None:
    fields = body(
        model=OLD_HAIKU, max_tokens=2000, thinking={"type": "enabled", "budget_tokens": 1024}
    )
    answer = ask(sdk, fields)
    call = answer.content[-1]
    assert isinstance(call, anthropic.types.ToolUseBlock)
    fields["messages"] = [user("something else"), said(answer), user(result(call.id))]
    assert ask(sdk, fields).content[0].type == "thinking"


def test_the_stand_in_signs_alike_in_every_process(sdk: anthropic.Anthropic) -> None:
    fields = body(model=SONNET)
    answer = ask(sdk, fields)
    call = answer.content[-1]
    assert isinstance(call, anthropic.types.ToolUseBlock)
    fields["messages"] += [said(answer), user(result(call.id))]
    with serve(ScriptBrain(SCRIPT)) as other:
        assert ask(sdk.with_options(base_url=other.url), fields).content
