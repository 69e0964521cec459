"""A typed text read against one card: what it decides, or that it decides nothing."""

from typing import assert_never

from i18n import answers
from i18n.answers import interpret, read_answer
from tools.kit.cards import Confirm, ConfirmBatch, Pick, QuestionCard, Typed
from tools.kit.choices import Approve, Choice, Choose, Decline, Words

Reading = Choice | answers.Unclear | None
"""None: no answer at all, so words for the agent, or a command."""


def read(card: QuestionCard, text: str) -> Reading:
    match card:
        case Typed(words=words):
            if answers.same_words(text, words):
                return Words(words)
            decision = interpret(read_answer(text), "typed", 0)
        case ConfirmBatch(items=items):
            cancels = any(_cancels(item) for item in items)
            decision = interpret(read_answer(text), "confirm_batch", len(items), cancels=cancels)
        case Pick(options=options):
            decision = interpret(read_answer(text), "pick", len(options))
        case Confirm():
            decision = interpret(read_answer(text), "confirm", 2, cancels=_cancels(card))
        case _:
            assert_never(card)
    return _choice(decision)


def _choice(decision: answers.Decision) -> Reading:
    match decision:
        case answers.Approve():
            return Approve()
        case answers.Decline():
            return Decline()
        case answers.Choose(numbers):
            return Choose(numbers)
        case answers.Unclear():
            return decision
        case answers.Message():
            return None
        case _:
            assert_never(decision)


def _cancels(card: Confirm) -> bool:
    """Whether 'cancel' would be ambiguous here, being the deed itself."""
    return "cancel" in card.of
