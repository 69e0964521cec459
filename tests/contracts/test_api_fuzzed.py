"""The whole API, called with what its document allows and forbids: no fault, all as described.

Few examples by default; SPOTTER_FUZZ=20 tries twenty times as many, and other ones each time.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from app.core.actor import Actor
from app.core.clock import Clock
from app.core.ids import new_id
from app.core.settings import Settings, environment
from app.people import queries as people
from app.web.ports import Ports
from app.web.shell import create_app
from app.web.tokens import issue_token
from bot.operations import saying
from tests.contracts.catalogue import REGISTRY, TOOLS, name_of
from tests.contracts.gyms import asked, furnished
from tests.studio import Studio
from tools.http import PREFIX, Api, blueprint
from tools.kit import openapi
from tools.kit.declare import Tool
from tools.kit.registry import places

pytestmark = pytest.mark.long

TIMES: Final = int(environment().get("SPOTTER_FUZZ", "1"))
EXAMPLES: Final = 3
CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
SETTINGS: Final = Settings(secret_key=SecretStr("k" * 40))
DOORS: Final = ("answer", "question", "undo")


@dataclass(frozen=True, slots=True)
class Served:
    """The API of two gyms, and the tokens of those who call it by what they are in the first."""

    studio: Studio
    schema: Any
    headers: Mapping[str, dict[str, str]]

    def called(self, case: Case[Any], who: str) -> None:
        """With a key of its own, so that it isn't a repeat of another example."""
        own = {"Idempotency-Key": str(new_id())} if case.method != "GET" else {}
        case.call_and_validate(headers={**self.headers[who], **own}, checks=CHECKS)


@pytest.fixture(scope="module")
def served(database_url: str) -> Iterator[Served]:
    studio, other = furnished(database_url), furnished(database_url)
    callers = {actor.role.value: actor for actor in studio.actors.values()}
    callers["another gym's owner"] = other.owner
    document = openapi.document(REGISTRY, prefix=PREFIX)
    del document["security"]  # else it makes up tokens in place of ours
    schema = schemathesis.openapi.from_dict(document)
    schema.app = _app(studio)
    yield Served(studio, schema, {who: _header(actor) for who, actor in callers.items()})
    for one in (studio, other):
        one.db.close()


def _app(studio: Studio) -> Flask:
    def person(org_id: Any, user_id: Any) -> Actor | None:  # noqa: ANN401 - ids, as the port has them
        with studio.db.transaction(org_id) as session:
            return people.actor(session, org_id, user_id)

    api = Api(db=studio.db, registry=REGISTRY, say=saying.of_card)
    ports = Ports(find_person=person, words=saying.of_error)
    return create_app(SETTINGS, [blueprint(api)], ports)


def _header(actor: Actor) -> dict[str, str]:
    return {"Authorization": f"Bearer {issue_token(SETTINGS, actor, now=Clock().now())}"}


def fuzz(served: Served, operation: Any, path: dict[str, str]) -> None:  # noqa: ANN401 - the library's
    """Each example as the owner, the first one as everybody."""
    strangers = [who for who in served.headers if who != "owner"]
    allowed, forbidden = (
        operation.as_strategy(generation_mode=mode, path_parameters=path)
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
    )

    @settings(
        max_examples=EXAMPLES * TIMES,
        derandomize=TIMES == 1,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(allowed, forbidden) if path else allowed)
    def each(case: Case[Any]) -> None:
        while strangers:
            served.called(case, strangers.pop())
        served.called(case, "owner")

    each()


@pytest.mark.parametrize("tool", TOOLS, ids=name_of)
def test_a_tool_answers_whatever_is_sent_as_its_document_says(
    tool: Tool[Any], served: Served
) -> None:
    given = asked(served.studio, tool)
    path = {name: str(given[name]) for name in places(tool.path)}
    operation = served.schema[PREFIX + tool.path][tool.method]
    fuzz(served, operation, path)
