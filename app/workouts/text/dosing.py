"""Giving a movement its shape: what each amount beside an exercise means for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from app.workouts.library.shelf import Known, library, unsure
from app.workouts.structure import Remark, remark
from app.workouts.terms import WeightUnit
from app.workouts.text.amounts import HEIGHTS, MASSES, METRES, Amount, Figure
from app.workouts.text.drafts import MoveDraft
from app.workouts.text.lexicon import folded
from app.workouts.text.phrases import (
    Alternating,
    Basis,
    Burn,
    Dose,
    Effort,
    Held,
    Lifted,
    Most,
    Much,
    OwnWeight,
    PerSide,
    SetsOf,
    Tempo,
)
from app.workouts.text.phrases import Remark as Word

BARE_SQUAT: Final = "air_squat"
LOADED_SQUAT: Final = "back_squat"
"""A squat that is given a weight has a bar on the back, unless something else is said."""
_POOD_KG: Final = 16
_FOOT_IN_METRES: Final = METRES["FOOT"]
_TWO: Final = 2
_INCHES_TO: Final = 40
"""A box of a greater number is measured in centimetres."""

Fields = dict[str, Any]


@dataclass(slots=True)
class Dosed:
    """A movement in the making: its fields by name, and how many sets of it are said."""

    draft: MoveDraft
    known: Known | None
    fields: Fields = field(default_factory=dict)
    sets: int | None = None
    basis: str | None = None
    unsure_of: list[Remark] = field(default_factory=list)
    assumed: list[Remark] = field(default_factory=list)
    bare_load: bool = False
    lifted: list[Fields] = field(default_factory=list)
    """Sets with a weight each."""

    @property
    def loaded(self) -> bool:
        return self.known is not None and self.known.loaded


class Dosing:
    """Doses movements of one section; `counted`: the scheme says the repetitions."""

    def __init__(self, known: Mapping[str, Known], unit: WeightUnit, *, counted: bool) -> None:
        self._known, self._unit, self._counted = known, unit, counted

    def dose(self, draft: MoveDraft) -> Dosed:
        made = Dosed(draft, self._known.get(draft.slug or ""))
        for one in draft.before:
            self._add(made, made.fields, one, before=True)
        for one in draft.after:
            self._add(made, made.fields, one, before=False)
        self._add_sets(made)
        _finish(made)
        return made

    def _add_sets(self, made: Dosed) -> None:
        """Lines of their own, a set each: their repetitions and loads as lists."""
        each: list[Fields] = list(made.lifted)
        for doses in made.draft.sets:
            one: Fields = {}
            for dose in doses:
                self._add(made, one, dose, before=True)
            if one:
                each.append(one)
        if len(each) > 1 or made.lifted:
            made.fields.pop("series", None)
            made.sets = made.sets or len(each)
        made.fields.update(_merged(each))

    def _add(self, made: Dosed, fields: Fields, dose: Dose, *, before: bool) -> None:  # noqa: C901, PLR0912, PLR0915 - one branch a kind of dose
        match dose:
            case Much():
                self._add_amount(made, fields, dose, before=before)
            case SetsOf(sets=sets, of=of):
                made.sets = sets
                if dose.ranged:
                    made.unsure_of.append(remark("sets_range", sets=sets))
                self._add(made, fields, of or Most(), before=True)
            case Burn(amount=None, most=most):
                fields.setdefault("calories", "max" if most else None)
            case Burn(amount=Amount() as amount):
                fields["calories"] = _split(amount)
            case Most(unit=unit):
                fields["distance_m" if unit else "reps"] = "max"
            case Basis(of=of):
                made.basis = of
            case Effort(rpe=rpe):
                fields["load"] = {"type": "rpe", "value": _one_or_all(rpe)}
            case OwnWeight(times=times):
                self._add_own_weight(fields, times)
            case Held():
                self._add_held(made, fields, dose)
            case Lifted(reps=reps, load=load):
                self._add_amount(made, fields, load, before=False)
                made.lifted.append({"reps": reps, "load": fields["load"]})
            case PerSide():
                fields["per_side"] = True
            case Alternating():
                fields["alternating"] = True
            case Tempo(text=text):
                fields["tempo"] = text
            case Word(text=text):
                made.draft.notes.append(text.lower() if dose.of_movement else text)

    def _add_amount(self, made: Dosed, fields: Fields, much: Much, *, before: bool) -> None:  # noqa: C901, PLR0912, PLR0915 - one branch a kind of amount
        amount = much.amount
        match much.kind:
            case "COUNT" | "RANGE" if much.at:
                self._add_bare_load(made, fields, amount)
            case "COUNT" if not before and "reps" in fields and _is_boxed(made):
                _add_bare_height(made, fields, amount)
            case "COUNT" if self._is_load(made, fields, before=before) and not amount.unit:
                self._add_bare_load(made, fields, amount)
            case "COUNT":
                fields["reps"] = int(amount.first)
            case "OPENSET":
                fields["reps"] = f"{int(amount.first)}+"
            case "RANGE":
                fields["reps"] = {"min": amount.whole[0], "max": amount.whole[1]}
            case "PAIR":
                self._add_pair(made, fields, amount, before=before and not much.at)
            case "SERIES":
                fields["series"] = amount
            case "TIME" | "TIMES":
                fields["duration_s"] = amount.seconds[0]
                if much.kind == "TIMES":
                    fields["per_side"] = True
            case "METRES":
                _add_distance(made, fields, amount)
            case "CALS":
                fields["calories"] = _split(amount)
            case "WEIGHT":
                self._add_weight(made, fields, amount)
            case "PERCENTS":
                fields["load"] = {"type": "percent", "value": _one_or_all(amount.values)}
            case "HEIGHT":
                fields["height"] = {"unit": HEIGHTS[amount.unit], **_rx(amount)}
            case "QUOTES":
                _add_quotes(made, fields, amount)

    def _is_load(self, made: Dosed, fields: Fields, *, before: bool) -> bool:
        """A bare number behind a loaded exercise whose repetitions are known."""
        measured = {"reps", "distance_m", "calories", "duration_s"} & fields.keys()
        return not before and made.loaded and (self._counted or bool(measured))

    def _add_bare_load(self, made: Dosed, fields: Fields, amount: Amount) -> None:
        made.bare_load = True
        load = fields.get("load") or {}
        fields["load"] = {"type": "absolute", "unit": self._unit, **_rx(amount), **_held(load)}

    def _add_pair(self, made: Dosed, fields: Fields, amount: Amount, *, before: bool) -> None:
        first, second = amount.values[:2]
        if not before and _is_boxed(made):
            _add_bare_height(made, fields, amount)
        elif not before and (made.loaded or "equipment" in fields):
            self._add_bare_load(made, fields, amount)
        elif fields.get("calories", "") is None:
            fields["calories"] = _split(amount)
        elif first == second:
            fields |= {"reps": int(first), "per_side": True}
        else:
            fields["reps"] = _split(amount)
            text = f"{int(first)}/{int(second)}"
            about = made.draft.slug or made.draft.name
            made.unsure_of.append(remark("pair_of_reps", text=text, exercise=about))

    def _add_weight(self, made: Dosed, fields: Fields, amount: Amount) -> None:
        unit = MASSES[amount.unit]
        if unit == "pood":
            amount = Amount(
                tuple(Figure(one.value * _POOD_KG, "KG") for one in amount.figures), amount.joint
            )
            made.assumed.append(remark("pood", kg=amount.first))
        load = fields.get("load") or {}
        unit = MASSES[amount.unit]
        fields["load"] = {"type": "absolute", "unit": unit, **_rx(amount), **_held(load)}

    def _add_own_weight(self, fields: Fields, times: tuple[float, ...]) -> None:
        figures = Amount(tuple(map(Figure, times)), "/")
        if times != (1.0,) or "load" not in fields:
            fields["load"] = {"type": "bodyweight_multiple", **_rx(figures)}

    def _add_held(self, made: Dosed, fields: Fields, held: Held) -> None:
        """The implement is told where the exercise doesn't tell it already."""
        own = made.known.equipment if made.known else ()
        if held.kind and held.kind not in own:
            fields["equipment"] = held.kind
        if held.load is not None and held.load.kind == "WEIGHT":
            self._add_weight(made, fields, held.load.amount)
        elif held.load is not None:
            self._add_bare_load(made, fields, held.load.amount)
        if held.number is None or held.number == 1:
            return
        fields.setdefault("load", {})["implements"] = held.number


