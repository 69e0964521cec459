"""A measured figure with what it is held against, and the line that tells it."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

MOST_SAMPLES = 200


@dataclass(frozen=True, slots=True)
class Baseline:
    """What the same run made of the least that could do the job."""

    value: float
    what: str
    samples: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    name: str
    value: float
    unit: str
    samples: Sequence[float]
    """Raw, in the order they were taken."""
    conditions: Sequence[str]
    baseline: Baseline | None = None

    def line(self) -> str:
        """One line of JSON; the ratio is value to baseline, null where there is no baseline."""
        held = self.baseline
        return json.dumps(
            {
                "name": self.name,
                "value": _short(self.value),
                "unit": self.unit,
                "baseline": None if held is None else _short(held.value),
                "ratio": _short(self.value / held.value) if held and held.value else None,
                "baseline_is": None if held is None else held.what,
                "conditions": "; ".join(self.conditions),
                "samples": [_short(sample) for sample in thinned(self.samples)],
                "baseline_samples": [_short(s) for s in thinned(held.samples if held else ())],
            }
        )


def thinned(samples: Sequence[float], most: int = MOST_SAMPLES) -> list[float]:
    """At most so many, evenly spaced: the first and the last are among them."""
    if len(samples) <= most:
        return list(samples)
    step = (len(samples) - 1) / (most - 1)
    return [samples[round(place * step)] for place in range(most)]


def quantile(samples: Sequence[float], part: float) -> float:
    """The sample that `part` of all don't exceed. Raises ValueError without samples."""
    if not samples:
        raise ValueError("no samples")
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, round(part * (len(ordered) - 1)))]


def median(samples: Sequence[float]) -> float:
    return statistics.median(samples)


def _short(number: float) -> float:
    return float(f"{number:.4g}")
