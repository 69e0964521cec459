"""The text of a new tool by its shape: show, list, add, change or delete one kind of thing."""

import builtins
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from jinja2 import Environment, StrictUndefined
from sqlalchemy import Column

from app.core.actor import Role
from app.core.db import OrgRow
from tools.kit import rows
from tools.kit.declare import Effect
from tools.kit.registry import places

Shape = Literal["show", "list", "add", "change", "delete"]

KEPT: Final = {"id", "org_id", "version", "created_at", "updated_at"}
PLAIN: Final = (str, int, bool, UUID)
NAMES: Final = ("name", "title", "label", "first_name", "word")
EXAMPLES: Final = {
    "str": '"Some words"',
    "int": "1",
    "bool": "True",
    "date": '"2026-12-02"',
    "time": '"18:30:00"',
    "UUID": "str(new_id())",
}

RULE: Final = '''
{% macro find() %}
    row = session.get({{ model }}, {{ entity }}_id)
    if row is None or row.org_id != actor.org_id:
        raise NotFound(what="{{ entity }}")
{% endmacro %}
{% if shape == "list" %}
def {{ rule }}(session: Session, actor: Actor, *, limit: int) -> tuple[list[{{ model }}], int]:
    """The first rows by {{ text }}, and how many there are in all."""
    mine = select({{ model }}).where({{ model }}.org_id == actor.org_id)
    total = session.scalars(select(func.count()).select_from(mine.subquery())).one()
    first = mine.order_by({{ model }}.{{ text }}, {{ model }}.id).limit(limit)
    return [*session.scalars(first)], total
{% elif shape == "add" %}
def {{ rule }}(session: Session, actor: Actor, {{ taken }}) -> {{ model }}:
    """A new row. Raises NotFound where it refers to what isn't there."""
{% for column, parent in parents %}
    if session.get({{ parent }}, {{ column }}) is None:
        raise NotFound(what="{{ column.removesuffix("_id") }}")
{% endfor %}
    row = {{ model }}(org_id=actor.org_id, {{ set }})
    session.add(row)
    session.flush()
    return row
{% else %}
{% if shape in ("show", "delete") %}
def {{ finder }}(session: Session, actor: Actor, {{ entity }}_id: UUID) -> {{ model }}:
    """The one meant. Raises NotFound."""
{{ find() }}    return row
{% endif %}
{% if shape == "delete" %}


def {{ rule }}(session: Session, actor: Actor, {{ entity }}_id: UUID) -> {{ model }}:
    """Gone with its row. Raises NotFound."""
    row = {{ finder }}(session, actor, {{ entity }}_id)
    session.delete(row)
    session.flush()
    return row
{% elif shape == "change" %}
def {{ rule }}(
    session: Session, actor: Actor, {{ entity }}_id: UUID, *, {{ text }}: str
) -> {{ model }}:
    """Under another {{ text }}. Raises NotFound."""
{{ find() }}    row.{{ text }} = {{ text }}
    session.flush()
    return row
{% endif %}
{% endif %}
'''

TOOL: Final = '''
class {{ args }}(Args):
{% for name in in_path %}
    {{ name }}: {{ place_kind(name) }} = Field(description="Which one is meant.")
{% endfor %}
{% if shape == "list" %}
    limit: int = Field(default=20, ge=1, le=100, description="Rows wanted.")
{% elif shape == "change" %}
    {{ text }}: str = Field(min_length=1, max_length=80)
{% elif shape == "add" %}
{% for name, kind in needed %}
    {{ name }}: {{ kind }}
{% endfor %}
{% elif not in_path %}
    pass
{% endif %}
{% if shape == "delete" %}


def before_{{ action }}(context: Context, args: {{ args }}) -> Confirm:
    row = {{ finder }}_rule(context.session, context.actor, args.{{ entity }}_id)
    ref = Ref(entity="{{ entity }}", id=row.id, version=row.version)
    return Confirm(of="{{ tool }}", values={"name": Name(text={{ spoken }})}, ref=ref)
{% endif %}


@tool(
    Effect.{{ effect }},
    "{{ route }}",
    label=N_("{{ label }}"),
{% if role != "COACH" %}
    role={{ role }},
{% endif %}
{% if shape == "delete" %}
    confirm=before_{{ action }},
{% endif %}
{% if effect != "READ" %}
    undo=SNAPSHOT,
{% endif %}
)
def {{ action }}(context: Context, args: {{ args }}) -> {{ card }}:{{ shadows }}
    """{{ label }}."""
{% if shape == "list" %}
    found, total = {{ rule }}_rule(context.session, context.actor, limit=args.limit)
    cells = [(row.id, Name(text={{ spoken }})) for row in found]
    shown = tuple(TableRow(id=str(row_id), cells=(name,)) for row_id, name in cells)
    title = Line(key="{{ tool }}.title")
    return Table(title=title, columns=("label.name",), rows=shown, total=total)
{% else %}
    row = {{ rule }}_rule(context.session, context.actor, {{ given }})
    ref = Ref(entity="{{ entity }}", id=row.id, version=row.version)
    values: dict[str, Value] = {"name": Name(text={{ spoken }})}
{% if shape == "show" %}
    return Facts(title=Line(key="{{ tool }}.title", values=values), ref=ref)
{% else %}
    return Done(of="{{ tool }}", values=values, ref=ref)
{% endif %}
{% endif %}
'''

