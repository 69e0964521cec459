"""A workout in words: its sections and their movements, and what was assumed in reading it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from app.workouts.library.shelf import library
from app.workouts.structure import Height, Load, Movement, RepRange, Scheme, Section, Split
from app.workouts.terms import SchemeType
from bot.render import wording
from bot.render.voice import Voice
from i18n import Shown
from tools.kit.cards import ShownMovement, ShownSection, WorkoutCard
from tools.kit.values import Code, Count, Line, Name, Quote, Term, Value

_MINUTE: Final = 60
_MILE: Final = 1_609.344
_TO: Final = "\N{EN DASH}"
_BY: Final = "x"
_NEAR: Final = 0.01
"""Of a mile; what was said in miles is told in miles."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A movement in three parts: how much, what, and how."""

    much: str
    name: str
    how: tuple[str, ...]

    @property
    def line(self) -> str:
        first = f"{self.much} {self.name}" if self.much else self.name
        return wording.SEPARATOR.join((first, *self.how))


def lines(card: WorkoutCard, voice: Voice) -> Iterator[str]:
    """Under the heading, for a phone."""
    for section in card.sections:
        yield heading(section, voice)
        yield from (f"- {moved(one, voice, card).line}" for one in section.movements)
        if section.notes:
            yield _cell(Name(text=section.notes), voice)
    yield from (wording.fact(one, voice) for one in card.facts)
    yield from remarks(card, voice)


def remarks(card: WorkoutCard, voice: Voice) -> list[str]:
    """What was assumed, what isn't sure, and what couldn't be read."""
    unread = (
        Line(key="workout.unread", values={"n": one.line, "text": Quote(text=one.text)})
        for one in card.unread
    )
    return voice.lines((*card.assumptions, *card.ambiguities, *unread))


def view(card: WorkoutCard, voice: Voice) -> dict[str, Any]:
    """For the dashboard: facts, and a list of its own for each section."""
    facts = [
        {"label": voice.say(one.label), "value": wording.fact_value(one.value, voice)}
        for one in card.facts
    ]
    labels = {"assumptions": card.assumptions, "ambiguities": card.ambiguities}
    said = [
        {"label": voice.say(f"label.{label}"), "value": "\n".join(voice.lines(told))}
        for label, told in labels.items()
        if told
    ]
    unread = [one.text for one in card.unread]
    left = [{"label": voice.say("label.not_read"), "value": "\n".join(unread)}] if unread else []
    tables = [_table(section, card, voice) for section in card.sections]
    return {
        "title": voice.line(card.heading),
        "lines": [],
        "facts": [*facts, *said, *left],
        "tables": tables,
    }


def _table(section: ShownSection, card: WorkoutCard, voice: Voice) -> dict[str, Any]:
    shown = [moved(one, voice, card) for one in section.movements]
    return {
        "title": heading(section, voice),
        "lines": [],
        "columns": [voice.say(f"label.{one}") for one in ("much", "movement", "how")],
        "rows": [[one.much, one.name, wording.SEPARATOR.join(one.how)] for one in shown],
    }


def heading(section: Section, voice: Voice) -> str:
    """'A · Strength · Every 2:00 · 6 rounds'."""
    named = section.title or None
    kind: Value = Name(text=named) if named else Term(key=f"section.{section.kind}")
    label = [_cell(Name(text=section.label), voice)] if section.label else []
    parts = (*label, _cell(kind, voice), *_scheme(section.scheme, voice))
    return wording.SEPARATOR.join(parts)


def _scheme(scheme: Scheme, voice: Voice) -> Iterator[str]:
    if not (scheme.type is SchemeType.SETS and scheme.sets):  # the number says it
        yield _type(scheme, voice)
    for value in _figures(scheme):
        yield _cell(value, voice)
    if scheme.time_cap_s:
        yield voice.say("scheme.cap", {"time": _clock(scheme.time_cap_s)})
    yield from _rests(scheme, voice)
    yield from _company(scheme, voice)


def _type(scheme: Scheme, voice: Voice) -> str:
    interval = _clock(scheme.interval_s or _MINUTE)
    return voice.say(f"scheme.{scheme.type}", {"time": interval})


