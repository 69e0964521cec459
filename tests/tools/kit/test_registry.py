"""What can't be true of a catalogue is refused when it is read."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from app.core.actor import Role
from tools.kit.cards import Confirm, Notice
from tools.kit.declare import SNAPSHOT, Args, Context, Effect, Tool, tool
from tools.kit.registry import Registry, discover


class NoArgs(Args):
    pass


class OneThing(Args):
    thing_id: UUID
    note: str | None = None


class OfAnOrg(Args):
    org_id: UUID


class Open(Args, extra="allow"):
    pass


def ask(_: Context, args: OneThing) -> Confirm:
    return Confirm(of=str(args.thing_id))


def show(context: Context, args: NoArgs) -> Notice:
    """Show all things."""
    raise NotImplementedError(context, args)


def change(context: Context, args: OneThing) -> Notice:
    """Change a thing."""
    raise NotImplementedError(context, args)


def silent(context: Context, args: NoArgs) -> Notice:
    raise NotImplementedError(context, args)


def of_org(context: Context, args: OfAnOrg) -> Notice:
    """Take an org."""
    raise NotImplementedError(context, args)


def open_args(context: Context, args: Open) -> Notice:
    """Take anything."""
    raise NotImplementedError(context, args)


def declared(run: Callable[[Context, Any], Notice], route: str, **more: Any) -> Tool[Any]:  # noqa: ANN401 - the decorator's
    effect = more.pop("effect", Effect.WRITE)
    return tool(effect, route, label="Do it", **more)(run)


def test_tools_are_found_by_both_names_and_sorted(registry: Registry) -> None:
    assert registry["rooms.create"] is registry["rooms__create"]
    names = [(one.router, one.action) for one in registry.values()]
    assert names == sorted(names)
    assert registry.get("rooms.create.x") is None
    assert "paint" not in registry


def test_discovery_takes_what_is_declared_in_the_package_only() -> None:
    found = discover("tests.tools.kit.sample.catalog")
    assert {one.router for one in found.values()} == {"rooms", "lockers"}


@pytest.mark.parametrize(
    ("tools", "fault"),
    [
        ([declared(change, "PUT /a"), declared(change, "PUT /b")], "two tools are named"),
        (
            [declared(show, "POST /a/b"), declared(change, "POST /a/b")],
            "share POST /a/b",
        ),
        ([declared(change, "PUT /a", undo="erase")], "is undone by erase"),
        (
            [
                declared(show, "GET /a", effect=Effect.READ),
                declared(change, "PUT /a", undo="show"),
            ],
            "is undone by show",
        ),
        ([declared(show, "POST /a/{thing_id}")], "path names what is no required argument"),
        ([declared(change, "POST /a/{note}")], "path names what is no required argument"),
        ([declared(silent, "POST /a")], "has no summary"),
        ([declared(change, "FETCH /a")], "method is none"),
        ([declared(change, "PUT a")], "doesn't begin with a slash"),
        ([declared(change, "GET /a")], "writes by GET"),
        ([declared(of_org, "PUT /a")], "org is never an argument"),
        ([declared(open_args, "PUT /a")], "aren't closed"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_a_catalogue_that_contradicts_itself_is_refused(tools: list[Tool[Any]], fault: str) -> None:
    with pytest.raises(TypeError, match=fault):
        Registry(tools)


def test_two_paths_that_differ_only_in_a_placeholders_name_are_one() -> None:
    class Other(Args):
        other_id: UUID

    def second(context: Context, args: Other) -> Notice:
        """Change another thing."""
        raise NotImplementedError(context, args)

    second.__annotations__["args"] = Other
    tools = [declared(change, "PUT /a/{thing_id}"), declared(second, "PUT /a/{other_id}")]
    with pytest.raises(TypeError, match="share"):
        Registry(tools)


@pytest.mark.parametrize(
    "given",
    [
        {"effect": Effect.DESTRUCTIVE},
        {"effect": Effect.READ, "undo": SNAPSHOT},
        {"effect": Effect.READ, "always": True, "confirm": ask},
        {"effect": Effect.WRITE, "always": True},
    ],
    ids=["unasked", "undone read", "read that always asks", "always without a question"],
)
def test_a_declaration_whose_parts_do_not_fit_is_refused_at_once(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        declared(change, "POST /a/{thing_id}", **given)


def test_each_role_is_offered_what_it_may_call_and_members_nothing(registry: Registry) -> None:
    offered = {role: {one.name for one in registry.for_role(role)} for role in Role}
    assert offered[Role.MEMBER] == set()
    assert "rooms.empty" in offered[Role.ADMIN] - offered[Role.COACH]
    assert "rooms.smash" in offered[Role.OWNER] - offered[Role.ADMIN]
    assert "rooms.meddle" not in offered[Role.OWNER], "registered, not offered"
