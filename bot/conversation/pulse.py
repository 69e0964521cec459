"""The steady look for work that no job will come for: a killed worker's turns, a lost queue, a deadline."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

import structlog
from sqlalchemy import select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from app.core.db import Database, now_of
from bot.conversation import answering, relay
from bot.conversation.models import InboundEvent, InboundState, OutboundMessage, OutboundState
from bot.conversation.queue import ROUTE_SENDER, RUN_CONVERSATION, SEND_LANE, Enqueue
from tools.kit.models import Question, QuestionState

EVERY_S = 2.0
PATIENCE = timedelta(seconds=2)
"""A job of its own is given this long before the sweeper steps in."""
AGAIN_S = 8.0
"""The same piece of work is not enqueued more often."""

_log = structlog.get_logger()

_ABANDONED = text(
    """
    SELECT turn.org_id, turn.conversation_id FROM turn
    LEFT JOIN lease ON lease.lane = 'conversation:' || turn.conversation_id
    WHERE turn.state IN ('waiting', 'running') AND turn.updated_at < :before
      AND (lease.holder IS NULL OR lease.expires_at < clock_timestamp())
    """
)


@dataclass
class Pulse:
    db: Database
    enqueue: Enqueue
    acts: Mapping[str, relay.Act]
    watch_deliveries: Callable[[Session], None]
    """Looks for questions that WhatsApp has not delivered in time."""
    _asked_at: dict[tuple[str, ...], float] = field(default_factory=dict)

    def beat(self) -> None:
        """One look at everything; a fault in one place doesn't hide the others."""
        for look in (
            self._turns,
            self._inbound,
            self._outbound,
            self._questions,
            self._outbox,
            self._deliveries,
        ):
            try:
                look()
            except SQLAlchemyError as error:
                _log.warning("pulse_missed", look=look.__name__, error=type(error).__name__)

    def _turns(self) -> None:
        with self.db.platform() as session:
            found = session.execute(_ABANDONED, {"before": now_of(session) - PATIENCE}).all()
        for org_id, conversation_id in found:
            self._once(RUN_CONVERSATION, str(org_id), str(conversation_id))

    def _inbound(self) -> None:
        with self.db.platform() as session:
            late = select(InboundEvent.sender).where(
                InboundEvent.state == InboundState.STORED,
                InboundEvent.created_at < now_of(session) - PATIENCE,
            )
            senders = list(session.scalars(late.distinct()))
        for sender in senders:
            self._once(ROUTE_SENDER, sender)

    def _outbound(self) -> None:
        open_ = (OutboundState.QUEUED, OutboundState.SENDING, OutboundState.UNKNOWN)
        with self.db.platform() as session:
            due = select(OutboundMessage.lane).where(
                OutboundMessage.state.in_(open_),
                OutboundMessage.due_at <= now_of(session) - PATIENCE,
            )
            lanes = list(session.scalars(due.distinct()))
        for lane in lanes:
            self._once(SEND_LANE, lane)

    def _questions(self) -> None:
        with self.db.platform() as session:
            late = select(Question.org_id).where(
                Question.state == QuestionState.OPEN, Question.expires_at <= now_of(session)
            )
            orgs = list(session.scalars(late.distinct()))
        for org_id in orgs:
            with self.db.transaction(org_id) as session:
                answering.expire_due(session, enqueue=self.enqueue)

    def _outbox(self) -> None:
        for org_id in relay.due_orgs(self.db):
            relay.relay_due(self.db, self.acts, org_id)

    def _deliveries(self) -> None:
        with self.db.platform() as session:
            self.watch_deliveries(session)

    def _once(self, job: str, *args: str) -> None:
        now = time.monotonic()
        if now - self._asked_at.get((job, *args), -AGAIN_S) >= AGAIN_S:
            self._asked_at[job, *args] = now
            self.enqueue(job, *args)
        if len(self._asked_at) > 10_000:  # noqa: PLR2004 - only a bound
            self._asked_at.clear()