def _figures(scheme: Scheme) -> Iterator[Value]:
    """Numbers that need no words but their count: repetitions, clock, rounds, sets."""
    if scheme.rep_scheme:
        yield Code(text="-".join(map(str, scheme.rep_scheme)))
    if scheme.ladder:
        start, step = scheme.ladder.start, scheme.ladder.step
        yield Code(text=f"{start}-{start + step}-{start + 2 * step}…")
    if scheme.work_s:
        rest = f"/{_written(scheme.rest_s)}" if scheme.rest_s else ""
        yield Code(text=f"{_written(scheme.work_s)}{rest}")
    if scheme.duration_s and scheme.type is not SchemeType.TABATA:
        yield _clock(scheme.duration_s)
    if scheme.rounds and scheme.rounds > 1 and not scheme.rep_scheme:
        yield Count(n=scheme.rounds, of="rounds")
    if scheme.sets:
        yield Count(n=scheme.sets, of="sets")


def _rests(scheme: Scheme, voice: Voice) -> Iterator[str]:
    spans = {
        "sets": scheme.rest_between_sets_s,
        "rounds": scheme.rest_between_rounds_s,
        "movements": scheme.rest_between_movements_s,
        "plain": None if scheme.work_s else scheme.rest_s,
    }
    for what, seconds in spans.items():
        if seconds:
            yield voice.say(f"scheme.rest_{what}", {"time": _clock(seconds)})
    if scheme.rest_rule:
        yield voice.say(f"scheme.rest_{scheme.rest_rule}")


def _company(scheme: Scheme, voice: Voice) -> Iterator[str]:
    if scheme.partner:
        size = scheme.partner.size
        yield voice.say("scheme.team" if size is None else "scheme.partner", {"n": size or 0})
        if scheme.partner.mode:
            yield voice.say(f"partner.{scheme.partner.mode}")
    if scheme.vest:
        yield voice.say("scheme.vest", {"load": Shown(_load_text(scheme.vest, voice))})
    if scheme.carry_over:
        yield voice.say("scheme.carry_over")
    if scheme.partition:
        yield voice.say("scheme.partition")
    if scheme.score_rule:
        yield voice.say(f"score_rule.{scheme.score_rule}")


def moved(movement: ShownMovement, voice: Voice, card: WorkoutCard) -> Moved:
    how = tuple(_how(movement, voice, resolved=card.resolved))
    return Moved(_much(movement, voice), _name(movement, voice), how)


def _name(movement: Movement, voice: Voice) -> str:
    if movement.parts:
        names = (f"{part.reps} {exercise(part.exercise, voice)}" for part in movement.parts)
        return _cell(Name(text=" + ".join(names)), voice)
    return _cell(Name(text=exercise(movement.exercise, voice, own=movement.name)), voice)


def exercise(slug: str | None, voice: Voice, *, own: str | None = None) -> str:
    """In the reader's language where the library has it, else as the gym calls it."""
    known = library().get(slug or "")
    if known is not None:
        return known.name(voice.reader.language)
    return own or (slug or "").replace("_", " ")


def _much(movement: Movement, voice: Voice) -> str:
    """Repetitions, metres, calories, seconds: whichever it is counted in."""
    amounts = (
        _reps(movement, voice),
        _distance(movement, voice),
        _calories(movement, voice),
        _duration(movement, voice),
    )
    return " ".join(one for one in amounts if one)


def _reps(movement: Movement, voice: Voice) -> str:
    match movement.reps:
        case None:
            return ""
        case "max":
            return voice.say("dose.max")
        case RepRange(min=low, max=high):
            return _cell(Code(text=f"{low}{_TO}{high}"), voice)
        case Split() as split:
            return _cell(Code(text=_split(split)), voice)
        case tuple() as several:
            return _cell(Code(text="-".join(map(str, several))), voice)
        case one:
            return _cell(Code(text=str(one)), voice)


def _distance(movement: Movement, voice: Voice) -> str:
    match movement.distance_m:
        case None:
            return ""
        case "max":
            return voice.say("dose.max_distance")
        case metres:
            miles = metres / _MILE
            if abs(miles - round(miles)) < _NEAR and miles >= 1 - _NEAR:
                return _cell(Count(n=round(miles), of="miles"), voice)
            return voice.say("dose.metres", {"n": Shown(f"{metres:g}", "ltr")})


def _calories(movement: Movement, voice: Voice) -> str:
    match movement.calories:
        case None:
            return ""
        case "max":
            return voice.say("dose.max_calories")
        case split:
            return voice.say("dose.calories", {"n": Shown(_split(split), "ltr")})


