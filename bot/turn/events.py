"""What can happen in a turn, in the order it happens. All but Delta and Restart are stored rows."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from tools.kit.calls import Call, Decision
from tools.kit.cards import Card, QuestionCard


class _Event(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Shown(_Event):
    """A picture that came with the words; its bytes are a row of their own, and go in time."""

    id: UUID
    content_type: str
    width: int
    height: int


class Heard(_Event):
    """What the person wrote, with what the model is told beside it.

    Stored once, so that replays are byte-stable.
    """

    type: Literal["heard"] = "heard"
    text: str
    beside: str = ""
    playbook: str = ""
    """The name of the one it starts from."""
    pictures: tuple[Shown, ...] = ()


class Delta(_Event):
    """A few more words: shown at once, never stored."""

    type: Literal["delta"] = "delta"
    text: str


class Restart(_Event):
    """The stream broke and is asked again: drop the partial words. Never stored."""

    type: Literal["restart"] = "restart"


class Said(_Event):
    """The model's whole message.

    Content blocks verbatim, and the calls that may run (none after a refusal or a cut).
    """

    type: Literal["said"] = "said"
    text: str = ""
    blocks: tuple[dict[str, Any], ...] = ()
    calls: tuple[Call, ...] = ()
    stop_reason: str | None = None
    model: str = ""
    epoch: str = ""
    """Digest of the model, tools and system it answered: thinking goes back under the same only."""
    ours: bool = False
    """Calls of ours in the model's place: it reads on as if it had asked."""


class Ran(_Event):
    """A call settled: it ran, failed, or was not carried out."""

    type: Literal["ran"] = "ran"
    call_id: str
    card: Card
    ok: bool = True


QuestionKind = Literal["confirm", "confirm_batch", "pick", "typed"]


class Asked(_Event):
    """The turn waits for the person: one card over one or several calls, in tool order."""

    type: Literal["asked"] = "asked"
    question_id: UUID
    kind: QuestionKind
    card: QuestionCard
    call_ids: tuple[str, ...]
    targets: tuple[str, ...]


Outcome = Literal["decided", "expired", "superseded", "stopped"]


class Answered(_Event):
    """The question is closed: by a decision on each call, or without one."""

    type: Literal["answered"] = "answered"
    question_id: UUID
    outcome: Outcome
    decisions: dict[str, Decision] = {}
    where: str = ""
    at: datetime | None = None


EndReason = Literal[
    "done",
    "stopped",
    "halted",
    "superseded",
    "expired",
    "too_long",
    "refused",
    "over_budget",
    "busy",
    "model_failed",
]


class DayLimit(_Event):
    """The gym's limit for model calls on its local day, as the person is told of it."""

    tier: Literal["lite", "pro", "elite"]
    reset: datetime
    """The gym's next midnight."""
    link: str = ""
    """Where it is raised, for who may."""
    asks_owner: bool = False
    """Somebody else raises it."""


class Ended(_Event):
    type: Literal["ended"] = "ended"
    reason: EndReason
    limit: DayLimit | None = None
    """It is used up, where that is the reason; else most of it is, and this turn tells so."""


Event = Heard | Delta | Restart | Said | Ran | Asked | Answered | Ended
event_json: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="type")])
