"""Arguments of the tools for messages."""

from datetime import date
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from app.messages.filters import AudienceFilter
from app.messages.service import NewTemplate, Said
from app.messages.terms import BroadcastStatus, MessageState, ProviderStatus
from app.messages.views import Audience
from app.people.terms import Category, Channel
from i18n import Language, language_of_text
from tools.catalog._args import Listed, MemberId, OneLine
from tools.catalog._when import LocalTime
from tools.kit.declare import Args

LONGEST = 1_000
"""Characters of a text: with its names filled in it must fit one message."""
Body = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST,
        description="The whole text. {name} (first), {fullname}, {gym} are filled in.",
    ),
]
Text = Annotated[str | None, Field(min_length=1, max_length=LONGEST)]
TemplateId = Annotated[
    UUID | None,
    Field(description="Instead of body, from messages.list_templates; with its translations."),
]
Variables = Annotated[
    dict[
        Annotated[str, Field(pattern="^[a-z][a-z_]{0,29}$")],
        Annotated[str, Field(min_length=1, max_length=200)],
    ],
    Field(max_length=8, description="What goes into the text's other {places}."),
]
BroadcastId = Annotated[UUID, Field(description="The broadcast, by id from messages.list_sent.")]
Kind = Annotated[
    Category,
    Field(description="marketing: an offer, needs consent. utility: their own bookings and plan."),
]
SentStatus = Literal[
    "queued", "sent", "delivered", "read", "failed", "skipped", "scheduled", "sending", "cancelled"
]


class Texts(Args):
    """A text in each language it is sent in; others get the gym's own language."""

    en: Text = None
    he: Text = None
    ru: Text = None

    @property
    def told(self) -> dict[str, str]:
        return self.model_dump(exclude_none=True)


class Sent(Listed):
    member_id: UUID | None = Field(default=None, description="Only to this member.")
    broadcast_id: UUID | None = Field(default=None, description="Only of this broadcast.")
    status: tuple[SentStatus, ...] = Field(
        default=(), max_length=9, description="Only these; scheduled finds planned broadcasts."
    )
    from_date: date | None = Field(default=None, description="First local day.")
    to_date: date | None = Field(default=None, description="Last local day, included.")

    @property
    def states(self) -> tuple[MessageState | BroadcastStatus, ...]:
        of_messages = tuple(one for one in MessageState if one.value in self.status)
        return (*of_messages, *(one for one in BroadcastStatus if one.value in self.status))


class Templates(Listed):
    channel: Channel | None = Field(default=None, description="Only for this channel.")
    language: Language | None = Field(default=None, description="Only in this language.")
    status: tuple[ProviderStatus, ...] = Field(
        default=(), max_length=4, description="WhatsApp's approval; empty: all."
    )


class Meant(Args):
    """Who and what: all that is said of who must agree."""

    segment_id: UUID | None = Field(default=None, description="From read.list_segments.")
    member_ids: tuple[UUID, ...] = Field(
        default=(), min_length=1, max_length=500, description="Just these members."
    )
    filter: AudienceFilter = AudienceFilter()
    channel: Channel
    body: Texts = Texts()
    template_id: TemplateId = None
    variables: Variables = Field(default_factory=dict)
    category: Kind = Category.MARKETING

    @property
    def audience(self) -> Audience:
        return Audience(self.filter, self.segment_id, self.member_ids)

    @property
    def said(self) -> Said:
        return Said(self.channel, self.body.told, self.template_id, self.variables, self.category)


class Sending(Meant):
    audience_hash: str = Field(
        min_length=3,
        max_length=60,
        description="From messages.preview_broadcast; refused if the audience changed since.",
    )


class Scheduling(Meant):
    send_at: LocalTime


class OneBroadcast(Args):
    broadcast_id: BroadcastId


class NewMessage(Args):
    member_id: MemberId
    channel: Channel
    body: Body | None = None
    template_id: TemplateId = None
    variables: Variables = Field(default_factory=dict)
    category: Kind = Category.UTILITY

    @property
    def said(self) -> Said:
        """In whatever language it was written."""
        texts = {} if self.body is None else {language_of_text(self.body) or "en": self.body}
        return Said(self.channel, texts, self.template_id, self.variables, self.category)


class NewMessageTemplate(Args):
    name: OneLine = Field(
        min_length=2, max_length=60, description="Translations share name and channel."
    )
    channel: Channel
    body: Body
    language: Language
    category: Kind = Category.UTILITY

    @property
    def new(self) -> NewTemplate:
        return NewTemplate(self.name, self.channel, self.language.value, self.body, self.category)


class OneTemplate(Args):
    message_template_id: UUID = Field(
        description="The template, by id from messages.list_templates."
    )
