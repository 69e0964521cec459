"""An evaluation: what a sheet may hold, how a request is scored, and a whole one."""

import json
from pathlib import Path
from uuid import uuid4

import pytest
from click.testing import CliRunner

from bot.cli.eval_score import score
from bot.cli.eval_sheet import COLUMNS, Request, read_sheet
from bot.cli.main import main
from bot.cli.sheets import UnreadableSheet
from bot.playground.model_api.script import ScriptBrain
from bot.playground.model_api.server import serve
from bot.turn.advance import calling
from bot.turn.events import Answered, Asked, Event, Heard, Ran
from tests.floor import call
from tools.kit.calls import Call, Decision
from tools.kit.cards import Confirm, Done
from tools.kit.registry import discover

REGISTRY = discover("tools.catalog")
CLOCK = "2026-11-30T10:00+02:00"
CANCEL = f'en,owner,,{CLOCK},cancel it,"class_sessions.list;class_sessions.cancel",yes'
LOOK = f"he,coach,,{CLOCK},מה יש היום?,class_sessions.list,no"


def sheet(tmp_path: Path, *lines: str, head: str = ",".join(COLUMNS)) -> Path:
    path = tmp_path / "requests.csv"
    path.write_text("\n".join((head, *lines)) + "\n", encoding="utf-8")
    return path


def cancelled(*, asked: bool = True, approved: bool = True) -> list[Event]:
    """A class is listed and cancelled, with or without the person's yes."""
    listing, cancelling = (
        Call(id=name, name=f"class_sessions__{name}", input={}) for name in ("list", "cancel")
    )
    card = Confirm(of="class_sessions.cancel")
    question = Asked(
        question_id=uuid4(), kind="confirm", card=card, call_ids=("cancel",), targets=("t",)
    )
    answer = Answered(
        question_id=question.question_id,
        outcome="decided",
        decisions={"cancel": Decision(approved=approved)},
    )
    done = Done(of="class_sessions.cancel")
    decided: list[Event] = [question, answer] if asked else []
    ran: list[Event] = [Ran(call_id="cancel", card=done)] if approved else []
    listed = Ran(call_id="list", card=done)
    return [
        Heard(text="cancel it"),
        calling((listing,)),
        listed,
        calling((cancelling,)),
        *decided,
        *ran,
    ]


@pytest.fixture
def request_(tmp_path: Path) -> Request:
    return read_sheet(sheet(tmp_path, CANCEL), REGISTRY)[0]


def test_more_reads_are_fine_and_other_writes_are_not(request_: Request) -> None:
    reading = Call(id="more", name="read__find_members", input={})
    writing = Call(id="other", name="bookings__book_member", input={})

    assert score(request_, cancelled(), REGISTRY).ok
    assert score(request_, [*cancelled(), calling((reading,))], REGISTRY).ok
    other = score(request_, [*cancelled(), calling((writing,))], REGISTRY)
    assert (other.ok, other.extra_writes) == (False, ("bookings.book_member",))


def test_what_needs_a_yes_and_ran_without_one_is_told(request_: Request) -> None:
    found = score(request_, cancelled(asked=False), REGISTRY)

    assert (found.ok, found.unapproved, found.asked) == (False, ("class_sessions.cancel",), False)


def test_what_was_declined_was_called_all_the_same(request_: Request) -> None:
    assert score(request_, cancelled(approved=False), REGISTRY).ok


def test_look_ups_of_ours_are_nobodys_calls(request_: Request) -> None:
    found = score(
        request_, [calling((Call(id="o", name="read__search", input={}),), ours=True)], REGISTRY
    )

    assert (found.called, found.missing) == ((), request_.expected)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ((), "holds no request"),
        (
            (LOOK.replace("class_sessions.list", "class_sessions.lst"),),
            "line 2: can't be: expected",
        ),
        ((LOOK, CANCEL.replace(CLOCK, "tomorrow")), "line 3: can't be: clock 'tomorrow'"),
        ((LOOK.replace(CLOCK, "2026-11-30T10:00"),), "line 2: can't be: clock"),
        ((LOOK.replace("he,coach", "fr,boss"),), "line 2: can't be: lang 'fr', role 'boss'"),
    ],
)
def test_a_sheet_that_cant_be_is_told_by_its_line(
    tmp_path: Path, lines: tuple[str, ...], told: str
) -> None:
    with pytest.raises(UnreadableSheet, match=told):
        read_sheet(sheet(tmp_path, *lines), REGISTRY)


def test_a_missing_column_and_a_missing_model_are_said(tmp_path: Path) -> None:
    path = sheet(tmp_path, LOOK, head="lang,role,prompt")
    run = CliRunner(env={"ANTHROPIC_API_KEY": "", "ANTHROPIC_BASE_URL": None}).invoke

    refused = run(main, ["eval", "--prompts", str(path), "--stand-in"])
    assert (refused.exit_code, "no column page" in refused.output) == (2, True)
    without = run(main, ["eval", "--prompts", str(path)])
    assert (without.exit_code, "set ANTHROPIC_API_KEY" in without.output) == (1, True)


@pytest.mark.long
def test_requests_go_to_whatever_speaks_the_messages_api(tmp_path: Path) -> None:
    """One does as it should, one writes what nobody asked for, and stops at the no."""
    brain = ScriptBrain()
    scenes = {
        "מה יש": call("class_sessions.list"),
        "cancel it": call("tasks.create", title="Call Dana"),
    }
    brain.load([{"when": when, "steps": [one, {"say": "."}]} for when, one in scenes.items()])
    path = sheet(tmp_path, LOOK, CANCEL)
    with serve(brain) as server:
        env = {
            "ANTHROPIC_API_KEY": "key",
            "ANTHROPIC_BASE_URL": server.url,
            "QUICK_ROUTE": "false",
        }
        args = ["eval", "--prompts", str(path), "--approve", "none", "--json"]
        result = CliRunner(env=env).invoke(main, args)

    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    look, wrote = told["requests"]
    assert (look["ok"], look["called"]) == (True, ["class_sessions.list"])
    assert (wrote["ok"], wrote["extra_writes"]) == (False, ["tasks.create"])
    assert wrote["rows"]["task"] == 1
    assert told["shares"]["he"]["ok"] == 1.0
    assert told["shares"]["all"]["ok"] == 0.5
