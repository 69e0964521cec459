"""Cards for the dashboard: a View, JSON with every word made here and only drawn there."""

from collections.abc import Mapping
from typing import Any, assert_never

from bot.render import wording, workouts
from bot.render.reader import Reader
from bot.render.voice import Voice
from i18n import Shown
from tools.kit.cards import (
    AnyCard,
    Confirm,
    ConfirmBatch,
    Done,
    Facts,
    Failed,
    LinkCard,
    Notice,
    NotRun,
    Pick,
    Picked,
    Progress,
    Table,
    ToolsFound,
    Typed,
    Undone,
    UndoOffer,
    WorkoutCard,
)
from tools.kit.values import Count, Instant

View = Mapping[str, Any]


def view(card: AnyCard, reader: Reader, *, until: Instant | None = None) -> View:
    """A flat object with only the keys its kind has; `options[].value` answers the question."""
    voice = Voice(reader, "web")
    body = _body(card, voice)
    return {
        "kind": card.kind,
        **body,
        **(_until(until, voice) if until is not None and _waits(card) else {}),
        "dir": reader.language.direction,
    }


def _waits(card: AnyCard) -> bool:
    return isinstance(card, Confirm | ConfirmBatch | Pick | Typed)


def _body(card: AnyCard, voice: Voice) -> dict[str, Any]:
    match card:
        case Confirm() | ConfirmBatch() | Pick() | Typed():
            return _question(card, voice)
        case Facts():
            return _facts(card, voice)
        case Table():
            return _table(card, voice)
        case WorkoutCard():
            return workouts.view(card, voice)
        case Done(undo=undo):
            offer = {} if undo is None else {"undo": _undo(undo, voice)}
            return {"lines": [wording.done(card, voice), *wording.below_done(card, voice)], **offer}
        case Undone(notes=notes):
            return {"lines": [wording.undone(card, voice), *voice.lines(notes)]}
        case Failed() | NotRun() | Picked() | Progress() | LinkCard() | Notice() | ToolsFound():
            return _short(card, voice)
        case _:
            assert_never(card)


def _short(
    card: Failed | NotRun | Picked | Progress | LinkCard | Notice | ToolsFound, voice: Voice
) -> dict[str, Any]:
    match card:
        case Failed():
            return {"lines": [wording.failed(card, voice)]}
        case NotRun():
            return {"lines": [wording.not_run(card, voice)]}
        case Picked():
            return {"lines": [wording.picked(card, voice)]}
        case Progress(done=done, total=total, ref=ref):
            task = {"task_id": str(ref.id)} if ref else {}
            said = wording.progress(card, voice)
            return {"lines": [said], "done": done, "total": total, **task}
        case LinkCard(line=line, url=url):
            return {"lines": [voice.line(line)], "url": url.text}
        case Notice(lines=lines):
            return {"lines": voice.lines(lines)}
        case ToolsFound():
            return {"lines": [voice.say("tools.found"), *wording.found(card, voice)]}
        case _:
            assert_never(card)


def _question(card: Confirm | ConfirmBatch | Pick | Typed, voice: Voice) -> dict[str, Any]:
    match card:
        case Confirm():
            return {
                "title": wording.asked(card, voice),
                "lines": [wording.target(card, voice), *voice.lines(card.effects)],
                "options": [
                    _option(1, wording.approve(card, voice), "approve"),
                    _option(2, wording.keep(card, voice), "decline"),
                ],
            }
        case ConfirmBatch():
            return _batch(card, voice)
        case Pick():
            return _pick(card, voice)
        case Typed():
            return {
                "title": wording.asked(card, voice),
                "lines": [wording.target(card, voice), *voice.lines(card.effects)],
                "how": voice.say("typed.how", {"words": Shown(card.words, "typed")}),
                "words": card.words,
                "options": [_option(0, wording.keep(card, voice), "decline")],
            }
        case _:
            assert_never(card)


def _batch(card: ConfirmBatch, voice: Voice) -> dict[str, Any]:
    actions = Count(n=len(card.items), of="actions")
    return {
        "title": voice.say("batch.ask", {"actions": actions}),
        "lines": [],
        "items": [
            {
                "n": n,
                "label": wording.item(one, voice),
                "lines": voice.lines(one.effects),
            }
            for n, one in enumerate(card.items, 1)
        ],
        "options": [
            _option(1, voice.say("batch.all"), "approve"),
            _option(2, voice.say("batch.some"), "chosen"),
            _option(0, voice.say("batch.none"), "decline"),
        ],
    }


def _pick(card: Pick, voice: Voice) -> dict[str, Any]:
    options = [
        _option(n, wording.option_label(option, voice), [n], wording.option_sublabel(option, voice))
        for n, option in enumerate(card.options, 1)
    ]
    none = [_option(0, wording.none_label(card, voice), "decline")] if card.allow_none else []
    return {"title": voice.line(card.ask), "lines": [], "options": [*options, *none]}


def _facts(card: Facts, voice: Voice) -> dict[str, Any]:
    facts = [
        {"label": voice.say(one.label), "value": wording.fact_value(one.value, voice)}
        for one in card.facts
    ]
    tables = [_table(table, voice) for table in card.tables]
    below = {"tables": tables} if tables else {}
    return {"title": voice.line(card.title), "lines": [], "facts": facts, **below}


def _table(card: Table, voice: Voice) -> dict[str, Any]:
    if not card.rows:
        return {"lines": [wording.table_empty(card, voice)]}
    left = card.total - len(card.rows)
    more = {"n": Shown(str(left))}
    return {
        "title": voice.line(card.title),
        "lines": [],
        "columns": [voice.say(column) for column in card.columns],
        "rows": [
            [
                "" if value is None else wording.cell(value, voice, wording.short(column))
                for column, value in zip(card.columns, row.cells, strict=True)
            ]
            for row in card.rows
        ],
        **({"more": voice.say("card.more", more)} if left > 0 else {}),
    }


def _option(n: int, label: str, value: object, sublabel: str | None = None) -> dict[str, Any]:
    own = {"n": n, "label": label, "value": value}
    return own if sublabel is None else {**own, "sublabel": sublabel}


def _undo(undo: UndoOffer, voice: Voice) -> dict[str, Any]:
    return {
        "call_id": str(undo.call_id),
        "number": undo.number,
        "until": undo.toast_until.isoformat(),
        "label": voice.say("ui.undo"),
    }


def _until(until: Instant, voice: Voice) -> dict[str, Any]:
    return {
        "until": until.at.isoformat(),
        "until_label": voice.say("card.until", {"until": until}),
    }