TEST: Final = '''"""{{ label }}: what is particular to it."""

from app.core.ids import new_id
from tests.tools.catalog.asking import Asking


def test_{{ action }}_{{ "answers" if kind else "finds_only_what_is_there" }}(ask: Asking) -> None:
    owner = ask.by(ask.studio.owner)
    card = owner.card("{{ tool }}", {{ example }})
{% if kind %}
    assert card.kind == "{{ kind }}"
{% else %}
    assert card.model_dump()["code"] == "not_found"
{% endif %}
'''

REQUEST: Final = """
{% if shape in ("show", "change", "delete") %}
def for_{{ action }}(studio: Studio) -> dict[str, Any]:
    with studio.act() as session:
        row = {{ model }}(org_id=studio.org_id, {{ kept }})
        session.add(row)
        session.flush()
        return {"{{ entity }}_id": row.id, {{ more }}}
{% else %}
def for_{{ action }}(_: Studio) -> dict[str, Any]:
    return { {{ more }} }
{% endif %}


REQUESTS.append(Request("{{ tool }}", "{{ label }}", for_{{ action }}))
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """What somebody wants of a tool; `model` is what it is about."""

    router: str
    action: str
    effect: Effect
    route: str
    role: Role
    label: str
    model: type[OrgRow]

    @property
    def tool(self) -> str:
        return f"{self.router}.{self.action}"

    @property
    def domain(self) -> str:
        return self.model.__module__.split(".")[1]

    @property
    def entity(self) -> str:
        return rows.table_of(self.model).name

    @property
    def rule(self) -> str:
        """The rule's name in its domain, which has rules about other things too."""
        return self.action if self.entity in self.action else f"{self.action}_{self.entity}"

    @property
    def shape(self) -> Shape | None:
        """None where effect and route make no sense together."""
        shapes: dict[tuple[Effect, bool], Shape] = {
            (Effect.READ, True): "show",
            (Effect.READ, False): "list",
            (Effect.WRITE, False): "add",
            (Effect.WRITE, True): "change",
            (Effect.DESTRUCTIVE, True): "delete",
        }
        return shapes.get((self.effect, f"{self.entity}_id" in places(self.route)))

    @property
    def columns(self) -> list[Column[Any]]:
        return [one for one in rows.table_of(self.model).columns if one.name not in KEPT]

    @property
    def text(self) -> str | None:
        """The column by which people know it."""
        known = [one.name for one in self.columns if one.type.python_type is str]
        return next((name for name in NAMES if name in known), next(iter(known), None))

    @property
    def needed(self) -> list[Column[Any]]:
        """The columns that a new row can't do without."""
        return [one for one in self.columns if not one.nullable and one.default is None]


