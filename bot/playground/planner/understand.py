"""From a sentence to what it wishes, by the patterns of its language."""

import re
from dataclasses import replace
from datetime import date
from typing import Final

from bot.playground.planner import wishes as w
from bot.playground.planner.fold import Language, fold
from bot.playground.planner.lexicon.english import ENGLISH
from bot.playground.planner.lexicon.hebrew import HEBREW
from bot.playground.planner.lexicon.russian import RUSSIAN
from bot.playground.planner.lexicon.sentences import Lexicon
from bot.playground.planner.times import MARK, Clock, Day, Marked, Part, Token, marked

LEXICONS: Final[dict[Language, Lexicon]] = {"en": ENGLISH, "he": HEBREW, "ru": RUSSIAN}
UNKNOWN: Final = w.Talk("unknown")


def understand(text: str, language: Language, today: date) -> w.Wish:
    """The wish of a sentence; `Talk('unknown')` where no pattern fits."""
    lexicon = LEXICONS[language]
    folded = re.sub(rf"^{lexicon.before}", "", fold(text))
    if re.search(lexicon.capacity, folded):
        return _capacity(folded, lexicon, today)
    sentence = marked(folded, today)
    parts = [part for part in re.split(lexicon.splits, sentence.text) if part.strip()]
    wishes = [_one(part, sentence, lexicon) for part in parts]
    if len(parts) > 1 and UNKNOWN not in wishes:
        return _together([each for wish in wishes for each in _flat(wish)])
    return _one(sentence.text, sentence, lexicon)


def _one(text: str, sentence: Marked, lexicon: Lexicon) -> w.Wish:
    text = text.strip(" ,")
    for kind, pattern in lexicon.rules:
        match = re.fullmatch(pattern, text)
        if match:
            return _Reading(sentence, lexicon, match).wish(kind)
    return UNKNOWN


def _flat(wish: w.Wish) -> tuple[w.One, ...]:
    return wish.wishes if isinstance(wish, w.Several) else (wish,)


def _together(found: list[w.One]) -> w.Wish:
    """A day that is said once counts for all of them; of several, each for what follows it."""
    days = {day for wish in found if (day := getattr(wish, "spot", w.Spot()).day)}
    day = days.pop() if len(days) == 1 else None
    complete: list[w.One] = []
    for wish in found:
        if isinstance(wish, w.CancelClass | w.Create | w.Book | w.CancelBooking | w.WhoIsIn):
            day = wish.spot.day or day
            complete.append(replace(wish, spot=replace(wish.spot, day=day)))
        else:
            complete.append(wish)
    return complete[0] if len(complete) == 1 else w.Several(tuple(complete))


def _capacity(folded: str, lexicon: Lexicon, today: date) -> w.Wish:
    found = re.search(lexicon.places, folded)
    if found is None:
        return UNKNOWN
    rest = folded[: found.start()] + " " + folded[found.end() :]
    rest = re.sub(lexicon.capacity_verbs, " ", rest)
    sentence = marked(" ".join(rest.split()), today)
    spot = spot_of(sentence.text, sentence.tokens, lexicon)
    return w.ChangeCapacity(spot, int(found["n"] or found["m"]))


