"""Cards of workouts: what is shown, asked and told."""

from collections.abc import Mapping
from uuid import UUID

from app.core.errors import NotFound
from app.people import queries as people
from app.programs.queries.uses import Uses
from app.programs.service import dropping
from app.workouts import loads, queries
from app.workouts.library.shelf import Known, library
from app.workouts.service import workouts as service
from app.workouts.structure import Movement, Reading, Remark
from app.workouts.terms import SectionKind, WeightUnit, WorkoutStatus
from app.workouts.views import SectionView, WorkoutBrief, WorkoutView
from tools.catalog._cards import facts_of, listing
from tools.catalog._workout_args import (
    CreateWorkout,
    DeleteWorkout,
    OnePart,
    ReadText,
    ShowWorkout,
    Workouts,
)
from tools.kit.cards import (
    Confirm,
    Done,
    Fact,
    Ref,
    ShownMovement,
    ShownSection,
    Table,
    TableRow,
    WorkoutCard,
)
from tools.kit.declare import Context
from tools.kit.values import (
    Code,
    Line,
    Name,
    Names,
    Number,
    Quote,
    Term,
    Value,
    Weight,
)

COLUMNS = ("label.workout", "label.kind", "label.tags", "label.status")
_EXERCISES = frozenset(("exercise", "saved", "other", "about"))
"""Values of a remark that name an exercise."""


def values(brief: WorkoutBrief) -> dict[str, Value]:
    """The names that every card about a workout uses."""
    return {"workout": Name(text=brief.title)}


def ref(brief: WorkoutBrief) -> Ref:
    return Ref(entity="workout", id=brief.id, version=brief.version)


def done(of: str, view: WorkoutView, *notes: Line) -> Done:
    counts = {
        "sections": len(view.sections),
        "movements": sum(len(one.movements) for one in view.sections),
    }
    return Done(of=of, values={**values(view.brief), **counts}, notes=notes, ref=ref(view.brief))


def listed(context: Context, args: Workouts) -> Table:
    found = queries.workouts(context.session, context.actor, args.wanted(context), cut=args.cut)
    return listing(Line(key="workouts.list.title"), COLUMNS, found, _row)


def _row(brief: WorkoutBrief) -> TableRow:
    cells = (
        Name(text=brief.title),
        Term(key=f"workout_kind.{brief.kind}"),
        Names(all=brief.tags) if brief.tags else None,
        Term(key=f"workout.{brief.status}"),
    )
    return TableRow(id=str(brief.id), cells=cells)


# ---- one workout ---------------------------------------------------------------------------------


def shown(context: Context, args: ShowWorkout) -> WorkoutCard:
    """With its parts; percentages in weights where it is for somebody."""
    view = queries.workout(context.session, context.actor, args.workout_id)
    unit = service.unit_of(context.session, context.actor)
    best: loads.Best = {}
    heading = Line(key="workouts.get.title", values=values(view.brief))
    if args.member_id is not None:
        member = people.member(context.session, args.member_id)
        lifts = loads.lifts(view.parts)
        best = queries.best_lifts(context.session, args.member_id, lifts)
        named = {**values(view.brief), "member": Name(text=member.name)}
        heading = Line(key="workouts.get.title_for", values=named)
    known = queries.all_exercises(context.session)
    return WorkoutCard(
        heading=heading,
        title=view.brief.title,
        sections=tuple(_section(one, best, unit, known) for one in view.sections),
        tags=view.brief.tags,
        facts=_facts(view.brief),
        resolved=args.member_id is not None,
        ref=ref(view.brief),
    )


def placed(
    context: Context, workout_id: UUID, heading: Line, told: Mapping[str, Value | None]
) -> WorkoutCard | None:
    """One that is set for a day or a class, with what is said of that; None where it isn't seen."""
    try:
        card = shown(context, ShowWorkout(workout_id=workout_id))
    except NotFound:
        return None
    facts = facts_of(told)
    return card.model_copy(update={"heading": heading, "facts": (*facts, *card.facts)})


def _facts(brief: WorkoutBrief) -> tuple[Fact, ...]:
    shown_status = brief.status is not WorkoutStatus.READY
    told: dict[str, Value | None] = {
        "label.tags": Names(all=brief.tags) if brief.tags else None,
        "label.coach_notes": Quote(text=brief.coach_notes) if brief.coach_notes else None,
        "label.member_notes": Quote(text=brief.member_notes) if brief.member_notes else None,
        "label.status": Term(key=f"workout.{brief.status}") if shown_status else None,
    }
    return facts_of(told)


def _section(
    view: SectionView, best: loads.Best, unit: WeightUnit, known: Mapping[str, Known]
) -> ShownSection:
    movements = tuple(
        _movement(one.movement, known, id_=one.id, best=best, unit=unit) for one in view.movements
    )
    written = view.section.model_dump(exclude={"movements"})
    return ShownSection(**written, id=view.id, movements=movements)


def _movement(
    movement: Movement,
    known: Mapping[str, Known],
    *,
    id_: UUID | None = None,
    best: loads.Best | None = None,
    unit: WeightUnit = WeightUnit.KG,
) -> ShownMovement:
    grams = loads.resolved(movement.load, best, unit) if movement.load and best else ()
    weights = tuple(Weight(grams=one, unit=unit.value) for one in grams)
    own = known.get(movement.exercise or "")
    name = own.name("en") if own is not None and own.custom else movement.name
    written = movement.model_dump(exclude={"name"})
    return ShownMovement(**written, name=name, id=id_, weights=weights)


# ---- texts ---------------------------------------------------------------------------------------