def written(template: str, plan: Plan) -> str:
    """The text of a rule, a tool or a test."""
    environment = Environment(  # noqa: S701 - it writes Python, not HTML
        trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    return environment.from_string(template.lstrip("\n")).render(facts(plan))


def facts(plan: Plan) -> dict[str, Any]:
    """What the templates say, by their names for it."""
    needed = [(one.name, kind_of(one)) for one in plan.needed]
    return {
        "action": plan.action,
        "args": "".join(part.title() for part in (*plan.rule.split("_"), "args")),
        "card": {"show": "Facts", "list": "Table"}.get(plan.shape or "", "Done"),
        "effect": plan.effect.name,
        "entity": plan.entity,
        "example": ", ".join(f"{name}={value}" for name, value in example(plan)),
        "finder": plan.rule if plan.shape == "show" else f"{plan.entity}_to_{plan.action}",
        "given": given(plan),
        "in_path": sorted(places(plan.route)),
        "kind": "table" if plan.shape == "list" else "done" if makes(plan) else None,
        "kept": ", ".join(f"{one.name}={example_of(kind_of(one))}" for one in plan.needed),
        "label": plan.label,
        "more": ", ".join(f'"{name}": {example_of(kind)}' for name, kind in added(plan)),
        "model": plan.model.__name__,
        "needed": needed,
        "parents": parents_of(plan),
        "place_kind": place_kind,
        "role": plan.role.name,
        "route": plan.route,
        "rule": plan.rule,
        "shadows": "  # noqa: A001 - the action's name" if hasattr(builtins, plan.action) else "",
        "set": ", ".join(f"{name}={name}" for name, _ in needed),
        "shape": plan.shape,
        "spoken": spoken(plan),
        "taken": ", ".join(["*", *(f"{name}: {kind}" for name, kind in needed)]),
        "text": plan.text,
        "tool": plan.tool,
    }


def place_kind(name: str) -> str:
    return "UUID" if name.endswith("_id") else "str"


def given(plan: Plan) -> str:
    """How a declaration calls its rule."""
    who = [] if plan.shape == "add" else [f"args.{plan.entity}_id"]
    return ", ".join([*who, *(f"{name}=args.{name}" for name, _ in added(plan))])


def example(plan: Plan) -> list[tuple[str, str]]:
    """Arguments of a test, as expressions."""
    kinds = [*((name, place_kind(name)) for name in sorted(places(plan.route))), *added(plan)]
    return [(name, example_of(kind)) for name, kind in kinds]


def example_of(kind: str) -> str:
    return EXAMPLES.get(kind, '""')


def kind_of(column: Column[Any]) -> str:
    return column.type.python_type.__name__


def spoken(plan: Plan) -> str:
    """An expression of a row's name."""
    column = rows.table_of(plan.model).c[plan.text or "id"]
    return f'row.{column.name} or ""' if column.nullable else f"row.{column.name}"


def parents_of(plan: Plan) -> list[tuple[str, str]]:
    """The needed columns that refer to another row, with its model."""
    return [
        (one.name, rows.model_of(key.column.table.name).__name__)
        for one in plan.needed
        for key in sorted(one.foreign_keys, key=str)
    ]


def added(plan: Plan) -> list[tuple[str, str]]:
    """The arguments beside those of the path, with their types."""
    match plan.shape:
        case "add":
            return [(one.name, kind_of(one)) for one in plan.needed]
        case "change" if plan.text:
            return [(plan.text, "str")]
        case _:
            return []


def makes(plan: Plan) -> bool:
    return plan.shape == "add" and not parents_of(plan)


def imports(plan: Plan) -> str:
    """For the rule: more than it may need; what isn't used is taken out."""
    models = {plan.model, *(rows.model_of(name) for name in _parent_tables(plan))}
    lines: list[str] = [
        "from uuid import UUID",
        "from sqlalchemy import func, select",
        "from sqlalchemy.orm import Session",
        "from app.core.actor import Actor",
        "from app.core.errors import NotFound",
        *(f"from {model.__module__} import {model.__name__}" for model in models),
        *_kind_imports(plan),
    ]
    return "\n".join(lines)


def tool_imports(plan: Plan, rule_module: str) -> str:
    """For the declaration: more than it may need, as for the rule."""
    found = {plan.rule, *([f"{plan.entity}_to_{plan.action}"] if plan.shape == "delete" else [])}
    lines = [
        "from uuid import UUID",
        "from pydantic import Field",
        "from i18n import N_",
        "from tools.kit.cards import Confirm, Done, Facts, Ref, Table, TableRow",
        "from tools.kit.declare import ADMIN, OWNER, SNAPSHOT, Args, Context, Effect, tool",
        "from tools.kit.values import Line, Name, Value",
        *(f"from {rule_module} import {name} as {name}_rule" for name in sorted(found)),
        *_kind_imports(plan),
    ]
    return "\n".join(lines)


def request_imports(plan: Plan) -> str:
    """For the request: more than it may need, as for the rule."""
    lines = [
        "from typing import Any",
        "from app.core.ids import new_id",
        f"from {plan.model.__module__} import {plan.model.__name__}",
        "from tests.requests.request import Request",
        "from tests.studio import Studio",
    ]
    return "\n".join(lines)


def _kind_imports(plan: Plan) -> list[str]:
    kinds: set[type[Any]] = {one.type.python_type for one in plan.needed}
    named = sorted((kind.__module__, kind.__name__) for kind in kinds - set(PLAIN))
    return [f"from {module} import {name}" for module, name in named]


def _parent_tables(plan: Plan) -> list[str]:
    return [key.column.table.name for one in plan.needed for key in one.foreign_keys]
