"""Giving a section its shape: scheme, kind, score, and what has to be asked about it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeVar

from pydantic import ValidationError

from app.workouts.library.shelf import Known
from app.workouts.structure import Movement, Part, Remark, Scheme, Section, remark
from app.workouts.terms import Measure, SchemeType, ScoreType, SectionKind, WeightUnit
from app.workouts.text.amounts import MASSES, Amount
from app.workouts.text.dosing import Dosed, Dosing, Fields
from app.workouts.text.drafts import MoveDraft, SectionDraft
from app.workouts.text.phrases import (
    Cap,
    Carry,
    Find,
    Ladder,
    Mode,
    Plain,
    Rest,
    ScoreBy,
    Together,
    Vest,
)
from app.workouts.text.schemes import scheme_of
from app.workouts.text.setting import Setting

_SET_TYPES: Final = frozenset(
    (SchemeType.SETS, SchemeType.SUPERSET, SchemeType.EVERY_X, SchemeType.MAX_EFFORT)
)
_TIMED_TYPES: Final = frozenset(
    (SchemeType.FOR_TIME, SchemeType.ROUNDS_FOR_TIME, SchemeType.INTERVALS)
)
_UNSCORED: Final = frozenset(
    (SchemeType.EMOM, SchemeType.ROUNDS_FOR_QUALITY, SchemeType.NOT_FOR_TIME)
)
_MAXED: Final = frozenset((SchemeType.TABATA, SchemeType.STATIONS))
_MOST_MOVEMENTS: Final = 40
_MOST_LIFTED: Final = 6
"""More repetitions than that aren't part of a complex."""
_MOST_OF: Final = {Measure.CALORIES: "calories", Measure.DISTANCE: "distance_m"}
_SCORED: Final = {
    "REP": ScoreType.REPS,
    "CAL": ScoreType.CALORIES,
    "KG": ScoreType.LOAD,
    "HEAVY": ScoreType.LOAD,
}
_RULED: Final = {
    "total_reps": ScoreType.REPS,
    "lowest_interval_per_movement": ScoreType.REPS,
    "slowest_round": ScoreType.TIME,
    "each_round_time": ScoreType.TIME,
}
_BY_MEASURE: Final = {
    Measure.CALORIES: ScoreType.CALORIES,
    Measure.DISTANCE: ScoreType.DISTANCE,
    Measure.TIME: ScoreType.TIME,
}


P = TypeVar("P", bound=Part)


class Settling:
    """Settles sections; knows the exercises and the unit of bare weights."""

    def __init__(self, known: Mapping[str, Known], unit: WeightUnit) -> None:
        self._known, self._unit = known, unit
        self.bare_loads = False

    def settle(
        self, draft: SectionDraft, named: SchemeType | None
    ) -> tuple[Section, list[Remark], list[Remark]]:
        """The section, what was assumed for it, and what isn't sure."""
        dosing = Dosing(self._known, self._unit, counted=bool(draft.series or draft.one(Ladder)))
        setting = Setting(draft, [dosing.dose(move) for move in draft.moves], named)
        scheme = scheme_of(setting)
        _join_complexes(setting, scheme)
        scheme |= self._beside(setting, scheme)
        _load_sought(setting)
        kind = _kind(setting, scheme["type"])
        score = _score(setting, scheme, kind)
        _fill_reps(setting, scheme, score)
        self.bare_loads |= any(one.bare_load for one in setting.dosed)
        section = Section(
            label=draft.label,
            kind=kind,
            title=draft.title[:80] if draft.title else None,
            scheme=fitted(Scheme, {"type": scheme["type"]}, scheme, setting.unsure_of),
            score=score,
            movements=tuple(_movement(one) for one in setting.dosed[:_MOST_MOVEMENTS]),
            notes=", ".join(draft.notes)[:1_000] or None,
        )
        return section, *_remarks(setting)

    def _beside(self, setting: Setting, scheme: Fields) -> Fields:
        """What any scheme may have besides: a cap, rests, partners, a vest."""
        draft = setting.draft
        cap, carry, rule = draft.one(Cap), draft.one(Carry), draft.one(ScoreBy)
        vest = draft.one(Vest)
        fields: Fields = {
            "time_cap_s": cap.seconds if cap else None,
            "carry_over": carry.on if carry else None,
            "partner": _partner(draft),
            "partition": _partition(draft),
            "vest": self._vest(vest.load) if vest and vest.load else None,
            **_rests(draft, scheme["type"]),
        }
        return fields if rule is None else {**fields, "score_rule": rule.rule}

    def _vest(self, amount: Amount) -> Fields:
        self.bare_loads |= not amount.unit
        unit = WeightUnit(MASSES[amount.unit]) if amount.unit in {"KG", "LB"} else self._unit
        values = amount.values
        weight = {"rx_m": values[0], "rx_f": values[1]} if len(values) > 1 else {"value": values[0]}
        return {"type": "absolute", "unit": unit, **weight}


