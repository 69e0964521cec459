"""The exercises that a gym can use: those everybody knows, and its own."""

from collections.abc import Iterable
from types import MappingProxyType

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.studio.paging import Cut, Page, page_of
from app.workouts.errors import UnknownExercise
from app.workouts.finding import Found, find
from app.workouts.library.shelf import Known, library
from app.workouts.models import Exercise


def own_exercises(session: Session) -> tuple[Known, ...]:
    """Those that the gym added, by name."""
    return tuple(map(known, session.scalars(select(Exercise).order_by(Exercise.name, Exercise.id))))


def all_exercises(session: Session) -> dict[str, Known]:
    """Those of the library and the gym's own, by slug."""
    return {**library(), **{one.slug: one for one in own_exercises(session)}}


def find_exercises(
    session: Session, query: str, *, equipment: str | None = None, cut: Cut
) -> Page[Found]:
    """Exercises that a name, abbreviation or alias may mean, the likeliest first."""
    exercises = all_exercises(session).values()
    kept = [one for one in exercises if equipment is None or equipment in one.equipment]
    return page_of(find(query, kept), cut)


def check_known(session: Session, slugs: Iterable[str]) -> None:
    """Raise UnknownExercise for the first slug that the gym has no exercise of."""
    unknown = [slug for slug in slugs if slug not in library()]
    if not unknown:
        return
    own = set(session.scalars(select(Exercise.slug).where(Exercise.slug.in_(unknown))))
    for slug in unknown:
        if slug not in own:
            raise UnknownExercise(exercise=slug)


def known(row: Exercise) -> Known:
    return Known(
        slug=row.slug,
        names=MappingProxyType({"en": row.name}),
        equipment=tuple(row.equipment),
        measure=row.measure,
        aliases=tuple(row.aliases),
        video_url=row.video_url,
        custom=True,
    )
