"""Finding what somebody means: asked for by a search, or guessed beside a turn's words."""

from app.search.queries.candidates import Candidate, candidates
from app.search.queries.finding import search

__all__ = ["Candidate", "candidates", "search"]
