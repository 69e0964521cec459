"""The planner asked for a title or a summary: what was said, cut short, and who says so."""

import json
from collections.abc import Iterator

from bot.model.summary import SUMMING
from bot.model.title import NAMING, WORDS
from bot.playground.model_api.answer import Answer, Say
from bot.playground.model_api.request import MessagesRequest

_PLAIN = "No language model wrote this: the demo's planner did, from what was asked."
_ASKED, _SENTENCE = 12, 100
"""The last sentences of a person that are told, and how much of each."""


def aside(request: MessagesRequest, text: str) -> Answer | None:
    """What is said beside turns; None where a turn is asked for."""
    match request.system_text:
        case said if said == NAMING:
            words = next((one["words"] for one in _lines(text) if "words" in one), "")
            return Answer((Say(" ".join(words.split()[:WORDS]) or "?"),))
        case said if said == SUMMING:
            asked = [one["person"][:_SENTENCE] for one in _lines(text) if "person" in one]
            return Answer((Say("\n".join([_PLAIN, *asked[-_ASKED:]])),))
        case _:
            return None


def _lines(text: str) -> Iterator[dict[str, str]]:
    for line in text.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            yield found
