"""The steady look for work that no job will come for: a dead worker's turns, a deadline."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

import structlog
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from app.core.db import Database, now_of
from app.messages import queries as messages
from bot.conversation import answering, looking, relay
from bot.conversation.models import InboundEvent, InboundState
from bot.conversation.queue import (
    FORGET_OLD,
    KEEP_WARM,
    LOOK_AROUND,
    RECONCILE,
    RELAY_ORG,
    RENEW_MEANINGS,
    RETIME,
    ROLL_OVER,
    ROUTE_SENDER,
    RUN_CONVERSATION,
    RUN_TASK,
    SEE_TEMPLATES,
    SEND_LANE,
    TEND_SCHEDULES,
    WEIGH,
    Enqueue,
)
from tools.kit import questions

EVERY_S = 2.0
PATIENCE = timedelta(seconds=2)
"""A job of its own is given this long before the sweeper steps in."""
AGAIN_S = 4.0
"""The same piece of work is not enqueued more often."""
RECONCILE_S = 300.0
KEEP_WARM_S = 60.0
ROLL_OVER_S = 900.0
TEND_S = 300.0
"""A gym's day begins at its own midnight, in whatever zone it is."""
WEIGH_S = 21_600.0
"""Once a day it writes down what is kept; asked more often, as a process may begin at any hour."""
DAY_S = 86_400.0
TEMPLATE_BEATS = 30
UNTOUCHED = timedelta(minutes=1)
"""A template that was just made may be taken back."""
LOOK_BACK = timedelta(hours=1)
FIRST_LOOK_BACK = timedelta(hours=24)
"""After a start it isn't known how long nobody was there."""

_log = structlog.get_logger()

_ABANDONED = text(
    """
    SELECT turn.org_id, turn.conversation_id FROM turn
    LEFT JOIN lease ON lease.lane = 'conversation:' || turn.conversation_id
    WHERE turn.state IN ('waiting', 'running') AND turn.updated_at < :before
      AND (lease.holder IS NULL OR lease.expires_at < clock_timestamp())
      AND NOT EXISTS (SELECT 1 FROM turn AS asked WHERE asked.state = 'asked'
                      AND asked.conversation_id = turn.conversation_id)
    """
)
_UNSENT = text(
    """
    SELECT DISTINCT message.lane FROM outbound_message AS message
    LEFT JOIN lease ON lease.lane = 'out:' || message.lane
    WHERE message.state IN ('queued', 'sending', 'unknown') AND message.due_at <= :before
      AND (lease.holder IS NULL OR lease.expires_at < clock_timestamp())
    """
)

_IDLE_TASKS = text(
    """
    SELECT task.org_id, task.id FROM background_task AS task
    LEFT JOIN lease ON lease.lane = 'task:' || task.id
    WHERE task.state IN ('queued', 'running')
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
    sweep_holds: Callable[[], None] = lambda: None
    _asked_at: dict[tuple[str, ...], float] = field(default_factory=dict)
    _beats: int = 0

    def beat(self) -> None:
        """One look at everything; a fault in one place doesn't hide the others."""
        for look in (
            self._turns,
            self._inbound,
            self._outbound,
            self._questions,
            self._outbox,
            self._automations,
            self._templates,
            self._tasks,
            self._deliveries,
            self.sweep_holds,
            self._housekeeping,
        ):
            try:
                look()
            except Exception as error:  # noqa: BLE001 - the pulse must not stop, whatever it is
                _log.warning("pulse_missed", look=look.__name__, error=type(error).__name__)
        self._beats += 1

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
        with self.db.platform() as session:
            lanes = session.scalars(_UNSENT, {"before": now_of(session) - PATIENCE}).all()
        for lane in lanes:
            self._once(SEND_LANE, lane)

    def _questions(self) -> None:
        with self.db.platform() as session:
            orgs = questions.orgs_with_due(session, now=now_of(session))
        for org_id in orgs:
            with self.db.transaction(org_id) as session:
                answering.expire_due(session, enqueue=self.enqueue)

    def _outbox(self) -> None:
        for org_id in relay.due_orgs(self.db, list(self.acts)):
            self._once(RELAY_ORG, str(org_id), every=EVERY_S)

    def _templates(self) -> None:
        """Not at every beat: approvals take hours."""
        if self._beats % TEMPLATE_BEATS == 0:
            with self.db.platform() as session:
                before = now_of(session) - UNTOUCHED
                found = messages.orgs_unapproved(session, before=before)
            for org_id in found:
                self._once(SEE_TEMPLATES, str(org_id))

    def _automations(self) -> None:
        for org_id in looking.due_orgs(self.db):
            self._once(LOOK_AROUND, str(org_id))

    def _tasks(self) -> None:
        """Those that wait for their first worker, and those that have lost one."""
        with self.db.platform() as session:
            found = session.execute(_IDLE_TASKS).all()
        for org_id, task_id in found:
            self._once(RUN_TASK, str(org_id), str(task_id))

    def _deliveries(self) -> None:
        with self.db.platform() as session:
            self.watch_deliveries(session)

    def _housekeeping(self) -> None:
        back = LOOK_BACK if self._beats else FIRST_LOOK_BACK
        self._once(RECONCILE, str(int(back.total_seconds())), every=RECONCILE_S)
        self._once(FORGET_OLD, every=DAY_S)
        self._once(KEEP_WARM, every=KEEP_WARM_S)
        self._once(ROLL_OVER, every=ROLL_OVER_S)
        self._once(TEND_SCHEDULES, every=TEND_S)
        self._once(RETIME, every=DAY_S)
        self._once(RENEW_MEANINGS, every=DAY_S)
        self._once(WEIGH, every=WEIGH_S)

    def _once(self, job: str, *args: str, every: float = AGAIN_S) -> None:
        now = time.monotonic()
        if now - self._asked_at.get((job, *args), float("-inf")) < every:
            return
        if len(self._asked_at) > 10_000:  # noqa: PLR2004 - only a bound
            self._asked_at.clear()
        self._asked_at[job, *args] = now
        self.enqueue(job, *args)
