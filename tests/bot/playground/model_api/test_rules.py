"""Every rule refuses what the API refuses, in its words, and is what does the refusing."""

from collections.abc import Iterator
from typing import Any

import anthropic
import pytest

from bot.playground.model_api.answer import Answer, Say
from bot.playground.model_api.errors import Refused
from bot.playground.model_api.request import CountRequest, Message, MessagesRequest
from bot.playground.model_api.rules.rule import Case, Rule
from bot.playground.model_api.rules.shape import too_many_messages
from bot.playground.model_api.rules.table import RULES
from bot.playground.model_api.server import Server, Setup, serve
from bot.playground.model_api.surface import SURFACES
from tests.bot.playground.model_api.bodies import (
    EXCHANGE,
    HAIKU,
    MARK,
    OLD_HAIKU,
    SEARCH_TOOL,
    SONNET,
    Body,
    assistant,
    body,
    call,
    found,
    result,
    search,
    system,
    text,
    tool,
    user,
)
from tests.bot.playground.model_api.rows import Row
from tests.bot.playground.model_api.rows_of_code_and_images import IMAGES, PROGRAMMATIC, TAKEN
from tests.bot.playground.model_api.rows_of_conversations import PAIRING, SHAPE
from tests.bot.playground.model_api.rows_of_tools import LARGE, LIMITS, TOOLS

ROWS = (*SHAPE, *PAIRING, *TOOLS, *LIMITS, *LARGE, *IMAGES, *PROGRAMMATIC)


class Agreeable:
    def answer(self, _: MessagesRequest) -> Answer:
        return Answer((Say("Fine."),))


BRAIN = Agreeable()


@pytest.fixture(scope="module")
def strict() -> Iterator[Server]:
    with serve(BRAIN) as server:
        yield server


@pytest.fixture(scope="module")
def sdk() -> Iterator[anthropic.Anthropic]:
    with anthropic.Anthropic(api_key="k", base_url="http://unused", max_retries=0) as client:
        yield client


def refusal(
    sdk: anthropic.Anthropic, server: Server, fields: Body
) -> anthropic.APIStatusError | None:
    """What the real SDK raises for a request, None where it is answered."""
    post: Any = sdk.with_options(base_url=server.url).messages.create
    try:
        answer = post(**fields, timeout=30)
    except anthropic.APIStatusError as error:
        return error
    if fields.get("stream"):
        answer.close()
    return None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.rule)
def test_a_broken_request_is_refused_in_the_apis_words(
    sdk: anthropic.Anthropic, strict: Server, row: Row
) -> None:
    error = refusal(sdk, strict, row.broken)
    assert isinstance(error, anthropic.BadRequestError)
    assert row.says in _message(error)
    assert (error.type, error.error_code) == ("invalid_request_error", row.code)
    assert error.request_id == error.response.headers["request-id"]
    assert error.response.headers["x-should-retry"] == "false"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.rule)
def test_without_its_rule_nothing_says_so(sdk: anthropic.Anthropic, row: Row) -> None:
    others = tuple(rule for rule in RULES if rule.name != row.rule)
    assert len(others) == len(RULES) - 1
    with serve(BRAIN, setup=Setup(rules=others)) as lax:
        error = refusal(sdk, lax, row.broken)
    assert error is None or row.says not in _message(error)


def is_of_compaction(rule: Rule) -> bool:
    """These need a beta header and have a test of their own."""
    return rule.complaints.__module__.endswith(".compaction")


def test_every_rule_has_its_row() -> None:
    elsewhere = {"too_many_messages", *(rule.name for rule in RULES if is_of_compaction(rule))}
    assert {rule.name for rule in RULES} == {row.rule for row in ROWS} | elsewhere


def test_a_hundred_thousand_messages_are_the_most() -> None:
    message = Message.model_validate(user("hi"))

    def complaints(count: int) -> list[str | Refused]:
        prompt = CountRequest.model_construct(model=SONNET, messages=(message,) * count)
        return list(too_many_messages(Case(prompt, SURFACES[SONNET], tokens=1)))

    assert complaints(100_000) == []
    assert complaints(100_001) == ["messages: at most 100000 messages are allowed"]


ACCEPTED = {
    **TAKEN,
    "words": body(),
    "two user messages in a row": body(messages=[user("hi"), user("there")]),
    "a call and its result": body(messages=list(EXCHANGE)),
    "words after the results": body(messages=[*EXCHANGE[:2], user(result(), "go on")]),
    "assistant messages in a row": body(
        messages=[user("hi"), assistant("so"), assistant(call()), user(result())]
    ),
    "an empty result": body(messages=[*EXCHANGE[:2], user(result(content=""))]),
    "an old call of a tool that is gone": body(messages=list(EXCHANGE), tools=[tool("b")]),
    "a system message after the results": body(messages=[*EXCHANGE, system("also this")]),
    "a reference to a deferred tool": body(
        messages=[
            *EXCHANGE[:2],
            user(result(content=[{"type": "tool_reference", "tool_name": "b"}])),
        ],
        tools=[tool(), tool("b", defer_loading=True)],
    ),
    "a resumed pause": body(messages=[user("hi"), assistant(search())], tools=[SEARCH_TOOL]),
    "a search and its result": body(
        messages=[user("hi"), assistant(search(), found(), "so"), user("go")], tools=[SEARCH_TOOL]
    ),
    "prefill on an old model": body(model=OLD_HAIKU, messages=[user("hi"), assistant("I")]),
    "a forced choice on the small model": body(
        model=HAIKU, tools=[tool()], tool_choice={"type": "any"}
    ),
    "four markers": body(
        system=[text("s", cache_control=MARK)],
        messages=[user(*(text("hi", cache_control=MARK) for _ in range(3)))],
    ),
    "adaptive thinking at low effort": body(
        thinking={"type": "adaptive", "display": "omitted"}, output_config={"effort": "low"}
    ),
    "no tokens, to warm the cache": body(max_tokens=0),
}


@pytest.mark.parametrize("fields", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_what_the_api_takes_is_taken(
    sdk: anthropic.Anthropic, strict: Server, fields: Body
) -> None:
    error = refusal(sdk, strict, fields)
    assert error is None, error


def _message(error: anthropic.APIStatusError) -> str:
    envelope: Any = error.body
    return str(envelope["error"]["message"])
