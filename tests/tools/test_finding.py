"""Finding tools by people's words: the right ones are among ten, in three languages, with typos."""

import csv
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.core.actor import Role
from bot.cli import find_tools
from tools import finding
from tools.kit.registry import discover

PROMPTS = Path(__file__).with_name("prompts.csv")
REGISTRY = discover("tools.catalog")
DEFERRED = [one for one in REGISTRY.for_role(Role.OWNER) if not one.core]
HELD = 0.95
"""Of a language's requests; what is still missed is known."""


def found(text: str) -> list[str]:
    return [one.name for one in finding.find(DEFERRED, text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("freez toms membrship", "memberships.freeze"),
        ("מה ההכנסות החודש", "analytics.get_revenue_summary"),
        ("кто не ходит уже две недели, есть риск", "analytics.list_at_risk_members"),
        ("promote the first one from the waitlist", "bookings.promote_from_waitlist"),
        ("תשכפל את התוכנית", "programs.duplicate"),
    ],
)
def test_a_request_finds_its_tool(text: str, wanted: str) -> None:
    assert wanted in found(text)


def test_a_reply_comes_with_the_list_it_takes_its_thread_from() -> None:
    assert {"inbox.reply", "inbox.list_threads"} <= {*found("reply to the whatsapp thread")}


def test_each_of_several_wishes_has_its_share() -> None:
    names = found(
        "freeze Tom's membership, and then remind me to order chalk, also duplicate the program"
    )
    assert {"memberships.freeze", "programs.duplicate"} <= {*names}


def test_nothing_is_found_for_nothing() -> None:
    assert found("") == found("!?") == []


def test_a_coach_finds_nothing_that_isnt_a_coachs() -> None:
    coach = [one for one in REGISTRY.for_role(Role.COACH) if not one.core]
    names = [one.name for one in finding.find(coach, "show me the revenue of this month")]
    assert names
    assert all(Role.COACH.at_least(REGISTRY[name].role) for name in names)


def test_most_requests_have_all_their_tools_before_the_model() -> None:
    with PROMPTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    shares = find_tools.shares([find_tools.of_row(row) for row in rows])
    assert {lang for lang, share in shares.items() if share < HELD} == set()


def test_the_command_tells_what_is_missing_and_the_share() -> None:
    told = CliRunner().invoke(find_tools.command, ["--prompts", str(PROMPTS)])
    assert told.exit_code == 0
    assert "\nall: " in told.output
    one = CliRunner().invoke(find_tools.command, ["freeze a membership"])
    assert one.output.splitlines()[0] == "memberships.freeze"
    assert CliRunner().invoke(find_tools.command, []).exit_code == 2
