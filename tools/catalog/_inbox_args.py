"""Arguments of the tools for the inbox."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from app.inbox.terms import ThreadChannel, ThreadStatus
from tools.catalog._args import Listed, Version
from tools.catalog._message_args import LONGEST, TemplateId, Variables
from tools.kit.declare import Args

ThreadId = Annotated[UUID, Field(description="The thread, by id from inbox.list_threads.")]


class Threads(Listed):
    status: tuple[ThreadStatus, ...] = Field(
        default=(ThreadStatus.OPEN, ThreadStatus.PENDING),
        max_length=3,
        description="open: we are to answer; pending: they are. [] for all.",
    )
    channel: tuple[ThreadChannel, ...] = Field(default=(), max_length=5, description="Only these.")
    mine: bool = Field(default=False, description="Only those assigned to the caller.")
    assignee_id: UUID | None = Field(default=None, description="Only of this one of the team.")
    unread: bool | None = Field(default=None, description="true: only unread; false: only read.")


class OneThread(Args):
    thread_id: ThreadId


class Reading(OneThread):
    limit: int = Field(default=20, ge=1, le=100, description="Messages wanted, the last ones.")
    before: UUID | None = Field(default=None, description="Only those before this message.")


class Replying(OneThread):
    body: str | None = Field(
        default=None, min_length=1, max_length=LONGEST, description="The whole text, as it is sent."
    )
    template_id: TemplateId = None
    variables: Variables = Field(default_factory=dict)


class Drafting(OneThread):
    body: str = Field(max_length=LONGEST, description="The draft; '' takes it away.")
    expected_version: Version = None


class Assigning(OneThread):
    assignee_id: UUID = Field(description="Who is to see to it, from read.list_staff.")
    expected_version: Version = Field(
        default=None, description="The version you read; must be given to take it from somebody."
    )


class Noting(OneThread):
    body: str = Field(min_length=1, max_length=2_000, description="For the team alone.")


class Closing(OneThread):
    outcome: str | None = Field(default=None, max_length=300, description="What came of it.")


class Marking(OneThread):
    read: bool = Field(description="false: unread again.")