class _Reading:
    """One pattern's match, read as a wish."""

    def __init__(self, sentence: Marked, lexicon: Lexicon, match: re.Match[str]) -> None:
        self._tokens = sentence.tokens
        self._lexicon = lexicon
        self._groups = {key: each or "" for key, each in match.groupdict().items()}
        self._text = match.string

    def wish(self, kind: str) -> w.Wish:
        match kind:
            case "thanks" | "hello" | "help":
                return w.Talk(kind)
            case "undo":
                return w.UndoLast()
            case "beyond":
                return UNKNOWN
            case (
                "unpaid"
                | "expiring"
                | "class_types"
                | "staff"
                | "at_risk"
                | "tasks"
                | "leads"
                | "new_leads"
            ):
                return w.ListAll(kind)
            case "find":
                return w.FindMember(self._who)
            case "credits" | "ledger":
                return w.Credits(self._who, ledger=kind == "ledger")
            case "move" | "rebook" | "move_span":
                return self._move(kind)
            case _:
                return self._about_a_class(kind)

    def _about_a_class(self, kind: str) -> w.Wish:
        match kind:
            case "show" | "figures" | "programmed":
                return self._of_day(kind)
            case "who":
                return w.WhoIsIn(self._spot)
            case "coach":
                return w.ChangeCoach(self._spot, self._name("coach"))
            case "cancel":
                return self._each_spot(w.CancelClass)
            case "create":
                return w.Create(self._spot)
            case "book":
                return self._each_person(w.Book)
            case "unbook":
                return self._each_person(w.CancelBooking)
            case _:
                raise LookupError(kind)

    def _of_day(self, kind: str) -> w.Wish:
        match kind:
            case "figures":
                return w.Figures(self._spot.day)
            case "programmed":
                return w.Programmed(self._spot.day)
            case _:
                return w.ShowDay(self._spot)

    def _move(self, kind: str) -> w.Wish:
        """'From 13:00 to 15:00' reads as a span first; in a move its end is where to."""
        if kind == "move_span":
            spot = self._spot
            if spot.at is None or spot.at.end is None:
                return UNKNOWN
            ends = w.Spot(at=Clock(spot.at.end, vague=spot.at.vague))
            return w.Move(replace(spot, at=replace(spot.at, end=None)), ends)
        to = spot_of(self._groups.get("to", ""), self._tokens, self._lexicon)
        return w.Move(self._spot, to, _named(self._who, self._lexicon))

    @property
    def _who(self) -> str:
        return self._name("who")

    @property
    def _spot(self) -> w.Spot:
        """Named by `what` and `more` up to a comma; dates and hours count wherever, but in `to`."""
        named = " ".join(self._groups.get(key, "").partition(",")[0] for key in ("what", "more"))
        elsewhere = self._text.replace(self._groups.get("to", "") or "\0", " ")
        marks = " ".join(f"@{number}" for number in MARK.findall(elsewhere))
        return spot_of(f"{MARK.sub(' ', named)} {marks}", self._tokens, self._lexicon)

    def _each_spot(self, made: type[w.CancelClass]) -> w.Wish:
        parts = re.split(self._lexicon.joins, self._groups["what"])
        spots = [spot_of(part, self._tokens, self._lexicon) for part in parts]
        if len(spots) > 1 and all(spot.said or spot.day for spot in spots):
            return _together([made(spot) for spot in spots])
        every = re.search(self._lexicon.every, self._groups["what"])
        return made(self._spot, every=bool(every))

    def _each_person(self, made: type[w.Book] | type[w.CancelBooking]) -> w.Wish:
        people = re.split(r" (?:and|&|,|и) | ו(?=[א-ת]{3})", self._who)
        return _together([made(_bare(who), self._spot) for who in people if _bare(who)])

    def _name(self, group: str) -> str:
        return _bare(self._groups.get(group, ""))


def spot_of(text: str, tokens: list[Token], lexicon: Lexicon) -> w.Spot:
    """A class by its name, day and hour; words that name nothing are left out."""
    spot = w.Spot()
    for number in MARK.findall(text):
        match tokens[int(number)]:
            case Day(date=day):
                spot = replace(spot, day=day)
            case Clock() as clock:
                spot = replace(spot, at=spot.at or clock)
            case Part() as part:
                spot = replace(spot, part=part)
    return replace(spot, name=_named(text, lexicon))


def _named(text: str, lexicon: Lexicon) -> str:
    """The words of a text that may name something."""
    words = re.sub(rf"@\d+(?:'s)?|(?<!\S)(?:{lexicon.no_name})(?!\S)", " ", text)
    return " ".join(words.strip(" ,'-").split())


def _bare(name: str) -> str:
    """A name without the small words around it."""
    return re.sub(r"^(?:the|a|member|client|את|клиента) |(?:'s|,)$", "", name.strip(" ,-")).strip()
