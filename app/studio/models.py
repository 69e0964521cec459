"""Tables of the gym: org and location."""

from typing import Any

from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core.columns import text_enum
from app.core.db import OrgRow, Row
from app.studio.terms import Tier


class Org(Row):
    """One gym. Its id is every other table's `org_id`; the platform role may list them."""

    __tablename__ = "org"

    version: Mapped[int] = mapped_column(default=1)
    name: Mapped[str]
    slug: Mapped[str] = mapped_column(unique=True)
    tier: Mapped[Tier] = mapped_column(text_enum(Tier), default=Tier.LITE)
    timezone: Mapped[str] = mapped_column(default="Asia/Jerusalem")
    week_start: Mapped[int] = mapped_column(default=0)
    """0 is Sunday, 6 Saturday."""
    currency: Mapped[str] = mapped_column(default="ILS")
    language: Mapped[str] = mapped_column(default="he")
    weight_unit: Mapped[str] = mapped_column(default="kg")
    phone_region: Mapped[str] = mapped_column(default="IL")
    booking_policy: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    """What differs from the defaults of `BookingPolicy`."""
    messaging_policy: Mapped[dict[str, Any]] = mapped_column(JSONB, default=dict)
    """What differs from the defaults of `MessagingPolicy` (app.people.consent)."""

    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012 - SQLAlchemy reads it from the class


class Location(OrgRow):
    __tablename__ = "location"

    name: Mapped[str]
    address: Mapped[str | None]
    timezone: Mapped[str | None]
    """Where it differs from the org's."""
    active: Mapped[bool] = mapped_column(default=True)
