"""What the real SDK sees of an answer, streamed and whole."""

import anthropic

from bot.playground.model_api.script import ScriptBrain

SONNET = "claude-sonnet-5-5"


def test_the_sdk_streams_a_scripted_answer(client: anthropic.Anthropic) -> None:
    with client.messages.stream(
        model=SONNET, max_tokens=100, messages=[{"role": "user", "content": "hi"}]
    ) as stream:
        said = "".join(stream.text_stream)
        final = stream.get_final_message()
    assert said == "Hello from the stand-in, in several fragments."
    assert final.stop_reason == "end_turn"


def test_a_streamed_call_has_the_scripted_input(
    client: anthropic.Anthropic, brain: ScriptBrain
) -> None:
    wanted = {"ids": [1, 2], "note": "שלום, a longer note to be split"}
    brain.load([{"calls": [{"name": "members__show", "input": wanted}]}])
    with client.messages.stream(
        model=SONNET, max_tokens=100, messages=[{"role": "user", "content": "hi"}]
    ) as stream:
        final = stream.get_final_message()
    call = final.content[-1]
    assert isinstance(call, anthropic.types.ToolUseBlock)
    assert (call.name, call.input) == ("members__show", wanted)
    assert final.stop_reason == "tool_use"
