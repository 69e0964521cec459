"""One test over many values: it tries all of them and names those it fails for.

A test case a value costs more than most of these checks themselves, times thousands.
"""

from collections.abc import Callable, Iterable
from functools import update_wrapper
from typing import Any


def each(
    values: Iterable[Any], name: Callable[[Any], str] = str
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Give the test each value in turn, a tuple as its arguments. There must be some."""
    known = list(values)

    def over_all(test: Callable[..., None]) -> Callable[[], None]:
        def whole() -> None:
            assert known
            failed = {name(value): fault for value in known if (fault := _fault(test, value))}
            assert not failed, "\n".join(f"{one}: {fault}" for one, fault in failed.items())

        update_wrapper(whole, test)
        del whole.__dict__["__wrapped__"]  # pytest would read the test's own arguments off it
        return whole

    return over_all


def _fault(test: Callable[..., None], value: Any) -> str:  # noqa: ANN401 - whatever the test takes
    try:
        test(*value) if type(value) is tuple else test(value)
    except AssertionError as error:
        return str(error) or "failed"
    return ""
