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
    _relay("rq", logging.WARNING)  # with one there, RQ adds none of its own
    _relay("", level)
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


class _Relayed(logging.Handler):
    """Takes what libraries log the same way as ours, so that nothing of it goes out unread."""

    def emit(self, record: logging.LogRecord) -> None:
        raised = record.exc_info[1] if record.exc_info else None
        fields = {"logger": record.name} | ({} if raised is None else {"exc_info": raised})
        level = min(record.levelno, logging.WARNING) if _is_watcher(record) else record.levelno
        structlog.get_logger().log(level, record.getMessage(), **fields)


def _is_watcher(record: logging.LogRecord) -> bool:
    """What a watcher complains of isn't told to it again."""
    return record.name.partition(".")[0] in {"sentry_sdk", "posthog"}


def _relay(name: str, level: int) -> None:
    logger, relayed = logging.getLogger(name), _Relayed(max(level, logging.WARNING))
    if name:
        logger.handlers, logger.propagate = [relayed], False
        return
    others = [one for one in logger.handlers if not isinstance(one, _Relayed)]
    logger.handlers = [*others, relayed]
