"""The closed set of things a tool can show: typed values, put into words where it is rendered."""

from datetime import datetime
from typing import Annotated, Any, Literal, assert_never
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from app.workouts.structure import Movement, Section, Unread
from tools.kit.values import Code, Instant, Line, Name, Names, Value, Weight, plain


class _Card(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Ref(_Card):
    """The thing a card is about: `entity` is 'class_session', tools name it `class_session_id`."""

    entity: str
    id: UUID
    version: int | None = None


class Fact(_Card):
    label: str
    """A key of the catalogues: `label.coach`."""
    value: Value


class TableRow(_Card):
    id: str
    cells: tuple[Value | None, ...]


class Table(_Card):
    """A list of things: `columns` are label keys; `total` counts all, `cursor` fetches more."""

    kind: Literal["table"] = "table"
    title: Line
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    total: int
    cursor: str | None = None


class Facts(_Card):
    """One thing, told; `tables` are lists that belong to it, as the sections of a workout."""

    kind: Literal["facts"] = "facts"
    title: Line
    facts: tuple[Fact, ...] = ()
    tables: tuple[Table, ...] = ()
    ref: Ref | None = None


class ShownMovement(Movement):
    """A movement with its id; `weights` is what its percentages come to for somebody."""

    id: UUID | None = None
    weights: tuple[Weight, ...] = ()


class ShownSection(Section):
    id: UUID | None = None
    movements: tuple[ShownMovement, ...] = ()


class WorkoutCard(_Card):
    """A workout, saved or read from a text: its parts as they are, and what is to be said of them.

    Words: `heading`, the sections, then what was assumed, isn't sure or couldn't be read.
    """

    kind: Literal["workout"] = "workout"
    heading: Line
    title: str | None = None
    sections: tuple[ShownSection, ...] = ()
    assumptions: tuple[Line, ...] = ()
    ambiguities: tuple[Line, ...] = ()
    tags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    facts: tuple[Fact, ...] = ()
    resolved: bool = False
    """Looked up for a member: a percentage without weights has no maximum on file."""
    ref: Ref | None = None


class UndoOffer(_Card):
    """A receipt: its number as people write it ('UNDO 12'), and until when each place takes it."""

    number: int
    call_id: UUID
    toast_until: datetime
    word_until: Instant


class LeftOut(_Card):
    """Of many, those that didn't go through, and why."""

    names: Names
    why: "Failed"


class Done(_Card):
    """A write, told. Words: `<of>.done` with `values`, then each note. The runner adds the undo."""

    kind: Literal["done"] = "done"
    of: str
    values: dict[str, Value] = {}
    notes: tuple[Line, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    ref: Ref | None = None
    undo: UndoOffer | None = None


class Undone(_Card):
    """Something was taken back. Words: `<of>.undone` with `values`, then each note."""

    kind: Literal["undone"] = "undone"
    of: str
    values: dict[str, Value] = {}
    notes: tuple[Line, ...] = ()


class Failed(_Card):
    """It didn't go through. Words: `error.<code>` with `values`."""

    kind: Literal["failed"] = "failed"
    code: str
    values: dict[str, Value] = {}


Reason = Literal["declined", "skipped", "superseded", "expired", "halted", "stopped", "interrupted"]


class NotRun(_Card):
    """A call that was not carried out, and why."""

    kind: Literal["not_run"] = "not_run"
    reason: Reason


class Confirm(_Card):
    """Asked before a call runs. Words: the tool's `.ask`, `.approve`, `.keep`, `.sms`, `.item`."""

    kind: Literal["confirm"] = "confirm"
    of: str
    values: dict[str, Value] = {}
    effects: tuple[Line, ...] = ()
    """What will change, and what can't be undone: shown where there is room (chat, dashboard)."""
    ref: Ref | None = None
    always: bool = False


class ConfirmBatch(_Card):
    """Several calls decided in one round, in tool order; each shown by its `<of>.item` line."""

    kind: Literal["confirm_batch"] = "confirm_batch"
    items: tuple[Confirm, ...]


class Option(_Card):
    id: str
    label: Line | Name
    sublabel: Line | Name | None = None
    patch: dict[str, Any] = {}
    """Arguments this choice sets on the call; what the model wrote stays as it was."""


class Pick(_Card):
    """Choose one of 2 to 9. Words: the ask line; option 0 is 'none of these' where allowed."""

    kind: Literal["pick"] = "pick"
    ask: Line
    options: tuple[Option, ...] = Field(min_length=1, max_length=9)
    allow_none: bool = True


class Picked(_Card):
    """What the person chose; None stands for none of these."""

    kind: Literal["picked"] = "picked"
    option: Option | None


class Typed(_Card):
    """To be typed by the person, word for word: what is lost for good."""

    kind: Literal["typed"] = "typed"
    of: str
    values: dict[str, Value] = {}
    effects: tuple[Line, ...] = ()
    words: str


class LinkCard(_Card):
    """Something to open: a sign-in, a secure form, the rest of a long list."""

    kind: Literal["link"] = "link"
    line: Line
    url: Code


class Progress(_Card):
    """A task of the background, under way. Its end is told by itself."""

    kind: Literal["progress"] = "progress"
    of: str
    done: int
    total: int | None = None
    ref: Ref | None = None
    """The task, by which its state is asked and it is stopped."""


class FoundTool(_Card):
    name: str
    """As the model calls it."""
    label: str


class ToolsFound(_Card):
    """Tools that fit what was asked: the model gets their definitions, people read their labels."""

    kind: Literal["tools"] = "tools"
    tools: tuple[FoundTool, ...]


class Notice(_Card):
    """A line or a few from Spotter itself: help, linked, expired, budget."""

    kind: Literal["notice"] = "notice"
    lines: tuple[Line, ...]


AnyCard = (
    Facts | Table | Done | Undone | Failed | NotRun | Confirm | ConfirmBatch | Pick | Picked | Typed
    | LinkCard | Progress | Notice | WorkoutCard | ToolsFound
)  # fmt: skip
Card = Annotated[AnyCard, Field(discriminator="kind")]
QuestionCard = Confirm | ConfirmBatch | Pick | Typed


def for_model(  # noqa: C901, PLR0911, PLR0912 - one branch a kind of card
    card: AnyCard,
) -> dict[str, Any]:
    """The card as the model reads it: the same facts people see, flat, in a fixed order of keys."""
    match card:
        case Facts():
            facts = {_short(fact.label): plain(fact.value) for fact in card.facts}
            tables = [_titled(table) for table in card.tables]
            below = {"tables": tables} if tables else {}
            return {**_ref(card.ref), **_values(card.title.values), **facts, **below}
        case Table():
            return _table(card)
        case Done() | Undone():
            ref = _ref(card.ref) if isinstance(card, Done) else {}
            left_out = _left_out(card) if isinstance(card, Done) else {}
            notes = _notes(card.notes)
            return {card.kind: card.of, **ref, **_values(card.values), **notes, **left_out}
        case Failed():
            return {"error": card.code, **_values(card.values)}
        case NotRun():
            return {"not_run": card.reason}
        case Confirm() | Typed():
            return {"asks": card.of, **_values(card.values), **_notes(card.effects)}
        case ConfirmBatch():
            return {"asks": [for_model(item) for item in card.items]}
        case Pick():
            return {"asks": "pick", "options": [option.id for option in card.options]}
        case Picked():
            return {"picked": None if card.option is None else _option(card.option)}
        case LinkCard():
            return {"link_sent": card.line.key}
        case Progress():
            return {"under_way": card.of, "done": card.done, "total": card.total, **_ref(card.ref)}
        case Notice():
            return _notes(card.lines)
        case WorkoutCard():
            return _workout(card)
        case ToolsFound(tools=tools):
            return {"tools": [one.name for one in tools]}
        case _:
            assert_never(card)


def _table(card: Table) -> dict[str, Any]:
    keys = [_short(column) for column in card.columns]
    more = {"cursor": card.cursor} if card.cursor else {}
    return {"rows": [_row(keys, row) for row in card.rows], "total": card.total, **more}


def _workout(card: WorkoutCard) -> dict[str, Any]:
    written = card.model_dump(mode="json", include={"title", "sections", "tags", "notes", "unread"})
    told = {key: value for key, value in written.items() if value}
    facts = {_short(fact.label): plain(fact.value) for fact in card.facts}
    lines = {"assumptions": card.assumptions, "ambiguities": card.ambiguities}
    remarks = {key: _notes(one)["notes"] for key, one in lines.items() if one}
    return {**_ref(card.ref), **told, **facts, **remarks}


def _titled(table: Table) -> dict[str, Any]:
    """A list of one thing, which needs its title to be told from the others."""
    return {"of": _short(table.title.key), **_values(table.title.values), **_table(table)}


def _row(keys: list[str], row: TableRow) -> dict[str, Any]:
    return {"id": row.id, **dict(zip(keys, map(plain, row.cells), strict=True))}


def _short(key: str) -> str:
    return key.rpartition(".")[2]


def _ref(ref: Ref | None) -> dict[str, Any]:
    if ref is None:
        return {}
    version = {} if ref.version is None else {"version": ref.version}
    return {f"{ref.entity}_id": str(ref.id), **version}


def _values(values: dict[str, Value]) -> dict[str, Any]:
    return {key: plain(value) for key, value in values.items()}


def _left_out(card: Done) -> dict[str, Any]:
    found = [{"names": plain(one.names), **for_model(one.why)} for one in card.left_out]
    return {"left_out": found} if found else {}


def _notes(lines: tuple[Line, ...]) -> dict[str, Any]:
    return {"notes": [{_short(line.key): _values(line.values)} for line in lines]} if lines else {}


def _option(option: Option) -> dict[str, Any]:
    label = option.label.text if isinstance(option.label, Name) else option.label.key
    return {"id": option.id, "label": label}
