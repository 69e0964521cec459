"""The models of meaning: the one in this process for real, the vendor's by its published shapes."""

import json
import math
from collections.abc import Sequence

import pytest
import responses

from app.core.embedding import DIMENSIONS, KEPT, EmbedderAway, Meanings, Vector
from app.core.settings import Settings
from app.search.embedders import VOYAGE, LocalE5, Voyage, embedder_of

URL = f"{VOYAGE}/embeddings"


def near(one: Vector, other: Vector) -> float:
    return (
        sum(a * b for a, b in zip(one, other, strict=True)) / math.hypot(*one) / math.hypot(*other)
    )


def test_the_local_model_finds_one_meaning_in_three_languages() -> None:
    embedder = embedder_of(Settings.of({"EMBEDDINGS": "local"}))
    assert isinstance(embedder, LocalE5)
    things = ["Heavy back squat, 5 sets of 3", "Kids gymnastics", "Chocolate cake"]
    asked = ["תזיז את אימון הסקווט", "перенеси тренировку с приседаниями"]
    squat, *others = embedder.embed(things, asked=False)
    for vector in embedder.embed(asked, asked=True):
        assert len(vector) == DIMENSIONS
        assert all(near(vector, squat) > near(vector, other) for other in others)


def test_the_local_model_reads_anything_and_only_its_beginning() -> None:
    embedder = LocalE5()
    assert embedder.embed([], asked=True) == []
    broken, whole = embedder.embed(["Dana\ud83d \x00Levi", "Dana Levi"], asked=True)
    assert broken == whole
    begins, long = embedder.embed(["a " * 100, "a " * 20_000], asked=False)
    assert begins == long


@responses.activate
def test_the_hosted_model_is_asked_for_vectors_of_one_size_and_put_in_order() -> None:
    rows = [{"object": "embedding", "index": n, "embedding": [n + 1.0] * 512} for n in (1, 0)]
    answer = {"object": "list", "data": rows, "model": "voyage-4-lite", "usage": {}}
    responses.post(URL, json=answer)
    embedder = embedder_of(Settings.of({"EMBEDDINGS": "voyage", "VOYAGE_API_KEY": "pa-1"}))
    assert isinstance(embedder, Voyage)
    first, second = embedder.embed(["Dana", ""], asked=False)
    assert (first[0], second[0]) == (1.0, 2.0)
    sent = responses.calls[0].request
    assert sent.headers["Authorization"] == "Bearer pa-1"
    assert json.loads(sent.body or "") == {
        "input": ["Dana", "-"],
        "model": "voyage-4-lite",
        "input_type": "document",
        "output_dimension": 512,
    }
    assert embedder.embed([], asked=True) == []
    assert len(responses.calls) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (429, {"detail": "slow down"}),
        (200, {"data": []}),
        (200, {"detail": "?"}),
        (200, {"data": [{"index": 0, "embedding": [0.5] * 1024}]}),
        (200, {"data": [{"index": 0, "embedding": [0.5] * 256}]}),
        (200, {"data": [{"index": 0, "embedding": []}]}),
        (200, {"data": [{"index": 0, "embedding": [0.0] * 512}]}),
        (200, {"data": [{"index": 0, "embedding": [math.nan] + [0.5] * 511}]}),
        (200, {"data": [{"index": 0, "embedding": [math.inf] + [0.5] * 511}]}),
        (200, {"data": [{"index": 0, "embedding": [1e5] + [0.5] * 511}]}),
        (200, {"data": [{"index": n, "embedding": [0.5] * 512} for n in (0, 1)]}),
        (200, {"data": [{"index": 0, "embedding": [0.5] * 512}] * 2}),
        (200, {"data": [{"index": 1, "embedding": [0.5] * 512}]}),
    ],
)
@responses.activate
def test_what_isnt_an_answer_leaves_the_search_to_words(
    status: int, body: dict[str, object]
) -> None:
    responses.post(URL, json=body, status=status)
    embedder = Voyage("pa-1", "voyage-4-lite")
    with pytest.raises(EmbedderAway):
        embedder.embed(["Dana"], asked=True)
    meanings = Meanings(embedder)
    meanings.ahead("Dana")
    assert meanings.of("Dana") is None


def test_a_vendor_that_stays_away_fills_no_memory() -> None:
    class Away:
        model = "away"

        def embed(self, texts: Sequence[str], *, asked: bool) -> list[Vector]:
            raise EmbedderAway(f"{len(texts)} {asked}")

    meanings = Meanings(Away())
    for number in range(KEPT + 20):
        meanings.ahead(f"text {number}")
    assert meanings.settled(f"text {KEPT + 19}")
    assert not meanings.settled("text 0")


def test_a_vector_is_got_once_and_never_while_it_is_only_looked_up() -> None:
    class Counting:
        model = "counting"
        texts: list[str] = []  # noqa: RUF012 - of this test alone

        def embed(self, texts: Sequence[str], *, asked: bool) -> list[Vector]:
            assert asked
            self.texts.extend(texts)
            return [(1.0,) * DIMENSIONS for _ in texts]

    embedder = Counting()
    meanings = Meanings(embedder)
    assert meanings.of("Dana") is None
    for text in ("Dana", " Dana \x00", "", "Tom"):
        meanings.ahead(text)
    assert meanings.of("Dana") is not None
    assert embedder.texts == ["Dana", "Tom"]
    assert Meanings().of("Dana") is None
    assert embedder_of(Settings.of({})) is None
