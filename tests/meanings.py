"""A model of meaning for tests: what is written alike means the same to it."""

from collections.abc import Sequence
from itertools import pairwise
from zlib import crc32

from app.core.embedding import DIMENSIONS, Vector


class Letters:
    """Counts pairs of letters; says what it was given."""

    def __init__(self, model: str = "letters") -> None:
        self.model = model
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], *, asked: bool) -> list[Vector]:  # noqa: ARG002 - the port has it
        self.texts.extend(texts)
        return [_pairs(text.lower()) for text in texts]


def _pairs(text: str) -> Vector:
    counts = [0.0] * DIMENSIONS
    for one, other in pairwise(text):
        counts[crc32(f"{one}{other}".encode()) % DIMENSIONS] += 1.0
    return tuple(counts)
