"""Tools by meaning: vectors that come along or are got, the few nearest, and what they change."""

import threading
from collections.abc import Sequence

import pytest

from app.core.actor import Role
from app.core.embedding import EmbedderAway, Meanings, Vector
from app.search.embedders import LocalE5
from bot.cli import find_tools
from i18n import Language
from tests.meanings import Letters
from tests.tools.test_finding import UNSEEN, below, is_held, rows_of
from tools import finding, meaning
from tools.finding import Beside
from tools.kit.registry import discover

REGISTRY = discover("tools.catalog")
DEFERRED = [one for one in REGISTRY.for_role(Role.OWNER) if not one.core]
NAMES = [one.name for one in DEFERRED]
FRESH = 0.9
"""Of the tools' texts: where fewer have a vector in the file, it is to be written anew."""
HELD_BOUND = 0.89


class Away(Letters):
    def embed(self, texts: Sequence[str], *, asked: bool) -> list[Vector]:
        if self.texts:
            raise EmbedderAway("gone")
        return super().embed(texts, asked=asked)


def found(text: str, beside: Beside = finding.NOTHING) -> list[str]:
    return [one.name for one in finding.find(DEFERRED, text, beside)]


def test_the_file_that_comes_along_knows_what_the_tools_are_called_today() -> None:
    missing = meaning.of(LocalE5.model).missing()
    said = "write it anew: spotter reindex --tools"
    assert len(missing) <= (1 - FRESH) * len(REGISTRY) * len(Language), said


def test_the_nearest_are_those_whose_words_mean_the_same() -> None:
    known, model = meaning.Meanings({}), Letters()
    known.learn(model)
    assert known.missing() == []
    tool = REGISTRY["memberships.freeze"]
    text = next(words for language, words in meaning.texts(tool) if language is Language.RU)
    (vector,) = model.embed([text], asked=True)
    near = known.nearest(text, vector, NAMES)
    assert near[0] == tool.name
    assert len(near) == meaning.NEAREST
    others = [one for one in NAMES if one != tool.name]
    assert tool.name not in known.nearest(text, vector, others)


def test_what_was_got_before_a_vendor_went_away_stays() -> None:
    known, model = meaning.Meanings({}), Away()
    with pytest.raises(EmbedderAway):
        known.learn(model)
    assert len(known.missing()) == len(REGISTRY) * len(Language) - meaning.AT_ONCE
    (vector,) = Letters().embed(["freeze"], asked=True)
    assert meaning.Meanings({}).nearest("freeze", vector, NAMES) == []


def test_a_file_keeps_directions() -> None:
    known = meaning.Meanings({})
    known.learn(Letters())
    again = meaning.Meanings(dict(meaning.read(known.dumped())))
    assert again.missing() == []
    (vector,) = Letters().embed(["freeze a membership"], asked=True)
    assert again.nearest("freeze", vector, NAMES)[0] == known.nearest("freeze", vector, NAMES)[0]


def test_what_means_the_same_comes_in_and_puts_out_nothing_that_fits() -> None:
    text, near = "freeze Tom's membership", Beside(near=("leads.delete",))
    assert found(text, near)[0] == found(text)[0] == "memberships.freeze"
    assert "leads.delete" in found(text, near)
    assert "leads.delete" not in found(text)
    assert found(text, Beside(near=("no.such_tool",))) == found(text)


@pytest.mark.parametrize("page", ["workout detail", "/workouts/4711", "Workouts"])
def test_the_page_that_is_looked_at_brings_its_tools_up(page: str) -> None:
    plain, seen = found("delete it"), found("delete it", Beside(page=page))
    assert seen.index("workouts.delete") < plain.index("workouts.delete")
    assert found("", Beside(page=page)) == []


@pytest.mark.parametrize(
    ("page", "router"),
    [
        ("/schedule", "class_sessions"),
        ("/members/7", "memberships"),
        ("lead detail", "leads"),
        ("/templates", "program_templates"),
        ("/news", "announcements"),
    ],
)
def test_a_page_is_about_a_router(page: str, router: str) -> None:
    assert router in finding.routers_of(page)


def test_every_page_name_leads_to_a_router() -> None:
    assert all(finding.routers_of(page) for page in finding.PAGES)
    assert finding.routers_of("/settings") == frozenset()


def test_what_was_done_of_late_comes_earlier() -> None:
    plain = found("delete it")
    seen = found("delete it", Beside(used=frozenset({"tasks.delete"})))
    assert seen.index("tasks.delete") < plain.index("tasks.delete")


def test_a_process_gets_what_is_missing_in_the_background() -> None:
    model = Letters("letters-of-a-warm-process")
    meaning.warm(Meanings(model))
    for thread in threading.enumerate():
        if thread.name == "tool-meanings":
            thread.join(timeout=10)
    assert meaning.of(model.model).missing() == []
    meaning.warm(Meanings())


@pytest.mark.long
def test_by_meaning_most_requests_that_nobody_tuned_for_have_all_their_tools() -> None:
    near = find_tools.by_meaning()
    held = [row for row in rows_of(UNSEEN) if is_held(row)]
    assert below(HELD_BOUND, held, near) == {}
