"""What a person may answer to a question, and what it decides on each of its calls."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from app.core.errors import BadInput
from tools.kit.calls import Decision, Pending
from tools.kit.cards import Confirm, ConfirmBatch, Pick, QuestionCard, Typed


@dataclass(frozen=True, slots=True)
class Approve:
    """Yes to all of it."""


@dataclass(frozen=True, slots=True)
class Decline:
    """No to all of it."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Items or options by their shown number, from 1; none of them means none of these."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """The words that a typed question wants, as they were typed."""

    text: str


Choice = Approve | Decline | Choose | Words


def choice_of_number(card: QuestionCard, number: int) -> Choice:
    """What one shown number stands for: 1 and 2 on a confirmation, a place in any other list."""
    match card:
        case Confirm():
            return Approve() if number == 1 else Decline()
        case Typed():
            return Decline()
        case ConfirmBatch() | Pick():
            return Choose((number,) if number else ())
        case _:
            assert_never(card)


def decisions_of(
    card: QuestionCard, calls: Sequence[Pending], choice: Choice
) -> dict[str, Decision]:
    """The decision on each call. Raises BadInput where the choice doesn't fit the card."""
    match card:
        case Confirm():
            return _all(calls, approved=_yes(choice))
        case Typed():
            return _all(calls, approved=_typed(card, choice))
        case ConfirmBatch():
            wanted = _numbers(choice, len(calls), every=True)
            return {
                one.call.id: Decision(approved=place in wanted, target=one.target)
                for place, one in enumerate(calls, start=1)
            }
        case Pick():
            return {one.call.id: _picked(card, one, choice) for one in calls}
        case _:
            assert_never(card)


def _all(calls: Sequence[Pending], *, approved: bool) -> dict[str, Decision]:
    return {one.call.id: Decision(approved=approved, target=one.target) for one in calls}


def _yes(choice: Choice) -> bool:
    match choice:
        case Approve() | Choose((1,)):
            return True
        case Decline() | Choose(() | (2,)):
            return False
        case _:
            raise _unfit()


def _typed(card: Typed, choice: Choice) -> bool:
    """Nothing but the words themselves is a yes to what is lost for good."""
    match choice:
        case Words(text) if " ".join(text.split()) == card.words:
            return True
        case Decline() | Choose(()):
            return False
        case _:
            raise _unfit()


def _numbers(choice: Choice, count: int, *, every: bool) -> frozenset[int]:
    match choice:
        case Approve() if every:
            return frozenset(range(1, count + 1))
        case Decline():
            return frozenset()
        case Choose(numbers) if all(1 <= number <= count for number in numbers):
            return frozenset(numbers)
        case _:
            raise _unfit()


def _picked(card: Pick, pending: Pending, choice: Choice) -> Decision:
    """None of these is an answer too: the call goes on without an option and says so."""
    numbers = _numbers(choice, len(card.options), every=False)
    if len(numbers) > 1 or not (numbers or card.allow_none or choice == Decline()):
        raise _unfit()
    if not numbers:
        return Decision(approved=card.allow_none, target=pending.target)
    option = card.options[min(numbers) - 1]
    return Decision(approved=True, option=option.id, patch=option.patch, target=pending.target)


def _unfit() -> BadInput:
    return BadInput(fields=("choice",))


def choice_of_json(given: object) -> Choice:
    """'approve', 'decline', a list of shown numbers, or the words that a typed question wants.

    Raises BadInput for anything else; whether it fits the card is seen when it is decided.
    """
    match given:
        case "approve":
            return Approve()
        case "decline":
            return Decline()
        case str() if given.strip():
            return Words(given)
        case list() if all(type(number) is int and number > 0 for number in given):
            return Choose(tuple(sorted(set(given))))
        case _:
            raise _unfit()
