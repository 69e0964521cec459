"""What calls cost, by call, conversation, person, gym, day and model: the sums are the same."""

import json
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from click.testing import CliRunner

from bot.cli.main import main
from bot.conversation.models import Conversation, Surface, UsageRow
from tests.bot.operations.test_provisioning import Operator
from tests.studio import Studio, open_studio

YESTERDAY, TODAY = date(2026, 11, 29), date(2026, 11, 30)


def usage(*options: str) -> list[dict[str, Any]]:
    told = CliRunner().invoke(main, ["usage", "--json", *options])
    assert told.exit_code == 0, told.output
    return list(json.loads(told.stdout))


def fill(studio: Studio) -> None:
    """Four calls of two people on two days."""
    with studio.act() as session:
        talks = [
            Conversation(org_id=studio.org_id, user_id=actor.user_id, surface=Surface.WEB)
            for actor in (studio.owner, studio.coach)
        ]
        session.add_all(talks)
        session.flush()
        for n, talk in enumerate([*talks, *talks]):
            row = UsageRow(
                org_id=studio.org_id,
                conversation_id=talk.id,
                turn_id=uuid4(),
                day=YESTERDAY if n == 0 else None if n == 1 else TODAY,
                model="claude-haiku-5-5" if n == 3 else "claude-sonnet-5-5",
                input_tokens=100,
                output_tokens=10 * n,
                cache_write_5m=300,
                cache_write_1h=0,
                cache_read=600,
                cost_micros=1_000 * (n + 1),
                detail={
                    "outcome": "whole",
                    "cache_miss_reason": "tools_changed" if n else None,
                    **({"kind": "title"} if n == 3 else {"kind": "main"} if n else {}),
                },
            )
            session.add(row)


def test_usage_adds_up_by_whatever_is_asked(
    database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("REDIS_URL", redis_url)
    studio = open_studio(database_url)
    fill(studio)
    org = str(studio.org_id)
    slug = usage("--org", org)[0]["org"]
    operator = Operator(studio)
    status, answer = operator("GET", f"/orgs/{slug}/usage?by=day&day={TODAY}")
    assert (status, [one["key"] for one in answer["usage"]]) == (200, [str(TODAY)])
    assert (answer["usage"][0]["micros"], answer["usage"][0]["hit_ratio"]) == (9_000, 0.6)
    assert operator("GET", f"/orgs/{slug}/usage?by=moon")[0] == 422
    assert operator("GET", "/orgs/none-such/usage")[0] == 404
    studio.db.close()

    keys = {by: usage("--org", slug, "--by", by) for by in ("call", "conversation", "user", "day")}
    assert [len(rows) for rows in keys.values()] == [4, 2, 2, 2]
    assert {sum(row["micros"] for row in rows) for rows in keys.values()} == {10_000}
    assert {one["key"]: one["micros"] for one in keys["user"]} == {
        str(studio.owner.user_id): 4_000,
        str(studio.coach.user_id): 6_000,
    }
    assert [one["key"] for one in keys["day"]] == [str(TODAY), str(YESTERDAY)]
    (whole,) = usage("--org", slug, "--day", str(TODAY))
    assert (whole["key"], whole["calls"], whole["output"], whole["micros"]) == (org, 3, 60, 9_000)
    assert (whole["hit_ratio"], whole["misses"]) == (0.6, {"tools_changed": 3})
    assert whole["outcomes"] == {"whole": 3}
    dear, cheap = usage("--org", slug, "--by", "model")
    assert (dear["key"], cheap["key"], cheap["micros"]) == (
        "claude-sonnet-5-5",
        "claude-haiku-5-5",
        4_000,
    )
    kinds = {one["key"]: one["calls"] for one in usage("--org", slug, "--by", "kind")}
    assert kinds == {"main": 2, "title": 1, "unknown": 1}
    (rates,) = usage("--org", slug, "--lanes")
    assert (rates["turns"], rates["hit_rate"]) == (0, None)
    shown = CliRunner().invoke(main, ["usage", "--org", slug]).output
    assert "4 calls  $0.0100  hits 60%" in shown
