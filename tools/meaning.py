"""What tools mean: a vector for each in each language, and which are nearest to a request.

    near = of("e5-small").nearest(text, vector, names)

Those of the model that comes along are kept in a file beside this; others are got from their
vendor at the start of a process, in the background. Which isn't there is passed over.
"""

import threading
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from math import sqrt
from operator import mul
from pathlib import Path
from struct import pack, unpack
from typing import Any, Final

import structlog

from app.core import embedding as core
from app.core.embedding import Embedder, EmbedderAway, Vector, readable
from i18n import Language, language_of_text, phrase
from tools.kit.declare import Tool
from tools.kit.registry import discover

NEAREST: Final = 5
"""So many of the nearest have a say: a sixth was never what was meant, and costs its reading."""
AT_ONCE: Final = 16
"""Texts of one request: a turn's words wait for no more than that in a model of this process."""
AGAIN_S: Final = 60.0
_KEY: Final = 16
_WIDTH: Final = 2
_FINEST: Final = 127

_log = structlog.get_logger(__name__)


class Meanings:
    """The vectors of one model. Read by many threads while one adds to them."""

    def __init__(self, kept: dict[bytes, Vector]) -> None:
        self._kept = kept
        self._texts = [
            (one.name, language, text, _key(text))
            for one in discover("tools.catalog").values()
            for language, text in texts(one)
        ]

    def missing(self) -> list[str]:
        """The texts that have no vector yet."""
        return [text for _, _, text, key in self._texts if key not in self._kept]

    def learn(self, embedder: Embedder) -> None:
        """Get what is missing. Raises EmbedderAway; what was got until then stays."""
        missing = self.missing()
        for start in range(0, len(missing), AT_ONCE):
            some = missing[start : start + AT_ONCE]
            for text, vector in zip(some, embedder.embed(some, asked=False), strict=True):
                self._kept[_key(text)] = _unit(vector)

    def nearest(self, text: str, vector: Vector, names: Collection[str]) -> list[str]:
        """Of these tools the few nearest to what is asked, by their words in its language."""
        spoken, best = language_of_text(text), dict.fromkeys(names, 0.0)
        for name, language, _, key in self._texts:
            found = self._kept.get(key) if language is (spoken or language) else None
            if found is not None and name in best:
                best[name] = max(best[name], sum(map(mul, found, vector)))
        ranked = sorted(best, key=lambda one: (-best[one], one))[:NEAREST]
        return [one for one in ranked if best[one] > 0]

    def dumped(self) -> bytes:
        """As the file beside this keeps them: how many numbers a vector has, keys, vectors."""
        rows = {key: self._kept[key] for *_, key in self._texts if key in self._kept}
        width = max(map(len, rows.values()), default=0)
        told = (key + _pressed(row, width) for key, row in rows.items())
        return width.to_bytes(_WIDTH) + b"".join(told)


@cache
def of(model: str) -> Meanings:
    """Those of a model, as far as they are known: once a process."""
    file = _file(model)
    return Meanings(dict(read(file.read_bytes())) if file.exists() else {})


def warm(asked: core.Meanings) -> None:
    """Get what is missing without anybody waiting for it; a vendor that is away is asked again.

    A model of this process is loaded by its first text.
    """
    asked.ahead("open gym")
    embedder = asked.embedder
    if embedder is not None and of(embedder.model).missing():
        threading.Thread(target=_learn, args=(embedder,), name="tool-meanings", daemon=True).start()


def keep(embedder: Embedder) -> Path:
    """Write the file of a model anew."""
    known, file = of(embedder.model), _file(embedder.model)
    known.learn(embedder)
    file.write_bytes(known.dumped())
    return file


def texts(tool: Tool[Any]) -> Iterator[tuple[Language, str]]:
    """What is put as a vector: a label with the ways to ask, as far as a model reads."""
    for language in Language:
        label, asked = phrase(tool.label, language), phrase(f"{tool.name}.asked", language)
        yield language, readable(f"{label} / {asked}")


def _learn(embedder: Embedder) -> None:
    again = threading.Event()
    while True:
        try:
            return of(embedder.model).learn(embedder)
        except EmbedderAway as error:
            _log.warning("embedder_away", model=embedder.model, error=str(error))
        again.wait(AGAIN_S)


def _file(model: str) -> Path:
    return Path(__file__).parent / "meanings" / f"{model}.bin"


@cache
def _key(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=_KEY).digest()


def _unit(vector: Sequence[float]) -> Vector:
    """Of length one, without the zeros that it was filled up with."""
    length = sqrt(sum(map(mul, vector, vector))) or 1.0
    last = max((at for at, one in enumerate(vector, 1) if one), default=0)
    return tuple(one / length for one in vector[:last])


def _pressed(vector: Vector, width: int) -> bytes:
    """A byte a number: what is lost by it moves no rank."""
    most = max(map(abs, vector), default=0.0) or 1.0
    whole = (*vector, *(0.0 for _ in range(width - len(vector))))
    return pack(f"{width}b", *(round(one / most * _FINEST) for one in whole))


def read(kept: bytes) -> Iterator[tuple[bytes, Vector]]:
    """What was dumped."""
    width = int.from_bytes(kept[:_WIDTH])
    for start in range(_WIDTH, len(kept), _KEY + width):
        middle = start + _KEY
        yield kept[start:middle], _unit(unpack(f"{width}b", kept[middle : middle + width]))
