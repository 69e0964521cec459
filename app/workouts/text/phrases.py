"""What a line of a workout text says, phrase by phrase: values, in the order they were written."""

from dataclasses import dataclass
from typing import Literal

from app.workouts.text.amounts import Amount

Place = Literal["between", "after", "each"]


@dataclass(frozen=True, slots=True)
class Break:
    """What stands between phrases: the terminal of a separator."""

    sign: str


@dataclass(frozen=True, slots=True)
class Strange:
    """Words that mean nothing here."""

    text: str


@dataclass(frozen=True, slots=True)
class Glue:
    """A preposition or an article that no phrase took."""


# ---- how much ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """An exercise; `alias` is the form of it that was found."""

    slug: str
    alias: str


@dataclass(frozen=True, slots=True)
class RestMove:
    """Rest where an exercise could stand."""


@dataclass(frozen=True, slots=True)
class Much:
    """An amount; `kind` is its terminal. `at`: it stood behind an @."""

    kind: str
    amount: Amount
    at: bool = False


@dataclass(frozen=True, slots=True)
class SetsOf:
    """So many sets of something; `of` None is as much as one can."""

    sets: int
    of: Much | None
    ranged: bool = False


@dataclass(frozen=True, slots=True)
class Burn:
    """Calories as a word, the amount elsewhere or left open."""

    amount: Amount | None = None
    most: bool = False


@dataclass(frozen=True, slots=True)
class Most:
    """As much as one can: of reps, metres."""

    unit: str = ""


@dataclass(frozen=True, slots=True)
class Basis:
    """What a percentage is of: `1rm`, `training_max`."""

    of: str


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard by feeling: rate of perceived exertion, one value or from and to."""

    rpe: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class OwnWeight:
    """Multiples of the body's weight."""

    times: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Tempo:
    text: str


@dataclass(frozen=True, slots=True)
class Held:
    """An implement, how many of it at once, and its weight where it is said here."""

    kind: str
    number: int | None = None
    load: Much | None = None


@dataclass(frozen=True, slots=True)
class Lifted:
    """A set with its weight: 5 x 60 kg."""

    reps: int
    load: Much


@dataclass(frozen=True, slots=True)
class PerSide:
    pass


@dataclass(frozen=True, slots=True)
class Alternating:
    pass


@dataclass(frozen=True, slots=True)
class Remark:
    """A word about how to do it, as it was written: easy, unbroken; a damper."""

    text: str
    of_movement: bool = False


# ---- how it is done ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Amrap:
    seconds: int | None = None
    times: int | None = None


@dataclass(frozen=True, slots=True)
class Every:
    """`minute`: said as EMOM."""

    interval: int
    rounds: int | None = None
    total: int | None = None
    minute: bool = False


@dataclass(frozen=True, slots=True)
class Total:
    """In or for so many seconds."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Rounds:
    number: int | None
    for_time: bool = False
    for_quality: bool = False
    ranged: bool = False


@dataclass(frozen=True, slots=True)
class Sets:
    number: int
    ranged: bool = False


@dataclass(frozen=True, slots=True)
class Times:
    """x 6, or 6 x, with nothing behind that says what."""

    number: int


@dataclass(frozen=True, slots=True)
class Tabata:
    times: int | None = None


@dataclass(frozen=True, slots=True)
class On:
    seconds: int
    times: int | None = None


@dataclass(frozen=True, slots=True)
class Off:
    seconds: int


@dataclass(frozen=True, slots=True)
class PerStation:
    seconds: int


@dataclass(frozen=True, slots=True)
class Stations:
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Rest:
    """`what` is the terminal of what it stands between or after."""

    seconds: int | None = None
    rule: Literal["equal_to_work", "as_needed"] | None = None
    place: Place | None = None
    what: str | None = None
    ratio: str | None = None


@dataclass(frozen=True, slots=True)
class Cap:
    seconds: int


@dataclass(frozen=True, slots=True)
class Ladder:
    down: bool | None = None
    amount: Amount | None = None
    pyramid: bool = False


@dataclass(frozen=True, slots=True)
class LadderStep:
    """So many more each round."""

    step: int


@dataclass(frozen=True, slots=True)
class Minuted:
    """So many in that minute: 2 in minute 2."""

    reps: int
    minute: int


@dataclass(frozen=True, slots=True)
class Find:
    """A weight to get to: `target` is heavy or 5rm; None where no target is said."""

    target: str | None
    reps: int | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """In which intervals of a cycle: odd and even are of two."""

    positions: tuple[int, ...]
    of: int | None = None


@dataclass(frozen=True, slots=True)
class Together:
    """Done by so many people; None: a team of unsaid size."""

    size: int | None


@dataclass(frozen=True, slots=True)
class Mode:
    how: str


@dataclass(frozen=True, slots=True)
class Carry:
    """Whether each interval goes on where the one before stopped."""

    on: bool


@dataclass(frozen=True, slots=True)
class Vest:
    load: Amount | None


@dataclass(frozen=True, slots=True)
class ScoreBy:
    rule: str


@dataclass(frozen=True, slots=True)
class Named:
    """A benchmark; `style`: only in its manner."""

    key: str
    style: bool = False


@dataclass(frozen=True, slots=True)
class Week:
    number: int


@dataclass(frozen=True, slots=True)
class Plain:
    """A word that is a whole phrase: its terminal, and its value in the lexicon."""

    word: str
    value: str = ""


Dose = (
    Much
    | SetsOf
    | Burn
    | Most
    | Basis
    | Effort
    | OwnWeight
    | Tempo
    | Held
    | Lifted
    | PerSide
    | Alternating
    | Remark
)
Manner = (
    Amrap
    | Every
    | Total
    | Rounds
    | Sets
    | Times
    | Tabata
    | On
    | Off
    | PerStation
    | Stations
    | Rest
    | Cap
    | Ladder
    | LadderStep
    | Minuted
    | Find
    | Slot
    | Together
    | Mode
    | Carry
    | Vest
    | ScoreBy
    | Named
    | Week
    | Plain
)
Meaning = Dose | Manner | Move | RestMove | Strange | Glue | Break


@dataclass(frozen=True, slots=True)
class Phrase:
    """A meaning and where in its line it stands."""

    meaning: Meaning
    start: int
    end: int
