"""`spotter reindex`: queued for the workers, and told how far it is."""

import json
from collections.abc import Iterator

import pytest
from click.testing import CliRunner, Result
from rq import Queue

from app.core.settings import Settings
from bot import worker
from bot.cli.main import main
from bot.conversation.queue import HEAVY, RENEW_ORG
from bot.wiring import Wiring
from tests.studio import Studio, open_studio


@pytest.fixture
def studio(database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.setenv("EMBEDDINGS", "local")
    studio = open_studio(database_url)
    yield studio
    studio.db.close()


def reindex(studio: Studio, *more: str) -> Result:
    return CliRunner().invoke(main, ["reindex", "--org", str(studio.org_id), *more])


def test_all_vectors_are_made_by_the_workers(studio: Studio) -> None:
    studio.person("Dana Levi")
    started = json.loads(reindex(studio, "--json").stdout)
    assert (started["model"], started["started"]) == ("e5-small", True)
    assert [(one["vectors"], one["missing"]) for one in started["gyms"]] == [(0, 2)]
    wiring = Wiring(Settings())
    worker.use(wiring)
    try:
        worker.relay_org(str(studio.org_id))
        (job,) = (one for one in jobs(wiring) if one[0] == RENEW_ORG)
        worker.renew_org(*job[1:])
    finally:
        wiring.close()
    assert "2 vectors, 0 missing" in reindex(studio, "--progress").output


def test_without_a_model_it_says_so(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDINGS", "off")
    result = reindex(studio)
    assert result.exit_code == 1
    assert "EMBEDDINGS is off" in result.output


def jobs(wiring: Wiring) -> list[tuple[str, ...]]:
    waiting = Queue(HEAVY, connection=wiring.redis).jobs
    return [(str(one.func_name), *one.args) for one in waiting]
