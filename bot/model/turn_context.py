"""The block beside the person's words that says where and when: only made and stripped here."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

LONGEST = 300
"""Characters of what a browser says of its page."""
_TAG = "turn_context"
_UNSEEN = r"[\u200b-\u200f\u2060\u2066-\u2069\ufeff]"
_NAMES = "|".join(f"{_UNSEEN}*".join(name) for name in (_TAG, "earlier_turns"))
_OPENING = re.compile(rf"[<\ufe64\uff1c](?=(?:\s|/|{_UNSEEN}){{0,9}}(?:{_NAMES}))", re.IGNORECASE)
"""However it is spaced, or spelled with what isn't seen: a model reads that over."""
_PAGE = re.compile(r"^channel: .*\npage: (.*)$", re.MULTILINE)
_WHOLE = re.compile(rf"<{_TAG}\b[^>]*>.*?</{_TAG}>\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Beside:
    """What the surface knew; `page` and `selection` come from a browser: hints, never rights."""

    channel: str
    page: str = ""
    selection: str = ""
    notes: tuple[str, ...] = ()
    """Further lines: ambient candidates, a playbook, what is new since the org block froze."""


def compose(beside: Beside, now: datetime, zone: str, week_start: int = 0) -> str:
    """The inner text, to be stored with the words; `now` is aware, a week begins on Sunday if 0."""
    local = now.astimezone(ZoneInfo(zone))
    first = local.date() - timedelta(days=(local.isoweekday() - week_start) % 7)
    lines = [
        f"now: {local:%A %Y-%m-%d %H:%M} {zone}",
        f"week: {first} to {first + timedelta(days=6)}",
        f"channel: {beside.channel}",
        *([f"page: {_hint(beside.page)}"] if beside.page else []),
        *([f"selection: {_hint(beside.selection)}"] if beside.selection else []),
        *map(_one_line, beside.notes),
    ]
    return "\n".join(lines)


def page_of(inner: str) -> str:
    """The page that a composed text tells of; none where it tells of none."""
    found = _PAGE.search(inner)
    return found[1] if found else ""


def block(inner: str) -> dict[str, Any]:
    """The text block of a user message; nothing inside can close it early."""
    return {"type": "text", "text": f"<{_TAG}>\n{defused(inner)}\n</{_TAG}>"}


def defused(text: str) -> str:
    """A text in which nobody can open or close a block of this kind, or one of earlier turns."""
    return _OPENING.sub("(", text)


def strip(text: str) -> str:
    """A text as its person wrote it, where people or summaries see it."""
    return _WHOLE.sub("", text)


def _hint(text: str) -> str:
    return _one_line(text)[:LONGEST]


def _one_line(text: str) -> str:
    return " ".join(text.split())
