"""What a workout is called, where its text says so, and its tags."""

import csv
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from app.workouts.library.shelf import library
from app.workouts.structure import Section
from app.workouts.terms import SchemeType
from app.workouts.text.benchmarks import benchmarks
from app.workouts.text.drafts import MoveDraft, WorkoutDraft
from app.workouts.text.lexicon import folded

_LONGEST: Final = 80
_HEBREW: Final = re.compile(r"[\u05d0-\u05ea]")
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]")
_TEST: Final = "test"
_RM: Final = re.compile(r"\d+rm")


def title_of(draft: WorkoutDraft, sections: Sequence[Section]) -> str | None:
    """The title that the text states, or that one exercise with one goal makes plain."""
    found = _stated(draft) or (_made(draft, sections[0]) if _is_whole(draft, sections) else None)
    return found[:_LONGEST] if found else None


def tags_of(draft: WorkoutDraft, sections: Sequence[Section]) -> tuple[str, ...]:
    named = draft.named
    tags = [benchmarks()[named.key].tag] if named and not named.style else []
    tested = _is_whole(draft, sections) and (_is_max(sections[0]) or _is_test(sections[0]))
    tests = tested or any(section.says("TESTWORD") for section in draft.sections)
    return (*tags, _TEST) if tests and not tags else tuple(tags)


def _stated(draft: WorkoutDraft) -> str | None:
    if draft.named is not None:
        name = benchmarks()[draft.named.key].name
        return _say("style", draft.opening, what=name) if draft.named.style else name
    if draft.week is not None:
        return _say("week", draft.opening, what=draft.title or draft.opening, n=draft.week)
    if draft.title is not None:
        return draft.title
    return draft.titled_by.name if draft.titled_by else draft.focused


def _made(draft: WorkoutDraft, section: Section) -> str | None:
    scheme = section.scheme
    if scheme.type is SchemeType.DEATH_BY:
        return draft.opening
    if _is_max(section):
        load = section.movements[0].load
        target = load.target if load else None
        name = _name(draft.sections[0].moves[0], draft.opening)
        return f"{name[:1].upper()}{name[1:]} {(target or '').upper()}"
    if _is_test(section):
        return _say(_TEST, draft.opening, what=draft.opening)
    each = scheme.type is SchemeType.TABATA and scheme.order is not None
    several = f"several_{len(section.movements)}"
    return (
        _say(several, draft.opening, what=draft.opening) if each and several in _words() else None
    )


def _name(move: MoveDraft, like: str) -> str:
    """As it was written, unless that was in another case than a title's."""
    known = library().get(move.slug or "")
    if known is None or folded(move.name) == folded(move.alias):
        return move.name
    return known.name(_language(like))


def _is_whole(draft: WorkoutDraft, sections: Sequence[Section]) -> bool:
    """One section that is nothing but the workout."""
    first = draft.sections[0]
    return len(sections) == 1 and first.label is None and first.header is None


def _is_max(section: Section) -> bool:
    load = section.movements[0].load if len(section.movements) == 1 else None
    sought = load is not None and load.type == "build_to" and _RM.fullmatch(load.target or "")
    return section.scheme.type is SchemeType.MAX_EFFORT and bool(sought)


def _is_test(section: Section) -> bool:
    """One distance, once, for time."""
    once = section.scheme.type is SchemeType.FOR_TIME and section.scheme.rounds == 1
    return once and len(section.movements) == 1 and section.movements[0].distance_m is not None


def _say(key: str, like: str, **values: str | int) -> str | None:
    """A title's words in the language that the text is in."""
    return _words()[key][_language(like)].format(**values) or None


def _language(text: str) -> str:
    return "he" if _HEBREW.search(text) else "ru" if _CYRILLIC.search(text) else "en"


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    with files("app.workouts.text").joinpath("titles.csv").open(encoding="utf-8") as lines:
        return {row["key"]: row for row in csv.DictReader(lines)}
