"""A week's costs: what they depend on, and that it is our own requests that are counted."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from app.core.actor import Role
from bot.cli.main import main
from bot.model.adapter import ClaudeModel
from bot.model.client import connect
from bot.model.cookbook import COOKBOOK
from bot.model.prompt import Toolset, prefix
from bot.model.purse import Unbounded
from bot.model.settings import ModelSettings
from bot.playground.costs.gyms import facts
from bot.playground.model_api.answer import Answer, Say
from bot.playground.model_api.request import MessagesRequest
from bot.playground.model_api.server import serve
from bot.turn.events import Heard
from tools.kit import schema
from tools.kit.registry import discover

LINES = (
    {"says": "who hasn't paid?", "lane": "quick", "rounds": [["analytics.list_unpaid_members"]]},
    {"says": "how was november?", "lane": "read", "rounds": [["analytics.get_mrr"]], "wrong": True},
    {"says": "cancel the open gym", "lane": "act", "rounds": [["class_sessions.cancel"]]},
    {"says": "tell them", "lane": "act", "rounds": [["messages.send_to_member"]], "waits": 400},
)


@pytest.fixture
def week(tmp_path: Path) -> Path:
    path = tmp_path / "week.jsonl"
    path.write_text("".join(map(_line, range(len(LINES)))), encoding="utf-8")
    return path


def _line(at: int) -> str:
    told: dict[str, Any] = dict(LINES[at])
    rounds = [[{"tool": tool, "result": 1500} for tool in some] for some in told["rounds"]]
    return (
        json.dumps({**told, "rounds": rounds, "day": "mon", "at": f"09:{at:02}", "talk": "a"})
        + "\n"
    )


def simulated(*args: str) -> Any:  # noqa: ANN401 - JSON
    result = CliRunner().invoke(main, ["cost-sim", "--json", *args])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_same_week_costs_less_when_tools_are_found_and_reads_are_small(week: Path) -> None:
    told = simulated("--trace", str(week), "--policy", "found", "--policy", "lanes")

    papers, found, lanes = told["policies"]
    assert (papers["policy"], told["turns"]) == ("papers", 4)
    assert papers["usd_a_turn"] > 2 * found["usd_a_turn"] > 2 * lanes["usd_a_turn"]
    assert found["times_cheaper"] > 2
    assert papers["longest_prompt_tokens"]["claude-sonnet-5-5"] > 55_000
    # The quick one stays; the reader hands over; after a write the main model goes on unasked.
    assert lanes["lanes"] == {"quick": 1, "read": 1, "act": 1, "unrouted": 1}
    assert lanes["handed_over"] == 1
    assert max(lanes["longest_prompt_tokens"].values()) < 100_000


def test_what_a_role_shares_is_kept_warm_while_the_gym_is_open(tmp_path: Path) -> None:
    early, late = (json.loads(_line(2)) | {"at": at, "talk": at} for at in ("08:00", "20:00"))
    path = tmp_path / "week.jsonl"
    path.write_text(f"{json.dumps(early)}\n{json.dumps(late)}\n", encoding="utf-8")

    told = simulated("--trace", str(path), "--policy", "found-1h", "--policy", "found-1h-ping")

    _, alone, warm = told["policies"]
    assert (alone["pings"], warm["pings"]) == (0, 13)
    assert warm["tokens"]["written"] < alone["tokens"]["written"]


def test_a_gym_beside_another_shares_what_a_role_begins_with(week: Path) -> None:
    one = simulated("--trace", str(week), "--policy", "found-1h")
    two = simulated("--trace", str(week), "--policy", "found-1h", "--gyms", "5")

    assert two["turns"] == 20
    assert two["policies"][1]["usd_a_turn"] < one["policies"][1]["usd_a_turn"]


@pytest.fixture
def captured() -> MessagesRequest:
    """An owner's request as it arrives over HTTP."""
    seen: list[MessagesRequest] = []

    class Brain:
        def answer(self, request: MessagesRequest) -> Answer:
            seen.append(request)
            return Answer((Say("Yes."),))

    registry = discover("tools.catalog")
    told = prefix(Toolset.of(schema.definitions(registry, Role.OWNER)), facts(1, "owner"))
    with serve(Brain()) as server, connect("key", server.url) as client:
        settings = ModelSettings("claude-sonnet-5-5")
        model = ClaudeModel(client, settings, told, purse=Unbounded())
        list(model.reply([Heard(text="hello")]))
    return seen[0]


def test_what_is_counted_is_what_a_request_carries(captured: MessagesRequest, week: Path) -> None:
    told = simulated("--trace", str(week), "--policy", "found")["policies"][1]
    prefixed = json.loads(CliRunner().invoke(main, ["prefix", "--role", "owner", "--json"]).stdout)

    loaded = [
        {"name": one.name, "description": one.description, "input_schema": one.json_schema}
        for one in captured.client_tools
        if not one.defer_loading
    ]
    assert schema.size(loaded) == told["chars_tools"] == prefixed["chars_tools"]
    assert len(captured.system[0].text) == told["chars_system"] == prefixed["chars_system"]
    assert captured.system[0].text == COOKBOOK


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "the file holds no turn"),
        ('{"day": "mon"}\n', "line 1: at Field required"),
        ("no json\n", "line 1"),
        (json.dumps(json.loads(_line(0)) | {"day": "someday"}), "line 1: day"),
    ],
)
def test_a_week_that_cant_be_read_is_told_by_its_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "week.jsonl"
    path.write_text(text, encoding="utf-8")

    result = CliRunner().invoke(main, ["cost-sim", "--trace", str(path)])

    assert (result.exit_code, told in result.output) == (2, True), result.output


def test_other_prices_make_other_sums(week: Path, tmp_path: Path) -> None:
    sheet = json.loads(Path("bot/model/prices.json").read_text(encoding="utf-8"))
    for one in sheet["prices"]:
        one.update(
            {key: value * 2 for key, value in one.items() if key in {"input", "output", "read"}}
        )
        one.update({key: one[key] * 2 for key in ("write_5m", "write_1h")})
    doubled = tmp_path / "prices.json"
    doubled.write_text(json.dumps(sheet), encoding="utf-8")

    plain = simulated("--trace", str(week), "--policy", "found")["policies"][1]
    dear = simulated("--trace", str(week), "--policy", "found", "--prices", str(doubled))

    assert dear["policies"][1]["usd_a_turn"] == pytest.approx(2 * plain["usd_a_turn"], rel=0.01)
    (tmp_path / "none.json").write_text("[]", encoding="utf-8")
    refused = CliRunner().invoke(main, ["cost-sim", "--prices", str(tmp_path / "none.json")])
    assert (refused.exit_code, "no price sheet" in refused.output) == (2, True)


def test_a_long_talk_costs_its_title_and_its_summaries_and_less_than_all_of_it(
    tmp_path: Path,
) -> None:
    """31 turns: a summary after the 13th, the 22nd and the 31st."""
    path = tmp_path / "week.jsonl"
    lines = [
        json.loads(_line(2)) | {"at": f"09:{at:02}", "lane": "act", "words": 900}
        for at in range(31)
    ]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines), encoding="utf-8")

    _, found = simulated("--trace", str(path), "--policy", "found")["policies"]

    assert found["calls"] == 31 * 2 + 1 + 3
    assert 0 < found["usd_by_model"]["claude-haiku-5-5"] < 0.01
    assert found["longest_prompt_tokens"]["claude-sonnet-5-5"] < 40_000
    assert found["hit_ratio"] > 0.8
