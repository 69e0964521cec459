"""Folders for servers of the tests here, which are started for real and must all be gone after."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.playground.servers import Servers, shared_servers
from bot.playground.servers.place import Place
from bot.playground.servers.processes import kill_leftovers
from tests.bot.playground.servers.visiting import eventually, nothing_runs


@pytest.fixture
def place() -> Iterator[Place]:
    """An instance's place that others may enter, empty; nothing may run there in the end."""
    with tempfile.TemporaryDirectory(prefix="spotter-test-") as name:
        place = Place(Path(name))
        place.make()
        yield place
        ended = eventually(lambda: nothing_runs(place))
        kill_leftovers(place.postgres)
        kill_leftovers(place.valkey)
        assert ended


@pytest.fixture(scope="module")
def running() -> Iterator[Servers]:
    """Servers for tests that only look."""
    with (
        tempfile.TemporaryDirectory(prefix="spotter-test-") as name,
        shared_servers(Path(name), fast=True) as servers,
    ):
        yield servers
