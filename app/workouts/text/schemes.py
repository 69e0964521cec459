"""How a section is done, found from all that its lines say: the first finder that fits counts."""

from collections.abc import Callable
from typing import Any, Final

from app.workouts.structure import remark
from app.workouts.terms import SchemeType
from app.workouts.text.amounts import Amount
from app.workouts.text.dosing import Dosed, Fields
from app.workouts.text.phrases import (
    Amrap,
    Every,
    Find,
    Ladder,
    LadderStep,
    Minuted,
    Off,
    On,
    PerStation,
    Rest,
    Rounds,
    Sets,
    Stations,
    Tabata,
    Times,
)
from app.workouts.text.setting import Setting, Steps

_MINUTE: Final = 60
_TABATA: Final = (20, 10, 8)
"""Seconds on, seconds off, rounds."""
_LOOSE: Final = frozenset(("warmup", "mobility", "cooldown", "skill"))
"""Kinds of section that are not against a clock unless one is named."""
_MEASURES: Final = ("reps", "calories", "distance_m", "duration_s")


def scheme_of(setting: Setting) -> Fields:
    """The scheme's fields; adds to the setting what was assumed for it."""
    return next(found for finder in _FINDERS if (found := finder(setting)) is not None)


def _tabata(setting: Setting) -> Fields | None:
    draft = setting.draft
    if (tabata := draft.one(Tabata)) is None:
        return None
    on, off = draft.one(On), draft.one(Off)
    fields: Fields = {
        "type": SchemeType.TABATA,
        "work_s": on.seconds if on else _TABATA[0],
        "rest_s": off.seconds if off else _TABATA[1],
        "rounds": setting.rounds or _TABATA[2],
    }
    if setting.total:
        fields["duration_s"] = setting.total
    return {**fields, **_order(setting, several=len(setting.dosed) > 1, times=tabata.times)}


def _order(setting: Setting, *, several: bool, times: int | None) -> Fields:
    """Whether several exercises alternate, or each is finished before the next."""
    draft, dosed = setting.draft, setting.dosed
    if not several:
        return {}
    if draft.says("ALT") or dosed[-1].fields.pop("alternating", None):
        return _rotated(setting)
    if draft.cycle:
        return {"cycle_len": draft.cycle}
    if draft.says("OFEACH") or times == len(dosed):
        return {"order": "finish_each_movement_first"}
    setting.unsure_of.append(remark("tabata_order"))
    return {"order": "finish_each_movement_first"}


def _rotated(setting: Setting) -> Fields:
    for slot, one in enumerate(setting.dosed, 1):
        one.draft.slots = (slot,)
    return {"cycle_len": len(setting.dosed)}


def _death_by(setting: Setting) -> Fields | None:
    draft = setting.draft
    if not draft.says("DEATHBY"):
        return None
    minuted = list(draft.all(Minuted))
    step = draft.one(LadderStep)
    start = minuted[0].reps if minuted else 1
    more = minuted[1].reps - start if len(minuted) > 1 else step.step if step else 1
    every = draft.one(Every)
    return {
        "type": SchemeType.DEATH_BY,
        "interval_s": every.interval if every else _MINUTE,
        "ladder": {"start": start, "step": more},
    }


