"""Reading automations: what they are, what they did, whom they would reach."""

from app.automations.queries.reach import dedupe_key, meant, people_of, reach, said_of
from app.automations.queries.reading import (
    automation,
    automations,
    due,
    due_orgs,
    includes,
    runs,
    shape_of,
)

__all__ = [
    "automation",
    "automations",
    "dedupe_key",
    "due",
    "due_orgs",
    "includes",
    "meant",
    "people_of",
    "reach",
    "runs",
    "said_of",
    "shape_of",
]