def _finish(made: Dosed) -> None:
    fields = made.fields
    load = fields.get("load")
    if load and "type" not in load:
        made.draft.notes.append(f"{load['implements']}x {fields.get('equipment', '')}".strip())
        del fields["load"]
    if fields.get("calories", "") is None:
        fields["calories"] = "max" if "reps" not in fields else {"value": fields.pop("reps")}
    _take_squat(made)
    _take_percent(made)
    if made.draft.notes:
        fields["notes"] = ", ".join(dict.fromkeys(made.draft.notes))[:300]
    other = _unsure().get(_key(made.draft.alias))
    if other is not None and made.draft.slug is not None:
        named = {"text": made.draft.name, "saved": made.draft.slug, "other": other}
        made.unsure_of.append(remark("alias_ambiguous", **named))


def _take_squat(made: Dosed) -> None:
    loaded = made.fields.get("load") and "equipment" not in made.fields
    if made.draft.slug == BARE_SQUAT and loaded:
        made.assumed.append(remark("alias_assumed", text=made.draft.name, saved=LOADED_SQUAT))
        made.draft.slug = LOADED_SQUAT
        made.known = library()[LOADED_SQUAT]


def _take_percent(made: Dosed) -> None:
    """A percentage of what: of one repetition, where nothing is said (shown as assumed)."""
    load = made.fields.get("load")
    if not load or load["type"] != "percent":
        return
    if made.draft.slug is not None:
        load["lift"] = made.draft.slug
    load["of"] = made.basis or "1rm"
    if made.basis is None:
        value = load["value"]
        text = "/".join(f"{one:g}" for one in (value if isinstance(value, tuple) else (value,)))
        about = made.draft.slug or made.draft.name
        made.assumed.append(remark("percent_of_1rm", percent=text, exercise=about))


