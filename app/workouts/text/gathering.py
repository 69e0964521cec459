"""Walking through the lines of a text: what belongs to which section and to which movement."""

from dataclasses import replace
from typing import Final

from app.workouts.structure import Unread, remark
from app.workouts.terms import Phase
from app.workouts.text.amounts import Amount, Figure
from app.workouts.text.drafts import OPENING, MoveDraft, SectionDraft, WorkoutDraft
from app.workouts.text.layout import Clause, Line
from app.workouts.text.phrases import (
    Alternating,
    Amrap,
    Basis,
    Dose,
    Every,
    Find,
    Glue,
    Ladder,
    Manner,
    Meaning,
    Move,
    Much,
    Named,
    Off,
    On,
    Phrase,
    Plain,
    Remark,
    Rest,
    RestMove,
    Rounds,
    Sets,
    Slot,
    Stations,
    Strange,
    Tabata,
    Times,
    Week,
)
from app.workouts.text.saying import (
    begins_anew,
    clause_of,
    has_move,
    header_of,
    is_behind,
    is_counted,
    may_title,
    modifies,
    opening_of,
    strange_words,
    taken_back,
    text_of,
)

_TIMED: Final = (Tabata, Ladder, Find)
"""A time beside one of these is the section's, not a movement's."""
_COUNTED: Final = frozenset(("COUNT", "OPENSET", "PAIR", "CALS", "METRES", "TIMES"))
_MINUTE: Final = 60
_PHASES: Final = frozenset(("BUYIN", "CASHOUT"))
_ONCE: Final = (Amrap, Every, Tabata, Rounds)
"""What a section has one of; another begins the next."""
_TITLE_WORDS: Final = 6
_NAME_WORDS: Final = 4
"""More words than that are a sentence, not a name."""


