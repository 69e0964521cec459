"""The faults that can be asked for, by a script's step or through the control endpoint."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class FaultKind(StrEnum):
    """Before an answer, in the middle of one, or in what it says."""

    RATE_LIMITED = "rate_limited"
    SPEND_CAP = "spend_cap"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server_error"
    UNAVAILABLE = "unavailable"
    TIMED_OUT = "timed_out"
    UNPAID = "unpaid"
    FORBIDDEN = "forbidden"
    CONFLICT = "conflict"
    RESET = "reset"
    SILENCE = "silence"

    OVERLOADED_MIDSTREAM = "overloaded_midstream"
    ERROR_MIDSTREAM = "error_midstream"
    CUT = "cut"
    DROPPED = "dropped"

    TRUNCATED_JSON = "truncated_json"
    MAX_TOKENS = "max_tokens"
    REFUSAL = "refusal"
    PAUSE_TURN = "pause_turn"
    CONTEXT_EXCEEDED = "model_context_window_exceeded"
    UNKNOWN_STOP_REASON = "unknown_stop_reason"
    UNKNOWN_BLOCK = "unknown_block"
    UNKNOWN_EVENT = "unknown_event"
    TWENTY_CALLS = "twenty_calls"
    TWIN_CALLS = "twin_calls"
    UNKNOWN_TOOL = "unknown_tool"
    EMPTY = "empty"


class Fault(BaseModel):
    """One fault and how often it strikes.

    `times` counts strikes on the same request (a retry sends the same one); None is always.
    `after` counts deltas sent before a fault in the middle of a stream. `retry_after` and
    `seconds` (of silence) are in seconds. `when` and `model` limit it to requests whose last text
    or model holds that part.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FaultKind
    times: Annotated[int, Field(ge=1)] | None = 1
    after: Annotated[int, Field(ge=0)] = 2
    retry_after: Annotated[float, Field(ge=0)] = 1
    seconds: Annotated[float, Field(ge=0)] = 30
    when: str = ""
    model: str = ""
