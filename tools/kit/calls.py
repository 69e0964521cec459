"""A call of a tool and what came of it: the values that the runner, the turn and the API pass around."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict

from tools.kit.cards import Card, QuestionCard


class Call(BaseModel):
    """What somebody asks of a tool. `id` is the idempotency key: the tool_use id, or the caller's own key."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    """With a dot or on the wire form: `bookings.move`, `bookings__move`."""
    input: dict[str, Any]


class Outcome(BaseModel):
    """A settled call. `moved`: the facts changed since the approval, nothing ran, it must be asked anew."""

    model_config = ConfigDict(frozen=True)

    card: Card
    ok: bool = True
    moved: bool = False


class Question(BaseModel):
    """What to ask before a call runs; `target` is a hash of the facts that the person would be agreeing to."""

    model_config = ConfigDict(frozen=True)

    card: QuestionCard
    target: str


class Decision(BaseModel):
    """What the person decided on one call. `patch` are arguments they chose; `target` is what they agreed to."""

    model_config = ConfigDict(frozen=True)

    approved: bool
    option: str | None = None
    patch: dict[str, Any] = {}
    target: str = ""


class CallRunner(Protocol):
    """The runner as a turn sees it; bound to one actor and one origin."""

    def question(self, call: Call) -> Question | None:
        """What to ask before this call; None where it may run at once, or is going to fail anyway."""
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
