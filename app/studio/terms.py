"""Closed sets of the gym."""

from enum import StrEnum


class Tier(StrEnum):
    LITE = "lite"
    PRO = "pro"
    ELITE = "elite"
