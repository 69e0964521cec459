"""Faults on demand: what happens to the next messages to one number or on one channel."""

from dataclasses import dataclass, field
from threading import Lock
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.playground.twilio_api.records import Channel

Outcome = Literal[
    "deliver",
    "read",
    "fail",  # accepted, then reported as undelivered or failed with `code`
    "stay_sent",  # as to somebody who blocked us
    "stay_queued",
    "refuse",  # at once, with `code`
    "refuse_500",  # nothing was sent
    "accept_then_500",  # it was sent: ambiguous for whoever asked
    "hang",  # it was sent, the answer takes `seconds`
    "hang_unaccepted",  # nothing was sent, and no answer for `seconds`
]


class Rule(BaseModel):
    """One rule; it covers what it doesn't name. The newest that fits wins."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    to: str | None = None
    channel: Channel | None = None
    only: Literal["text", "content"] | None = None
    outcome: Outcome = "deliver"
    code: int | None = None
    http_status: int | None = None
    status: Literal["undelivered", "failed"] = "undelivered"
    times: int | None = Field(default=None, ge=1)
    """For how many messages; none means for good."""
    delay: float | None = Field(default=None, ge=0)
    """Seconds in each state, instead of the configured ones."""
    order: Literal["in_order", "reversed"] = "in_order"
    copies: int = Field(default=1, ge=1)
    """How often each status is reported."""
    seconds: float = 15.0

    def fits(self, to: str, channel: Channel, *, content: bool) -> bool:
        return (
            self.to in {None, to}
            and self.channel in {None, channel}
            and self.only in {None, "content" if content else "text"}
        )


@dataclass(slots=True)
class Rules:
    _rules: list[tuple[Rule, int | None]] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def add(self, rule: Rule) -> None:
        with self._lock:
            self._rules.insert(0, (rule, rule.times))

    def __len__(self) -> int:
        """How many there are still: one for so many messages goes when it is used up."""
        with self._lock:
            return len(self._rules)

    def clear(self) -> None:
        with self._lock:
            self._rules.clear()

    def take(self, to: str, channel: Channel, *, content: bool) -> Rule:
        """Find the rule for one message and use it up by one."""
        with self._lock:
            for index, (rule, left) in enumerate(self._rules):
                if rule.fits(to, channel, content=content):
                    self._use(index, rule, left)
                    return rule
        return Rule()

    def _use(self, index: int, rule: Rule, left: int | None) -> None:
        if left == 1:
            del self._rules[index]
        elif left is not None:
            self._rules[index] = (rule, left - 1)
