"""Closed sets about workouts, their parts and what is scored."""

from enum import StrEnum
from typing import Final


class WorkoutKind(StrEnum):
    CLASS = "class"
    INDIVIDUAL = "individual"
    BENCHMARK = "benchmark"


class WorkoutStatus(StrEnum):
    DRAFT = "draft"
    READY = "ready"
    ARCHIVED = "archived"


class Visibility(StrEnum):
    """Whose list a workout is in: its author's alone, or everybody's on the team."""

    PRIVATE = "private"
    ORG = "org"


class SectionKind(StrEnum):
    WARMUP = "warmup"
    MOBILITY = "mobility"
    SKILL = "skill"
    STRENGTH = "strength"
    METCON = "metcon"
    ACCESSORY = "accessory"
    COOLDOWN = "cooldown"


class SchemeType(StrEnum):
    AMRAP = "amrap"
    EMOM = "emom"
    EVERY_X = "every_x"
    FOR_TIME = "for_time"
    ROUNDS_FOR_TIME = "rounds_for_time"
    ROUNDS_FOR_QUALITY = "rounds_for_quality"
    TABATA = "tabata"
    INTERVALS = "intervals"
    INTERVAL_AMRAP = "interval_amrap"
    STATIONS = "stations"
    SETS = "sets"
    SUPERSET = "superset"
    MAX_EFFORT = "max_effort"
    DEATH_BY = "death_by"
    NOT_FOR_TIME = "not_for_time"


class ScoreType(StrEnum):
    TIME = "time"
    ROUNDS_REPS = "rounds_reps"
    REPS = "reps"
    LOAD = "load"
    DISTANCE = "distance"
    CALORIES = "calories"
    NONE = "none"


class Division(StrEnum):
    """As which a workout was done."""

    RX = "rx"
    INTERMEDIATE = "intermediate"
    SCALED = "scaled"
    FOUNDATIONS = "foundations"


class Measure(StrEnum):
    """What an exercise is counted in where nothing else is said."""

    REPS = "reps"
    DISTANCE = "distance"
    CALORIES = "calories"
    TIME = "time"
    LOAD = "load"


class WeightUnit(StrEnum):
    KG = "kg"
    LB = "lb"


class Phase(StrEnum):
    """Where a movement stands in a workout that has rounds between a buy-in and a cash-out."""

    BUY_IN = "buy_in"
    ROUNDS = "rounds"
    CASH_OUT = "cash_out"


HIDDEN: Final = (WorkoutStatus.ARCHIVED,)
"""Listed only when asked for by status."""
