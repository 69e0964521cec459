"""What the studio queues is carried out: a row whose topic nobody knows would wait unseen."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from pydantic import SecretStr

from app.core.settings import Settings
from bot.wiring import Wiring

PROJECT = Path(__file__).parents[2]
UNDONE = ".undone"
WRITER = "app/core/outbox.py"


def test_every_topic_that_is_queued_has_an_act() -> None:
    found = dict(topics())

    assert {"member_notice", "promote_waitlist", "invitation", "member_erased"} <= found.keys()
    assert {topic: where for topic, where in found.items() if topic not in acts()} == {}


def test_a_correction_is_of_something_that_is_queued() -> None:
    found = dict(topics())
    corrections = [topic for topic in acts() if topic.endswith(UNDONE)]

    assert corrections
    assert [one for one in corrections if one.removesuffix(UNDONE) not in found] == []


@pytest.mark.parametrize(
    ("source", "topic"),
    [
        ("outbox.put(session, org_id, 'told', {})", "told"),
        ("put(session, org_id, WRITER, {}, wait=now)", WRITER),
        ("session.add(outbox.Outbox(org_id=org_id, topic='told', body={}))", "told"),
        ("outbox.put(session, org_id, f'{row.topic}.undone', {})", None),
        ("queue.put(one)", None),
    ],
)
def test_a_topic_is_read_off_the_call(source: str, topic: str | None) -> None:
    found = [one for node in ast.walk(ast.parse(source)) for one in queued(node, __name__)]
    assert found == ([] if topic is None else [topic])


def acts() -> set[str]:
    secret = SecretStr("k" * 40)
    url = SecretStr("postgresql+psycopg://nobody@127.0.0.1:1/none")
    redis = SecretStr("redis://127.0.0.1:1/0")
    return set(Wiring(Settings(database_url=url, redis_url=redis, secret_key=secret)).acts)


def topics() -> Iterator[tuple[str, str]]:
    """Each topic, with the file that queues it."""
    for root in ("app", "tools", "bot"):
        for path in sorted((PROJECT / root).rglob("*.py")):
            name = path.relative_to(PROJECT).as_posix()
            text = path.read_text()
            if name != WRITER and re.search(r"\b(put|Outbox)\(", text):
                module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                for node in ast.walk(ast.parse(text)):
                    yield from ((topic, name) for topic in queued(node, module))


def queued(node: ast.AST, module: str) -> Iterator[str]:
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="outbox"), attr="put") | ast.Name(id="put"),
            args=[_, _, topic, *_],
        ):
            yield from named(topic, module)
        case ast.Call(func=ast.Attribute(attr="Outbox") | ast.Name(id="Outbox"), keywords=given):
            for one in given:
                if one.arg == "topic":
                    yield from named(one.value, module)


def named(topic: ast.expr, module: str) -> Iterator[str]:
    """A literal, or a constant of the module; a correction is named after what it corrects."""
    match topic:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Name(id=name):
            yield getattr(import_module(module), name)
