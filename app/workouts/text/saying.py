"""What a line, a clause or a dose says by itself, whatever stands around it."""

from typing import Final

from app.workouts.text.drafts import OPENING, OPENING_WORDS, MoveDraft, SectionDraft
from app.workouts.text.layout import Clause, Line
from app.workouts.text.phrases import (
    Burn,
    Dose,
    Find,
    Glue,
    Meaning,
    Move,
    Much,
    Plain,
    SetsOf,
    Strange,
)

_COUNTED: Final = frozenset(("COUNT", "OPENSET", "PAIR", "CALS", "METRES", "TIMES"))
_TITLE_WORDS: Final = 6


def opening_of(line: Line) -> str:
    """The first thing said, without how it is scored."""
    phrases = line.clauses[0].phrases
    named = [one for one in phrases if one.meaning != Plain("FORTIME")] or list(phrases)
    return line.slice(named[0], named[-1])


def may_title(line: Line, clause: Clause, words: str) -> bool:
    """A few words without a number before them, alone or before a colon."""
    few = known_words(clause) <= len(words.split()) <= _TITLE_WORDS
    closed = len(line.clauses) == 1 or line.clauses[1].sign in {"COLON", "GAP", "OPEN"}
    amounts = any(isinstance(one, Much) for one in clause.meanings)
    led = isinstance(clause.meanings[0], Much) or (amounts and len(line.clauses) > 1)
    return few and closed and not led


def text_of(line: Line, clause: Clause) -> str:
    return line.slice(clause.phrases[0], clause.phrases[-1])


def clause_of(line: Line, meaning: Meaning) -> Clause:
    return next(clause for clause in line.clauses if meaning in clause.meanings)


def strange_words(line: Line, clause: Clause) -> str:
    """The words of a clause that mean nothing, as they stand."""
    found = [phrase for phrase in clause.phrases if isinstance(phrase.meaning, Strange)]
    if not found:
        return ""
    if found[-1].end - found[0].start <= sum(one.end - one.start + 1 for one in found):
        return line.slice(found[0], found[-1])
    return " ".join(line.slice(one, one) for one in found)


def known_words(clause: Clause) -> int:
    return sum(not isinstance(one, Strange | Glue) for one in clause.meanings)


def has_move(clause: Clause) -> bool:
    return any(isinstance(one, Move) for one in clause.meanings)


def header_of(line: Line) -> str | None:
    """The kind of section that a heading names: at the beginning, before a colon or alone."""
    if not line.clauses:
        return None
    first = line.clauses[0].meanings
    alone = len(first) == 1 or len(line.clauses) == 1
    match first:
        case [Plain(word="HEADER", value=kind), *_] if alone:
            return kind
        case _:
            return None


def begins_anew(section: SectionDraft, line: Line) -> bool:
    """Whether a line tells how something is done where that is told already, with movements."""
    if not (section.has_scheme and section.moves):
        return False
    meanings = [one for one in line.meanings if not isinstance(one, Glue | Plain) or opens(one)]
    moved = any(isinstance(one, Move) for one in meanings)
    if meanings and opens(meanings[0]) and (moved or not isinstance(meanings[0], Find)):
        return section.phase is None
    sets = any(isinstance(one, SetsOf) for one in meanings)
    grouped = section.says("SUPERSET") or section.label is not None
    return sets and moved and not grouped


def opens(meaning: Meaning) -> bool:
    if isinstance(meaning, Much):
        return meaning.kind == "SERIES"
    named = isinstance(meaning, Plain) and meaning.word in OPENING_WORDS
    return named or isinstance(meaning, OPENING)


def modifies(dose: Dose) -> bool:
    """Whether it says how, not how much: it can stand behind a movement's comma."""
    return not (isinstance(dose, Burn) or (isinstance(dose, Much) and dose.kind in _COUNTED)) or (
        isinstance(dose, Much) and (dose.at or dose.kind == "PAIR")
    )


def is_counted(move: MoveDraft) -> bool:
    return any(isinstance(dose, SetsOf | Burn) or not modifies(dose) for dose in move.doses)


def is_behind(move: MoveDraft | None) -> bool:
    """A series behind an exercise is its own: back squat 5-5-3-3."""
    return move is not None and not move.before


def taken_back(move: MoveDraft) -> list[Dose]:
    """10 burpees 10 pull ups: the second 10 was not about burpees."""
    if not counted_before(move):
        return []
    at = next((n for n, dose in enumerate(move.after) if not modifies(dose)), len(move.after))
    taken, move.after = move.after[at:], move.after[:at]
    return taken


def counted_before(move: MoveDraft) -> bool:
    return any(not modifies(dose) for dose in move.before)
