"""A question's options as WhatsApp's own buttons or list; the text has the numbers all the same.

Limits in UTF-16 units, of WhatsApp's interactive messages (Meta's reference, July 2026).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, assert_never

from bot.render.chat import confirm_choices, pick_choices
from bot.render.reader import Choice, Reader
from bot.render.text.graphemes import graphemes, utf16_units
from bot.render.voice import Voice
from i18n.marks import bare
from tools.kit.cards import Confirm, ConfirmBatch, Pick, QuestionCard, Typed

BODY: Final = 1_024
TITLE: Final = 20
ROW: Final = 24
ABOUT: Final = 72
_FEW = 3
"""So many options are buttons; more are a list."""
ALL: Final = "all"


@dataclass(frozen=True, slots=True)
class Button:
    answer: str
    """The number it stands for, or `all`."""
    title: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Native:
    buttons: tuple[Button, ...]
    opens: str = ""
    """What opens the list that they are in; empty where they stand below the text."""

    def bound_to(self, token: str) -> dict[str, Any]:
        """Only who was shown the question knows its token: a tap on it is nobody else's."""
        rows = [
            {"id": f"{token}:{one.answer}", "title": one.title, "about": one.about}
            for one in self.buttons
        ]
        return {"opens": self.opens, "rows": rows}


def native(card: QuestionCard, text: str, reader: Reader) -> Native | None:
    """None where the phone has none that would fit: for a long text, or words to be typed."""
    buttons = _buttons(card, Voice(reader, "chat"))
    if not buttons or utf16_units(text) > BODY:
        return None
    titles = {one.title for one in buttons}
    fit = len(titles) == len(buttons) and all(utf16_units(one) <= TITLE for one in titles)
    if len(buttons) <= _FEW and fit and not any(one.about for one in buttons):
        return Native(tuple(buttons))
    return Native(tuple(map(_row, buttons)), Voice(reader).say("native.open"))


def _buttons(card: QuestionCard, voice: Voice) -> Sequence[Button]:
    match card:
        case Confirm():
            return _numbered(confirm_choices(card, voice))
        case Pick():
            return [_told(one, voice) for one in _numbered(pick_choices(card, voice))]
        case ConfirmBatch():
            return (
                Button(ALL, voice.say("native.all")),
                Button("0", voice.say("native.none")),
            )
        case Typed():
            return ()
        case _:
            assert_never(card)


def _numbered(choices: Sequence[Choice]) -> list[Button]:
    return [Button(str(one.number), bare(one.label), bare(one.sublabel or "")) for one in choices]


def _told(button: Button, voice: Voice) -> Button:
    """What to do instead, where none of these is meant."""
    return replace(button, about=voice.say("native.other")) if button.answer == "0" else button


def _row(button: Button) -> Button:
    """Rows of one name are told apart by their number; what is cut off stands below it."""
    title = f"{button.answer} {button.title}"
    all_shown = utf16_units(title) <= ROW and button.about
    about = " · ".join(one for one in (button.about, "" if all_shown else button.title) if one)
    return Button(button.answer, _cut(title, ROW), _cut(about, ABOUT))


def _cut(text: str, most: int) -> str:
    if utf16_units(text) <= most:
        return text
    kept, room = "", most - 1
    for one in graphemes(text):
        if utf16_units(kept + one) > room:
            break
        kept += one
    return kept.rstrip() + "…"
