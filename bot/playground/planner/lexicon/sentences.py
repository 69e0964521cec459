"""What a language's sentences are made of: one pattern for each way to say each wish."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Patterns on folded text in which dates and hours are marks, as `@0`.

    Of `rules` the first that fits the whole sentence counts. Its groups: `who` a member, `what`
    and `more` words that may name a class, `to` where something is moved, `coach` a name.
    """

    rules: tuple[tuple[str, str], ...]
    before: str
    """Courtesies that may open a sentence."""
    splits: str
    """Between two wishes."""
    joins: str
    """Between two things of one wish."""
    every: str
    """All of a day's classes are meant."""
    no_name: str
    """Words that name no class."""
    capacity: str
    """A sentence that is about the number of places, before hours are looked for."""
    places: str
    """That number, as group `n` or `m`."""
    capacity_verbs: str
    """What is left of such a sentence beside the class."""
