"""Tables of people: logins of the platform; staff, members, notes and invitations of one org."""

from datetime import date, datetime
from typing import ClassVar
from uuid import UUID

from sqlalchemy import ColumnElement, ForeignKey, Index, Text, UniqueConstraint, Uuid, func
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.core.actor import Role
from app.core.columns import text_enum
from app.core.db import OrgRow, PlatformRow
from app.core.erasing import Erasure, addressed, deleted, either, of_member, within
from app.core.sought import Sought
from app.people.terms import (
    Channel,
    Gender,
    InvitationKind,
    InvitationStatus,
    LegalBasis,
    MemberStatus,
    NoteKind,
)


class AppUser(PlatformRow):
    """A login. One person may work in several orgs; each has a `staff` row there."""

    __tablename__ = "app_user"

    name: Mapped[str]
    email: Mapped[str | None] = mapped_column(unique=True)
    """Lower case."""
    phone: Mapped[str | None] = mapped_column(unique=True)
    """E.164."""
    language: Mapped[str] = mapped_column(default="he")
    last_login_at: Mapped[datetime | None]


class AppPassword(PlatformRow):
    """The password of a login, for small installs; apart, so that no org ever reads it."""

    __tablename__ = "app_password"

    user_id: Mapped[UUID] = mapped_column(ForeignKey(AppUser.id), unique=True)
    hash: Mapped[str]


class Staff(OrgRow):
    """A person at work in an org."""

    __tablename__ = "staff"
    __table_args__ = (UniqueConstraint("org_id", "user_id"),)

    user_id: Mapped[UUID] = mapped_column(ForeignKey(AppUser.id), index=True)
    role: Mapped[Role] = mapped_column(text_enum(Role))
    name: Mapped[str]
    """As the gym knows them."""
    active: Mapped[bool] = mapped_column(default=True)
    color: Mapped[str | None]
    class_type_ids: Mapped[list[UUID]] = mapped_column(ARRAY(Uuid()), default=list)
    """What they usually coach; empty means anything."""


class Member(OrgRow):
    """A person who trains here; what they bought is a membership."""

    __tablename__ = "member"
    __table_args__ = (Index("ix_member_name_keys", "name_keys", postgresql_using="gin"),)
    __sought__: ClassVar[Sought] = Sought(
        "member", ("first_name", "last_name", "nickname", "display_name")
    )

    user_id: Mapped[UUID | None] = mapped_column(ForeignKey(AppUser.id), index=True)
    first_name: Mapped[str]
    last_name: Mapped[str] = mapped_column(default="")
    nickname: Mapped[str | None]
    display_name: Mapped[str | None]
    """What they are to be called, where it isn't their first and last name."""
    phone: Mapped[str | None] = mapped_column(index=True)
    """E.164."""
    phone_extension: Mapped[str | None]
    email: Mapped[str | None] = mapped_column(index=True)
    birth_date: Mapped[date | None]
    gender: Mapped[Gender | None] = mapped_column(text_enum(Gender))
    language: Mapped[str] = mapped_column(default="he")
    weight_unit: Mapped[str | None]
    """`kg` or `lb`; null: the gym's."""
    emergency_contact: Mapped[str | None]
    photo_url: Mapped[str | None]
    status: Mapped[MemberStatus] = mapped_column(
        text_enum(MemberStatus), default=MemberStatus.ACTIVE
    )
    joined_on: Mapped[date]
    source: Mapped[str | None]
    tags: Mapped[list[str]] = mapped_column(ARRAY(Text()), default=list)
    primary_coach_id: Mapped[UUID | None] = mapped_column(ForeignKey(Staff.id))
    health_form_until: Mapped[date | None]
    """The last day that the signed health declaration covers."""
    marketing_consent_at: Mapped[datetime | None]
    """Null: they never agreed to be sent offers."""
    name_keys: Mapped[list[str]] = mapped_column(ARRAY(Text()), default=list)
    """What names are looked up by (see `names.py`)."""

    suspended_from: Mapped[MemberStatus | None] = mapped_column(text_enum(MemberStatus))
    """What they were before their last suspension, and why it was."""
    suspend_reason: Mapped[str | None]
    suspended_at: Mapped[datetime | None]
    archived_from: Mapped[MemberStatus | None] = mapped_column(text_enum(MemberStatus))
    """The same of when they were last archived."""
    archive_reason: Mapped[str | None]
    archived_at: Mapped[datetime | None]
    erased_at: Mapped[datetime | None]
    erased_basis: Mapped[LegalBasis | None] = mapped_column(text_enum(LegalBasis))

    @property
    def name(self) -> str:
        return self.display_name or f"{self.first_name} {self.last_name}".strip()

    def retire(self, now: datetime) -> None:
        """Out of all lists: somebody who isn't a member after all, but is in a log."""
        self.archived_from, self.archived_at = self.status, now
        self.status = MemberStatus.ARCHIVED