def _rests(draft: SectionDraft, kind: SchemeType) -> Fields:
    fields: Fields = {}
    for rest in draft.all(Rest):
        if rest.rule is not None:
            fields["rest_rule"] = rest.rule
        if rest.seconds is not None:
            fields[_rest_field(rest, kind)] = rest.seconds
    return fields


def _rest_field(rest: Rest, kind: SchemeType) -> str:
    match kind:
        case SchemeType.SETS | SchemeType.SUPERSET | SchemeType.EVERY_X | SchemeType.MAX_EFFORT:
            return "rest_between_sets_s"
        case SchemeType.TABATA:
            return "rest_between_movements_s"
        case SchemeType.INTERVALS | SchemeType.INTERVAL_AMRAP:
            return "rest_s"
        case SchemeType.STATIONS if rest.what in {"STATION", "MOVEMENT"}:
            return "rest_s"
        case _ if rest.what in {"MOVEMENT", "STATION"}:
            return "rest_between_movements_s"
        case _:
            return "rest_between_rounds_s"


def _partner(draft: SectionDraft) -> Fields | None:
    together, mode = draft.one(Together), draft.one(Mode)
    if together is None:
        return None
    split = "split" if draft.partition else None
    return {"size": together.size, "mode": mode.how if mode else split}


def _partition(draft: SectionDraft) -> str | None:
    """Which movements may be broken up at will: by their places in the section."""
    shared = draft.one(Mode)
    if draft.one(Together) is not None:
        return None
    places = draft.partition
    if places is None and shared is not None and shared.how == "split" and draft.moves:
        places = (1, len(draft.moves))
    return f"movements {places[0]}-{places[1]}" if places else None


def _load_sought(setting: Setting) -> None:
    """Build, find, heavy: what the weight goes up to."""
    draft = setting.draft
    find = draft.one(Find)
    if find is None and not draft.says("BUILD"):
        return
    unloaded = [one for one in setting.dosed if "load" not in one.fields and _may_build(one)]
    for one in unloaded[:1]:
        one.fields["load"] = {"type": "build_to", "target": find.target if find else "heavy"}
        if find and find.reps and not {"reps", "parts"} & one.fields.keys():
            one.fields["reps"] = find.reps
    if unloaded and find is None:
        setting.unsure_of.append(remark("build_without_target"))


def _may_build(one: Dosed) -> bool:
    return one.draft.slug in {None, "complex"} or one.loaded


def _join_complexes(setting: Setting, scheme: Fields) -> None:
    """2 cleans + 1 jerk, lifted as sets or on the clock, are one complex."""
    lifted = scheme["type"] in _SET_TYPES | {SchemeType.EMOM}
    joined = setting.dosed[1:] and all(one.draft.joined for one in setting.dosed[1:])
    if not (lifted and joined and setting.is_lift and _is_lifted(setting.dosed)):
        return
    if setting.draft.says("SUPERSET"):
        return
    setting.unsure_of = [one for one in setting.unsure_of if one.code != "emom_all_or_rotate"]
    first = setting.dosed[0]
    parts = [
        {"exercise": one.draft.slug, "reps": one.fields.get("reps", 1)} for one in setting.dosed
    ]
    rest = {
        key: value for one in setting.dosed for key, value in one.fields.items() if key != "reps"
    }
    draft = MoveDraft("complex", "", first.draft.line, slots=first.draft.slots)
    whole = Dosed(draft, None, {"parts": parts, **rest}, sets=first.sets)
    whole.assumed = [remark for one in setting.dosed for remark in one.assumed]
    setting.dosed = [whole]