class Gathering:
    """Takes line after line; what it has gathered is in `draft`."""

    def __init__(self) -> None:
        self.draft = WorkoutDraft()
        self._line = Line(0, "", ())
        self._pending: list[Dose] = []
        self._move: MoveDraft | None = None
        self._here = False
        """The movement that doses go to began in this clause."""
        self._sign = ""
        """What stands before this clause."""

    @property
    def _section(self) -> SectionDraft:
        return self.draft.section

    def take(self, line: Line) -> None:
        first = self._line.number == 0
        self._line, self._pending, self._move = line, [], None
        self._open()
        if first and line.clauses:
            self.draft.opening = opening_of(line)
        for at, clause in enumerate(line.clauses):
            if not (first and at == 0 and self._take_title(clause)):
                self._take_clause(clause)
        self._leave_pending()

    # ---- sections --------------------------------------------------------------------------------

    def _open(self) -> None:
        line = self._line
        header = header_of(line)
        if line.label is not None:
            if self._section.label != line.label:
                self._new().label = line.label
            self._section.places += line.place is not None
        elif header is not None or begins_anew(self._section, line):
            self._new()
        if header is not None:
            self._section.header = header
        if line.mark is not None and self._section.one(Every):
            self._slot((line.mark,), None)

    def _new(self) -> SectionDraft:
        """A section to go on in: what has only a title so far is still the beginning."""
        titled, section = self.draft.titled_by, self._section
        if titled is not None and section.moves == [titled] and not section.has_scheme:
            self.draft.titled_by = None
            section.moves.clear()
        if not section.is_empty or section.label is not None or section.header is not None:
            self.draft.sections.append(SectionDraft())
        return self._section

    def _slot(self, positions: tuple[int, ...], of: int | None) -> None:
        self._section.slots = positions
        self._section.cycle = max(self._section.cycle or 0, of or 0, *positions)

    # ---- clauses ---------------------------------------------------------------------------------

    def _take_clause(self, clause: Clause) -> None:  # noqa: C901 - one branch a kind of phrase
        self._here, self._sign = False, clause.sign
        if self._take_intervals(clause):
            return
        timed = any(isinstance(one, _TIMED) for one in clause.meanings)
        for phrase in clause.phrases:
            match phrase.meaning:
                case Move() as move:
                    self._start(clause, phrase, move)
                case RestMove():
                    self._rest(clause)
                case Much(kind="TIME") as much if timed or self._is_clock(clause):
                    self._section.times += much.amount.seconds[-1:]
                case Strange() | Glue():
                    continue
                case Find(target=str() as best) if self._asks_share():
                    self._dose(Basis(best), phrase)
                case Alternating() if not has_move(clause) and not self._move:
                    self._section.manners.append(Plain("ALT"))
                case meaning if isinstance(meaning, Dose):
                    self._dose(meaning, phrase)
                case meaning if isinstance(meaning, Manner):
                    self._manner(meaning)
        self._close(clause)

    def _asks_share(self) -> bool:
        """75% stands right before: a maximum is what it is of, not what is looked for."""
        doses = self._move.after if self._here and self._move else self._pending
        last = doses[-1] if doses else None
        return isinstance(last, Much) and last.kind == "PERCENTS"

    def _is_clock(self, clause: Clause) -> bool:
        """A time without an exercise beside it, where none waits for one."""
        section = self._section
        clocked = any(isinstance(one, _TIMED) for one in section.manners)
        return not has_move(clause) and (self._move is None or clocked)

    def _take_intervals(self, clause: Clause) -> bool:
        """40/20 x 5 and E2MOM 12: numbers whose sense comes from what stands beside them."""
        match [one for one in clause.meanings if not isinstance(one, Glue)]:
            case [Much(kind="PAIR" | "TIMES") as much, *rest] if (
                self._move is None
                and any(
                    isinstance(one, Rounds | Times | Sets | Stations)
                    for one in (*rest, *self._line.meanings)
                )
                and not has_move(clause)
            ):
                work, pause = much.amount.seconds if much.kind == "TIMES" else much.amount.whole
                self._section.manners += [On(work), Off(pause)]
                for one in rest:
                    if isinstance(one, Manner):
                        self._manner(one)
                return True
            case [Every() as every, Much(kind="COUNT", amount=amount)]:
                self._manner(replace(every, total=_MINUTE * int(amount.first)))
                return True
            case _:
                return False

    def _start(self, clause: Clause, phrase: Phrase, move: Move) -> None:
        """A movement begins; what was counted after the one before it in a row is its own."""
        if self._here and self._move is not None and not self._pending:
            self._pending = taken_back(self._move)
        joined = clause.sign in {"PLUS", "AND", "JOIN"} and not self._here
        self._begin(
            MoveDraft(
                move.slug,
                self._line.slice(phrase, phrase),
                self._line.number,
                alias=move.alias,
                before=self._pending,
                joined=joined,
            )
        )

    def _begin(self, draft: MoveDraft) -> None:
        section = self._section
        draft.slots, draft.place, draft.phase = section.slots, self._line.place, section.phase
        if not section.moves:
            draft.before = [*section.leading, *draft.before]
            section.leading = []
        section.moves.append(draft)
        self._pending, self._move, self._here = [], draft, True

    def _rest(self, clause: Clause) -> None:
        beside = [one for one in clause.meanings if not isinstance(one, Slot | Glue | RestMove)]
        if self._section.slots and not beside:
            self._begin(MoveDraft("rest", "", self._line.number))
        else:
            self._manner(Rest())

    def _dose(self, dose: Dose, phrase: Phrase) -> None:
        if isinstance(dose, Remark):
            dose = replace(dose, text=self._line.slice(phrase, phrase))
        if isinstance(dose, Much) and dose.kind == "SERIES" and not is_behind(self._move):
            self._section.series.append(dose)
        elif self._here and self._move is not None:
            self._move.after.append(dose)
        else:
            self._pending.append(dose)

    def _close(self, clause: Clause) -> None:
        """The end of a clause: words and amounts that stand without an exercise find a place."""
        words = strange_words(self._line, clause)
        if words:
            self._place_words(clause, words)
        elif self._pending and self._move is not None and not self._here:
            self._fall_to(self._move)

    def _fall_to(self, move: MoveDraft) -> None:
        """Amounts in a clause of their own are the movement's before, if they can be."""
        if all(map(modifies, self._pending)) or not is_counted(move):
            self._modify(move)

    def _modify(self, move: MoveDraft) -> None:
        """Doses behind a comma or in brackets; a word of its own there is about the section."""
        for dose in self._pending:
            if isinstance(dose, Remark) and not dose.of_movement and self._sign != "OPEN":
                self._section.notes.append(dose.text)
            else:
                move.after.append(dose)
        self._pending = []

    def _place_words(self, clause: Clause, words: str) -> None:
        if self._here and self._move is not None:
            self._move.notes.append(words)
            about = self._move.slug or self._move.name
            self.draft.assumptions.append(remark("kept_as_note", text=words, exercise=about))
        elif self._pending or self._is_listed(clause, words):
            self._unread(words if not self._pending else text_of(self._line, clause))
            self._begin(MoveDraft(None, words, self._line.number, before=self._pending))
        elif self._heads(clause):
            self._section.title = words
        else:
            read = any(isinstance(one, Manner) for one in clause.meanings)
            self._unread(words if read else text_of(self._line, clause))

    def _is_listed(self, clause: Clause, words: str) -> bool:
        """A short line of its own among movements is one that the library doesn't know."""
        alone = len(self._line.clauses) == 1 and len(clause.phrases) == len(words.split())
        short = len(words.split()) <= _NAME_WORDS
        return alone and short and self._section.has_scheme and self._line.label is None

    def _heads(self, clause: Clause) -> bool:
        labelled = self._line.label is not None or header_of(self._line) is not None
        return labelled and clause is self._line.clauses[0] and self._section.title is None

    def _unread(self, text: str) -> None:
        self.draft.unread.append(Unread(line=self._line.number, text=text))

    def _leave_pending(self) -> None:
        """The end of a line: amounts alone are one more set of the last movement."""
        if not self._pending:
            return
        moves = self._section.moves
        if any(isinstance(one, Plain) and one.word in _PHASES for one in self._line.meanings):
            self._begin(MoveDraft(None, self._line.text, self._line.number, before=self._pending))
            self._unread(self._line.text)
        elif not moves:
            self._section.leading += self._pending
        elif all(map(modifies, self._pending)) and not moves[-1].is_bare:
            self._move = moves[-1]
            self._modify(self._move)
        else:
            moves[-1].sets.append(self._pending)

    # ---- manners ---------------------------------------------------------------------------------

    def _manner(self, manner: Manner) -> None:  # noqa: C901, PLR0912, PLR0915 - one branch a kind of phrase
        section = self._section
        if isinstance(manner, _ONCE) and section.moves and section.one(type(manner)):
            section = self._new()
        match manner:
            case Plain(word="BUYIN" | "CASHOUT" as word):
                self._enter(Phase.BUY_IN if word == "BUYIN" else Phase.CASH_OUT)
            case Plain(word="THEN"):
                section.phase = Phase.ROUNDS if section.phase is Phase.BUY_IN else section.phase
            case Plain(word="ADVICE"):
                self.draft.notes.append(text_of(self._line, clause_of(self._line, manner)))
            case Plain(word="PARTITION"):
                section.partition = self._partitioned()
            case Plain(word="HEADER" | "DOTS" | "RESTFILL"):
                pass
            case Plain(word="FOCUS"):
                self.draft.focused = self.draft.focused or self._focused(manner)
                section.manners.append(manner)
            case Rest(seconds=int() as seconds, place=None) if section.one(On) and not section.one(
                Off
            ):
                section.manners.append(Off(seconds))
            case Rest(seconds=int() as seconds, place=None) if self._is_pause(manner):
                timed = Much("TIME", Amount((Figure(seconds, "SECOND"),)))
                self._begin(MoveDraft("rest", "", self._line.number, before=[timed]))
            case Rest(seconds=int(), place=None) if section.moves and (
                section.one(Amrap) or section.one(Every)
            ):
                section.notes.append(self._as_written(manner))
            case Slot(positions=positions, of=of):
                self._slot(positions, of)
            case Week(number=number):
                self.draft.week = number
            case Named():
                self.draft.named = self.draft.named or manner
            case _:
                section.manners.append(manner)
        if isinstance(manner, Rounds) and section.phase is Phase.BUY_IN:
            section.phase = Phase.ROUNDS

    def _focused(self, focus: Plain) -> str:
        clause = clause_of(self._line, focus)
        last = next(phrase for phrase in clause.phrases if phrase.meaning == focus)
        return self._line.slice(clause.phrases[0], last)

    def _as_written(self, meaning: Meaning) -> str:
        clause = clause_of(self._line, meaning)
        phrase = next(phrase for phrase in clause.phrases if phrase.meaning == meaning)
        return self._line.slice(phrase, phrase)

    def _enter(self, phase: Phase) -> None:
        """A phase begins; where its word stands behind a movement, it is that one's already."""
        self._section.phase = phase
        if self._move is not None:
            self._move.phase = phase

    def _is_pause(self, rest: Rest) -> bool:
        """A rest that stands in a list as a movement would: nothing is repeated around it."""
        section = self._section
        alone = [one for one in self._line.meanings if not isinstance(one, Glue)] == [rest]
        repeated = any(isinstance(one, OPENING) for one in section.manners) or section.has_sets
        return alone and bool(section.moves) and not repeated

    def _partitioned(self) -> tuple[int, int] | None:
        """The movements of this line, or all of them."""
        moves = self._section.moves
        here = [at for at, move in enumerate(moves, 1) if move.line == self._line.number]
        if here:
            return here[0], here[-1]
        return (1, len(moves)) if moves else None

    # ---- titles ----------------------------------------------------------------------------------

    def _take_title(self, clause: Clause) -> bool:
        """What the first line says before anything else is what the workout is called."""
        words = strange_words(self._line, clause)
        if self._line.label is not None or header_of(self._line) is not None:
            return False
        if words and may_title(self._line, clause, words):
            self.draft.title = text_of(self._line, clause)
            return all(isinstance(one, Strange | Glue) for one in clause.meanings)
        if Plain("COMPLEX") in clause.meanings and len(self._line.clauses) > 1:
            self.draft.title = text_of(self._line, clause)
            return True
        if len(self._line.clauses) == 1 and [type(one) for one in clause.meanings] == [Move]:
            self._take_clause(clause)
            self.draft.titled_by = self._move
            return True
        return False
