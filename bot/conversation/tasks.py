"""Carrying tasks of the background on, under a lease, by chunks; and telling their end once."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from threading import Event as Flag
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import Database
from app.core.outbox import Outbox
from bot.conversation.leases import Lease, LeaseLost, hold
from bot.conversation.models import Conversation, Surface
from bot.conversation.phone import Phone
from bot.conversation.queue import RELAY_ORG, RUN_TASK, Enqueue
from bot.conversation.relay import Act
from tools.kit import background
from tools.kit.background import Brought
from tools.kit.binding import Standing
from tools.kit.models import BackgroundTask, ToolCall
from tools.kit.registry import Registry
from tools.kit.trying import until_unlocked

SLICE_S = 20.0
"""After this a task goes to the end of the queue: others wait too, and jobs have a time limit."""
TTL_S = 5.0
"""A dead worker's task is free so soon; a slow one that loses it has its chunk done again."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Tasks:
    """What carrying tasks on needs; one a process."""

    db: Database
    registry: Registry
    phone: Phone
    enqueue: Enqueue
    standing: Standing
    outside: Callable[[UUID, str], Any]
    """(org, name) -> the org's access to another service."""
    moved: Callable[[Session, BackgroundTask], None]
    """A task got further: the person's pages are to show it, once this is committed."""
    draining: Flag = field(default_factory=Flag)

    def run(self, org_id: UUID, task_id: UUID) -> None:
        """Carry a task on for a while; returns at once where another worker does so.

        Killed anywhere, the next call goes on behind the last chunk that was committed.
        """
        try:
            with hold(self.db, f"task:{task_id}", ttl_s=TTL_S) as lease:
                if lease is None:
                    return
                live = self._carry_on(org_id, task_id, lease)
        except LeaseLost:
            _log.warning("lease_lost", task=str(task_id))
            return
        if live:
            self.enqueue(RUN_TASK, str(org_id), str(task_id))
        else:
            self.enqueue(RELAY_ORG, str(org_id))

    def acts(self) -> dict[str, Act]:
        return {background.ENDED: self._tell_end}

    def stop_here(self, session: Session, actor: Actor, conversation_id: UUID) -> bool:
        """Stop what goes on in the background for a conversation; False where nothing does."""
        found = background.live(session, actor, conversation_id)
        zone = self.phone.zone_of(session, actor.org_id)
        for task_id in found:
            background.cancel(session, actor, task_id, zone=zone)
        return bool(found)

    def _carry_on(self, org_id: UUID, task_id: UUID, lease: Lease) -> bool:
        """False once it has ended."""
        live = self._take_up(org_id, task_id, lease)
        until = time.monotonic() + SLICE_S
        while live and time.monotonic() < until and not self.draining.is_set():
            brought = self._fetch(org_id, task_id)
            live = until_unlocked(partial(self._chunk, org_id, task_id, lease, brought))
        return live

    def _take_up(self, org_id: UUID, task_id: UUID, lease: Lease) -> bool:
        with self.db.transaction(org_id) as session:
            lease.guard(session)
            return background.take_up(session, task_id)

    def _fetch(self, org_id: UUID, task_id: UUID) -> Brought | None:
        """What the next item needs of another service: no transaction is open meanwhile."""
        with self.db.transaction(org_id) as session:
            ahead = background.look_ahead(session, self.registry, task_id, standing=self.standing)
        return None if ahead is None else ahead.fetch(partial(self.outside, org_id))

    def _chunk(self, org_id: UUID, task_id: UUID, lease: Lease, brought: Brought | None) -> bool:
        """One chunk in one transaction; False where that was the last one."""
        with self.db.transaction(org_id) as session:
            lease.guard(session)
            zone = self.phone.zone_of(session, org_id)
            task = background.advance(
                session,
                self.registry,
                task_id,
                brought=brought,
                standing=self.standing,
                zone=zone,
            )
            if task.state.live:
                self.moved(session, task)
        return task.state.live

    def _tell_end(self, session: Session, row: Outbox) -> None:
        """On the person's pages, and on the phone where they asked for it."""
        task = session.get_one(BackgroundTask, UUID(row.body["task_id"]))
        self.moved(session, task)
        undone = session.get_one(ToolCall, task.call_id).undone_at is not None
        works_here = self.phone.actor_of(session, task.org_id, task.user_id) is not None
        if undone or not works_here or task.conversation_id is None:
            return
        conversation = session.get_one(Conversation, task.conversation_id)
        if conversation.surface is not Surface.WEB:
            card = background.card_of(session, task)
            self.phone.tell(session, conversation, card, key=f"task:{task.id}")
