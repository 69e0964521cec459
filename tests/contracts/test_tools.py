"""What holds for every tool of the catalogue, whoever adds the next one."""

import ast
import inspect
import re
from collections.abc import Iterator
from itertools import chain, pairwise
from textwrap import dedent
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest

from app.core.actor import Role
from i18n import Language, has
from tests.contracts.catalogue import REGISTRY, TOOLS, name_of
from tests.each import each
from tests.requests.request import request_for
from tools.kit import openapi, schema
from tools.kit.cards import Pick
from tools.kit.declare import SNAPSHOT, Ask, Effect, Tool
from tools.kit.registry import places

PLAIN, NESTED = 1_200, 4_500
"""Characters of a definition: the tool list is what every call to the model pays for."""
CEILINGS = {Role.COACH: 19_000, Role.ADMIN: 21_000, Role.OWNER: 21_000}
"""Characters of what a role has loaded; the gym's own words and the cookbook come to it."""
CORE = 24
"""Beyond 30 to 50 tools a model chooses worse."""
LINES = 8
SAYS_NOTHING = {
    "announcements translations",
    "assignments days_of_week",
    "automations conditions",
    "class_sessions except_member_ids",
    "class_sessions skip_dates",
    "class_types as_gym",
    "class_types booking_policy.cancel_cutoffs",
    "memberships clear",
    "memberships class_type_ids",
    "memberships tags",
    "memberships tags_add",
    "memberships tags_remove",
    "memberships visible_to_roles",
    "program_templates parameters",
    "programs focuses",
    "programs outline",
    "workouts aliases",
    "workouts clear",
    "workouts equipment",
    "workouts section.movements",
    "workouts tags",
}
"""Lists that may be left out of a write and mean the same when they are empty; no other may be
empty, as whoever is chosen by it would be everybody."""

each_tool = each(TOOLS, name_of)


def properties(tool: Tool[Any]) -> dict[str, Any]:
    found: dict[str, Any] = schema.input_schema(tool.args)["properties"]
    return found


def is_nested(value: object) -> bool:
    match value:
        case {"type": "object"}:
            return True
        case dict():
            return any(map(is_nested, value.values()))
        case list():
            return any(map(is_nested, value))
        case _:
            return False


def nested(tool: Tool[Any]) -> bool:
    return any(map(is_nested, properties(tool).values()))


