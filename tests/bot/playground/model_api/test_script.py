"""Which step of a script is due is read from the request alone."""

from typing import Any

import pytest

from bot.playground.model_api.answer import Answer, Call, Say
from bot.playground.model_api.errors import Refused
from bot.playground.model_api.reading import CALL_MARK, turns
from bot.playground.model_api.request import MessagesRequest
from bot.playground.model_api.script import ScriptBrain
from tests.bot.playground.model_api.bodies import (
    HAIKU,
    Body,
    assistant,
    body,
    call,
    result,
    text,
    tool,
    user,
)

LIST, CANCEL = "class_sessions__list", "class_sessions__cancel"
STEPS = [
    {"calls": [{"name": LIST}]},
    {
        "say": ["Cancelling ", {"$result": [LIST, "rows", 0, "title"]}, "."],
        "calls": [{"name": CANCEL, "input": {"id": {"$result": [LIST, "rows", 0, "id"]}}}],
    },
    {"say": "Cancelled."},
    {"say": "You're welcome."},
]
ROWS = '{"rows": [{"id": 42, "title": "Open gym"}]}'


def read(*messages: Body, **more: Any) -> MessagesRequest:  # noqa: ANN401 - any field of a request
    return MessagesRequest.model_validate(body(messages=list(messages), **more))


def ours(number: int) -> str:
    return f"{CALL_MARK}{number}"


def said(answer: Answer) -> str:
    return "".join(piece.text for piece in answer.pieces if isinstance(piece, Say))


FIRST = (user("cancel it"),)
SECOND = (*FIRST, assistant(call(ours(1), LIST)), user(result(ours(1), ROWS)))
THIRD = (*SECOND, assistant(call(ours(2), CANCEL)), user(result(ours(2), "{}")))
NEXT_TURN = (*THIRD, assistant("Cancelled."), user("thanks"))


def test_each_answer_leads_to_the_next_step() -> None:
    brain = ScriptBrain(STEPS)
    answers = [brain.answer(read(*so_far)) for so_far in (FIRST, SECOND, THIRD, NEXT_TURN)]
    assert answers[0].pieces == (Call(LIST, {}),)
    assert answers[1].pieces == (Say("Cancelling Open gym."), Call(CANCEL, {"id": 42}))
    assert [said(answer) for answer in answers[2:]] == ["Cancelled.", "You're welcome."]


def test_the_same_request_gets_the_same_step_from_any_process() -> None:
    assert ScriptBrain(STEPS).answer(read(*SECOND)) == ScriptBrain(STEPS).answer(read(*SECOND))


def test_a_value_is_found_in_the_latest_result_even_within_other_words() -> None:
    later = '<data source="studio">{"rows": [{"id": 43, "title": "Yoga"}]}</data>'
    messages = (*FIRST, assistant(call(ours(1), LIST), call(ours(2), LIST)))
    answered = (*messages, user(result(ours(1), ROWS), result(ours(2), [text(later)])))
    answer = ScriptBrain([{"calls": [{"name": LIST}] * 2}, STEPS[1]]).answer(read(*answered))
    assert Call(CANCEL, {"id": 43}) in answer.pieces


def test_a_value_that_is_not_there_is_an_error_that_says_so() -> None:
    with pytest.raises(Refused, match="finds no"):
        ScriptBrain([STEPS[1]]).answer(read(*FIRST))


def test_a_script_that_has_run_out_says_where() -> None:
    with pytest.raises(Refused, match="no step for turn 1, message 2: 'hi'"):
        ScriptBrain([{"say": "Yes."}]).answer(read(user("hi"), assistant("Yes.")))


def test_scenes_are_found_by_what_the_person_said() -> None:
    brain = ScriptBrain(
        [
            {"when": "cancel", "steps": [{"say": "Which one?"}, {"say": "Cancelled."}]},
            {"when": "book", "steps": [{"say": "Booked."}]},
        ]
    )
    cancelling = (user("Please CANCEL it"), assistant("Which one?"))
    assert said(brain.answer(read(user("book Dana")))) == "Booked."
    assert said(brain.answer(read(*cancelling, user("the first")))) == "Cancelled."
    assert said(brain.answer(read(*cancelling, user("no, book Dana")))) == "Booked."


def test_scenes_are_found_by_model_and_by_what_is_offered() -> None:
    brain = ScriptBrain(
        [
            {"offers": "escalate", "steps": [{"calls": [{"name": "escalate"}]}]},
            {"model": "haiku", "steps": [{"say": "A title"}]},
            {"steps": [{"say": "An answer"}]},
        ]
    )
    assert brain.answer(read(user("hi"), tools=[tool("escalate")])).pieces == (
        Call("escalate", {}),
    )
    assert said(brain.answer(read(user("hi"), model=HAIKU))) == "A title"
    assert said(brain.answer(read(user("hi")))) == "An answer"


def test_the_turns_context_is_not_what_the_person_said() -> None:
    context = "<turn_context>\npage: /book\n</turn_context>"
    for message in (user(context, "cancel it"), user(f"{context}\ncancel it")):
        (turn,) = turns(read(message))
        assert (turn.text, turn.context) == ("cancel it", "page: /book")


def test_an_exchange_the_caller_seeded_is_no_step() -> None:
    seeded = (
        user("hi"),
        assistant(call("toolu_seed", "find_tools")),
        user(result("toolu_seed", "[]")),
    )
    assert ScriptBrain(STEPS).answer(read(*seeded)).pieces == (Call(LIST, {}),)
    (turn,) = turns(read(*seeded))
    assert [exchange.name for exchange in turn.exchanges] == ["find_tools"]


def test_messages_said_one_after_another_are_one_turn() -> None:
    (turn,) = turns(read(user("cancel"), user("the yoga")))
    assert turn.text == "cancel\nthe yoga"


def test_words_beside_results_begin_a_turn() -> None:
    superseding = user(result("a", "superseded", is_error=True), "never mind")
    found = turns(read(user("hi"), assistant(call("a", LIST)), superseding))
    assert [turn.text for turn in found] == ["hi", "never mind"]


def test_only_loaded_and_referenced_tools_may_be_called_now() -> None:
    reference = [{"type": "tool_reference", "tool_name": "b"}]
    tools = [tool("a"), tool("b", defer_loading=True), tool("c", defer_loading=True)]
    before = read(user("hi"), tools=tools)
    after = read(user("hi"), assistant(call("x", "a")), user(result("x", reference)), tools=tools)
    assert list(before.schemas) == ["a"]
    assert list(after.schemas) == ["a", "b"]
    assert after.schemas["b"]["properties"] == {"q": {"type": "string"}}