def shown_name() -> ColumnElement[str]:
    """A member's `name`, where rows aren't read one by one."""
    whole = func.trim(func.concat(Member.first_name, " ", Member.last_name))
    return func.coalesce(func.nullif(Member.display_name, ""), whole)


class MemberNote(OrgRow):
    """What staff write about a member, for staff."""

    __tablename__ = "member_note"
    __erase__: ClassVar[Erasure] = deleted()

    member_id: Mapped[UUID] = mapped_column(ForeignKey(Member.id), index=True)
    author_id: Mapped[UUID]
    """A user."""
    kind: Mapped[NoteKind] = mapped_column(text_enum(NoteKind))
    body: Mapped[str]
    pinned: Mapped[bool] = mapped_column(default=False)
    visible_to_roles: Mapped[list[str]] = mapped_column(ARRAY(Text()))
    """Whoever wrote it sees it too."""


class Invitation(OrgRow):
    """A link that lets one person join, good for some days."""

    __tablename__ = "invitation"
    __table_args__ = (Index("ix_invitation_address", "org_id", "address"),)
    __erase__: ClassVar[Erasure] = deleted(either(of_member(), addressed("address")))

    kind: Mapped[InvitationKind] = mapped_column(text_enum(InvitationKind))
    role: Mapped[Role | None] = mapped_column(text_enum(Role))
    """Of an invitation to the team."""
    member_id: Mapped[UUID | None] = mapped_column(ForeignKey(Member.id), index=True)
    """Whom it makes a member, or made one."""
    first_name: Mapped[str]
    last_name: Mapped[str] = mapped_column(default="")
    language: Mapped[str]
    channel: Mapped[Channel] = mapped_column(text_enum(Channel))
    address: Mapped[str]
    """E.164, or an e-mail address in lower case."""
    plan_id: Mapped[UUID | None]
    """No foreign key: plans are a domain above."""
    status: Mapped[InvitationStatus] = mapped_column(
        text_enum(InvitationStatus), default=InvitationStatus.PENDING
    )
    expires_at: Mapped[datetime]
    invited_by: Mapped[UUID | None]
    """A user."""
    accepted_at: Mapped[datetime | None]

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()


class InvitationLink(OrgRow):
    """A link that was sent; the last one of an invitation counts.

    Apart from it, so that a call can be undone though its message has left.
    """

    __tablename__ = "invitation_link"
    __undo__: ClassVar[str] = "ignore"
    __erase__: ClassVar[Erasure] = deleted(within("invitation_id"))

    invitation_id: Mapped[UUID] = mapped_column(ForeignKey(Invitation.id), index=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    sent_at: Mapped[datetime]
    failed: Mapped[bool] = mapped_column(default=False)
    """It did not arrive."""


class OptOut(OrgRow):
    """An address that wants nothing more on a channel; whoever has it, member or lead."""

    __tablename__ = "opt_out"
    __erase__: ClassVar[Erasure] = deleted(addressed("address"))
    __table_args__ = (UniqueConstraint("org_id", "channel", "address"),)

    channel: Mapped[Channel] = mapped_column(text_enum(Channel))
    address: Mapped[str]
    """E.164, or an e-mail address in lower case."""
    opted_out_at: Mapped[datetime]
    source: Mapped[str]
    """How we know: `word` (they wrote it), `provider`, `staff`."""
