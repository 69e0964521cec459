"""The first look at a turn's words: one question to the small model, one look-up or none."""

import logging
from collections.abc import Callable, Sequence
from typing import Final, Literal

from bot.model.blocks import calls_in
from bot.model.faults import VendorFault, describe
from bot.model.lanes import ESCALATE
from bot.model.priced import Priced, most_tokens
from bot.model.prices import step
from bot.model.prompt import Json, Prefix
from bot.model.purse import NoRoom
from bot.model.stream import calls
from bot.model.surfaces import surface
from bot.model.transcript import transcript
from bot.turn.events import Event, Heard, Said
from tools.kit.calls import Call

log = logging.getLogger(__name__)

MAX_TOKENS: Final = 400
TIMEOUT_S: Final = 8.0
"""Who waits longer is better served by the main model at once."""
RECENT: Final = 2
"""Turns whose words it is told, for what 'and tomorrow?' goes on from."""
_LONGEST: Final = 600
"""Characters of each of those words."""

Onward = Literal["read", "act"]


class QuickRoute:
    """Of one turn; `recent` are the words before it, as `spoken` gives them."""

    def __init__(
        self, vendor: Priced, model: str, prefix: Prefix, recent: Sequence[Sequence[Event]] = ()
    ) -> None:
        self._vendor = vendor
        self._model = model
        self._prefix = prefix
        self._recent = recent

    def choose(self, heard: Heard, reads: Callable[[Call], bool]) -> Call | Onward:
        """The one look-up that answers it, else the lane to go on in.

        `reads`: whether a call is a read that this person may make so. Whatever is amiss, be it
        the vendor, goes to the main model.
        """
        if heard.pictures:
            return "act"
        request = self._request(heard)
        most = step(self._model)
        if most is not None and most_tokens(request) > most:
            return "act"
        try:
            gathered = self._vendor.ask(request)
            found = calls(gathered.blocks()) if gathered.stop_reason == "tool_use" else ()
        except NoRoom:
            return "act"
        except VendorFault as fault:
            log.warning("quick look failed: %s", describe(fault))
            return "act"
        return self._chosen(found, reads)

    def _chosen(self, found: Sequence[Call], reads: Callable[[Call], bool]) -> Call | Onward:
        known = {tool["name"] for tool in self._prefix.tools} - {ESCALATE}
        fits = [call for call in found if call.name in known and reads(call)]
        match found:
            case [Call(name=name, input={"lane": "read"})] if name == ESCALATE:
                return "read"
            case [call] if fits:
                return call
            case [_, _, *_] if len(fits) == len(found):
                return "read"
            case _:
                return "act"

    def _request(self, heard: Heard) -> Json:
        takes = surface(self._model)
        return {
            "model": self._model,
            "max_tokens": MAX_TOKENS,
            "tools": list(self._prefix.tools),
            "tool_choice": {"type": "any" if takes.forced_choice else "auto"},
            "system": list(self._prefix.system),
            "messages": transcript([*self._recent, [heard]], None),
            **({"output_config": {"effort": "low"}} if takes.effort else {}),
        }


def spoken(turns: Sequence[Sequence[Event]]) -> list[list[Event]]:
    """Of the last turns what was said, cut short: no calls, no results, no clock of another day."""
    return [[*_words(turn)] for turn in turns[-RECENT:]]


def _words(turn: Sequence[Event]) -> list[Event]:
    found: list[Event] = []
    for event in turn:
        match event:
            case Heard(text=text):
                found.append(Heard(text=text[:_LONGEST]))
            case Said(text=text, blocks=blocks) if text.strip() and not calls_in(blocks):
                block = {"type": "text", "text": text[:_LONGEST]}
                found.append(Said(text=text[:_LONGEST], blocks=(block,)))
            case _:
                pass
    return found
