"""Bare answers: which whole texts answer a card or give a command, in three languages at once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, assert_never

from i18n.answer_words import (
    NEVER_AN_SMS_OPTION,
    UNDO_WORDS,
    WORDS,
    All,
    Answer,
    CancelWord,
    Command,
    Help,
    Ideas,
    Language,
    More,
    NeverApproval,
    New,
    No,
    NoneOfThem,
    Numbers,
    OptIn,
    OptOut,
    Reading,
    Stop,
    Undo,
    Yes,
)

__all__ = [
    "All",
    "Answer",
    "Approve",
    "CancelWord",
    "Choose",
    "Command",
    "Decision",
    "Decline",
    "Help",
    "Ideas",
    "Kind",
    "Language",
    "Message",
    "More",
    "NeverApproval",
    "New",
    "No",
    "NoneOfThem",
    "Numbers",
    "OptIn",
    "OptOut",
    "Reading",
    "Stop",
    "Unclear",
    "Undo",
    "Yes",
    "carrier_keyword",
    "commands",
    "fold",
    "interpret",
    "may_be_asked_by_sms",
    "read_answer",
    "same_words",
]

_LOOKALIKES = str.maketrans({"ё": "е", "’": "'", "‘": "'", "ʼ": "'", "‐": "-", ",": " "})
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
# The quotes are here because our own cards write the words to answer with in quotes.
_STRAY = ' .!)"“”„«»״'
_NUMBER = r"(?:0|[1-9][0-9]{0,2})"
_NUMBER_LIST = re.compile(rf"{_NUMBER}(?:(?: ?[,+] ?| ){_NUMBER})*")
_UNDO_NUMBER = re.compile(r"(?P<words>.+) (?P<number>[1-9][0-9]{0,5})")


def _unmarked(text: str) -> str:
    """Without direction marks, niqqud, accents left loose, keycaps, skin tones; digits in ASCII."""
    kept = (
        character
        for character in unicodedata.normalize("NFKC", text).lower()
        if unicodedata.category(character) not in {"Cf", "Mn", "Me"}
        and character not in _SKIN_TONES
    )
    return unicodedata.normalize("NFKC", "".join(map(_ascii_digit, kept)))


def _ascii_digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


def _trimmed(text: str) -> str:
    return " ".join(text.split()).strip(_STRAY)


def fold(text: str) -> str:
    """The form in which texts are compared: 'Да, пожалуйста!' and 'да пожалуйста' become one."""
    return _trimmed(_unmarked(text).translate(_LOOKALIKES))


def same_words(text: str, words: str) -> bool:
    """Whether a typed question got the words it asked for, the whole of them and nothing else."""
    return bool(fold(words)) and fold(text) == fold(words)


def _folded(rows: tuple[str, ...]) -> frozenset[str]:
    return frozenset(fold(word) for row in rows for word in row.split(","))


def _index() -> dict[str, frozenset[Reading]]:
    index: dict[str, frozenset[Reading]] = {}
    for reading, rows in WORDS:
        for word in _folded(rows):
            index[word] = index.get(word, frozenset()) | {reading}
    return index


_READINGS = _index()
_UNDO = _folded(UNDO_WORDS)
_NEVER_AN_SMS_OPTION = _folded(NEVER_AN_SMS_OPTION)


def may_be_asked_by_sms(word: str) -> bool:
    """Whether an SMS may name this word as an answer: carriers act on some of them."""
    return fold(word) not in _NEVER_AN_SMS_OPTION


def read_answer(text: str, labels: Mapping[int, str] | None = None) -> frozenset[Reading]:
    """Every reading of the whole text; empty means that it is a message.

    `labels` are the open card's options by number: a full label counts as its number.
    """
    folded = fold(text)
    found = _READINGS.get(folded, frozenset()) | _undo(folded) | _emoji(folded)
    return found | _numbers(text) | _labelled(folded, labels or {})


def _numbers(text: str) -> frozenset[Reading]:
    # Not from the folded text: it has lost the commas that tell '1,3' from a typing error.
    listed = _trimmed(_unmarked(text)).strip(_STRAY + ",")
    if not _NUMBER_LIST.fullmatch(listed):
        return frozenset()
    values = {int(part) for part in listed.replace(",", " ").replace("+", " ").split()}
    return frozenset({Numbers(tuple(sorted(values)))})


def _undo(folded: str) -> frozenset[Reading]:
    if folded in _UNDO:
        return frozenset({Undo()})
    match = _UNDO_NUMBER.fullmatch(folded)
    if match and match["words"] in _UNDO:
        return frozenset({Undo(int(match["number"]))})
    return frozenset()


def _emoji(folded: str) -> frozenset[Reading]:
    symbols = folded.replace(" ", "")
    if symbols and all(unicodedata.category(symbol) == "So" for symbol in symbols):
        return frozenset({NeverApproval()})
    return frozenset()


def _labelled(folded: str, labels: Mapping[int, str]) -> frozenset[Reading]:
    if not folded:
        return frozenset()
    numbers = [
        number
        for number, label in labels.items()
        if folded in {fold(label), fold(f"{number} {label}")}
    ]
    # Two options of one name: their label tells nothing.
    return frozenset({Numbers((numbers[0],))}) if len(numbers) == 1 else frozenset()


def commands(readings: frozenset[Reading]) -> frozenset[Command]:
    """The commands among the readings; they are seen to before and after the open question."""
    return frozenset(reading for reading in readings if isinstance(reading, Command))


def carrier_keyword(text: str) -> OptOut | OptIn | Help | None:
    """What Twilio does by itself with an SMS of one word, before we see it.

    Source: Twilio's default opt-out keywords for long codes. Only the bare word counts.
    """
    match text.strip().upper():
        case "STOP" | "STOPALL" | "UNSUBSCRIBE" | "CANCEL" | "END" | "QUIT" | "REVOKE" | "OPTOUT":
            return OptOut()
        case "START" | "YES" | "UNSTOP":
            return OptIn()
        case "HELP" | "INFO":
            return Help()
        case _:
            return None


Kind = Literal["confirm", "consent", "confirm_batch", "pick", "choose_gym", "typed", "secure_form"]


@dataclass(frozen=True, slots=True)
class Approve:
    """All that the card asks for."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Nothing of what the card asks for; on a pick, none of the candidates."""


