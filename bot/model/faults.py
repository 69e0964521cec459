"""What a fault of the vendor means for us: ask again, ask without thinking, or give up."""

import json
from dataclasses import dataclass

import anthropic
import httpx2

from bot.turn.events import Ended

_BUSY = frozenset({429, 503, 529})
_AGAIN = frozenset({408, 409})
_STREAMING = 200


class BrokenReply(Exception):
    """A stream without its end, or a message that can't be acted on; `why` says which."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Again:
    """Ask again, `after` so many seconds where the API said so."""

    busy: bool
    after: float | None = None

    @property
    def ended(self) -> Ended:
        return Ended(reason="busy" if self.busy else "model_failed")


@dataclass(frozen=True, slots=True)
class Unthinking:
    """Old thinking no longer fits what stands before it: ask again without any."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Asking again would change nothing."""


Verdict = Again | Unthinking | GiveUp
VendorFault = (
    *(anthropic.APIError, httpx2.HTTPError, BrokenReply),
    *(json.JSONDecodeError, UnicodeDecodeError),
)
"""What talking to the API raises: its errors, the wire's, ours, and JSON or text that isn't."""


def judge(fault: Exception) -> Verdict:
    """A rate limit without a retry-after is a spending cap, which waiting doesn't lift."""
    match fault:
        case anthropic.APIStatusError(status_code=429):
            after = _retry_after(fault.response)
            return GiveUp() if after is None else Again(busy=True, after=after)
        case anthropic.APIStatusError(status_code=status):
            return _by_status(fault, status)
        case _:
            return Again(busy=False)


def status_of(fault: Exception) -> int | None:
    """The HTTP status that refused the call; None where a stream had begun or no answer came."""
    if isinstance(fault, anthropic.APIStatusError) and fault.status_code != _STREAMING:
        return fault.status_code
    return None


def describe(fault: Exception) -> str:
    """For the log: what it was, never what was said."""
    match fault:
        case BrokenReply(why=why):
            return why
        case anthropic.APIStatusError(status_code=status, type=kind):
            return f"{status} {kind}"
        case _:
            return type(fault).__name__


def _by_status(fault: anthropic.APIStatusError, status: int) -> Verdict:
    if status == _STREAMING:  # an error event in the middle of a stream
        return Again(busy=fault.type in {"overloaded_error", "rate_limit_error"})
    if status >= 500 or status in _AGAIN:  # noqa: PLR2004 - the server errors of HTTP
        return Again(busy=status in _BUSY, after=_retry_after(fault.response))
    if status == 400 and "`thinking` block" in fault.message:  # noqa: PLR2004 - HTTP's bad request
        return Unthinking()
    return GiveUp()


def _retry_after(response: httpx2.Response) -> float | None:
    """Seconds, where given as a number; the API gives no dates."""
    try:
        return max(0.0, float(response.headers["retry-after"]))
    except (KeyError, ValueError):
        return None
