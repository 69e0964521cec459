"""Finding tools by the words people ask with: in three languages, with their typing and slang.

A phrase is compared by the letters of its words, so that endings, prefixes and typing errors cost
little; what is rare in the catalogue weighs more.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import zip_longest
from typing import Any, Final

from i18n import Language, phrase
from i18n.clauses import clauses
from i18n.letters import fold
from tools.kit.declare import Effect, Tool
from tools.kit.registry import discover

FOUND = 10
"""So many are found at once: more would have to be read, fewer would be asked for again."""
LONGEST = 600
"""Characters of a request that are looked at; a voice note's end is rarely its point."""

_GRAMS = (3, 4)
_WORD = re.compile(r"[^\W_]+")
_NEAR = 0.45
"""Of the best score. Below half nothing that was expected is lost, and a fifth of what is read."""
_BEST = (1.0, 0.35, 0.15)
"""What a tool's best phrases weigh: one that fits well says more than several that fit a little."""
_MEANING = 0.5
"""Of a place in the rank by letters: what means the same comes in without putting out what fits."""
_PLACES = 5.0
"""How little the first place is ahead of the second."""
_ON_PAGE = _USED = 1.25
"""A place or two up."""
_LATIN = re.compile(r"[a-z_]+")
PAGES: Final = {
    "schedule": "class_session",
    "calendar": "class_session",
    "session": "class_session",
    "roster": "class_session",
    "member": "membership",
    "plan": "membership",
    "template": "program_template",
    "programming": "daily_programming",
    "report": "analytic",
    "insight": "analytic",
    "thread": "inbox",
    "broadcast": "message",
    "new": "announcement",
}
"""Pages that are called otherwise than what is done on them; both without their last `s`."""


class Index:
    """The phrases of some tools, by their pieces. Read by many threads at once."""

    def __init__(self, phrases: Iterable[tuple[str, str]]) -> None:
        """`phrases` are pairs of a tool's name and one way to ask for it."""
        self._owners: list[str] = []
        found: dict[str, dict[int, float]] = defaultdict(dict)
        for number, (owner, words) in enumerate(phrases):
            self._owners.append(owner)
            for piece, weight in pieces(words).items():
                found[piece][number] = weight
        self._rarity = {
            piece: math.log(1 + len(self._owners) / len(at)) for piece, at in found.items()
        }
        self._found = dict(found)
        self._lengths = self._measured()

    def scores(self, text: str) -> dict[str, float]:
        """How well each tool fits; who isn't there has nothing in common with the text."""
        asked = pieces(text)
        total: dict[int, float] = defaultdict(float)
        for piece, weight in asked.items():
            rarity = self._rarity.get(piece, 0.0)
            for number, other in self._found.get(piece, {}).items():
                total[number] += weight * other * rarity * rarity
        return self._by_owner(total)

    def _by_owner(self, total: dict[int, float]) -> dict[str, float]:
        fits: dict[str, list[float]] = defaultdict(list)
        for number, value in total.items():
            fits[self._owners[number]].append(value / self._lengths[number])
        return {
            owner: sum(a * b for a, b in zip(_BEST, sorted(found, reverse=True), strict=False))
            for owner, found in fits.items()
        }

    def _measured(self) -> list[float]:
        squares = [0.0] * len(self._owners)
        for piece, at in self._found.items():
            for number, weight in at.items():
                squares[number] += (weight * self._rarity[piece]) ** 2
        return [math.sqrt(value) or 1.0 for value in squares]


def pieces(text: str) -> Counter[str]:
    """The words of a text and their runs of letters, ends marked; repeats weigh little."""
    found: Counter[str] = Counter()
    for word in _WORD.findall(fold(text[:LONGEST])):
        marked = f"^{word}$"
        found[marked] += 1
        for size in _GRAMS:
            for start in range(len(marked) - size + 1):
                found[marked[start : start + size]] += 1
    return Counter({piece: 1 + math.log(count) for piece, count in found.items()})


@dataclass(frozen=True, slots=True)
class Beside:
    """What else is known where tools are looked for; nothing of it is needed."""

    near: Sequence[str] = ()
    """Those that mean what is asked, the nearest first."""
    page: str = ""
    """What the person looks at: a path, or words."""
    used: frozenset[str] = frozenset()
    """What this person has done of late."""


