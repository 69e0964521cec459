"""A switch to approve new goldens: `pytest tests/contracts --update`."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="write golden files anew")
