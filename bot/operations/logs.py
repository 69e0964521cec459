"""Logs: event names with fields, to stderr, so that what a command prints stays its own."""

import logging
import sys
from collections.abc import Sequence
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict, Processor

from bot.operations.scrubbing import scrubbed


def log_to_stderr(
    level: int = logging.INFO, *, as_json: bool = False, watchers: Sequence[Processor] = ()
) -> None:
    """Call it first in a process. JSON where a collector reads it, else lines for people.

    `watchers` hear what is logged, as nobody can be known by it.
    """
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    logging.getLogger("rq").handlers = [_warnings()]  # with one there, RQ adds none of its own
    look = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _scrub,
            *watchers,
            structlog.processors.format_exc_info,
            _scrub,  # the traceback too
            look,
        ],
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", _Stderr())),
        wrapper_class=structlog.make_filtering_bound_logger(level),
    )


class _Stderr:
    """Whichever is the process's when a line is written: a command's caller may have lent one."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def _scrub(_: object, __: str, fields: EventDict) -> EventDict:
    told: EventDict = scrubbed(fields)
    return told


def _warnings() -> logging.Handler:
    found = logging.StreamHandler()
    found.setLevel(logging.WARNING)
    return found
