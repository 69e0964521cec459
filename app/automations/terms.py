"""Closed sets of automations."""

from enum import StrEnum


class RunStatus(StrEnum):
    SEEN = "seen"
    """It was so already when the automation was switched on: nothing is done."""
    QUEUED = "queued"
    DONE = "done"
    SKIPPED = "skipped"
    CAPPED = "capped"
    FAILED = "failed"
