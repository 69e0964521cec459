"""Compaction on demand, with the real SDK: one signed block that then stands for what was said."""

from collections.abc import Iterator
from typing import Any

import anthropic
import pytest

from bot.playground.model_api.compaction import signed
from bot.playground.model_api.script import ScriptBrain
from bot.playground.model_api.server import Server, serve
from tests.bot.playground.model_api.bodies import (
    EXCHANGE,
    MARK,
    Body,
    assistant,
    body,
    call,
    text,
    tool,
    user,
)

BETAS = ["compact-2026-09-04"]
SUMMARIZE = {"type": "summarize"}
LONG = "A rule of the studio. " * 120


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serve(ScriptBrain([{"say": "Fine."}] * 4)) as running:
        yield running


@pytest.fixture(scope="module")
def sdk(server: Server) -> Iterator[Any]:
    with anthropic.Anthropic(api_key="k", base_url=server.url, max_retries=0) as client:
        yield client.beta.messages


def summary(content: str | None = "Dana came.", signature: str | None = None) -> Body:
    block: Body = {"type": "compaction", "content": content}
    return block | {"signature": signature or signed(content or "")}


def history(*more: Body) -> Body:
    return body(
        tools=[tool()],
        system=[text(LONG, cache_control=MARK)],
        messages=[user(text(f"Who came? {LONG}", cache_control=MARK)), *more],
    )


def test_a_summary_is_one_block_and_reads_what_the_conversation_has_cached(sdk: Any) -> None:  # noqa: ANN401 - the SDK, untyped for the bodies here
    asked = history()
    said = sdk.create(**asked)
    turn = {"role": "assistant", "content": [b.to_dict() for b in said.content]}
    asked["messages"].append(turn)
    summed = sdk.create(**asked, betas=BETAS, compaction=SUMMARIZE)
    assert summed.stop_reason == "compaction"
    (block,) = summed.content
    assert "user: Who came?" in block.content
    assert "assistant: Fine." in block.content
    assert summed.usage.cache_read_input_tokens == said.usage.cache_creation_input_tokens

    kept = {"role": "assistant", "content": [block.to_dict()]}
    asked["messages"] = [kept, user("And today?")]
    after = sdk.create(**asked, betas=BETAS)
    assert after.stop_reason == "end_turn"
    assert 500 < after.usage.cache_read_input_tokens < summed.usage.cache_read_input_tokens
    assert after.usage.input_tokens < 300
    asked["messages"] += [{"role": "assistant", "content": [b.to_dict() for b in after.content]}]
    again = sdk.create(**asked, betas=BETAS, compaction=SUMMARIZE)
    assert again.content[0].content.startswith(block.content)


def test_a_streamed_summary_is_the_same_block(sdk: Any) -> None:  # noqa: ANN401 - as above
    asked: Body = {**body(), "betas": BETAS, "compaction": SUMMARIZE}
    whole = sdk.create(**asked)
    with sdk.stream(**asked) as stream:
        streamed = stream.get_final_message()
    assert streamed.stop_reason == "compaction"
    assert [b.to_dict() for b in streamed.content] == [b.to_dict() for b in whole.content]


def test_counting_takes_the_parameter_and_leaves_it_alone(sdk: Any) -> None:  # noqa: ANN401 - as above
    asked = body(max_tokens=...)
    plain = sdk.count_tokens(**asked).input_tokens
    with_it = sdk.count_tokens(**asked, betas=BETAS, extra_body={"compaction": SUMMARIZE})
    assert with_it.input_tokens == plain


def test_a_summary_that_failed_is_passed_over(sdk: Any) -> None:  # noqa: ANN401 - as above
    failed = assistant({"type": "compaction", "content": None})
    answer = sdk.create(**body(messages=[user("hi"), failed, user("go")]), betas=BETAS)
    assert answer.stop_reason == "end_turn"


REFUSED = {
    "compaction_block_ambiguous": body(messages=[assistant(summary(), summary()), user("hi")]),
    "compaction_block_misplaced": body(messages=[user("hi"), assistant(summary()), user("go")]),
    "compaction_signature_invalid": body(
        messages=[assistant(summary(signature="bm9ib2R5")), user("hi")]
    ),
    "compaction_content_mismatch": body(
        messages=[assistant(summary("Noa came.", signed("Dana came."))), user("hi")]
    ),
    "compaction_nothing_to_summarize": body(messages=[assistant(summary())], compaction=SUMMARIZE),
    "compaction_incomplete_turn": body(
        messages=[*EXCHANGE, assistant(call("toolu_2"))], compaction=SUMMARIZE
    ),
}


@pytest.mark.parametrize(("code", "fields"), REFUSED.items(), ids=REFUSED.keys())
def test_what_cannot_be_summed_up_is_refused_by_its_code(sdk: Any, code: str, fields: Body) -> None:  # noqa: ANN401 - as above
    with pytest.raises(anthropic.BadRequestError) as refused:
        sdk.create(**fields, betas=BETAS)
    assert refused.value.error_code == code


def test_without_the_beta_header_nobody_knows_of_it(sdk: Any) -> None:  # noqa: ANN401 - as above
    with pytest.raises(anthropic.BadRequestError, match="compaction: Extra inputs"):
        sdk.create(**body(), compaction=SUMMARIZE)
    with pytest.raises(anthropic.BadRequestError, match="Input tag 'compaction'"):
        sdk.create(**body(messages=[assistant(summary()), user("hi")]), betas=["other-beta"])
