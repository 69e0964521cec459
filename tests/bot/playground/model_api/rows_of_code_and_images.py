"""Requests with too many or too large images, or with calls from code that can't be answered so."""

import base64
import struct
from typing import Any

from tests.bot.playground.model_api.bodies import (
    OLD_HAIKU,
    SONNET,
    Body,
    assistant,
    body,
    call,
    result,
    tool,
    user,
)
from tests.bot.playground.model_api.rows import Row

CODE = "code_execution_20260120"
_CALLER = {"type": CODE, "tool_id": "srvtoolu_1"}
_CLOSED = {"additionalProperties": False, "properties": {}, "required": []}


def image(width: int, height: int) -> Body:
    """The beginning of a PNG, which is all that is read."""
    head = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height)
    return _image("image/png", head)


def gif(width: int, height: int) -> Body:
    return _image("image/gif", b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0")


def _image(kind: str, head: bytes) -> Body:
    source = {"type": "base64", "media_type": kind, "data": base64.b64encode(head).decode()}
    return {"type": "image", "source": source}


def from_code(*answer: Any, **more: Any) -> Body:  # noqa: ANN401 - blocks, and fields of a request
    return body(
        tools=[tool(allowed_callers=[CODE])],
        messages=[user("hi"), assistant(call(caller=_CALLER)), user(*answer)],
        **more,
    )


IMAGES = (
    Row(
        "too_many_images",
        body(model=OLD_HAIKU, messages=[user(*[image(9, 9)] * 101)]),
        "messages: at most 100 images are allowed in a request. Found 101.",
    ),
    Row(
        "too_many_images",
        body(model=SONNET, messages=[user(*[image(9, 9)] * 601)]),
        "messages: at most 600 images are allowed in a request. Found 601.",
    ),
    Row(
        "too_long_sides",
        body(messages=[user("look", image(8001, 10))]),
        "messages.0.content.1.image.source.base64.data: At least one of the image dimensions"
        " exceed max allowed size: 8000 pixels",
        "image_dimensions_too_large",
    ),
    Row(
        "too_long_sides",
        body(messages=[user(*[image(9, 9)] * 20, gif(10, 2001))]),
        "messages.0.content.20.image.source.base64.data: At least one of the image dimensions"
        " exceed max allowed size for many-image requests: 2000 pixels",
        "image_dimensions_too_large",
    ),
    Row(
        "too_long_sides",
        body(messages=[user("hi"), assistant(call()), user(result(content=[image(9000, 9)]))]),
        "messages.2.content.0.content.0.image",
        "image_dimensions_too_large",
    ),
)

PROGRAMMATIC = (
    Row(
        "unknown_caller",
        body(tools=[tool(allowed_callers=["direct", "anybody"])]),
        "tools.0.custom.allowed_callers.1: Input should be one of 'direct', ",
    ),
    Row(
        "strict_called_by_code",
        body(tools=[tool(schema=_CLOSED, strict=True, allowed_callers=[CODE])]),
        "tools.0.custom: `strict` cannot be combined with calls from code",
    ),
    Row(
        "single_call_from_code",
        body(
            tools=[tool(allowed_callers=[CODE])],
            tool_choice={"type": "auto", "disable_parallel_tool_use": True},
        ),
        "tool_choice: `disable_parallel_tool_use` cannot be combined with calls from code",
    ),
    Row(
        "words_beside_results_for_code",
        from_code(result(), "and hurry", container="c1"),
        "messages.2.content.1: only `tool_result` blocks of text may answer calls from code",
    ),
    Row(
        "words_beside_results_for_code",
        from_code(result(content=[image(9, 9)]), container="c1"),
        "messages.2.content.0: only `tool_result` blocks of text may answer calls from code",
    ),
    Row(
        "results_for_code_without_container",
        from_code(result()),
        "container: required while calls from code are pending",
    ),
)

TAKEN = {
    "images within their limits": body(messages=[user(*[image(2000, 9)] * 21, "look")]),
    "a long image among few": body(messages=[user(image(8000, 8000), gif(9, 9))]),
    "an image of a kind not measured": body(messages=[user(_image("image/webp", b"RIFF"))]),
    "an image by its address": body(
        messages=[user({"type": "image", "source": {"type": "url", "url": "https://x.test/a.png"}})]
    ),
    "results for code": from_code(result(), container="c1"),
    "a strict tool called directly": body(
        tools=[tool(schema=_CLOSED, strict=True, allowed_callers=["direct"])]
    ),
}
