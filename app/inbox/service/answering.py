"""Answering: what may go out, when it does, and what became of it (rule 36)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Protocol
from uuid import UUID

from sqlalchemy.orm import Session

from app.core import outbox
from app.core.actor import Actor
from app.inbox import queries, rules
from app.inbox.models import InboxMessage
from app.inbox.rules import WRITABLE
from app.inbox.service import rows
from app.inbox.service.handling import draft_of
from app.inbox.terms import Direction, MessageState, ThreadStatus
from app.inbox.views import ThreadView
from app.people import queries as people
from app.people.consent import Recipient, Refusal, policy_of
from app.people.terms import Category, Channel
from app.studio import queries as studio

REPLY: Final = "inbox_reply"
"""Body: `message_id`, and `content_ref` with `content_variables` of an approved template."""


@dataclass(frozen=True, slots=True)
class Approved:
    """A template that the provider lets through at any time, by its own id."""

    id: UUID
    ref: str | None
    """None: it isn't approved, so it is words like any others."""
    variables: dict[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole text, with its places filled; `template` is where it comes from."""

    body: str
    template: Approved | None = None
    category: Category = Category.UTILITY

    @property
    def approved(self) -> bool:
        return self.template is not None and self.template.ref is not None


@dataclass(frozen=True, slots=True)
class Planned:
    """To whom it goes, and when: later than now in quiet hours."""

    thread: ThreadView
    leaves_at: datetime


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What is to leave now."""

    message_id: UUID
    channel: Channel
    address: str
    body: str


class Had(Protocol):
    """When a person, by id, was sent marketing since a time, by whatever way (rule 36).

    `but` is a message not to count. It comes from above: what else is written to people is kept
    there.
    """

    def __call__(
        self, session: Session, person_id: UUID, *, since: datetime, but: UUID | None
    ) -> Sequence[datetime]: ...


def preview_reply(
    session: Session, actor: Actor, thread_id: UUID, said: Reply, *, had: Had, now: datetime
) -> Planned:
    """What `reply` would do. Raises a Refusal where it would not go out, and NotFound."""
    thread = queries.thread(session, thread_id)
    at = _leaves_at(session, actor.org_id, thread, said.category, now)
    judge = _Judge(session, actor.org_id, had)
    refused = judge.refusal(thread, said.category, approved=said.approved, at=at)
    if refused is not None:
        raise refused
    return Planned(thread, at)


def reply(
    session: Session, actor: Actor, thread_id: UUID, said: Reply, *, had: Had, now: datetime
) -> tuple[UUID, Planned]:
    """Queue an answer; a draft has done its duty. The message's id. Raises what the preview does.

    It is out at once: nothing takes it back.
    """
    row = rows.lock(session, thread_id)
    planned = preview_reply(session, actor, thread_id, said, had=had, now=now)
    made = rows.add(
        session,
        row,
        Direction.OUT,
        said.body,
        at=now,
        author_id=actor.user_id,
        category=said.category,
        state=MessageState.QUEUED,
        template_id=said.template.id if said.template else None,
    )
    row.status, row.unread = ThreadStatus.PENDING, 0
    if (draft := draft_of(session, row.id)) is not None:
        session.delete(draft)
    session.flush()
    _queue(session, made, said, wait=planned.leaves_at - now)
    return made.id, planned


def outgoing(
    session: Session, queued: dict[str, Any], *, had: Had, now: datetime
) -> Outgoing | None:
    """What is to leave now, of a queued REPLY; None where the time isn't right, or it may not.

    Between a yes and the end of the quiet hours somebody may have opted out: then it has failed.
    """
    row = session.get(InboxMessage, UUID(queued["message_id"]), with_for_update=True)
    if row is None or row.state is not MessageState.QUEUED:
        return None
    thread, category = queries.thread(session, row.thread_id), row.category or Category.UTILITY
    at = _leaves_at(session, row.org_id, thread, category, now)
    if at > now:
        outbox.put(session, row.org_id, REPLY, queued, wait=at - now)
        return None
    approved = queued["content_ref"] is not None
    judge = _Judge(session, row.org_id, had, but=row.id)
    if judge.refusal(thread, category, approved=approved, at=now) is not None:
        row.state = MessageState.FAILED
        session.flush()
        return None
    return Outgoing(row.id, WRITABLE[thread.channel], thread.handle, row.body)


def report(
    session: Session, message_id: UUID, state: MessageState, *, error_code: int | None
) -> None:
    """What the provider tells of it; it comes in the order of its own ranks."""
    row = session.get(InboxMessage, message_id, with_for_update=True)
    if row is not None:
        row.state, row.error_code = state, error_code
        session.flush()


def _leaves_at(
    session: Session, org_id: UUID, thread: ThreadView, category: Category, now: datetime
) -> datetime:
    heard_at = thread.last_inbound_at
    return people.leaves_at(session, org_id, category, now=now, heard_at=heard_at)


@dataclass(frozen=True, slots=True)
class _Judge:
    """Whether an answer may go out, by all that is known of whom it is for."""

    session: Session
    org_id: UUID
    had: Had
    but: UUID | None = None

    def refusal(
        self, thread: ThreadView, category: Category, *, approved: bool, at: datetime
    ) -> Refusal | None:
        policy = policy_of(studio.org(self.session, self.org_id).messaging_policy)
        channel, marketing = WRITABLE.get(thread.channel), category is Category.MARKETING
        out = channel and people.opted_out(self.session, channel, [thread.handle])
        recipient = Recipient(
            thread.contact,
            opted_out=bool(out),
            agreed_to_marketing=marketing and queries.agreed(self.session, thread),
            had=self._had(thread, since=at - timedelta(days=policy.cap.days)) if marketing else (),
        )
        return rules.refusal(thread, recipient, category, policy, approved=approved, at=at)

    def _had(self, thread: ThreadView, *, since: datetime) -> Sequence[datetime]:
        person_id = thread.member_id or thread.lead_id
        return self.had(self.session, person_id, since=since, but=self.but) if person_id else ()


def _queue(session: Session, row: InboxMessage, said: Reply, *, wait: timedelta) -> None:
    template = said.template if said.approved else None
    body = {
        "message_id": str(row.id),
        "content_ref": template.ref if template else None,
        "content_variables": template.variables if template else None,
    }
    outbox.put(session, row.org_id, REPLY, body, wait=wait)
