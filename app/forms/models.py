"""Tables of forms: templates in versions, forms sent to members, and signed answers."""

from datetime import date, datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.erasing import Erasure, blanked, deleted, within
from app.forms.terms import UNANSWERED, FormDecision, FormKind, FormStatus
from app.people.models import Member
from app.people.terms import Channel


class FormTemplate(OrgRow):
    __tablename__ = "form_template"

    kind: Mapped[FormKind] = mapped_column(text_enum(FormKind))
    language: Mapped[str]
    active: Mapped[bool] = mapped_column(default=True)
    """Whether it can be sent."""
    current: Mapped[int] = mapped_column(default=1)
    """The number of the version that is sent now."""
    edited_at: Mapped[datetime]
    """When its content was changed last, in this version or by a new one."""


class FormVersion(OrgRow):
    """What was asked at one time: once a form was sent, its version never changes (rule 44)."""

    __tablename__ = "form_version"
    __table_args__ = (UniqueConstraint("template_id", "number"),)

    template_id: Mapped[UUID] = mapped_column(ForeignKey(FormTemplate.id, ondelete="CASCADE"))
    number: Mapped[int]
    title: Mapped[str]
    fields: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    """Questions in their order, each a `Field`."""
    requires_signature: Mapped[bool]
    valid_for_days: Mapped[int | None]
    """How long a signed copy counts, the day of signing included; null: for good."""


class FormInstance(OrgRow):
    """A form that was sent to a member."""

    __tablename__ = "form_instance"
    __erase__: ClassVar[Erasure] = blanked(
        review_note=None,
        status=lambda row: FormStatus.CANCELLED if row.status in UNANSWERED else row.status,
    )
    __table_args__ = (Index("ix_form_instance_latest", "template_id", "member_id", "sent_at"),)

    template_id: Mapped[UUID] = mapped_column(ForeignKey(FormTemplate.id, ondelete="CASCADE"))
    version_id: Mapped[UUID] = mapped_column(
        ForeignKey(FormVersion.id, ondelete="CASCADE"), index=True
    )
    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id), index=True)
    status: Mapped[FormStatus] = mapped_column(text_enum(FormStatus), default=FormStatus.SENT)
    channel: Mapped[Channel] = mapped_column(text_enum(Channel))
    due_on: Mapped[date | None]
    expires_on: Mapped[date]
    """The last day on which its link leads to it."""
    sent_at: Mapped[datetime]
    sent_by: Mapped[UUID | None]
    opened_at: Mapped[datetime | None]
    submitted_at: Mapped[datetime | None]
    valid_until: Mapped[date | None]
    """The last day that the signed copy counts; null: not signed, or for good."""
    flagged: Mapped[bool] = mapped_column(default=False)
    """An answer wants somebody to look at it before it counts (rule 43)."""
    decision: Mapped[FormDecision | None] = mapped_column(text_enum(FormDecision))
    review_note: Mapped[str | None]
    reviewed_by: Mapped[UUID | None]
    reviewed_at: Mapped[datetime | None]


class FormLink(OrgRow):
    """The link that a sent form is filled in by; apart, so that sending it changes no form.

    Else nothing that was sent could be taken back.
    """

    __tablename__ = "form_link"
    __undo__: ClassVar[str] = "ignore"
    __erase__: ClassVar[Erasure] = deleted(within("instance_id"))

    instance_id: Mapped[UUID] = mapped_column(
        ForeignKey(FormInstance.id, ondelete="CASCADE"), unique=True
    )
    token_hash: Mapped[str] = mapped_column(unique=True)
    """Of its secret, which is made as the message goes out and kept nowhere."""
    undelivered_at: Mapped[datetime | None]
    """When we learnt that the message didn't arrive."""


class FormResponse(OrgRow):
    """What a member answered and signed: written once, sealed, never changed (rule 44)."""

    __tablename__ = "form_response"
    __undo__: ClassVar[str] = "ignore"
    __erase__: ClassVar[Erasure] = blanked(within("instance_id"), sealed=True, answers="")

    instance_id: Mapped[UUID] = mapped_column(ForeignKey(FormInstance.id), unique=True)
    answers: Mapped[str]
    """Encrypted: the answers by field, who signed, and from which address."""
    signed_at: Mapped[datetime]
