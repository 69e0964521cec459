"""Reading a call: which tool, whether this person may, with what, and what is asked first."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import ValidationError
from sqlalchemy.orm import Session

from app.core.actor import Actor, Via
from app.core.db import now_of
from app.core.errors import NotAllowed, StudioError
from tools.kit import failures
from tools.kit.calls import Call, Decision, Question, digest
from tools.kit.cards import Confirm, Pick, QuestionCard
from tools.kit.declare import Args, Ask, Context, Effect, Tool
from tools.kit.registry import Registry

FLEETING: Final = frozenset({"left", "ago", "until"})
"""Placeholders that the clock alone changes: they are shown, but nobody agrees to them."""

Standing = Callable[[Session, Actor], Actor]
"""The person as they are in this transaction; raises NotAllowed where they have left."""


class UnknownTool(StudioError):
    code, status = "unknown_tool", 404


class Moved(Exception):
    """What was approved, if anything was, isn't what is: nothing may run, ask anew."""


class Declined(Exception):
    """The person said no, or chose none of what a write offered."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A call that may run now."""

    tool: Tool[Any]
    context: Context
    args: Args

    def run(self) -> Any:  # noqa: ANN401 - a card of the closed union, checked where it is stored
        return self.tool.run(self.context, self.args)


def find(registry: Registry, actor: Actor, name: str) -> Tool[Any]:
    """Raises UnknownTool, and NotAllowed where the role is too low."""
    tool = registry.get(name)
    if tool is None:
        raise UnknownTool
    if not actor.role.at_least(tool.role):
        raise NotAllowed
    return tool


def read_args(tool: Tool[Any], given: Mapping[str, Any]) -> Args:
    """Raises BadInput, which names the fields."""
    try:
        args: Args = tool.args.model_validate(dict(given))
    except ValidationError as error:
        raise failures.bad_input(error) from None
    return args


def prepare(registry: Registry, context: Context, call: Call, decision: Decision | None) -> Ready:
    """Check a call in the transaction that will run it: role, arguments, and what was agreed to.

    Raises StudioError where it can't run, Moved where it must be asked, Declined after a no.
    """
    tool = find(registry, context.actor, call.name)
    args = read_args(tool, call.input)
    if decision is not None and not decision.approved:
        raise Declined
    question = question_of(tool, context, args) if needs_asking(tool, context.actor) else None
    if question is None:
        # What was chosen, if anything, was chosen of a card that no longer stands.
        return Ready(tool, context, args)
    agreed = _agreed(tool, question, decision)
    args = read_args(tool, {**call.input, **agreed.patch})
    return Ready(tool, replace(context, choice=agreed.option), args)


def needs_asking(tool: Tool[Any], actor: Actor) -> bool:
    """A person's own call runs, as their page asks; what acts for them must ask them."""
    return tool.confirm is not None and actor.via is not Via.PERSON and not actor.undoing


def question_of(tool: Tool[Any], context: Context, args: Args) -> Question | None:
    """What is to be asked before this runs; None where the tool sees nothing to ask this time."""
    card = tool.confirm(context, args) if tool.confirm else None
    if card is None:
        return None
    if isinstance(card, Confirm):
        card = card.model_copy(update={"always": tool.ask is Ask.ALWAYS})
    return Question(card=card, target=target_of(tool, args, card))


def target_of(tool: Tool[Any], args: Args, card: QuestionCard) -> str:
    """A hash of all that a yes is a yes to: the tool, its arguments, and the facts on the card."""
    facts = _lasting(card.model_dump(mode="json"))
    return digest({"tool": tool.name, "args": args.model_dump(mode="json"), "card": facts})


def context_of(session: Session, actor: Actor, standing: Standing | None) -> Context:
    now = now_of(session)
    return Context(session, standing(session, actor) if standing else actor, now)


def _agreed(tool: Tool[Any], question: Question, decision: Decision | None) -> Decision:
    """The decision, where it is one on just this."""
    if decision is None or decision.target != question.target:
        raise Moved
    chose_none = isinstance(question.card, Pick) and decision.option is None
    if chose_none and tool.effect is not Effect.READ:
        raise Declined
    return decision


def _lasting(value: Any) -> Any:  # noqa: ANN401 - any JSON
    match value:
        case dict():
            return {key: _lasting(one) for key, one in value.items() if key not in FLEETING}
        case list():
            return [_lasting(one) for one in value]
        case _:
            return value
