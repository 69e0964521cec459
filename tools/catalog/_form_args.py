"""Arguments of the tools for forms."""

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field

from app.core.storable import is_visible
from app.forms import fields
from app.forms.service import HEALTH_DAYS, FormChanges, FormRequest, NewForm
from app.forms.terms import FormDecision, FormKind, FormStatus
from app.people.terms import Channel
from i18n import Language
from tools.catalog._args import Listed, MemberId, OneLine, Version
from tools.kit.declare import Args

TemplateId = Annotated[UUID, Field(description="The form, by id from forms.list_templates.")]
InstanceId = Annotated[UUID, Field(description="A sent form, by id from forms.list_instances.")]
Title = Annotated[OneLine, Field(min_length=2, max_length=120)]


def _seen(questions: tuple[fields.Field, ...]) -> tuple[fields.Field, ...]:
    if not all(is_visible(text) for one in questions for text in (one.label, *one.options)):
        raise ValueError("a question and each of its options must show something")
    return questions


Questions = Annotated[
    tuple[fields.Field, ...],
    Field(min_length=1, max_length=60, description="In their order; medical hides from coaches."),
    AfterValidator(_seen),
]
Days = Annotated[int, Field(ge=1, le=3_650)]
DueOn = Annotated[date | None, Field(description="Until when we want it; local day.")]


class Templates(Listed):
    kind: FormKind | None = Field(default=None, description="Only this kind.")
    active: bool | None = Field(default=True, description="false: switched off; null: both.")


class OneTemplate(Args):
    form_template_id: TemplateId


class NewTemplate(Args):
    title: Title
    kind: FormKind
    fields: Questions
    requires_signature: bool = True
    valid_for_days: Days | None = Field(
        default=None, description=f"null: for good; a health declaration {HEALTH_DAYS}."
    )
    language: Language | None = Field(default=None, description="Of the questions; else the gym's.")

    @property
    def new(self) -> NewForm:
        return NewForm(
            title=self.title,
            kind=self.kind,
            fields=self.fields,
            requires_signature=self.requires_signature,
            valid_for_days=self.valid_for_days,
            language=self.language,
        )


class TemplateChanges(OneTemplate):
    title: Title | None = None
    fields: Questions | None = Field(default=None, description="All questions, as they are to be.")
    requires_signature: bool | None = None
    valid_for_days: Days | None = None
    active: bool | None = Field(default=None, description="false: it can't be sent any more.")
    expected_version: Version = None

    @property
    def changes(self) -> FormChanges:
        return FormChanges(
            title=self.title,
            fields=self.fields,
            requires_signature=self.requires_signature,
            valid_for_days=self.valid_for_days,
            active=self.active,
        )


class Instances(Listed):
    member_id: UUID | None = Field(default=None, description="Only this member's.")
    form_template_id: UUID | None = Field(default=None, description="Only of this form.")
    status: tuple[FormStatus, ...] = Field(
        default=(), max_length=6, description="Only these; empty: all."
    )


class OneInstance(Args):
    form_instance_id: InstanceId


class Missing(Listed):
    form_template_id: TemplateId
    expiring_within_days: int = Field(
        default=0, ge=0, le=365, description="Also whose copy ends within so many days."
    )


class Sending(Args):
    form_template_id: TemplateId
    member_id: MemberId
    channel: Channel
    due_on: DueOn = None

    @property
    def wish(self) -> FormRequest:
        return FormRequest(self.form_template_id, self.channel, self.due_on)


class SendingMany(Args):
    form_template_id: TemplateId
    member_ids: tuple[UUID, ...] = Field(
        default=(), min_length=1, max_length=500, description="Just these."
    )
    segment_id: UUID | None = Field(default=None, description="From read.list_segments.")
    missing: bool = Field(default=False, description="All active members without a valid copy.")
    channel: Channel
    due_on: DueOn = None

    @property
    def wish(self) -> FormRequest:
        return FormRequest(self.form_template_id, self.channel, self.due_on)


class Reviewing(OneInstance):
    decision: FormDecision = Field(
        description="needs_document and action_needed say that something is still to come."
    )
    note: str | None = Field(default=None, max_length=1_000, description="For the team.")