def optional_lists(tool: Tool[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """By name, also within an argument that has parts."""
    for name, one in properties(tool).items():
        inner = one.get("properties", {}).items()
        for path, part in ((name, one), *((f"{name}.{key}", part) for key, part in inner)):
            if part.get("type") == "array" and "default" in part:
                yield path, part


def test_there_are_tools() -> None:
    assert len(REGISTRY) > 20


@each_tool
def test_a_tool_has_a_label_in_every_language(tool: Tool[Any]) -> None:
    assert [one.value for one in Language if not has(tool.label, one)] == []


@each_tool
def test_a_tool_says_in_one_line_what_it_does(tool: Tool[Any]) -> None:
    assert re.fullmatch(r"[A-Z][^\n]{8,198}\.", tool.summary)


@each_tool
def test_a_tool_is_asked_for_in_plain_words(tool: Tool[Any]) -> None:
    assert request_for(tool.name) is not None, f"see tests/requests/{tool.router}.py"


@each_tool
def test_arguments_are_closed_and_know_no_org(tool: Tool[Any]) -> None:
    assert schema.input_schema(tool.args)["additionalProperties"] is False
    assert "org_id" not in tool.args.model_fields
    assert tool.args.model_config.get("frozen")


@each_tool
def test_an_empty_list_never_means_everybody(tool: Tool[Any]) -> None:
    """A list that is read by says so itself; one that is acted upon must name something."""
    if tool.effect is Effect.READ and "filter" not in properties(tool):
        return
    open_ones = {path for path, one in optional_lists(tool) if not one.get("minItems")}
    assert {f"{tool.router} {path}" for path in open_ones} <= SAYS_NOTHING


@each_tool
def test_a_tools_name_fits_the_wire(tool: Tool[Any]) -> None:
    assert re.fullmatch(r"[a-z_]+__[a-z_]+", tool.wire_name)
    assert len(tool.wire_name) <= 64
    assert REGISTRY[tool.wire_name] is REGISTRY[tool.name] is tool


@each_tool
def test_what_destroys_asks_and_what_asks_destroys_offers_a_choice_or_always_asks(
    tool: Tool[Any],
) -> None:
    if tool.effect is Effect.DESTRUCTIVE:
        assert tool.ask is not Ask.NEVER
    elif tool.confirm is not None and tool.ask is not Ask.ALWAYS:
        asked = get_type_hints(tool.confirm)["return"]
        assert set(get_args(asked) or (asked,)) <= {Pick, NoneType}


@each_tool
def test_an_inverse_is_there_and_can_be_told_what_to_reverse(tool: Tool[Any]) -> None:
    if tool.undo in {None, SNAPSHOT}:
        return
    inverse = REGISTRY[f"{tool.router}.{tool.undo}"]
    required = {name for name, field in inverse.args.model_fields.items() if field.is_required()}
    unknown = required - tool.args.model_fields.keys()
    assert inverse.effect is not Effect.READ
    assert all(name.endswith("_id") for name in unknown)
    assert len(unknown) <= 1, "a result is about one thing"


@each_tool
def test_a_definition_is_lean_and_within_its_size(tool: Tool[Any]) -> None:
    written = schema.dumps(schema.definition(tool))
    assert len(written) <= (NESTED if nested(tool) else PLAIN)
    assert not re.search(r'"(\$ref|\$defs|\$schema|anyOf":\[\{"type":"null)"', written)
    assert written == schema.dumps(schema.definition(tool))


@each_tool
def test_what_has_no_body_takes_flat_arguments(tool: Tool[Any]) -> None:
    beside = {name: one for name, one in properties(tool).items() if name not in places(tool.path)}
    if tool.method in {"GET", "DELETE"}:
        assert not any(map(is_nested, beside.values()))


@each_tool
def test_a_quick_tool_reads_and_is_simple(tool: Tool[Any]) -> None:
    if tool.quick:
        assert tool.effect is Effect.READ
        assert tool.confirm is None
        assert not nested(tool)


@each_tool
def test_a_declaration_is_thin(tool: Tool[Any]) -> None:
    """Statements, however the formatter breaks them; more of them is a rule in the wrong place."""
    definition = ast.parse(dedent(inspect.getsource(tool.run))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    statements = [node for node in ast.walk(definition) if isinstance(node, ast.stmt)]
    assert len(statements) - len([definition, "the docstring"]) <= LINES


@pytest.mark.parametrize("role", CEILINGS, ids=str)
def test_what_a_role_is_offered_stays_under_its_ceiling(role: Role) -> None:
    loaded = schema.loaded(schema.definitions(REGISTRY, role))
    assert len(loaded) <= CORE
    assert schema.size(loaded) <= CEILINGS[role]


@each_tool
def test_the_core_is_small_tools(tool: Tool[Any]) -> None:
    if tool.core:
        assert tool.offered
        assert schema.size(schema.definition(tool)) <= PLAIN


def test_members_are_offered_nothing_and_higher_roles_no_less() -> None:
    offered = [{tool.name for tool in REGISTRY.for_role(role)} for role in Role]
    assert offered[0] == set()
    for lower, higher in pairwise(offered):
        assert lower <= higher


def test_definitions_come_in_one_order_and_the_same_bytes() -> None:
    first = schema.definitions(REGISTRY, Role.OWNER)
    names = [tool["name"].split("__") for tool in first]
    assert names == sorted(names)
    assert schema.dumps(first) == schema.dumps(schema.definitions(REGISTRY, Role.OWNER))


def test_the_document_has_every_tool_at_its_route() -> None:
    paths = openapi.document(REGISTRY, prefix="/api/v1")["paths"]
    operations = chain.from_iterable(
        ((path, method, one) for method, one in methods.items()) for path, methods in paths.items()
    )
    found = {one["operationId"]: (method.upper(), path) for path, method, one in operations}
    for tool in TOOLS:
        assert found[tool.wire_name] == (tool.method, f"/api/v1{tool.path}")
