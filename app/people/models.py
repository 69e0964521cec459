"""Tables of people: logins of the platform, staff and members of one org."""

from datetime import date, datetime
from uuid import UUID

from sqlalchemy import ForeignKey, Index, Text, UniqueConstraint, Uuid
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.core.actor import Role
from app.core.columns import text_enum
from app.core.db import OrgRow, PlatformRow
from app.people.terms import Channel, MemberStatus


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

    user_id: Mapped[UUID | None] = mapped_column(ForeignKey(AppUser.id), index=True)
    first_name: Mapped[str]
    last_name: Mapped[str] = mapped_column(default="")
    nickname: Mapped[str | None]
    phone: Mapped[str | None] = mapped_column(index=True)
    """E.164."""
    email: Mapped[str | None] = mapped_column(index=True)
    birth_date: Mapped[date | None]
    language: Mapped[str] = mapped_column(default="he")
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

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()


class OptOut(OrgRow):
    """An address that wants nothing more on a channel; whoever has it, member or lead."""

    __tablename__ = "opt_out"
    __table_args__ = (UniqueConstraint("org_id", "channel", "address"),)

    channel: Mapped[Channel] = mapped_column(text_enum(Channel))
    address: Mapped[str]
    """E.164, or an e-mail address in lower case."""
    opted_out_at: Mapped[datetime]
    source: Mapped[str]
    """How we know: `word` (they wrote it), `provider`, `staff`."""