def _merged(each: Sequence[Fields]) -> Fields:
    """Fields of several sets as one: lists where they differ."""
    names = dict.fromkeys(name for one in each for name, value in one.items() if value is not None)
    return {name: _list_of(name, [one.get(name) for one in each]) for name in names}


def _list_of(name: str, values: list[Any]) -> Any:  # noqa: ANN401 - any field
    first = next(value for value in values if value is not None)
    if all(value == values[0] for value in values):
        return first
    if name == "load" and all(value and value.get("type") == first["type"] for value in values):
        found = [value.get("value") for value in values]
        return {**first, "value": tuple(found)} if None not in found else first
    if name == "reps" and all(isinstance(value, int | str) for value in values):
        return tuple(values)
    return first


def _add_distance(made: Dosed, fields: Fields, amount: Amount) -> None:
    per = METRES[amount.unit]
    value = amount.first
    if amount.unit == "MILE" and amount.second and amount.first < amount.second:
        value = amount.first / amount.second  # half a mile, written 1/2
        amount = Amount((Figure(value, "MILE"),))
    if amount.unit == "FOOT" and made.known is not None and made.known.slug == "wall_ball":
        fields["height"] = {"unit": "ft", **_rx(amount)}
        return
    metres = round(value * per) if per != 1 else value
    fields["distance_m"] = metres
    if amount.unit in {"MILE", "FOOT", "YARD"}:
        code = {"MILE": "miles", "FOOT": "feet", "YARD": "yards"}[amount.unit]
        made.assumed.append(remark(code, number=value, metres=metres))
    if amount.second is not None and amount.second != amount.first:
        made.draft.notes.append(f"{amount.first:g}/{amount.second:g}")
        text = f"{amount.first:g}/{amount.second:g}"
        made.unsure_of.append(remark("pair_of_distances", text=text, metres=metres))


def _is_boxed(made: Dosed) -> bool:
    return made.known is not None and "box" in made.known.equipment


def _add_bare_height(made: Dosed, fields: Fields, amount: Amount) -> None:
    unit = "in" if amount.first < _INCHES_TO else "cm"
    fields["height"] = {"unit": unit, **_rx(amount)}
    text = "/".join(f"{value:g}" for value in amount.values)
    made.assumed.append(remark("height_unit", text=text, unit=unit))


def _add_quotes(made: Dosed, fields: Fields, amount: Amount) -> None:
    """Two strokes are inches on a box, seconds elsewhere."""
    boxed = made.known is not None and {"box", "medicine_ball"} & set(made.known.equipment)
    if boxed:
        fields["height"] = {"unit": "in", **_rx(amount)}
    else:
        fields["duration_s"] = round(amount.first)
        if amount.second is not None:
            fields["per_side"] = True


def _split(amount: Amount) -> Fields:
    if amount.joint == "/" and len(amount.figures) >= _TWO:
        return {"rx_m": amount.whole[0], "rx_f": amount.whole[1]}
    return {"value": amount.whole[-1]}


def _rx(amount: Amount) -> Fields:
    """One value, or one for men and one for women."""
    if amount.joint == "/" and len(amount.figures) == _TWO:
        return {"rx_m": amount.values[0], "rx_f": amount.values[1]}
    return {"value": _one_or_all(amount.values)}


def _held(load: Fields) -> Fields:
    return {key: load[key] for key in ("implements",) if key in load}


def _one_or_all(values: tuple[float, ...]) -> float | tuple[float, ...]:
    return values[0] if len(values) == 1 else values


def _key(alias: str) -> str:
    return folded(alias.replace(" ", ""))


@cache
def _unsure() -> Mapping[str, str]:
    return {_key(one.alias): one.other for one in unsure()}
