"""Parts of a workout as their rows keep them: what they say, with weights in grams (rule 52)."""

from collections.abc import Callable
from typing import Any

from app.workouts.structure import Dose, Load, Movement, Scaling, Scheme
from app.workouts.terms import WeightUnit
from app.workouts.weights import grams_of, in_unit

Stored = dict[str, Any]
_WEIGHTS = ("value", "rx_m", "rx_f")
_KEPT_APART = {"exercise", "scaling", "level"}


def dose_of(part: Dose, unit: WeightUnit) -> Stored:
    """A movement or scaling without what has columns of its own; a bare weight is in `unit`."""
    written = part.model_dump(mode="json")
    dose = {key: value for key, value in written.items() if key not in _KEPT_APART}
    if part.load is not None:
        dose["load"] = _load_out(part.load, unit)
    return dose


def scheme_out(scheme: Scheme, unit: WeightUnit) -> Stored:
    written = scheme.model_dump(mode="json")
    return written if scheme.vest is None else {**written, "vest": _load_out(scheme.vest, unit)}


def movement_in(exercise: str | None, dose: Stored, scaling: tuple[Scaling, ...]) -> Movement:
    return Movement.model_validate({"exercise": exercise, **_read(dose), "scaling": scaling})


def scaling_in(level: str, exercise: str | None, dose: Stored) -> Scaling:
    return Scaling.model_validate({"level": level, "exercise": exercise, **_read(dose)})


def scheme_in(stored: Stored) -> Scheme:
    return Scheme.model_validate(_read(stored, "vest"))


def _read(stored: Stored, key: str = "load") -> Stored:
    load = stored.get(key)
    return stored if load is None else {**stored, key: _load_in(load)}


def _load_out(load: Load, unit: WeightUnit) -> Stored:
    written: Stored = load.model_dump(mode="json")
    if load.type != "absolute":
        return written
    own = load.unit or unit
    return {**_converted(written, lambda value: grams_of(value, own)), "unit": own.value}


def _load_in(stored: Stored) -> Stored:
    if stored.get("type") != "absolute":
        return stored
    own = WeightUnit(stored["unit"])
    return _converted(stored, lambda grams: in_unit(grams, own))


def _converted(load: Stored, act: Callable[[Any], Any]) -> Stored:
    made = dict(load)
    for key in _WEIGHTS:
        match load.get(key):
            case None:
                continue
            case list() as several:
                made[key] = [act(one) for one in several]
            case one:
                made[key] = act(one)
    return made
