"""Tables of the Arbox import: the connection and its key, mappings, records, batches."""

from datetime import datetime
from typing import Any, ClassVar
from uuid import UUID

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.arbox.terms import Act, BatchKind, ConnectionState, Kind, MappingKind, MappingState, Policy
from app.core.columns import text_enum
from app.core.db import OrgRow
from app.core.erasing import Erasure, addressed, blanked, either, of_member, within


class ArboxConnection(OrgRow):
    """A gym's connection, one at most; without a row there is none."""

    __tablename__ = "arbox_connection"
    __table_args__ = (UniqueConstraint("org_id"),)

    state: Mapped[ConnectionState] = mapped_column(text_enum(ConnectionState))
    asked_by: Mapped[UUID]
    form_hash: Mapped[str | None]
    """Of the word in the link to the key form, while that is open."""
    form_until: Mapped[datetime | None]
    connected_at: Mapped[datetime | None]
    last_read_at: Mapped[datetime | None]
    """When all lists had last been read."""
    reads: Mapped[int] = mapped_column(default=0)
    """How often: a preview is of one reading."""
    lists_read: Mapped[int] = mapped_column(default=0)
    """Of the reading that is on, or was last."""
    last_error: Mapped[str | None]
    last_error_at: Mapped[datetime | None]


class ArboxKey(OrgRow):
    """The key to a gym's Arbox: sealed, and never in an image of a row."""

    __tablename__ = "arbox_key"
    __table_args__ = (UniqueConstraint("org_id"),)
    __undo__: ClassVar[str] = "ignore"

    sealed: Mapped[str]
    last4: Mapped[str]


class ArboxMapping(OrgRow):
    """What something of theirs is with us."""

    __tablename__ = "arbox_mapping"
    __table_args__ = (UniqueConstraint("org_id", "kind", "arbox_id"),)

    kind: Mapped[MappingKind] = mapped_column(text_enum(MappingKind))
    arbox_id: Mapped[str]
    arbox_name: Mapped[str]
    local_id: Mapped[UUID | None]
    """A location, class type, plan or member of the team."""
    stage: Mapped[str | None]
    """Of a status: the stage of our leads that it stands for."""
    state: Mapped[MappingState] = mapped_column(
        text_enum(MappingState), default=MappingState.UNMAPPED
    )


class ArboxRecord(OrgRow):
    """One record of theirs as it was last read, in our terms, and what it has become here."""

    __tablename__ = "arbox_record"
    __undo__: ClassVar[str] = "ignore"
    __erase__: ClassVar[Erasure] = blanked(
        either(of_member("member_id"), addressed("phone"), addressed("email")),
        keeps=("arbox_id", "person"),
        name="",
        phone=None,
        email=None,
        facts={},
        applied=None,
        ignored=True,
    )
    __table_args__ = (
        UniqueConstraint("org_id", "kind", "arbox_id"),
        Index("ix_arbox_record_person", "org_id", "person"),
    )

    kind: Mapped[Kind] = mapped_column(text_enum(Kind))
    arbox_id: Mapped[str]
    person: Mapped[str | None]
    """The user of theirs whom it is about."""
    name: Mapped[str]
    phone: Mapped[str | None]
    email: Mapped[str | None]
    facts: Mapped[dict[str, Any]] = mapped_column(JSONB)
    """What reading.py makes of it; the rest of what they have is not kept."""
    seen_at: Mapped[datetime]
    local_id: Mapped[UUID | None]
    """What it became."""
    member_id: Mapped[UUID | None] = mapped_column(index=True)
    """Whom of ours it is about, once that is known; what erasing finds it by."""
    applied: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """The facts that were last written over here."""
    ignored: Mapped[bool] = mapped_column(default=False)
    """The person was erased here: it is never read again."""


class ImportBatch(OrgRow):
    """One import, or what one sync changed."""

    __tablename__ = "import_batch"
    __undo__: ClassVar[str] = "ignore"

    kind: Mapped[BatchKind] = mapped_column(text_enum(BatchKind))
    policy: Mapped[Policy] = mapped_column(text_enum(Policy))
    counts: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    """By entity and act, as the preview had them."""
    by: Mapped[UUID]
    """The login."""
    rolled_back_at: Mapped[datetime | None]


class ImportedRow(OrgRow):
    """A row of ours that a batch made or changed."""

    __tablename__ = "imported_row"
    __undo__: ClassVar[str] = "ignore"
    __erase__: ClassVar[Erasure] = blanked(within("record_id"), before=None)
    __table_args__ = (UniqueConstraint("batch_id", "record_id"),)

    batch_id: Mapped[UUID] = mapped_column(ForeignKey(ImportBatch.id), index=True)
    record_id: Mapped[UUID] = mapped_column(ForeignKey(ArboxRecord.id), index=True)
    act: Mapped[Act] = mapped_column(text_enum(Act))
    local_id: Mapped[UUID]
    before: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """The fields of ours that it wrote over; null: it made the row."""
    version_left: Mapped[int]
    """The row's version when the batch was done with it: another one means it was touched."""
    position: Mapped[int]
    rolled_back: Mapped[bool] = mapped_column(default=False)
