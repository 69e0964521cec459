"""Arguments of the tools for members and their notes."""

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from app.core.actor import Role
from app.desk.queries import RosterFilter, Sort
from app.people.service import CLEARABLE, MemberChanges, NewMember, NewNote
from app.people.terms import Gender, LegalBasis, MemberStatus, NoteKind
from tools.catalog._args import Listed, MemberId, OneLine
from tools.kit.declare import Args

Language = Literal["he", "en", "ru"]
_LEAN = WithJsonSchema({"type": "string"})
"""Bounds that no sensible text meets are checked, but not told to the model: there are many."""
Tag = Annotated[OneLine, Field(min_length=1, max_length=40), _LEAN]
Named = Annotated[OneLine, Field(min_length=1, max_length=60), _LEAN]
Phone = Annotated[str, Field(min_length=5, max_length=30), _LEAN]
Contact = Annotated[OneLine, Field(min_length=1, max_length=120), _LEAN]
Email = Annotated[str, Field(max_length=120, pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$"), _LEAN]
FIRST_BIRTHDAY = date(1900, 1, 1)


def _past(day: date) -> date:
    """Nobody is born tomorrow; who is that old doesn't train (the day is checked once more)."""
    if day < FIRST_BIRTHDAY:
        raise ValueError("too long ago")
    return day


Birthday = Annotated[date, AfterValidator(_past)]


def _clearable(name: str) -> str:
    if name not in CLEARABLE:
        raise ValueError("can't be empty")
    return name


Clearable = Annotated[str, AfterValidator(_clearable), WithJsonSchema({"type": "string"})]


class Roster(Listed):
    status: tuple[MemberStatus, ...] = Field(
        default=(), max_length=6, description="Only these; empty: all but archived."
    )
    plan_id: UUID | None = Field(default=None, description="Who has this plan today.")
    tag: Tag | None = None
    last_visit_before: date | None = Field(
        default=None, description="Who last came before this local day, or never."
    )
    sort: Sort = Field(
        default=Sort.NAME, description="last_visit: who stayed away longest; joined: newest."
    )

    @property
    def wanted(self) -> RosterFilter:
        return RosterFilter(
            statuses=self.status,
            plan_id=self.plan_id,
            tag=self.tag,
            last_visit_before=self.last_visit_before,
            sort=self.sort,
        )


class CreateMember(Args):
    first_name: Named
    last_name: OneLine = Field(default="", max_length=60)
    nickname: Named | None = None
    phone: Phone | None = Field(default=None, description="As written; any spelling.")
    email: Email | None = None
    birth_date: Birthday | None = None
    gender: Gender | None = Field(default=None, description="Only if said; never guessed.")
    language: Language | None = Field(default=None, description="Else the gym's.")
    tags: tuple[Tag, ...] = Field(default=(), max_length=30)
    shares_contact: bool = Field(
        default=False, description="True only if told that two people share this phone or e-mail."
    )

    def new(self, language: str) -> NewMember:
        return NewMember(
            first_name=self.first_name,
            last_name=self.last_name,
            nickname=self.nickname,
            phone=self.phone,
            email=self.email,
            birth_date=self.birth_date,
            gender=self.gender,
            language=self.language or language,
            tags=self.tags,
        )


class UpdateMember(Args):
    member_id: MemberId
    expected_version: int | None = Field(default=None, ge=1)
    first_name: Named | None = None
    last_name: Named | None = None
    nickname: Named | None = None
    phone: Phone | None = None
    email: Email | None = None
    birth_date: Birthday | None = None
    gender: Gender | None = None
    language: Language | None = None
    weight_unit: Literal["kg", "lb"] | None = None
    emergency_contact: Contact | None = None
    primary_coach_id: UUID | None = None
    tags_add: tuple[Tag, ...] = Field(default=(), max_length=30)
    tags_remove: tuple[Tag, ...] = Field(default=(), max_length=30)
    clear: tuple[Clearable, ...] = Field(default=(), max_length=12, description="Fields to empty.")
    shares_contact: bool = Field(default=False, description="See create_member.")

    @model_validator(mode="after")
    def _says_what(self) -> Self:
        if not set(self._given()):
            raise ValueError("say what is to change")
        if set(self.clear) & set(self._given()):
            raise ValueError("what is given can't be emptied as well")
        return self

    def _given(self) -> Iterator[str]:
        beside = {"member_id", "expected_version", "shares_contact"}
        for name in self.model_fields_set - beside:
            if getattr(self, name) not in (None, ()):
                yield name

    @property
    def changes(self) -> MemberChanges:
        return MemberChanges(**{name: getattr(self, name) for name in self._given()})


class AddNote(Args):
    member_id: MemberId
    body: str = Field(min_length=1, max_length=2_000, description="In the person's own words.")
    kind: NoteKind = NoteKind.GENERAL
    pinned: bool = Field(default=False, description="Shown first.")
    visible_to_roles: tuple[Literal["coach", "admin", "owner"], ...] = Field(
        default=(),
        max_length=3,
        description="The lowest counts. Else payment and medical: admin; others: coach.",
    )

    @property
    def new(self) -> NewNote:
        roles = tuple(map(Role, self.visible_to_roles))
        return NewNote(self.body, self.kind, self.pinned, roles)


class OneMember(Args):
    member_id: MemberId


class Suspend(OneMember):
    reason: str | None = Field(default=None, min_length=2, max_length=300)
    cancel_future_bookings: bool = Field(
        default=False, description="Also take them out of classes booked ahead."
    )


class Archive(OneMember):
    reason: str | None = Field(default=None, min_length=2, max_length=300)


class Erase(OneMember):
    legal_basis: LegalBasis = Field(description="request: the person asked for it.")
    though_owing: bool = Field(
        default=False, description="True only if told to erase despite an open balance."
    )