NOTHING: Final = Beside()


def find(
    tools: Sequence[Tool[Any]], text: str, beside: Beside = NOTHING, *, limit: int = FOUND
) -> list[Tool[Any]]:
    """The tools of these that fit a request best; each of its wishes has its share.

    With a tool comes what its ids are looked up by: nobody can reply to a thread unseen.
    """
    known = {tool.name: tool for tool in tools}
    by_letters = [_ranked(scores, known) for scores in map(index().scores, clauses(text))]
    near = [one for one in beside.near if one in known]
    lists = [_fused(one, near if at == 0 else [], beside) for at, one in enumerate(by_letters)]
    best = (one for row in zip_longest(*lists) for one in row if one)
    with_sources = (known.get(name) for one in best for name in (one, *sources(known[one])))
    return list(dict.fromkeys(one for one in with_sources if one))[:limit]


def _ranked(scores: Mapping[str, float], known: Container[str]) -> list[str]:
    """By how well they fit; who fits not half as well as the best of all would only cost."""
    least = _NEAR * max(scores.values(), default=0.0)
    near = (one for one, score in scores.items() if one in known and score >= least)
    return sorted(near, key=lambda one: (-scores[one], one))


def _fused(letters: Sequence[str], near: Sequence[str], beside: Beside) -> list[str]:
    """One rank of two, by the places in each; page and habit bring up what is in one of them."""
    total: dict[str, float] = defaultdict(float)
    for weight, ranked in ((1.0, letters), (_MEANING, near)):
        for place, one in enumerate(ranked):
            total[one] += weight / (_PLACES + place)
    routers = routers_of(beside.page)
    for one in total:
        total[one] *= _ON_PAGE if one.partition(".")[0] in routers else 1.0
        total[one] *= _USED if one in beside.used else 1.0
    return sorted(total, key=lambda one: (-total[one], one))


@lru_cache(maxsize=1_024)
def routers_of(page: str) -> frozenset[str]:
    """The routers that a page is about: `/workouts/4711` or `workout detail`."""
    words = {word.removesuffix("s") for word in _LATIN.findall(page.casefold())}
    words |= {PAGES[word] for word in words & PAGES.keys()}
    names = {one.router for one in discover("tools.catalog").values()}
    return frozenset(name for name in names if name.removesuffix("s") in words)


def sources(tool: Tool[Any]) -> tuple[str, ...]:
    """What gives the ids that a tool can't do without, and shows beforehand what it would do."""
    fields = tool.args.model_fields.items()
    nouns = [name[:-3] for name, one in fields if name.endswith("_id") and one.is_required()]
    preview = f"{tool.router}.preview_{tool.action.partition('_')[2]}"
    previews = [preview] if preview in discover("tools.catalog") else []
    found = (_source(tool.router, noun) for noun in nouns)
    return tuple(name for name in (*previews, *found) if name and name != tool.name)


@cache
def _source(router: str, noun: str) -> str | None:
    """What lists things of this name, else what shows the whole they are a part of."""
    reads = [one for one in discover("tools.catalog").values() if one.effect is Effect.READ]
    listed = sorted(
        (one for one in reads if _lists(one, noun)),
        key=lambda one: (not one.core, one.action != "list", one.router != router),
    )
    shown = [one for one in reads if one.router == router and one.action == "get"]
    return next((one.name for one in (*listed, *shown)), None)


def _lists(tool: Tool[Any], noun: str) -> bool:
    """Whether a tool lists a noun's things: `tasks.list`, `inbox.list_threads`, `find_members`."""
    verb, _, things = tool.action.partition("_")
    whole, last = f"{noun}s", f"{noun}s".rpartition("_")[2]
    if verb not in {"list", "find"}:
        return False
    return things in {whole, last} if things else tool.router.endswith(whole)


@cache
def index() -> Index:
    """Of the whole catalogue: made once a process, which takes a second or so."""
    return Index(
        (tool.name, words) for tool in discover("tools.catalog").values() for words in ways(tool)
    )


def ways(tool: Tool[Any]) -> Iterator[str]:
    """How a tool is asked for: its label and its phrases in each language, and its summary."""
    yield tool.summary
    for language in Language:
        yield phrase(tool.label, language)
        yield from phrase(f"{tool.name}.asked", language).split(" / ")
