"""What a rule is: a name and a search for what a request does wrong."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.playground.model_api.errors import Refused, invalid
from bot.playground.model_api.request import MessagesRequest, Prompt
from bot.playground.model_api.surface import Surface


@dataclass(frozen=True, slots=True)
class Case:
    """A request beside the model it asks for and the size of its prompt in tokens."""

    prompt: Prompt
    surface: Surface
    tokens: int

    @property
    def max_tokens(self) -> int | None:
        """None when only counting is asked for."""
        return self.prompt.max_tokens if isinstance(self.prompt, MessagesRequest) else None


Complaints: TypeAlias = Iterator[str | Refused]


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    complaints: Callable[[Case], Complaints]


def check(case: Case, rules: Sequence[Rule]) -> None:
    """Raises Refused with the first complaint of the first rule that has one."""
    for rule in rules:
        for complaint in rule.complaints(case):
            raise complaint if isinstance(complaint, Refused) else invalid(complaint)
