"""What a row of the rules' tests says: a request that breaks one rule, and the API's words."""

from dataclasses import dataclass

from tests.bot.playground.model_api.bodies import Body


@dataclass(frozen=True, slots=True)
class Row:
    rule: str
    broken: Body
    says: str
    code: str | None = None
