"""Logs: event names with fields, to stderr, so that what a command prints stays its own."""

import logging
import sys

import structlog


def log_to_stderr(level: int = logging.INFO, *, as_json: bool = False) -> None:
    """Call it first in a process. JSON where a collector reads it, else lines for people."""
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    logging.getLogger("rq").handlers = [_warnings()]  # with one there, RQ adds none of its own
    look = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            look,
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        wrapper_class=structlog.make_filtering_bound_logger(level),
    )


def _warnings() -> logging.Handler:
    found = logging.StreamHandler()
    found.setLevel(logging.WARNING)
    return found
