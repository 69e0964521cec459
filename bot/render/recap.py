"""What a turn came to, in words: as data for a page, and as lines for a phone."""

from collections.abc import Callable
from typing import Any, Final

from bot.render import wording
from bot.render.speech import label_in
from bot.render.told import told
from bot.render.voice import Voice
from bot.turn.recap import Deed, Fate, Recap
from i18n import Shown, opened
from tools.kit.cards import Confirm, ConfirmBatch, Done, Failed, NotRun, Pick, Typed

FATES: Final[tuple[Fate, ...]] = ("done", "waits", "not_done")
LabelOf = Callable[[str], str]
"""A tool's name on the wire -> its label as declared."""


def entries(recap: Recap, voice: Voice, label_of: LabelOf) -> dict[str, list[dict[str, Any]]]:
    """{done, waits, not_done}: lists of {tool_call_id, tool, what, why or undo where there is}."""
    return {
        fate: [
            {
                "tool_call_id": deed.call.id,
                "tool": deed.call.name,
                "what": _what(deed, voice, label_of),
                **_more(deed, voice),
            }
            for deed in recap.of(fate)
        ]
        for fate in FATES
    }


def untold(recap: Recap, voice: Voice, label_of: LabelOf) -> str:
    """What wasn't done and why, a line each; '' where there is nothing to say."""
    lines = [_line(deed, voice, label_of) for deed in recap.untold]
    text = "\n".join([voice.say("recap.not_done"), *(f"- {line}" for line in lines)])
    return opened(text, voice.reader.language) if lines else ""


def _line(deed: Deed, voice: Voice, label_of: LabelOf) -> str:
    what, why = Shown(_what(deed, voice, label_of)), Shown(_why(deed, voice))
    return voice.say("recap.item", {"what": what, "why": why})


def _what(deed: Deed, voice: Voice, label_of: LabelOf) -> str:
    """What was done as its receipt says it; else what was asked, by its target, or the tool."""
    match deed.card:
        case Failed() | NotRun() | Confirm() | ConfirmBatch() | Pick() | Typed():
            if deed.asked is not None:
                return wording.item(deed.asked, voice)
            return label_in(label_of(deed.call.name), voice.reader.language)
        case card:
            return told(card, voice).head[0]


def _why(deed: Deed, voice: Voice) -> str:
    match deed.card:
        case NotRun(reason=reason):
            return voice.say(f"recap.{reason}")
        case Failed() as card:
            return wording.failed(card, voice)
        case _:
            return ""


def _more(deed: Deed, voice: Voice) -> dict[str, Any]:
    why, undo = _why(deed, voice), deed.card.undo if isinstance(deed.card, Done) else None
    offer = {} if undo is None else {"undo": {"call_id": str(undo.call_id), "number": undo.number}}
    return {**({"why": why} if why else {}), **offer}
