"""A gym of its own for each test, in which meanings are kept."""

from collections.abc import Iterator

import pytest

from app.core.embedding import Meanings
from tests.meanings import Letters
from tests.studio import Studio, open_studio


@pytest.fixture
def embedder() -> Letters:
    return Letters()


@pytest.fixture
def studio(database_url: str, embedder: Letters) -> Iterator[Studio]:
    opened = open_studio(database_url)
    opened.db.meanings = Meanings(embedder)
    yield opened
    opened.db.close()