def _is_lifted(dosed: Sequence[Dosed]) -> bool:
    reps = [one.fields.get("reps", 1) for one in dosed]
    few = all(isinstance(one, int) and one <= _MOST_LIFTED for one in reps)
    return few and any(one.known and one.known.category == "weightlifting" for one in dosed)


def _kind(setting: Setting, kind: SchemeType) -> SectionKind:
    draft = setting.draft
    if draft.header is not None:
        return SectionKind(draft.header)
    categories = {one.known.category for one in setting.dosed if one.known is not None}
    if categories == {"mobility"}:
        return SectionKind.MOBILITY
    complexed = any("parts" in one.fields for one in setting.dosed)
    if kind in _SET_TYPES or _is_heavy_emom(setting, kind):
        return _lifting_kind(setting, kind, complexed=complexed)
    focused = any(one.value == "core" for one in draft.all(Plain) if one.word == "FOCUS")
    if focused or (categories == {"core"} and kind is SchemeType.TABATA):
        return SectionKind.ACCESSORY
    eased = kind in {SchemeType.ROUNDS_FOR_QUALITY, SchemeType.NOT_FOR_TIME}
    return (
        SectionKind.ACCESSORY
        if eased and "monostructural" not in categories
        else SectionKind.METCON
    )


def _lifting_kind(setting: Setting, kind: SchemeType, *, complexed: bool) -> SectionKind:
    if complexed or setting.is_lift:
        return SectionKind.STRENGTH
    if kind is SchemeType.EVERY_X or kind is SchemeType.MAX_EFFORT:
        return SectionKind.METCON
    lifted = any(one.known is not None and one.known.is_lift for one in setting.dosed)
    return SectionKind.STRENGTH if lifted else SectionKind.ACCESSORY


def _score(setting: Setting, scheme: Fields, kind: SectionKind) -> ScoreType:
    said = next((one.value for one in setting.draft.all(Plain) if one.word == "SCORED"), None)
    if said is not None:
        return _SCORED[said]
    if scheme.get("score_rule") in _RULED:
        return _RULED[scheme["score_rule"]]
    return _score_of(setting, scheme, kind)


def _score_of(setting: Setting, scheme: Fields, kind: SectionKind) -> ScoreType:
    type_ = scheme["type"]
    if kind in {SectionKind.WARMUP, SectionKind.COOLDOWN} or type_ in _UNSCORED:
        return ScoreType.LOAD if _is_heavy_emom(setting, type_) else ScoreType.NONE
    if type_ in {SchemeType.AMRAP, SchemeType.INTERVAL_AMRAP}:
        return _amrap_score(setting, scheme)
    if type_ in _TIMED_TYPES:
        return ScoreType.TIME if not scheme.get("work_s") else _most_score(setting)
    if type_ in _SET_TYPES and kind is SectionKind.STRENGTH:
        return ScoreType.LOAD
    if type_ is SchemeType.DEATH_BY:
        return ScoreType.ROUNDS_REPS
    if kind is SectionKind.ACCESSORY or type_ in {SchemeType.SETS, SchemeType.EVERY_X}:
        return ScoreType.NONE
    return _most_score(setting) if type_ is SchemeType.MAX_EFFORT else ScoreType.REPS


def _is_heavy_emom(setting: Setting, kind: SchemeType) -> bool:
    """One lift every minute at a share of its best, or going up."""
    if kind is not SchemeType.EMOM or len(setting.dosed) != 1:
        return False
    one = setting.dosed[0]
    load = one.fields.get("load")
    shared = load is not None and load["type"] in {"percent", "build_to"}
    return "parts" in one.fields or (shared and setting.is_lift)