def read(context: Context, args: ReadText) -> WorkoutCard:
    reading = service.parse(context.session, context.actor, args.text, args.default_unit)
    known = queries.all_exercises(context.session)
    titled = Name(text=reading.title) if reading.title else Term(key="workout.untitled")
    return WorkoutCard(
        heading=Line(key="workouts.parse_text.title", values={"workout": titled}),
        title=reading.title,
        sections=tuple(
            ShownSection(
                **one.model_dump(exclude={"movements"}),
                movements=tuple(_movement(each, known) for each in one.movements),
            )
            for one in reading.sections
        ),
        assumptions=(*_unit(reading), *_lines(context, reading.assumptions, known)),
        ambiguities=_lines(context, reading.ambiguities, known),
        tags=reading.tags,
        notes=reading.notes,
        unread=reading.unread,
    )


def _unit(reading: Reading) -> tuple[Line, ...]:
    """Bare weights are in the gym's unit, and that is said (rule 52)."""
    return (Line(key=f"workout.unit_{reading.unit}"),) if reading.unit else ()


def _lines(
    context: Context, remarks: tuple[Remark, ...], known: Mapping[str, Known]
) -> tuple[Line, ...]:
    return tuple(
        Line(
            key=f"workout.{one.code}",
            values={key: _told(context, key, value, known) for key, value in one.values.items()},
        )
        for one in remarks
    )


def _told(context: Context, key: str, value: str | float, known: Mapping[str, Known]) -> Value:
    match value:
        case str() if key in _EXERCISES:
            one = known.get(value)
            return Name(text=one.name(context.actor.language) if one else value)
        case str() if key == "percent":
            return Code(text=f"{value}%")
        case str() if key == "unit":
            return Term(key=f"unit.{value}")
        case str() if key == "field":
            return Term(key=f"dose_field.{value}")
        case str():
            return Name(text=value) if key == "text" else Code(text=value)
        case int():
            return value
        case float():
            return int(value) if value.is_integer() else Number(value=value, digits=2)


def created(context: Context, args: CreateWorkout) -> Done:
    """Of sections, or of a text with what had to be assumed in reading it."""
    if args.text is None:
        made = service.create(context.session, context.actor, args.new)
        return done("workouts.create", made)
    new = service.new_from_text(context.session, context.actor, args.text, args.title)
    more = service.with_more(new, tags=args.tags, notes=args.coach_notes, seen_by=args.visibility)
    made = service.create(context.session, context.actor, more)
    told = read(context, ReadText(text=args.text))
    unread = tuple(
        Line(key="workout.unread", values={"n": one.line, "text": Quote(text=one.text)})
        for one in told.unread
    )
    return done("workouts.create", made, *told.assumptions, *told.ambiguities, *unread)


# ---- parts ---------------------------------------------------------------------------------------


def part_done(of: str, context: Context, workout_id: UUID, view: SectionView) -> Done:
    brief = queries.brief(context.session, workout_id)
    return Done(of=of, values=_part(brief, view), ref=Ref(entity="section", id=view.id))


def _part(brief: WorkoutBrief, view: SectionView) -> dict[str, Value]:
    section = view.section
    named = section.title or section.label
    kind = SectionKind(section.kind)
    return {
        **values(brief),
        "part": Name(text=named) if named else Term(key=f"section.{kind}"),
        "movements": len(view.movements),
    }


def ask_remove_part(context: Context, args: OnePart) -> Confirm:
    view = service.preview_remove_section(
        context.session, context.actor, args.workout_id, args.section_id
    )
    brief = queries.brief(context.session, args.workout_id)
    results = service.count_results(context.session, args.workout_id, args.section_id)
    names = Names(all=tuple(_name_of(context, one.movement) for one in view.movements))
    kept = Line(key="workouts.remove_section.results", values={"results": results})
    movements = Line(key="workouts.remove_section.effect", values={"names": names})
    return Confirm(
        of="workouts.remove_section",
        values=_part(brief, view),
        effects=(*((movements,) if view.movements else ()), *((kept,) if results else ())),
        ref=Ref(entity="section", id=view.id),
    )


def movement_done(context: Context, workout_id: UUID, movement: Movement, id_: UUID) -> Done:
    brief = queries.brief(context.session, workout_id)
    named = {**values(brief), "exercise": Name(text=_name_of(context, movement))}
    return Done(of="workouts.update_movement", values=named, ref=Ref(entity="movement", id=id_))


def _name_of(context: Context, movement: Movement) -> str:
    return name_of(context, movement.exercise) if movement.exercise else movement.name or ""


def name_of(context: Context, slug: str) -> str:
    known = library().get(slug) or queries.all_exercises(context.session).get(slug)
    return known.name(context.actor.language) if known else slug


# ---- deleting ------------------------------------------------------------------------------------


def ask_delete(context: Context, args: DeleteWorkout) -> Confirm:
    view, uses = dropping.preview_delete(
        context.session, context.actor, args.workout_id, force=args.force
    )
    return Confirm(
        of="workouts.delete",
        values={**values(view.brief), "sections": len(view.sections)},
        effects=_uses(uses),
        ref=ref(view.brief),
    )


def _uses(uses: Uses) -> tuple[Line, ...]:
    counts = {
        "scheduled": uses.scheduled,
        "programs": uses.programs,
        "assigned": uses.assigned,
        "results": uses.results,
    }
    return tuple(
        Line(key=f"workouts.delete.effect_{name}", values={"n": n})
        for name, n in counts.items()
        if n
    )


def deleted(view: WorkoutView) -> Done:
    return Done(of="workouts.delete", values=values(view.brief), ref=ref(view.brief))