def _duration(movement: Movement, voice: Voice) -> str:
    match movement.duration_s:
        case None:
            return ""
        case "max":
            return voice.say("dose.max")
        case seconds:
            return _cell(_clock(seconds), voice)


def _how(movement: ShownMovement, voice: Voice, *, resolved: bool) -> Iterator[str]:
    yield from _where(movement, voice)
    if movement.load:
        yield _load(movement, movement.load, voice, resolved=resolved)
    if movement.equipment:
        key = f"equipment.{movement.equipment}"
        own = Name(text=movement.equipment.replace("_", " "))
        yield voice.say(key) if voice.has(key) else _cell(own, voice)
    if movement.height:
        yield _cell(Code(text=_height(movement.height)), voice)
    if movement.tempo:
        yield voice.say("dose.tempo", {"tempo": Code(text=movement.tempo)})
    if movement.notes:
        yield _cell(Name(text=movement.notes), voice)
    yield from _scaled(movement, voice)


def _where(movement: Movement, voice: Voice) -> Iterator[str]:
    """In which part of it, in which minute, on which side."""
    if movement.phase:
        yield voice.say(f"phase.{movement.phase}")
    if movement.slots:
        yield voice.say("dose.minute", {"n": Shown(", ".join(map(str, movement.slots)), "ltr")})
    if movement.per_side:
        yield voice.say("dose.per_side")
    if movement.alternating:
        yield voice.say("dose.alternating")


def _scaled(movement: Movement, voice: Voice) -> Iterator[str]:
    """What it becomes at other levels."""
    for one in movement.scaling:
        named = exercise(one.exercise, voice) if one.exercise else ""
        shown = Movement.model_validate({**one.model_dump(exclude={"level"}), "name": "-"})
        told = Shown(" ".join(filter(None, (_much(shown, voice), named))) or "…")
        yield voice.say("dose.scaled", {"level": Term(key=f"division.{one.level}"), "dose": told})


def _load(movement: ShownMovement, load: Load, voice: Voice, *, resolved: bool) -> str:
    text = _load_text(load, voice)
    if load.type != "percent":
        return text
    if movement.weights:
        told = ", ".join(_cell(one, voice) for one in movement.weights)
        return voice.say("load.resolved", {"share": Shown(text), "load": Shown(told)})
    return voice.say("load.no_max", {"share": Shown(text)}) if resolved else text


def _load_text(load: Load, voice: Voice) -> str:
    match load.type:
        case "absolute":
            number = (
                f"{load.implements} {_BY} {_figures_of(load)}"
                if load.implements
                else _figures_of(load)
            )
            return voice.say(f"value.{load.unit or 'kg'}", {"n": Shown(number, "ltr")})
        case "percent":
            share = {"n": Shown(f"{_figures_of(load)}%", "ltr")}
            return voice.say(f"load.of_{load.of or '1rm'}", share)
        case "rpe":
            return _cell(Code(text=f"RPE {_figures_of(load, _TO)}"), voice)
        case "bodyweight_multiple":
            return voice.say("load.bodyweight", {"n": Shown(f"{_figures_of(load)}{_BY}", "ltr")})
        case "build_to":
            target = load.target or "heavy"
            best = Shown(target.upper(), "ltr")
            heavy = Shown(voice.say("load.heavy")) if target == "heavy" else best
            return voice.say("load.build_to", {"target": heavy})


def _figures_of(load: Load | Height, joint: str = "/") -> str:
    if load.rx_m is not None and load.rx_f is not None:
        return f"{load.rx_m:g}/{load.rx_f:g}"
    match load.value:
        case None:
            return f"{load.rx_m or load.rx_f or 0:g}"
        case tuple() as several:
            return joint.join(f"{one:g}" for one in several)
        case one:
            return f"{one:g}"


def _height(height: Height) -> str:
    return f"{_figures_of(height)} {height.unit}"


def _split(split: Split) -> str:
    if split.rx_m is not None and split.rx_f is not None:
        return f"{split.rx_m}/{split.rx_f}"
    return str(split.value or split.rx_m or split.rx_f)


def _clock(seconds: int) -> Code:
    return Code(text=_written(seconds))


def _written(seconds: int) -> str:
    return f"{seconds // _MINUTE}:{seconds % _MINUTE:02}"


def _cell(value: Value, voice: Voice) -> str:
    return wording.cell(value, voice)
