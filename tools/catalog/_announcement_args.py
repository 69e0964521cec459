"""Arguments of the tools for announcements."""

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import Field

from app.messages.filters import AudienceFilter
from app.messages.service import News
from app.messages.terms import AnnouncementStatus
from app.people.terms import Channel
from i18n import Language, language_of_text
from tools.catalog._args import Listed, OneLine, Version
from tools.catalog._when import LocalTime
from tools.kit.declare import Args

AnnouncementId = Annotated[
    UUID, Field(description="The announcement, by id from announcements.list.")
]
Title = Annotated[OneLine, Field(min_length=2, max_length=100)]
Body = Annotated[str, Field(min_length=2, max_length=900, description="The whole text.")]
Written = Annotated[
    Language | None, Field(description="What it is written in; else told from the text.")
]
Pin = Annotated[date | None, Field(description="Local day until which it stands on top.")]
Readers = Annotated[AudienceFilter, Field(description="Who it is for; {} for all active members.")]


class Translation(Args):
    language: Language
    title: Title
    body: Body


class Announcements(Listed):
    status: tuple[AnnouncementStatus, ...] = Field(
        default=(), max_length=4, description="Only these; empty: all."
    )


class OneAnnouncement(Args):
    announcement_id: AnnouncementId


class NewAnnouncement(Args):
    title: Title
    body: Body
    language: Written = None
    translations: tuple[Translation, ...] = Field(
        default=(), max_length=2, description="The same in other languages."
    )
    audience: Readers = AudienceFilter()
    pin_until: Pin = None

    @property
    def news(self) -> News:
        language = self.language or language_of_text(f"{self.title} {self.body}") or Language.EN
        titles = {one.language.value: one.title for one in self.translations}
        bodies = {one.language.value: one.body for one in self.translations}
        return News(
            titles={language.value: self.title, **titles},
            bodies={language.value: self.body, **bodies},
            audience=self.audience,
            pin_until=self.pin_until,
        )


class NewsChange(OneAnnouncement):
    title: Title | None = None
    body: Body | None = None
    language: Written = None
    audience: AudienceFilter | None = Field(default=None, description="Who it is for.")
    pin_until: Pin = None
    expected_version: Version = None


class Publish(OneAnnouncement):
    publish_at: LocalTime | None = None
    push: Channel | None = Field(
        default=None, description="Also write to its audience on this channel."
    )
