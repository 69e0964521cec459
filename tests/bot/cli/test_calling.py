"""`spotter call`: a tool from the shell, in a gym's own data."""

import json
from collections.abc import Iterator

import pytest
from click.testing import CliRunner, Result

from bot.cli.main import main
from tests.studio import Studio, open_studio


@pytest.fixture
def studio(database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("REDIS_URL", redis_url)
    studio = open_studio(database_url)
    yield studio
    studio.db.close()


def call(studio: Studio, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["call", "--org", str(studio.org_id), *arguments])


def test_a_read_prints_what_the_model_reads(studio: Studio) -> None:
    result = call(studio, "--as", "coach", "class_types.list", "{}")
    assert result.exit_code == 0
    assert [row["class_type"] for row in json.loads(result.stdout)["rows"]] == ["WOD"]


def test_the_whole_card_is_there_for_a_program(studio: Studio) -> None:
    given = {"class_session_id": str(studio.session()), "capacity": 20}
    result = call(studio, "--json", "class_sessions.update", json.dumps(given))
    card = json.loads(result.stdout)
    assert card["kind"] == "done"
    assert card["undo"]["number"] == 1


def test_what_fails_ends_with_one_and_says_why(studio: Studio) -> None:
    result = call(studio, "class_sessions.get", '{"class_session_id": "not an id"}')
    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"] == "bad_input"


def test_arguments_that_are_no_json_are_refused(studio: Studio) -> None:
    assert call(studio, "class_types.list", "{").exit_code == 2


@pytest.mark.parametrize("key", ["", "k" * 201])
def test_a_key_that_is_none_or_cannot_be_kept_is_refused(studio: Studio, key: str) -> None:
    given = json.dumps({"class_session_id": str(studio.session()), "capacity": 20})
    result = call(studio, "class_sessions.update", given, "--key", key)
    assert (result.exit_code, "200 characters" in result.output) == (2, True)
