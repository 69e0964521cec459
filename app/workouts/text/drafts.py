"""What is gathered of a workout while its text is read, before it is given its shape."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from app.workouts.structure import Remark, Unread
from app.workouts.terms import Phase
from app.workouts.text.phrases import (
    Amrap,
    Dose,
    Every,
    Find,
    Ladder,
    Manner,
    Much,
    Named,
    On,
    PerStation,
    Plain,
    Rounds,
    Sets,
    SetsOf,
    Stations,
    Tabata,
)

M = TypeVar("M", bound=Manner)

OPENING: Final = (Amrap, Every, Rounds, Tabata, Ladder, On, PerStation, Stations, Sets, Find)
"""What tells how a whole section is done."""
OPENING_WORDS: Final = frozenset(
    (
        "FORTIME",
        "EACHFORTIME",
        "QUALITY",
        "NOTFORTIME",
        "DEATHBY",
        "CHIPPER",
        "INTERVALS",
        "SUPERSET",
    )
)


@dataclass(slots=True)
class MoveDraft:
    slug: str | None
    name: str
    """As it was written."""
    line: int
    alias: str = ""
    before: list[Dose] = field(default_factory=list)
    after: list[Dose] = field(default_factory=list)
    sets: list[list[Dose]] = field(default_factory=list)
    """What stands on lines of its own below it, one a set."""
    notes: list[str] = field(default_factory=list)
    slots: tuple[int, ...] = ()
    place: str | None = None
    phase: Phase | None = None
    joined: bool = False
    """A plus stands between it and the one before."""

    @property
    def doses(self) -> list[Dose]:
        return [*self.before, *self.after]

    @property
    def is_bare(self) -> bool:
        return not (self.before or self.after or self.sets)


@dataclass(slots=True)
class SectionDraft:
    label: str | None = None
    header: str | None = None
    """The kind that its heading names."""
    title: str | None = None
    manners: list[Manner] = field(default_factory=list)
    series: list[Much] = field(default_factory=list)
    """21-15-9 and the like, where they are nobody's own."""
    times: list[int] = field(default_factory=list)
    """Seconds that are said without a word for what."""
    moves: list[MoveDraft] = field(default_factory=list)
    leading: list[Dose] = field(default_factory=list)
    """What was said before any exercise was."""
    notes: list[str] = field(default_factory=list)
    partition: tuple[int, int] | None = None
    """The first and last movement that may be done in any order."""
    phase: Phase | None = None
    slots: tuple[int, ...] = ()
    cycle: int | None = None
    places: int = 0
    """How many parts of it have a number of their own, as B1 and B2."""

    def all(self, kind: type[M]) -> Iterator[M]:
        return (one for one in self.manners if isinstance(one, kind))

    def one(self, kind: type[M]) -> M | None:
        return next(self.all(kind), None)

    def says(self, *words: str) -> bool:
        return any(one.word in words for one in self.all(Plain))

    @property
    def has_sets(self) -> bool:
        doses = [dose for move in self.moves for dose in move.doses]
        return any(isinstance(dose, SetsOf) for dose in (*doses, *self.leading)) or any(
            move.sets for move in self.moves
        )

    @property
    def has_scheme(self) -> bool:
        opened = any(isinstance(one, OPENING) for one in self.manners)
        return opened or bool(self.series) or self.has_sets or self.says(*OPENING_WORDS)

    @property
    def is_empty(self) -> bool:
        return not (self.manners or self.moves or self.series or self.leading or self.times)


@dataclass(slots=True)
class WorkoutDraft:
    sections: list[SectionDraft] = field(default_factory=lambda: [SectionDraft()])
    title: str | None = None
    titled_by: MoveDraft | None = None
    """The exercise alone on the first line, that names the workout."""
    opening: str = ""
    """The first thing that the text says, as written."""
    focused: str | None = None
    """What is trained, where that is all there is of a title: tabata abs."""
    named: Named | None = None
    week: int | None = None
    notes: list[str] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    assumptions: list[Remark] = field(default_factory=list)
    ambiguities: list[Remark] = field(default_factory=list)

    @property
    def says_nothing(self) -> bool:
        said = self.unread or self.title or self.named or self.notes
        return not said and all(section.is_empty for section in self.sections)

    @property
    def section(self) -> SectionDraft:
        return self.sections[-1]
