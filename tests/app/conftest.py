"""A gym of its own for each test."""

from collections.abc import Iterator

import pytest

from tests.studio import Studio, open_studio


@pytest.fixture
def studio(database_url: str) -> Iterator[Studio]:
    opened = open_studio(database_url)
    yield opened
    opened.db.close()
