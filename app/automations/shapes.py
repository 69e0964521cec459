"""What an automation is made of: its trigger, conditions and actions, each a closed union."""

from datetime import time
from enum import StrEnum
from typing import Annotated, Final, Literal, Self, assert_never
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from app.leads.terms import LeadSource, LeadStage
from app.messages.texts import KNOWN
from app.people.terms import Category, Channel
from app.studio.terms import Tier


def _plain(local: time) -> time:
    """Hours and minutes: a zone would say another time, and seconds are a slip."""
    if local.tzinfo is not None or local.second or local.microsecond:
        raise ValueError("hours and minutes only")
    return local


Clock = Annotated[
    time,
    AfterValidator(_plain),
    WithJsonSchema({"type": "string", "pattern": "^[0-2][0-9]:[0-5][0-9]$"}),
]
Text = Annotated[str | None, Field(max_length=1_000)]
_LANGUAGES: Final = {"en", "he", "ru"}
Word = Annotated[str, Field(min_length=1, max_length=40)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class Kind(StrEnum):
    """What may set an automation off."""

    LEAD_CREATED = "lead_created"
    MEMBER_JOINED = "member_joined"
    TRIAL_ATTENDED = "trial_attended"
    NO_SHOW = "no_show"
    ABSENT_N_DAYS = "absent_n_days"
    MEMBERSHIP_EXPIRING = "membership_expiring"
    CREDITS_LOW = "credits_low"
    PAYMENT_FAILED = "payment_failed"
    BIRTHDAY = "birthday"
    CLASS_CANCELLED = "class_cancelled"
    FORM_MISSING = "form_missing"
    SCHEDULE = "schedule"


class Happens(_Part):
    """Something that becomes so for one person."""

    kind: Literal[
        Kind.LEAD_CREATED,
        Kind.MEMBER_JOINED,
        Kind.TRIAL_ATTENDED,
        Kind.NO_SHOW,
        Kind.PAYMENT_FAILED,
        Kind.BIRTHDAY,
        Kind.CLASS_CANCELLED,
        Kind.FORM_MISSING,
    ]


class Counts(_Part):
    """Days without a visit, days until the end, or credits left: so many."""

    kind: Literal[Kind.ABSENT_N_DAYS, Kind.MEMBERSHIP_EXPIRING, Kind.CREDITS_LOW]
    count: int = Field(ge=0, le=365, description="Days, or credits at most.")


class Schedule(_Part):
    """Everybody who meets the conditions, on these weekdays."""

    kind: Literal[Kind.SCHEDULE]
    weekdays: tuple[Annotated[int, Field(ge=0, le=6)], ...] = Field(
        min_length=1, max_length=7, description="0 is Sunday."
    )
    at: Clock


Trigger = Annotated[Happens | Counts | Schedule, Field(discriminator="kind")]


class OneOf(_Part):
    """By a word: tags, languages (en, he, ru), or where a lead came from."""

    kind: Literal["tags", "without_tags", "languages", "lead_sources"]
    any: tuple[Word, ...] = Field(min_length=1, max_length=10)

    @model_validator(mode="after")
    def _known(self) -> Self:
        closed = {"languages": _LANGUAGES, "lead_sources": {one.value for one in LeadSource}}
        if not {*self.any} <= closed.get(self.kind, {*self.any}):
            raise ValueError(f"no such {self.kind}")
        return self


class Holds(_Part):
    kind: Literal["plans"]
    any: tuple[UUID, ...] = Field(min_length=1, max_length=10)


class InSegment(_Part):
    kind: Literal["segment"]
    segment_id: UUID


Condition = Annotated[OneOf | Holds | InSegment, Field(discriminator="kind")]


class Words(_Part):
    """A text by language; others get the gym's own language."""

    en: Text = None
    he: Text = None
    ru: Text = None

    @property
    def told(self) -> dict[str, str]:
        return {language: text for language, text in self.model_dump().items() if text}


class SendMessage(_Part):
    kind: Literal["send_message"]
    channel: Channel
    body: Words | None = None
    template_id: UUID | None = None
    category: Category = Category.MARKETING


class CreateTask(_Part):
    kind: Literal["create_task"]
    title: str = Field(min_length=2, max_length=200)
    due_days: int = Field(default=1, ge=0, le=60)
    assignee_id: UUID | None = None


class NotifyStaff(_Part):
    kind: Literal["notify_staff"]
    staff_id: UUID
    text: str = Field(min_length=2, max_length=500)


class AddTag(_Part):
    kind: Literal["add_tag"]
    tag: Word


class SetStage(_Part):
    """Of a lead."""

    kind: Literal["set_stage"]
    stage: Literal[
        LeadStage.CONTACTED, LeadStage.TRIAL_BOOKED, LeadStage.TRIAL_DONE, LeadStage.OFFER
    ]


class AssignForm(_Part):
    kind: Literal["assign_form"]
    form_template_id: UUID
    channel: Channel


Action = Annotated[
    SendMessage | CreateTask | NotifyStaff | AddTag | SetStage | AssignForm,
    Field(discriminator="kind"),
]
AnyAction = SendMessage | CreateTask | NotifyStaff | AddTag | SetStage | AssignForm

MOST_ON_PRO: Final = 10
FACTS: Final[dict[Kind, frozenset[str]]] = {
    Kind.LEAD_CREATED: frozenset(),
    Kind.MEMBER_JOINED: frozenset(),
    Kind.TRIAL_ATTENDED: frozenset({"class", "when"}),
    Kind.NO_SHOW: frozenset({"class", "when"}),
    Kind.ABSENT_N_DAYS: frozenset({"days"}),
    Kind.MEMBERSHIP_EXPIRING: frozenset({"plan", "until"}),
    Kind.CREDITS_LOW: frozenset({"plan", "credits"}),
    Kind.PAYMENT_FAILED: frozenset(),
    Kind.BIRTHDAY: frozenset(),
    Kind.CLASS_CANCELLED: frozenset({"class", "when"}),
    Kind.FORM_MISSING: frozenset(),
    Kind.SCHEDULE: frozenset(),
}
"""What each trigger knows of its occasion, for the places of a text."""


class Shape(_Part):
    """A whole automation, but for its name and whether it is on."""

    trigger: Trigger
    conditions: tuple[Condition, ...] = Field(default=(), max_length=6)
    actions: tuple[Action, ...] = Field(min_length=1, max_length=5)
    delay_min: int = Field(default=0, ge=0, le=43_200)
    quiet_from: Clock | None = None
    quiet_to: Clock | None = None
    """Nothing is done in these hours either, besides those of the gym."""
    cap_days: int | None = Field(default=None, ge=1, le=365)

    @property
    def places(self) -> frozenset[str]:
        """What a text of it may have filled in."""
        return KNOWN | FACTS[self.trigger.kind]

    @property
    def of_leads(self) -> bool:
        return self.trigger.kind is Kind.LEAD_CREATED

    @property
    def required_tier(self) -> Tier:
        return max((tier_of(one) for one in self.actions), key=list(Tier).index)


def tier_of(action: AnyAction) -> Tier:
    """Messages and tasks come with Pro, all else with Elite (rule 39)."""
    match action:
        case SendMessage() | CreateTask() | NotifyStaff():
            return Tier.PRO
        case AddTag() | SetStage() | AssignForm():
            return Tier.ELITE
        case _:
            assert_never(action)