def _every(setting: Setting) -> Fields | None:
    draft = setting.draft
    if (every := draft.one(Every)) is None:
        return None
    total = every.total or setting.total
    sets = None if setting.dosed and setting.dosed[0].fields.get("reps") is None else setting.sets
    rounds = every.rounds or setting.rounds or (total // every.interval if total else sets)
    kind = SchemeType.EMOM if every.interval == _MINUTE else SchemeType.EVERY_X
    fields: Fields = {"type": kind, "interval_s": every.interval}
    if rounds:
        fields |= {"rounds": rounds, "duration_s": rounds * every.interval}
    return {**fields, **_cycle(setting, rounds, minutely=kind is SchemeType.EMOM)}


def _cycle(setting: Setting, rounds: int | None, *, minutely: bool) -> Fields:
    """Before how many intervals the list begins again."""
    draft, dosed = setting.draft, setting.dosed
    if draft.says("ALT") and not draft.cycle and len(dosed) > 1:
        return _rotated(setting)
    if draft.cycle:
        if rounds and rounds % draft.cycle:
            setting.unsure_of.append(remark("cycle_incomplete", rounds=rounds, cycle=draft.cycle))
        return {"cycle_len": draft.cycle}
    if setting.named is None and minutely and any(not one.draft.joined for one in dosed[1:]):
        setting.unsure_of.append(remark("emom_all_or_rotate"))
    return {}


def _amrap(setting: Setting) -> Fields | None:
    if (amrap := setting.draft.one(Amrap)) is None:
        return None
    times = amrap.times or setting.rounds
    seconds = amrap.seconds or setting.total
    if times and times > 1:
        return {"type": SchemeType.INTERVAL_AMRAP, "rounds": times, "work_s": seconds}
    ladder = setting.steps
    fields = {"type": SchemeType.AMRAP, "duration_s": seconds}
    return {**fields, "ladder": ladder.ladder} if ladder else {**fields, **_growing(setting)}


def _timed_alike(setting: Setting) -> int | None:
    """1 min max wall balls, 1 min max row: stations, though nobody says so."""
    spans = [one.fields.get("duration_s") for one in setting.dosed]
    most = all("max" in _measures(one) for one in setting.dosed)
    if len(spans) < 2 or not most or len(set(spans)) > 1 or spans[0] is None:  # noqa: PLR2004 - one is no circuit
        return None
    return int(spans[0])


def _growing(setting: Setting) -> Fields:
    """Three reps, then two more each round: a ladder told in words."""
    step = setting.draft.one(LadderStep)
    reps = next((one.fields.get("reps") for one in setting.dosed), None)
    if step is None or not isinstance(reps, int):
        return {}
    for one in setting.dosed:
        one.fields.pop("reps", None)
    return {"ladder": {"start": reps, "step": step.step}}


def _stations(setting: Setting) -> Fields | None:
    draft = setting.draft
    work, on, off = draft.one(PerStation), draft.one(On), draft.one(Off)
    stations, alike = draft.one(Stations), _timed_alike(setting)
    if not (work or on or stations or alike) or draft.one(Every):
        return None
    if alike:
        for one in setting.dosed:
            del one.fields["duration_s"]
    single = len(setting.dosed) <= 1 and not (work or stations or alike)
    fields: Fields = {
        "type": SchemeType.INTERVALS if single else SchemeType.STATIONS,
        "rounds": setting.rounds or (None if single else 1),
        "work_s": on.seconds if on else work.seconds if work else alike or setting.total,
    }
    return {**fields, "rest_s": off.seconds} if off else fields


def _max_effort(setting: Setting) -> Fields | None:
    draft = setting.draft
    sought = draft.one(Find) is not None and not (setting.sets or setting.rounds or draft.series)
    most = any("max" in _measures(one) for one in setting.dosed)
    open_ended = most and not (draft.has_scheme or setting.on_clock)
    if not (sought or open_ended):
        return None
    return {"type": SchemeType.MAX_EFFORT, "duration_s": setting.total}


def _measures(dosed: Dosed) -> list[Any]:
    return [dosed.fields.get(name) for name in _MEASURES]


def _ladder(setting: Setting) -> Fields | None:
    steps, ladder = setting.steps, setting.draft.one(Ladder)
    if steps is None or (ladder is None and not steps.open):
        return None
    if setting.total and not setting.on_clock:
        return {"type": SchemeType.AMRAP, "duration_s": setting.total, "ladder": steps.ladder}
    if not setting.on_clock and setting.named is None:
        setting.assumed.append(remark("no_clock"))
    if steps.open:
        return {"type": SchemeType.FOR_TIME, "ladder": steps.ladder}
    return _rep_scheme(steps)


def _rep_scheme(steps: Steps) -> Fields:
    return {
        "type": SchemeType.FOR_TIME,
        "rep_scheme": steps.values,
        "rounds": len(steps.values),
    }


def _series(setting: Setting) -> Fields | None:
    steps = setting.steps
    if steps is None or any(one.draft.sets for one in setting.dosed):
        return None
    if setting.is_lift and len(setting.dosed) == 1 and not setting.on_clock:
        setting.dosed[0].fields["reps"] = _same_or_all(steps.values)
        return {"type": SchemeType.SETS, "sets": len(steps.values)}
    if not setting.on_clock and setting.named is None:
        setting.assumed.append(remark("no_clock"))
    return _rep_scheme(steps)


def _same_or_all(values: tuple[int, ...]) -> int | tuple[int, ...]:
    return values[0] if len(set(values)) == 1 else values


def _sets(setting: Setting) -> Fields | None:
    draft = setting.draft
    superset = draft.says("SUPERSET") or draft.places > 1
    for one in setting.dosed:
        _take_series(one)
    stated = draft.one(Sets)
    sets = setting.sets or (stated.number if stated else None) or _repeated(setting)
    if not superset and sets is None:
        return None
    if len({one.sets for one in setting.dosed if one.sets}) > 1:
        setting.unsure_of.append(remark("sets_differ", sets=sets or 0))
    if not superset and _is_work(setting):
        return {"type": SchemeType.INTERVALS, "rounds": sets}
    return {"type": SchemeType.SUPERSET if superset else SchemeType.SETS, "sets": sets}


def _take_series(one: Dosed) -> None:
    """Back squat 5-5-3-3: as many sets, each with its number."""
    series = one.fields.pop("series", None)
    if isinstance(series, Amount):
        one.fields["reps"] = _same_or_all(series.whole)
        one.sets = one.sets or len(series.figures)


def _repeated(setting: Setting) -> int | None:
    """5 x (1 clean + 1 jerk): sets, as it is lifted."""
    times = setting.draft.one(Times)
    return times.number if times and setting.is_lift and not setting.on_clock else None


def _is_work(setting: Setting) -> bool:
    """6 x 400 m run: a distance or calories, again and again."""
    one = setting.dosed[0] if len(setting.dosed) == 1 else None
    mono = one is not None and one.known is not None and one.known.category == "monostructural"
    return mono and one is not None and "reps" not in one.fields


def _intervals(setting: Setting) -> Fields | None:
    draft = setting.draft
    rests = [one for one in draft.all(Rest) if one.seconds or one.rule]
    each = draft.says("EACHFORTIME")
    even = any(one.rule == "equal_to_work" for one in rests)
    repeated = setting.rounds is not None and bool(rests) and _is_work(setting)
    if not (each or even or repeated or draft.says("INTERVALS")):
        return None
    fields: Fields = {"type": SchemeType.INTERVALS, "rounds": setting.rounds}
    return {**fields, "score_rule": "each_round_time"} if each else fields


def _rounds(setting: Setting) -> Fields | None:
    draft, number = setting.draft, setting.rounds
    if number is None:
        return None
    said = draft.one(Rounds)
    if draft.says("NOTFORTIME"):
        return {"type": SchemeType.NOT_FOR_TIME, "rounds": number}
    if draft.says("QUALITY") or (said is not None and said.for_quality):
        return {"type": SchemeType.ROUNDS_FOR_QUALITY, "rounds": number}
    if not setting.on_clock:
        if setting.is_loose:
            return {"type": SchemeType.ROUNDS_FOR_QUALITY, "rounds": number}
        if setting.named is None:
            setting.assumed.append(remark("rounds_without_clock"))
    phased = any(one.draft.phase for one in setting.dosed)
    kind = SchemeType.FOR_TIME if phased else SchemeType.ROUNDS_FOR_TIME
    return {"type": kind, "rounds": number}


def _once(setting: Setting) -> Fields | None:
    """A list to go through once."""
    draft = setting.draft
    if draft.says("NOTFORTIME", "QUALITY") or (setting.is_loose and not setting.on_clock):
        return {"type": SchemeType.NOT_FOR_TIME}
    if setting.on_clock or setting.named is SchemeType.FOR_TIME:
        return {"type": SchemeType.FOR_TIME, "rounds": 1}
    if setting.total and setting.dosed:
        setting.assumed.append(remark("time_as_amrap", seconds=setting.total))
        return {"type": SchemeType.AMRAP, "duration_s": setting.total}
    return None


def _unsaid(setting: Setting) -> Fields:
    """Nothing says how: a list is saved as for time, one lift or one easy piece as it is."""
    single = len(setting.dosed) <= 1
    timed = any("duration_s" in one.fields for one in setting.dosed)
    if single and (timed or setting.is_lift or not setting.dosed):
        return {"type": SchemeType.NOT_FOR_TIME}
    setting.assumed.append(remark("list_without_scheme"))
    return {"type": SchemeType.FOR_TIME, "rounds": 1}


_FINDERS: Final[tuple[Callable[[Setting], Fields | None], ...]] = (
    _tabata,
    _death_by,
    _every,
    _amrap,
    _stations,
    _max_effort,
    _ladder,
    _series,
    _intervals,
    _sets,
    _rounds,
    _once,
    _unsaid,
)
