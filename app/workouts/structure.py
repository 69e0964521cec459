"""What a workout is made of: the one shape that is read from text, shown, sent in and kept."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    StringConstraints,
    WithJsonSchema,
    model_serializer,
    model_validator,
)

from app.workouts.terms import Division, Phase, SchemeType, ScoreType, SectionKind, WeightUnit

LONGEST_S = 24 * 3_600
MOST_ROUNDS = 200
HEAVIEST = 2_000
"""Kilograms or pounds; nobody lifts more."""
MOST_REPS = 10_000
FARTHEST_M = 500_000

# What a schema says of these is short: a body holds dozens of them, and the server checks anyway.
_WHOLE = WithJsonSchema({"type": "integer"})
_FIGURE = WithJsonSchema({"type": "number"})
_TEXT = WithJsonSchema({"type": "string"})

Seconds = Annotated[int, Field(ge=1, le=LONGEST_S), _WHOLE]
Rounds = Annotated[int, Field(ge=1, le=MOST_ROUNDS), _WHOLE]
RepCount = Annotated[int, Field(ge=1, le=MOST_REPS), _WHOLE]
Weighed = Annotated[float, Field(gt=0, le=HEAVIEST), _FIGURE]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,59}$"), _TEXT]
OpenSet = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]?\+$")]
"""At least so many: `1+`."""


class Part(BaseModel):
    """A value that is written without what it doesn't say."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    ALWAYS: ClassVar[frozenset[str]] = frozenset()
    """What is written even where it is empty."""

    @model_serializer(mode="wrap")
    def _lean(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: dict[str, Any] = whole(self)
        return {
            key: _plain(value)
            for key, value in written.items()
            if key in self.ALWAYS or value not in (None, False, (), [])
        }


def _plain(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """43.0 is written 43, as it was said."""
    match value:
        case bool():
            return value
        case float() if value.is_integer():
            return int(value)
        case list() | tuple():
            return [_plain(one) for one in value]
        case _:
            return value


class RepRange(Part):
    min: RepCount
    max: RepCount


class Split(Part):
    """One number for all, or one for men and one for women."""

    value: RepCount | None = None
    rx_m: RepCount | None = None
    rx_f: RepCount | None = None


AnyReps = RepCount | Literal["max"] | OpenSet | RepRange | Split | tuple[RepCount | OpenSet, ...]
"""A number, one a set, a range, as many as one can, or at least so many."""
Reps = Annotated[
    AnyReps,
    WithJsonSchema(
        {
            "type": ["integer", "string", "array", "object"],
            "description": "12, 'max', '1+', [5,3,1] a set each, {min,max}",
        }
    ),
]
_OR_MAX = "or 'max'"


_LISTED = WithJsonSchema({"type": ["number", "array"], "description": "one, or one a set"})


class Load(Part):
    """How heavy; `implements` are held at once, and the weight is that of each."""

    type: Literal["absolute", "percent", "rpe", "build_to", "bodyweight_multiple"]
    unit: WeightUnit | None = None
    value: Annotated[Weighed | tuple[Weighed, ...], _LISTED] | None = None
    rx_m: Weighed | None = None
    rx_f: Weighed | None = None
    of: Literal["1rm", "2rm", "3rm", "5rm", "10rm", "training_max"] | None = None
    lift: Slug | None = None
    target: Annotated[str, StringConstraints(max_length=20), _TEXT] | None = None
    implements: Annotated[int, Field(ge=1, le=4), _WHOLE] | None = None


class Height(Part):
    unit: Literal["in", "cm", "ft"]
    value: Weighed | None = None
    rx_m: Weighed | None = None
    rx_f: Weighed | None = None


class Ladder(Part):
    start: RepCount
    step: Annotated[int, Field(ge=-100, le=100), _WHOLE]


class Partner(Part):
    size: Annotated[int, Field(ge=2, le=12), _WHOLE] | None = None
    mode: Literal["split", "you_go_i_go", "alternate", "synchro", "relay", "each"] | None = None


class ComplexPart(Part):
    exercise: Slug
    reps: RepCount = 1


class Scheme(Part):
    """How the movements are done: clock, rounds, sets, rests."""

    type: SchemeType
    duration_s: Seconds | None = None
    time_cap_s: Seconds | None = None
    rounds: Rounds | None = None
    interval_s: Seconds | None = None
    cycle_len: Annotated[int, Field(ge=1, le=60), _WHOLE] | None = None
    work_s: Seconds | None = None
    rest_s: Seconds | None = None
    rest_between_sets_s: Seconds | None = None
    rest_between_rounds_s: Seconds | None = None
    rest_between_movements_s: Seconds | None = None
    rest_rule: Literal["equal_to_work", "as_needed"] | None = None
    sets: Rounds | None = None
    rep_scheme: Annotated[tuple[RepCount, ...], Field(max_length=60)] | None = None
    ladder: Ladder | None = None
    partner: Partner | None = None
    carry_over: bool | None = None
    order: Literal["finish_each_movement_first"] | None = None
    score_rule: (
        Literal["lowest_interval_per_movement", "each_round_time", "total_reps", "slowest_round"]
        | None
    ) = None
    partition: Annotated[str, StringConstraints(max_length=40), _TEXT] | None = None
    vest: Annotated[Load, WithJsonSchema({"type": "object", "description": "as load"})] | None = (
        None
    )


Distance = Annotated[
    Annotated[float, Field(gt=0, le=FARTHEST_M)] | Literal["max"],
    WithJsonSchema({"type": ["number", "string"], "description": _OR_MAX}),
]
Burnt = Annotated[
    Split | Literal["max"],
    WithJsonSchema(
        {"type": ["object", "string"], "description": "{value} or {rx_m,rx_f}, or 'max'"}
    ),
]
Lasting = Annotated[
    Seconds | Literal["max"],
    WithJsonSchema({"type": ["integer", "string"], "description": _OR_MAX}),
]


_HEIGHT = WithJsonSchema({"type": "object", "description": "unit in|cm|ft, value or rx_m, rx_f"})
_PARTS = WithJsonSchema(
    {"type": "array", "items": {"type": "object"}, "description": "{exercise,reps} of a complex"}
)


class Dose(Part):
    """How much of an exercise, and how."""

    reps: Reps | None = None
    distance_m: Distance | None = None
    calories: Burnt | None = None
    duration_s: Lasting | None = None
    load: Load | None = None
    equipment: Annotated[str, StringConstraints(max_length=40), _TEXT] | None = None
    height: Annotated[Height, _HEIGHT] | None = None
    tempo: Annotated[str, StringConstraints(pattern=r"^[0-9X]{4}$"), _TEXT] | None = None
    per_side: bool | None = None
    alternating: bool | None = None
    slots: (
        Annotated[tuple[Annotated[int, Field(ge=1, le=60), _WHOLE], ...], Field(max_length=60)]
        | None
    ) = None
    slot: Annotated[str, StringConstraints(max_length=8), _TEXT] | None = None
    phase: Phase | None = None
    parts: Annotated[tuple[ComplexPart, ...], Field(max_length=12), _PARTS] | None = None
    notes: Annotated[str, StringConstraints(max_length=300), _TEXT] | None = None


class Scaling(Dose):
    """What a movement becomes at a level; what isn't said stays."""

    level: Division
    exercise: Slug | None = None


class Movement(Dose):
    """One line of a section. Without an exercise of the library it has a name of its own."""

    exercise: Slug | None = None
    name: Annotated[str, StringConstraints(min_length=1, max_length=80), _TEXT] | None = None
    scaling: Annotated[
        tuple[Scaling, ...],
        Field(max_length=4),
        WithJsonSchema(
            {
                "type": "array",
                "items": {"type": "object"},
                "description": "level rx|intermediate|scaled|foundations and what replaces",
            }
        ),
    ] = ()

    @model_validator(mode="after")
    def _is_something(self) -> Self:
        if self.exercise is None and self.name is None:
            raise ValueError("give exercise, or name for one that isn't in the library")
        return self


class Section(Part):
    ALWAYS = frozenset(("label", "title"))

    label: Annotated[str, StringConstraints(max_length=8), _TEXT] | None = None
    kind: SectionKind = SectionKind.METCON
    title: Annotated[str, StringConstraints(max_length=80), _TEXT] | None = None
    scheme: Scheme
    score: ScoreType = ScoreType.NONE
    movements: Annotated[tuple[Movement, ...], Field(max_length=40)] = ()
    notes: Annotated[str, StringConstraints(max_length=1_000), _TEXT] | None = None


class Remark(Part):
    """Something to tell about a text that was read: a code, and what it is about."""

    code: str
    values: dict[str, str | float] = {}
    line: int | None = None


def remark(code: str, **values: str | float) -> Remark:
    return Remark(code=code, values=values)


class Unread(Part):
    """What couldn't be read, as it stands in the text; lines count from 1."""

    line: int
    text: str


class Reading(Part):
    """A text, read."""

    ALWAYS = frozenset(("title", "sections", "assumptions", "ambiguities", "tags"))

    title: str | None = None
    sections: tuple[Section, ...] = ()
    assumptions: tuple[Remark, ...] = ()
    ambiguities: tuple[Remark, ...] = ()
    tags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    unit: WeightUnit | None = None
    """The unit that bare weights were read in, where there are any (rule 52)."""
    benchmark: str | None = None
