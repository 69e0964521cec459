"""A gym of its own for each test, and the runner of the real catalogue."""

from collections.abc import Iterator

import pytest

from tests.studio import Studio, open_studio
from tests.tools.catalog.asking import Asking


@pytest.fixture
def studio(database_url: str) -> Iterator[Studio]:
    opened = open_studio(database_url)
    yield opened
    opened.db.close()


@pytest.fixture
def ask(studio: Studio) -> Asking:
    """The assistant, acting for a coach."""
    return Asking(studio, studio.coach)