@dataclass(frozen=True, slots=True)
class Choose:
    """These options; on a batch the others are declined. Ascending, each on the card."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unclear:
    """Meant for the card, but not one of its answers: the card is shown again."""


@dataclass(frozen=True, slots=True)
class Message:
    """No answer at all: the text is for the agent, or a command."""


Decision = Approve | Decline | Choose | Unclear | Message


def interpret(
    readings: frozenset[Reading], kind: Kind, n_options: int, *, cancels: bool = False
) -> Decision:
    """What the readings of one text decide on one open card.

    `n_options` counts what may be chosen, 0 apart: 2 for a confirm, the actions of a batch, the
    candidates of a pick. `cancels`: what the card asks for is itself a cancellation. Readings
    that are only commands come out as `Message`: those are the caller's.
    """
    answers = {reading for reading in readings if isinstance(reading, Answer)}
    if not answers:
        return Message()
    if CancelWord() in answers:
        return Unclear() if cancels else Decline()
    if NeverApproval() in answers:
        return Unclear()
    numbers = [answer for answer in answers if isinstance(answer, Numbers)]
    if numbers:
        return _by_number(numbers[0].values, kind, n_options) if len(numbers) == 1 else Unclear()
    decisions = {_by_word(answer, kind, n_options) for answer in answers}
    return decisions.pop() if len(decisions) == 1 else Unclear()


def _by_number(values: tuple[int, ...], kind: Kind, n_options: int) -> Decision:
    match kind:
        case "confirm" | "consent":
            return _confirmed(values)
        case "confirm_batch" | "pick" | "choose_gym":
            return _chosen(values, n_options, many=kind == "confirm_batch")
        case "typed" | "secure_form":
            return Unclear()
        case _:
            assert_never(kind)


def _confirmed(values: tuple[int, ...]) -> Decision:
    match values:
        case (1,):
            return Approve()
        case (2,):
            return Decline()
        case _:
            return Unclear()


def _chosen(values: tuple[int, ...], n_options: int, *, many: bool) -> Decision:
    if values == (0,):
        return Decline()
    on_the_card = all(1 <= value <= n_options for value in values)
    return Choose(values) if on_the_card and (many or len(values) == 1) else Unclear()


def _by_word(answer: Answer, kind: Kind, n_options: int) -> Decision:
    match answer:
        case No() | NoneOfThem():
            return Decline()
        case Yes():
            one_action = kind in {"confirm", "consent"}
            one_action = one_action or (kind == "confirm_batch" and n_options == 1)
            return Approve() if one_action else Unclear()
        case All(of=size):
            whole = kind == "confirm_batch" and n_options > 1 and size in {None, n_options}
            return Approve() if whole else Unclear()
        case Numbers() | CancelWord() | NeverApproval():
            return Unclear()
        case _:
            assert_never(answer)
