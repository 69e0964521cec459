"""Arbox as the studio sees it: lists of raw records, whatever client fetches them."""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

Raw = dict[str, Any]


class ArboxApi(Protocol):
    """One gym's access. Raises KeyRefused, ArboxAway and ArboxRefused."""

    def rows(self, path: str, query: Mapping[str, str]) -> Iterator[Raw]:
        """Every record of a list, over all its pages, as '/users' or '/reports/salesReport'."""
        ...
