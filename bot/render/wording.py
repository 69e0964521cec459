"""What a card says, whatever the place: words by key, and a generic line for want of them."""

from bot.render.voice import Values, Voice
from i18n import Shown, marked
from tools.kit.cards import (
    Confirm,
    Done,
    Fact,
    Failed,
    LeftOut,
    LinkCard,
    NotRun,
    Option,
    Pick,
    Picked,
    Progress,
    Table,
    TableRow,
    ToolsFound,
    Typed,
    Undone,
    UndoOffer,
)
from tools.kit.values import Amount, Count, Line, Name, Number, Percent, Value

SEPARATOR = " · "
_MEASURES = frozenset({"minutes", "hours", "days", "weeks", "months"})


def asked(card: Confirm | Typed, voice: Voice) -> str:
    return _own(card.of, "ask", card.values, voice)


def target(card: Confirm | Typed, voice: Voice) -> str:
    """What exactly is meant, looked up by the server: '*Open gym* · Tue 1 Dec 13:00 · Ron'."""
    ref = card.ref if isinstance(card, Confirm) else None
    keys = [f"{card.of}.target", *([f"target.{ref.entity}"] if ref else []), "card.target"]
    return voice.first(keys, _with_all(card.values, voice))


def approve(card: Confirm, voice: Voice) -> str:
    return _own(card.of, "approve", card.values, voice)


def keep(card: Confirm | Typed, voice: Voice) -> str:
    return _own(card.of, "keep", card.values, voice)


def one_line(card: Confirm, voice: Voice) -> str:
    """The question with its target in one line, for an SMS; other words if nobody is told."""
    silent = any(effect.key.endswith("_silent") for effect in card.effects)
    values: Values = {"silent": True, **card.values} if silent else card.values
    return _own(card.of, "sms", values, voice)


def item(card: Confirm, voice: Voice) -> str:
    """The line of one call in a batch."""
    return _own(card.of, "item", card.values, voice)


def done(card: Done, voice: Voice) -> str:
    return _own(card.of, "done", card.values, voice)


def left_out(one: LeftOut, voice: Voice) -> str:
    """Of many, those that didn't go through, and why."""
    return voice.say("card.left_out", {"names": one.names, "why": Shown(failed(one.why, voice))})


def below_done(card: Done, voice: Voice) -> list[str]:
    """The lines under what was done."""
    return [*map(voice.note, card.notes), *(left_out(one, voice) for one in card.left_out)]


def undone(card: Undone, voice: Voice) -> str:
    return _own(card.of, "undone", card.values, voice)


def undo_line(undo: UndoOffer, voice: Voice) -> str:
    values: Values = {"no": Shown(str(undo.number)), "undo_by": undo.word_until}
    return voice.say("card.undo", values)


def failed(card: Failed, voice: Voice) -> str:
    """A failure about one kind of thing may have words of its own: `error.not_found.booking`.

    Where not every place that raises it knows all values, `.plain` needs fewer.
    """
    key = f"error.{card.code}"
    kinds = [value.text for value in card.values.values() if isinstance(value, Name)]
    narrow = [f"{key}.{kind}" for kind in kinds if voice.has(f"{key}.{kind}")]
    return voice.first([*narrow, key, f"{key}.plain", "error.internal"], card.values)


def not_run(card: NotRun, voice: Voice) -> str:
    return voice.say(f"not_run.{card.reason}")


def progress(card: Progress, voice: Voice) -> str:
    values: dict[str, Value] = {"done": card.done}
    if card.total is None:
        return voice.first([f"{card.of}.progress", "card.working"], values)
    generic = "card.progress" if card.done else "card.begun"
    return voice.first([f"{card.of}.progress", generic], {**values, "total": card.total})


def picked(card: Picked, voice: Voice) -> str:
    if card.option is None:
        return voice.say("card.picked_none")
    return voice.say("card.picked", {"label": Shown(option_label(card.option, voice))})


def found(card: ToolsFound, voice: Voice) -> list[str]:
    return [voice.say(one.label) for one in card.tools]


def linked(card: LinkCard, voice: Voice) -> str:
    return voice.say("card.link", {"line": Shown(voice.line(card.line)), "link": card.url})


def option_label(option: Option, voice: Voice) -> str:
    return _label(option.label, voice, "person")


def option_sublabel(option: Option, voice: Voice) -> str | None:
    return None if option.sublabel is None else _label(option.sublabel, voice, "sublabel")


def none_label(card: Pick, voice: Voice) -> str:
    return voice.first([f"{card.ask.key}.none", "card.none"], card.ask.values)


def table_title(card: Table, voice: Voice) -> str:
    return voice.line(card.title)


def table_empty(card: Table, voice: Voice) -> str:
    return voice.first([f"{card.title.key}.empty", "card.empty"], card.title.values)


def cell(value: Value, voice: Voice, place: str = "") -> str:
    """One value by itself, with its marks."""
    return marked(voice.show(value, place), voice.reader.language)


def short(key: str) -> str:
    """The last word of a key, as placeholders are named: 'coach' of 'label.coach'."""
    return key.rpartition(".")[2]


def fact(one: Fact, voice: Voice) -> str:
    return f"{voice.say(one.label)}: {fact_value(one.value, voice)}"


def fact_value(value: Value, voice: Voice) -> str:
    """A value beside its label, which says already what is counted: 'Credits left: 2'."""
    if isinstance(value, Count) and value.of not in _MEASURES:
        value = value.n
    return cell(value, voice)


def row(columns: tuple[str, ...], one: TableRow, voice: Voice) -> str:
    """A row as a line: figures carry their label, a flag is its label, what is empty is left out.

    An amount needs its label only beside another.
    """
    amounts = sum(isinstance(value, Amount) for value in one.cells)
    cells = [
        _labelled(column, value, voice, amounts=amounts)
        for column, value in zip(columns, one.cells, strict=True)
        if value is not None and value is not False
    ]
    return SEPARATOR.join(cells)


def _labelled(column: str, value: Value, voice: Voice, *, amounts: int) -> str:
    label = voice.say(column)
    # Inside a line a label is no beginning of a sentence; 'SMS' stays as it is.
    label = label[:1].lower() + label[1:] if label[1:2].islower() else label
    if value is True:
        return label
    written = cell(value, voice, short(column))
    needs_label = (
        isinstance(value, int | Percent | Number)
        or (isinstance(value, Amount) and amounts > 1)
        or column.endswith(("until", "since", "last_day", "last_visit", "last_done", "publish_at"))
    )
    return f"{label}: {written}" if needs_label else written


def _own(of: str, part: str, values: Values, voice: Voice) -> str:
    return voice.first([f"{of}.{part}", f"card.{part}"], _with_all(values, voice))


def _with_all(values: Values, voice: Voice) -> Values:
    """For the generic lines: every value in one row."""
    told = [
        marked(voice.show(value, place), voice.reader.language)
        for place, value in values.items()
        if not isinstance(value, int)
    ]
    return {**values, "all": Shown(SEPARATOR.join(told) or "…")}


def _label(words: Line | Name, voice: Voice, place: str) -> str:
    return voice.line(words) if isinstance(words, Line) else cell(words, voice, place)
