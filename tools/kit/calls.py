"""A call of a tool and what came of it: values that the runner, the turn and the API pass on."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final, Protocol

from pydantic import BaseModel, ConfigDict

from tools.kit.cards import Card, QuestionCard

LONGEST_KEY: Final = 200
"""Characters of an idempotency key that can be kept."""


class Call(BaseModel):
    """What somebody asks of a tool. `id` is the idempotency key: a tool_use id, or the caller's."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    """With a dot or on the wire form: `bookings.move`, `bookings__move`."""
    input: dict[str, Any]


class Outcome(BaseModel):
    """A settled call. `moved`: nothing ran, as what was approved is not what is; ask anew."""

    model_config = ConfigDict(frozen=True)

    card: Card
    ok: bool = True
    moved: bool = False


class Question(BaseModel):
    """What to ask before a call runs; `target` is a hash of the facts that a yes would be to."""

    model_config = ConfigDict(frozen=True)

    card: QuestionCard
    target: str


class Decision(BaseModel):
    """What was decided on one call: `patch` holds chosen arguments, `target` what was agreed to."""

    model_config = ConfigDict(frozen=True)

    approved: bool
    option: str | None = None
    patch: dict[str, Any] = {}
    target: str = ""


class Pending(BaseModel):
    """A call that waits for a decision. `always`: it asks because it leaves the building."""

    model_config = ConfigDict(frozen=True)

    call: Call
    target: str
    always: bool = False


class CallRunner(Protocol):
    """The runner as a turn sees it; bound to one actor and one origin."""

    def question(self, call: Call) -> Question | None:
        """What to ask before this call; None where it may run, or is going to fail anyway."""
        ...

    def reads(self, call: Call) -> bool:
        """Whether this is a plain read that exists, is this role's and whose arguments fit."""
        ...

    def run(self, call: Call, decision: Decision | None = None) -> Outcome:
        """Carry a call out once, however often it is asked for."""
        ...

    def run_reads(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        """Plain reads side by side, outcomes in the order of the calls."""
        ...


def digest(value: object) -> str:
    """A short hash of JSON-like data, equal for equal facts."""
    raw = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str, ensure_ascii=False)
    return hashlib.sha256(raw.encode()).hexdigest()[:32]
