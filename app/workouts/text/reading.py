"""Reading a workout text: from what a coach wrote to the structure, with all that was assumed."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.workouts.errors import NothingToRead, TextTooLong
from app.workouts.library.shelf import Known, library
from app.workouts.structure import Reading, Remark, Section
from app.workouts.terms import SchemeType, WeightUnit
from app.workouts.text.benchmarks import benchmarks
from app.workouts.text.drafts import WorkoutDraft
from app.workouts.text.gathering import Gathering
from app.workouts.text.layout import lines_of
from app.workouts.text.settling import Settling
from app.workouts.text.titles import tags_of, title_of
from app.workouts.text.tokens import Tokens

LONGEST: Final = 8_000
"""Characters of a text; a week of programming has fewer."""


def read(text: str, unit: WeightUnit, own: Sequence[Known] = ()) -> Reading:
    """What a text says; `own` are exercises that the gym added to the library.

    Raises TextTooLong, NothingToRead; whatever else it says is read or reported as unread.
    """
    if len(text) > LONGEST:
        raise TextTooLong(limit=LONGEST)
    gathering = Gathering()
    for line in lines_of(text, Tokens(own)):
        gathering.take(line)
    if gathering.draft.says_nothing:
        raise NothingToRead
    known = {**library(), **{one.slug: one for one in own}}
    return _settled(gathering.draft, known, unit)


def _settled(draft: WorkoutDraft, known: Mapping[str, Known], unit: WeightUnit) -> Reading:
    settling = Settling(known, unit)
    named = _scheme_of_name(draft)
    sections: list[Section] = []
    assumed, unsure = list(draft.assumptions), list(draft.ambiguities)
    for one in draft.sections:
        if one.moves or one.has_scheme or one.notes:
            section, more_assumed, more_unsure = settling.settle(one, named)
            sections.append(section)
            assumed += more_assumed
            unsure += more_unsure
    return Reading(
        title=title_of(draft, sections),
        sections=tuple(sections),
        assumptions=_once(assumed),
        ambiguities=_once(unsure),
        tags=tags_of(draft, sections),
        notes=tuple(draft.notes),
        unread=tuple(draft.unread),
        unit=unit if settling.bare_loads else None,
        benchmark=draft.named.key if draft.named and not draft.named.style else None,
    )


def _scheme_of_name(draft: WorkoutDraft) -> SchemeType | None:
    return benchmarks()[draft.named.key].scheme if draft.named else None


def _once(remarks: Sequence[Remark]) -> tuple[Remark, ...]:
    """What is told of two movements alike is told once."""
    return tuple(one for at, one in enumerate(remarks) if one not in remarks[:at])