def _amrap_score(setting: Setting, scheme: Fields) -> ScoreType:
    counted = any(
        {"reps", "distance_m", "duration_s", "calories"} & one.fields.keys()
        for one in setting.dosed
    )
    if len(setting.dosed) != 1 or counted or scheme.get("ladder"):
        return ScoreType.ROUNDS_REPS
    return _most_score(setting)


def _most_score(setting: Setting) -> ScoreType:
    """What is counted where one does as much as one can."""
    if not setting.dosed:
        return ScoreType.REPS
    one = setting.dosed[0]
    if one.fields.get("calories"):
        return ScoreType.CALORIES
    if one.fields.get("distance_m") == "max":
        return ScoreType.DISTANCE
    if "reps" in one.fields or one.known is None:
        return ScoreType.REPS
    return _BY_MEASURE.get(one.known.measure, ScoreType.REPS)


def _fill_reps(setting: Setting, scheme: Fields, score: ScoreType) -> None:
    """Where as many as one can are scored, and nothing else is said, that is the dose."""
    kind = scheme["type"]
    worked = kind is SchemeType.INTERVALS and "work_s" in scheme
    most = kind is SchemeType.AMRAP and score is not ScoreType.ROUNDS_REPS
    open_ended = kind in _MAXED or worked or most
    if not open_ended or score is ScoreType.NONE:
        return
    for one in setting.dosed:
        dosed = {"reps", "calories", "distance_m", "duration_s"} & one.fields.keys()
        measure = one.known.measure if one.known else Measure.REPS
        if one.draft.slug != "rest" and not dosed and measure is not Measure.TIME:
            one.fields[_MOST_OF.get(measure, "reps")] = "max"


def _movement(one: Dosed) -> Movement:
    draft = one.draft
    named = {"exercise": draft.slug, "name": None if draft.slug else draft.name[:80]}
    placed = {"slots": draft.slots, "slot": draft.place, "phase": draft.phase}
    dose = {key: value for key, value in one.fields.items() if key != "series"}
    return fitted(Movement, named, {**placed, **dose}, one.unsure_of)


def fitted(kind: type[P], sure: Fields, fields: Fields, unsure_of: list[Remark]) -> P:
    """A part with as many of its fields as are within bounds; the others are reported."""
    given = {key: value for key, value in fields.items() if value} | sure
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        wrong = {str(one["loc"][0]) for one in error.errors()} - sure.keys()
        about = sure.get("exercise") or sure.get("name") or sure["type"]
        unsure_of += [
            remark("out_of_range", field=field, about=str(about)) for field in sorted(wrong)
        ]
        kept = {key: value for key, value in given.items() if key not in wrong}
        return kind.model_validate(kept)


def _remarks(setting: Setting) -> tuple[list[Remark], list[Remark]]:
    assumed = [*setting.assumed, *(remark for one in setting.dosed for remark in one.assumed)]
    unsure = [*setting.unsure_of, *(remark for one in setting.dosed for remark in one.unsure_of)]
    return assumed, [*unsure, *_missing_loads(setting)]


def _missing_loads(setting: Setting) -> Iterator[Remark]:
    """A loaded exercise without a weight, beside others that have one."""
    last: Fields | None = None
    for one in setting.dosed:
        load = one.fields.get("load")
        if load and load["type"] == "absolute":
            last = load
    if last is None:
        return
    for at, one in enumerate(setting.dosed):
        if one.loaded and "load" not in one.fields and one.draft.slug is not None:
            before = [each.fields.get("load") for each in setting.dosed[:at]]
            near = next((load for load in reversed(before) if load), None)
            yield remark("load_missing", exercise=one.draft.slug, near=_written(near or {}))


def _written(load: Fields) -> str:
    values = [load[key] for key in ("rx_m", "rx_f", "value") if isinstance(load.get(key), float)]
    return "/".join(f"{value:g}" for value in values)
