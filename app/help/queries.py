"""Articles found by what people ask, and read whole."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from rapidfuzz import fuzz

from app.core.errors import NotFound
from i18n import Language
from i18n.letters import fold

FOLDER: Final = Path(__file__).parent / "articles"
ENOUGH: Final = 62
"""Of 100: below it the words of a question and of an article have too little in common."""
_SHORTEST: Final = 3
"""Letters: shorter words say nothing of what is asked."""


@dataclass(frozen=True, slots=True)
class Article:
    slug: str
    language: Language
    title: str
    tags: tuple[str, ...]
    body: str

    @property
    def beginning(self) -> str:
        """Its first sentence."""
        return self.body.partition(". ")[0].splitlines()[0]


@cache
def articles(language: Language) -> Sequence[Article]:
    """All of a language, by slug."""
    paths = sorted((FOLDER / language.value).glob("*.md"))
    return [_read(path, language) for path in paths]


def article(slug: str, language: Language) -> Article:
    """Raises NotFound."""
    found = next((one for one in articles(language) if one.slug == slug), None)
    if found is None:
        raise NotFound(what="help_article")
    return found


def search(question: str, language: Language, *, limit: int) -> list[Article]:
    """The fitting ones, the best first, whatever language the question is in."""
    scored = [(_best(question, one.slug), one) for one in articles(language)]
    fitting = sorted((pair for pair in scored if pair[0] >= ENOUGH), key=lambda pair: -pair[0])
    return [one for _, one in fitting[:limit]]


def _best(question: str, slug: str) -> float:
    return max(_score(question, article(slug, language)) for language in Language)


def _score(question: str, one: Article) -> float:
    """How well each word of the question is found, tags and title before the text."""
    asked = [word for word in _words(question) if len(word) >= _SHORTEST]
    if not asked:
        return 0.0
    named = _words(" ".join((one.title, *one.tags)))
    told = set(_words(one.body))
    best = [max(_alike(word, named), 0.7 * _alike(word, told)) for word in asked]
    return max(sum(best) / len(best), 0.9 * max(_alike(word, named) for word in asked))


def _alike(word: str, words: Collection[str]) -> float:
    return max(fuzz.ratio(word, other) for other in words)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))


def _read(path: Path, language: Language) -> Article:
    head, _, body = path.read_text(encoding="utf-8").partition("\n\n")
    title, _, tags = head.partition("\n")
    return Article(
        slug=path.stem,
        language=language,
        title=title.removeprefix("# "),
        tags=tuple(tag.strip() for tag in tags.removeprefix("tags:").split(",")),
        body=body.strip(),
    )
