"""What holds for every playbook: it may be started, runs on the demo gym, and has its words."""

import os
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from app.core.actor import Role, Via
from app.core.clock import Clock
from app.core.db import Database
from app.people import queries as people
from bot.playground.demo import build
from bot.render.card import render
from bot.render.reader import Look, Reader
from i18n import Language, answers, phrase
from tools.kit import binding
from tools.kit.calls import Call
from tools.kit.cards import Facts, Table
from tools.kit.declare import Effect
from tools.kit.registry import discover
from tools.kit.runner import Runner
from tools.playbooks import PLAYBOOKS, Playbook, for_role, playbook

GOLDEN = Path(__file__).parents[1] / "golden" / "playbooks.txt"
ZONE = "Asia/Jerusalem"
MONDAY = datetime(2026, 11, 30, 10, 0, tzinfo=ZoneInfo(ZONE))
REGISTRY = discover("tools.catalog")


@pytest.fixture(scope="module")
def runners(database_url: str) -> Iterator[dict[Role, Runner]]:
    """Of the demo gym's people, by role: what a playbook asks is asked by the least of them."""
    db = Database(database_url, Clock(MONDAY - datetime.now(UTC)))
    gym = build(db, seed=7_301, now=MONDAY.astimezone(UTC), language="he")
    with db.transaction(gym.org_id) as session:
        owner, coach = (people.actor(session, gym.org_id, one) for one in (gym.owner, gym.coach))
    assert owner is not None
    assert coach is not None
    by_role = {Role.COACH: coach, Role.ADMIN: owner.at_most(Role.ADMIN)}
    yield {
        role: Runner(db, REGISTRY, actor.acting(Via.AGENT), "turn", zone=ZONE)
        for role, actor in by_role.items()
    }
    db.close()


@pytest.mark.parametrize("one", PLAYBOOKS, ids=lambda one: one.name)
def test_its_reads_are_its_roles_and_say_something_in_each_language(
    one: Playbook, runners: dict[Role, Runner]
) -> None:
    runner = runners[one.role]
    for number, (name, given) in enumerate(one.reads(MONDAY.date())):
        call = Call(id=f"{one.name}{number}", name=name.replace(".", "__"), input=given)
        tool = REGISTRY[name]
        assert tool.effect is Effect.READ
        assert tool.confirm is None
        assert one.role.at_least(tool.role)
        binding.read_args(tool, call.input)
        outcome = runner.run(call)
        assert outcome.ok
        assert isinstance(outcome.card, Facts | Table)
        for language in Language:
            reader = Reader(language, ZONE, MONDAY)
            assert all(render(outcome.card, Look.CHAT, reader, link="https://x.test/").texts)


def test_there_are_enough_and_each_has_one_name() -> None:
    assert len(PLAYBOOKS) >= 10
    assert len({one.name for one in PLAYBOOKS}) == len(PLAYBOOKS)
    for language in Language:
        names = [answers.fold(phrase(one.key, language)) for one in PLAYBOOKS]
        assert len(set(names)) == len(names)
        assert not any(map(answers.read_answer, names)), "a name is an answer or a command"
    assert playbook("unpaid") in PLAYBOOKS
    assert playbook("nothing") is None


def test_people_are_offered_what_is_theirs_and_fits_the_page_first() -> None:
    coach, owner = for_role(Role.COACH), for_role(Role.OWNER, "/leads?stage=new")
    assert {one.name for one in PLAYBOOKS} - {one.name for one in coach} == {"unpaid", "money"}
    assert for_role(Role.MEMBER) == ()
    assert set(owner) == set(PLAYBOOKS)
    assert owner[0].name == "leads"
    assert for_role(Role.OWNER, "\0/leads")[0] == PLAYBOOKS[0]


def written() -> Iterator[str]:
    for one in PLAYBOOKS:
        yield f"##### {one.name} ({one.role})"
        yield from (f"{name} {given}" for name, given in one.reads(date(2026, 11, 30)))
        for language in Language:
            steps = phrase(f"{one.key}.next", language).splitlines()
            yield f"{language}: {phrase(one.key, language)} > {' | '.join(steps)}"
        yield one.note(tuple(phrase(f"{one.key}.next", Language.EN).splitlines()))


def test_its_words_are_as_in_the_golden_file() -> None:
    got = "\n".join(written()) + "\n"
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(got, encoding="utf8")

    assert got == GOLDEN.read_text(encoding="utf8")
    assert all(1 <= len(one.note(("a", "b"))) <= 700 and "\n" not in one.guide for one in PLAYBOOKS)
