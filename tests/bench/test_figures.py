"""Figures: what a line tells, and which samples it keeps."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cli.bench_figures import MOST_SAMPLES, Baseline, Figure, quantile, thinned

SAMPLES = st.lists(st.floats(0, 1e6), min_size=1, max_size=2_000)


def told(figure: Figure) -> dict[str, object]:
    found: dict[str, object] = json.loads(figure.line())
    return found


def test_a_line_tells_the_ratio_to_its_baseline() -> None:
    baseline = Baseline(2.0, "a bare handler", [1.5, 2.5])

    line = told(Figure("ack.p50", 5.0, "ms", [4.0, 6.0], ("300/s", "two cores"), baseline))

    assert line == {
        "name": "ack.p50",
        "value": 5.0,
        "unit": "ms",
        "baseline": 2.0,
        "ratio": 2.5,
        "baseline_is": "a bare handler",
        "conditions": "300/s; two cores",
        "samples": [4.0, 6.0],
        "baseline_samples": [1.5, 2.5],
    }


def test_without_a_baseline_there_is_no_ratio() -> None:
    line = told(Figure("added", 5.0, "ms", [5.0], ()))

    assert (line["baseline"], line["ratio"], line["baseline_is"]) == (None, None, None)


def test_a_baseline_of_nothing_gives_no_ratio() -> None:
    assert told(Figure("x", 5.0, "ms", [5.0], (), Baseline(0.0, "nothing")))["ratio"] is None


@given(SAMPLES)
def test_thinned_samples_are_some_of_them_in_order_from_first_to_last(samples: list[float]) -> None:
    kept = thinned(samples)

    rest = iter(samples)
    assert all(sample in rest for sample in kept)
    assert len(kept) == min(len(samples), MOST_SAMPLES)
    assert (kept[0], kept[-1]) == (samples[0], samples[-1])


@given(SAMPLES, st.floats(0, 1))
def test_a_quantile_is_a_sample_with_that_share_below_it(samples: list[float], part: float) -> None:
    found = quantile(samples, part)

    assert found in samples
    below = sum(sample < found for sample in samples)
    not_above = sum(sample <= found for sample in samples)
    assert below - 1 <= part * (len(samples) - 1) <= not_above


def test_no_samples_have_no_quantile() -> None:
    with pytest.raises(ValueError, match="no samples"):
        quantile([], 0.5)
