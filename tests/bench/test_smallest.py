"""The bench itself, on its smallest load: real processes, real servers, lines that can be read."""

import json
import re

import pytest
from click.testing import CliRunner

from bot.cli import bench, bench_ack, bench_meanings, bench_reads
from bot.cli.bench_ack import Size

pytestmark = pytest.mark.long

KEYS = {
    "name",
    "value",
    "unit",
    "baseline",
    "ratio",
    "samples",
    "conditions",
    "baseline_is",
    "baseline_samples",
}
WRONG = re.compile("answers (bad_input|internal|not_allowed|not_found)")
SMALLEST = Size(rate=20, seconds=0.5, streams=3)


def test_the_acknowledgement_is_measured_alone_and_beside_streams() -> None:
    known = {"ack": lambda place: bench_ack.ack(place, SMALLEST)}

    lines = [json.loads(figure.line()) for figure in bench.run(("ack",), known, fast=True)]

    names = ["ack.alone.p50", "ack.alone.p99", "ack.streams.p50", "ack.streams.p99"]
    assert [line["name"] for line in lines] == names
    assert all(set(line) == KEYS for line in lines)
    assert all(len(line["samples"]) == len(line["baseline_samples"]) == 10 for line in lines)
    assert all("answered 10 x 200;" in line["conditions"] for line in lines)
    assert "3 event streams open on the same processes, 3 to the end" in lines[-1]["conditions"]
    assert "without fsync" in lines[-1]["conditions"]


def test_every_read_is_measured_and_answers() -> None:
    size = bench_reads.Size(members=40, times=2)
    known = {"reads": lambda place: bench_reads.reads(place, size)}

    lines = [json.loads(figure.line()) for figure in bench.run(("reads",), known, fast=True)]

    assert {line["name"] for line in lines} > {"demo.large.build", "read.worst.p95"}
    assert len(lines) > 60
    for line in lines[1:-1]:
        assert "statements a call" in line["conditions"]
        assert not WRONG.search(line["conditions"]), line


@pytest.mark.long
def test_what_is_meant_is_measured_with_and_without_the_model() -> None:
    size = bench_meanings.Size(members=40, times=3)
    known = {"meanings": lambda place: bench_meanings.meanings(place, size)}

    lines = [json.loads(figure.line()) for figure in bench.run(("meanings",), known, fast=True)]

    by_name = {line["name"]: line for line in lines}
    assert by_name.keys() == {"embed.query_ms", "ambient.candidates_ms", "search.recall_at_1"}
    assert "told in 3 of them" in by_name["ambient.candidates_ms"]["conditions"]
    assert by_name["search.recall_at_1"]["value"] > 0.7


def test_only_what_is_known_can_be_measured() -> None:
    result = CliRunner().invoke(bench.command, ["--only", "nothing"])

    assert result.exit_code == 2
    assert all(name in result.output for name in bench.NAMES)
