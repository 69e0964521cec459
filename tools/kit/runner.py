"""The one way through which a tool is run, for one actor and one origin."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any, Final
from uuid import UUID

import structlog
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import Database
from app.core.errors import BadInput, KeyReused, StudioError
from tools.kit import audit, binding, failures, writing
from tools.kit.audit import Source
from tools.kit.binding import Declined, Moved, Standing
from tools.kit.calls import Call, Decision, Outcome, Question
from tools.kit.cards import Failed, NotRun
from tools.kit.cutting import cut
from tools.kit.declare import Context, Effect, Meant, Tool
from tools.kit.registry import Registry
from tools.kit.trying import until_unlocked

SIDE_BY_SIDE: Final = 4

Guard = Callable[[Session], object]
"""Raises where this process may no longer write for the turn: its lease was taken over."""

_log = structlog.get_logger(__name__)
_MOVED: Final = Outcome(card=NotRun(reason="interrupted"), ok=False, moved=True)
_DECLINED: Final = Outcome(card=NotRun(reason="declined"), ok=False)
_READING: Final = text(
    "SELECT set_config('transaction_read_only', 'on', true),"
    " set_config('plan_cache_mode', 'force_custom_plan', true)"
)
"""A read is planned for what it asks: a plan for any days and any gym takes 20 times as long."""


class Runner:
    """Runs calls as one actor, each in a transaction of its own; a write happens once for its key.

    `standing` looks the person up again in that transaction, so that a role taken away counts at
    once; what `guard` raises passes through, and leaves nothing. `zone` is the gym's, for receipts.
    """

    def __init__(
        self,
        db: Database,
        registry: Registry,
        actor: Actor,
        origin: str,
        *,
        guard: Guard | None = None,
        standing: Standing | None = None,
        conversation_id: UUID | None = None,
        turn_id: UUID | None = None,
        zone: str = "UTC",
    ) -> None:
        self.db = db
        self.registry = registry
        self.actor = actor
        self.source = Source(origin, conversation_id, turn_id)
        self.guard = guard
        self.standing = standing
        self.zone = zone

    def question(self, call: Call) -> Question | None:
        """What to ask before this call; None where it may run, or is going to fail anyway."""
        try:
            tool, args = self._read_call(call)
            if not binding.needs_asking(tool, self.actor):
                return None
            with self.db.transaction(self.actor.org_id) as session:
                return binding.question_of(tool, self._context(session), args)
        except DBAPIError:
            raise
        except StudioError:
            return None
        except Exception as error:  # noqa: BLE001 - the run says so
            _log.error("question_broke", tool=self._name(call), exc_info=error)
            return None

    def reads(self, call: Call) -> bool:
        """Whether this is a plain read that exists, is this role's and whose arguments fit."""
        try:
            tool, _ = self._read_call(call)
        except StudioError:
            return False
        return tool.effect is Effect.READ and tool.confirm is None

    def run(self, call: Call, decision: Decision | None = None) -> Outcome:
        """Carry a call out once, however often it is asked for."""
        started = perf_counter()
        outcome = self._run(call, decision)
        _log.info(
            "tool_ran",
            tool=self._name(call),
            result=outcome.card.code if isinstance(outcome.card, Failed) else outcome.card.kind,
            origin=self.source.origin,
            ms=round((perf_counter() - started) * 1000),
        )
        return outcome

    def run_reads(self, calls: Sequence[Call]) -> Sequence[Outcome]:
        """Plain reads side by side, outcomes in the order of the calls."""
        with ThreadPoolExecutor(max_workers=SIDE_BY_SIDE) as threads:
            return list(threads.map(self.run, calls))

    def _run(self, call: Call, decision: Decision | None) -> Outcome:
        try:
            tool, args = self._read_call(call)
        except StudioError as error:
            return self._refuse(call, error)
        if isinstance(args, Meant):
            self.db.meanings.ahead(args.meant)
        try:
            if tool.effect is Effect.READ:
                return self._read(call, decision)
            return until_unlocked(lambda: self._write(call, decision, tool))
        except Moved:
            return _MOVED
        except Declined:
            return _DECLINED
        except KeyReused as error:
            return _failed(error)

    def _read_call(self, call: Call) -> tuple[Tool[Any], Any]:
        tool = binding.find(self.registry, self.actor, call.name)
        return tool, binding.read_args(tool, call.input)

    def _context(self, session: Session) -> Context:
        return binding.context_of(session, self.actor, self.standing)

    def _read(self, call: Call, decision: Decision | None) -> Outcome:
        """The database itself holds a read to its word."""
        try:
            with self.db.transaction(self.actor.org_id) as session:
                session.execute(_READING)
                context = self._context(session)
                card = cut(binding.prepare(self.registry, context, call, decision).run())
        except Exception as error:  # noqa: BLE001 - told apart in went_wrong
            card = writing.went_wrong(error, call).card
        return Outcome(card=card, ok=not isinstance(card, Failed))

    def _write(self, call: Call, decision: Decision | None, tool: Tool[Any]) -> Outcome:
        with self.db.transaction(self.actor.org_id) as session:
            if self.guard is not None:
                self.guard(session)
            claimed = writing.claim(session, self.actor, self.source, call, tool.name)
            if isinstance(claimed, Outcome):
                return claimed
            session.info["cause"] = claimed
            deed = self._carry_out(session, call, decision)
            return writing.settle(session, self.actor, self.source, claimed, deed, zone=self.zone)

    def _carry_out(self, session: Session, call: Call, decision: Decision | None) -> writing.Deed:
        """Run within a savepoint: what fails leaves its row and its audit, and nothing else."""
        try:
            with session.begin_nested():
                context = self._context(session)
                ready = binding.prepare(self.registry, context, call, decision)
                return writing.carry_out(session, ready)
        except Exception as error:  # noqa: BLE001 - told apart in went_wrong
            return writing.went_wrong(error, call)

    def _refuse(self, call: Call, error: StudioError) -> Outcome:
        """What isn't this person's to ask for is audited; arguments that don't fit are told."""
        if not isinstance(error, BadInput):
            with self.db.transaction(self.actor.org_id) as session:
                if self.guard is not None:
                    self.guard(session)
                name = self._name(call)
                audit.record(session, self.actor, self.source, tool=name, result=error.code)
        return _failed(error)

    def _name(self, call: Call) -> str:
        """A tool's own name; a name that is none may be anybody's words, and is kept nowhere."""
        tool = self.registry.get(call.name)
        return "unknown" if tool is None else tool.name


def _failed(error: StudioError) -> Outcome:
    return Outcome(card=failures.failed(error), ok=False)
