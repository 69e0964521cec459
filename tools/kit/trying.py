"""Trying a transaction again that lost a deadlock: nothing of it happened, so the same is safe."""

from collections.abc import Callable
from typing import Final, TypeVar

from sqlalchemy.exc import DBAPIError

from tools.kit.failures import worth_again

TRIES: Final = 3

T = TypeVar("T")


def until_unlocked(act: Callable[[], T]) -> T:
    """What `act` returns, or raises at last."""
    for _ in range(TRIES - 1):
        try:
            return act()
        except DBAPIError as error:
            if not worth_again(error):
                raise
    return act()
