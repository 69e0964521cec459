"""Meaning as vectors: the port that models of language are reached by, and what is known of a text.

    vector = meanings_of(session).of(text)

Other machines may have to be asked for a vector, so it is got before a transaction (`ahead`) and
only looked up within one (`of`): a search without it goes by letters and words.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cached_property
from typing import Final, Protocol

import structlog
from sqlalchemy.orm import Session

DIMENSIONS: Final = 512
"""Of every vector that is kept: a model of fewer is filled up with zeros, which moves no angle."""
LONGEST: Final = 200
"""Characters that are looked at: a model's time grows with them, and who is meant is said early."""
HIGHEST: Final = 65_504.0
"""Of a number of 16 bits, as vectors are kept."""
KEPT: Final = 1_000
AT_ONCE: Final = 8
PATIENCE_S: Final = 0.4
_NONE: Final = re.compile(r"[\x00\ud800-\udfff]")
"""Half letters and NUL, which some surfaces send and no model reads."""

_log = structlog.get_logger(__name__)

Vector = tuple[float, ...]


class EmbedderAway(Exception):
    """A model can't be asked now, or doesn't answer as it should."""


class Embedder(Protocol):
    """A model that puts texts of one meaning near each other, whatever their language."""

    @property
    def model(self) -> str:
        """Its name: vectors of two models have nothing to do with each other."""

    def embed(self, texts: Sequence[str], *, asked: bool) -> list[Vector]:
        """A vector of `DIMENSIONS` for each text; `asked`: of a question, not of what is found.

        Raises EmbedderAway. May take its time: no transaction is open meanwhile.
        """


class Meanings:
    """The vectors of what people ask, each got once. Used by many threads.

    Without an embedder nothing is known.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self.embedder = embedder
        self._kept: OrderedDict[str, Vector | None] = OrderedDict()
        self._lock = threading.Lock()

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="meanings")

    @property
    def model(self) -> str | None:
        return None if self.embedder is None else self.embedder.model

    def ahead(self, text: str) -> None:
        """Get a text's vector, where no transaction is open.

        A model that is away, or slower than a person should wait for it, is done without.
        """
        key = readable(text)
        if self.embedder is None or not key or self.of(text) is not None:
            return
        self._keep(key, None)
        job = self._pool.submit(self._get, self.embedder, key)
        wait((job,), timeout=PATIENCE_S)

    def _get(self, embedder: Embedder, key: str) -> None:
        try:
            (vector,) = embedder.embed([key], asked=True)
        except EmbedderAway as error:
            _log.warning("embedder_away", model=embedder.model, error=str(error))
            return
        self._keep(key, vector)

    def _keep(self, key: str, vector: Vector | None) -> None:
        with self._lock:
            self._kept[key] = vector or self._kept.get(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def settled(self, text: str) -> bool:
        """Whether it was got already, or tried in vain."""
        key = readable(text)
        with self._lock:
            return self.embedder is None or not key or key in self._kept

    def of(self, text: str) -> Vector | None:
        """What is known already; asks nobody."""
        key = readable(text)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)


def readable(text: str) -> str:
    """The beginning of a text, as a model gets it."""
    return " ".join(_NONE.sub(" ", text[:LONGEST]).split())


def filled(vector: Sequence[float]) -> Vector:
    """As long as every vector is.

    Raises EmbedderAway for one that is longer, points nowhere, or holds what a column can't.
    """
    if len(vector) > DIMENSIONS:
        raise EmbedderAway(f"{len(vector)} dimensions")
    if not any(vector) or not all(abs(one) <= HIGHEST for one in vector):
        raise EmbedderAway("no direction")
    return (*map(float, vector), *(0.0 for _ in range(DIMENSIONS - len(vector))))


def meanings_of(session: Session) -> Meanings:
    """Those of the process; of a session that was given none, nothing is known."""
    found = session.info.get("meanings")
    return found if isinstance(found, Meanings) else Meanings()
