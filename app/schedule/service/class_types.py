"""Kinds of class: adding, changing, hiding and deleting them."""

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.core.errors import BadInput, NotFound, StaleVersion
from app.schedule.errors import ClassTypeExists, ClassTypeInUse
from app.schedule.models import ClassType
from app.schedule.queries import plans_with, used_by
from app.studio import queries as studio
from app.studio.policy import BookingPolicy, merged

NO_MINIMUM: Final = 0
"""As `min_participants`: no class of it is too small."""


@dataclass(frozen=True, slots=True)
class NewClassType:
    name_en: str
    capacity: int
    name_he: str | None = None
    name_ru: str | None = None
    duration_min: int = 60
    credit_cost: int = 1
    booking_policy: dict[str, Any] | None = None
    color: str | None = None
    min_participants: int | None = None
    location_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class ClassTypeChanges:
    """What is to be different; None leaves a thing as it is, '' takes a name or colour away.

    `rules` are set, `as_gym` are dropped, so that the gym's own count again.
    """

    name_en: str | None = None
    name_he: str | None = None
    name_ru: str | None = None
    color: str | None = None
    duration_min: int | None = None
    capacity: int | None = None
    min_participants: int | None = None
    credit_cost: int | None = None
    location_id: UUID | None = None
    rules: dict[str, Any] | None = None
    as_gym: tuple[str, ...] = ()


def create_class_type(session: Session, org_id: UUID, new: NewClassType) -> UUID:
    """Raises ClassTypeExists, NotFound, BadInput for rules that contradict the gym's."""
    rules = new.booking_policy or {}
    _check_rules(session, org_id, rules)
    _check_name(session, new.name_en)
    made = ClassType(
        org_id=org_id,
        name_en=new.name_en,
        name_he=new.name_he,
        name_ru=new.name_ru,
        color=new.color,
        duration_min=new.duration_min,
        capacity=new.capacity,
        min_participants=new.min_participants or None,
        credit_cost=new.credit_cost,
        location_id=_location(session, new.location_id),
        booking_policy=rules,
    )
    _check_size(made)
    session.add(made)
    session.flush()
    return made.id


def update_class_type(
    session: Session,
    class_type_id: UUID,
    changes: ClassTypeChanges,
    *,
    expected_version: int | None = None,
) -> tuple[str, ...]:
    """The names of the rules that differ now; classes on the schedule keep those they have.

    Raises NotFound, StaleVersion, ClassTypeExists, BadInput.
    """
    row = lock_class_type(session, class_type_id, expected_version=expected_version)
    if changes.name_en is not None:
        _check_name(session, changes.name_en, but=row.id)
        row.name_en = changes.name_en
    for name in ("name_he", "name_ru", "color"):
        _set(row, name, getattr(changes, name), empty="")
    for name in ("duration_min", "capacity", "credit_cost"):
        _set(row, name, getattr(changes, name))
    _set(row, "min_participants", changes.min_participants, empty=NO_MINIMUM)
    _check_size(row)
    _set(row, "location_id", _location(session, changes.location_id))
    before = row.booking_policy
    kept = {name: rule for name, rule in before.items() if name not in changes.as_gym}
    rules = {**kept, **(changes.rules or {})}
    _check_rules(session, row.org_id, rules)
    row.booking_policy = rules
    session.flush()
    return tuple(name for name in BookingPolicy.model_fields if before.get(name) != rules.get(name))


def _check_size(row: ClassType) -> None:
    """A minimum that no class can reach would have every one reported as too small."""
    if row.min_participants is not None and row.min_participants > row.capacity:
        raise BadInput(fields=("min_participants", "capacity"))


def set_active(session: Session, class_type_id: UUID, *, active: bool) -> ClassType:
    """Hide a type from new scheduling, or bring it back; its classes stay as they are."""
    row = lock_class_type(session, class_type_id)
    if active:
        _check_name(session, row.name_en, but=row.id)
    row.active = active
    session.flush()
    return row


def check_deletable(session: Session, class_type_id: UUID) -> ClassType:
    """The locked type that `delete_class_type` takes away. Raises NotFound, ClassTypeInUse."""
    row = lock_class_type(session, class_type_id)
    classes, plans = used_by(session, row.id), plans_with(session, row.id)
    if classes or plans:
        raise ClassTypeInUse(classes=classes, plans=plans)
    return row


def delete_class_type(session: Session, class_type_id: UUID) -> ClassType:
    """Raises NotFound, and ClassTypeInUse where anything of the gym ever named it."""
    row = check_deletable(session, class_type_id)
    try:
        with session.begin_nested():
            session.delete(row)
            session.flush()
    except IntegrityError:
        raise ClassTypeInUse(classes=0, plans=()) from None
    return row


def lock_class_type(
    session: Session, class_type_id: UUID, *, expected_version: int | None = None
) -> ClassType:
    query = select(ClassType).where(ClassType.id == class_type_id)
    found = session.scalar(query.with_for_update().execution_options(populate_existing=True))
    if found is None:
        raise NotFound(what="class_type")
    if expected_version is not None and found.version != expected_version:
        raise StaleVersion(version=found.version)
    return found


def _set(row: ClassType, name: str, value: object, *, empty: object = ...) -> None:
    if value is not None:
        setattr(row, name, None if value == empty else value)


def _check_name(session: Session, name: str, *, but: UUID | None = None) -> None:
    """Two types in use of one name couldn't be told apart on any card."""
    query = select(ClassType.id).where(
        ClassType.active, func.lower(ClassType.name_en) == name.lower()
    )
    if but is not None:
        query = query.where(ClassType.id != but)
    if session.scalar(query.limit(1)) is not None:
        raise ClassTypeExists(**{"class": name})


def _check_rules(session: Session, org_id: UUID, rules: dict[str, Any]) -> None:
    try:
        merged(studio.org(session, org_id).booking_policy, rules)
    except ValueError:
        raise BadInput(fields=("booking_policy",)) from None


def _location(session: Session, location_id: UUID | None) -> UUID | None:
    return None if location_id is None else studio.location(session, location_id).id
