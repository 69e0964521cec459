"""What the small model does beside turns: what a conversation is called, what was said in it.

Jobs of their own, which nothing waits for. Each asks once; where nothing comes of it, the end of
the next turn asks again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import anthropic
import structlog

from app.core.db import Database
from bot.conversation import summaries, titles
from bot.conversation.budget import Payer
from bot.conversation.budgets import Tell
from bot.conversation.leases import Lease, LeaseLost, hold
from bot.model import summary, title
from bot.model.faults import VendorFault, describe
from bot.model.pace import WALL
from bot.model.priced import Priced, most_tokens
from bot.model.prices import step
from bot.model.prompt import Json
from bot.model.purse import Marked, NoRoom, Purse
from bot.model.usage import CallKind
from bot.stream.entries import Person

_WHOLE = frozenset({"end_turn", "stop_sequence"})
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Asides:
    """`tell` reaches all pages of a person."""

    db: Database
    model: str
    client: Callable[[], anthropic.Anthropic]
    purse: Callable[[Payer], Purse]
    tell: Tell

    def name(self, org_id: UUID, conversation_id: UUID) -> None:
        """Give a conversation its title, where it has none."""
        self._once(f"title:{conversation_id}", self._name, org_id, conversation_id)

    def sum_up(self, org_id: UUID, conversation_id: UUID) -> None:
        """Put a summary in the place of old turns, where one is due."""
        self._once(f"summary:{conversation_id}", self._sum_up, org_id, conversation_id)

    def _once(
        self, lane: str, act: Callable[[Lease, UUID, UUID], None], org_id: UUID, of: UUID
    ) -> None:
        with hold(self.db, lane) as lease:
            if lease is None:
                return
            try:
                act(lease, org_id, of)
            except LeaseLost:
                _log.warning("lease_lost", lane=lane)

    def _name(self, lease: Lease, org_id: UUID, conversation_id: UUID) -> None:
        with self.db.transaction(org_id) as session:
            found = titles.unnamed(session, conversation_id)
        if found is None:
            return
        payer = Payer(org_id, conversation_id, found.turn_id, lease.lane, aside=True)
        asked = title.request(self.model, found.words)
        said = self._ask(payer, "title", asked, title.TIMEOUT_S)
        named = title.title_of(said, found.words) if said else None
        if named is None:
            return
        with self.db.transaction(org_id) as session:
            lease.guard(session)
            row = titles.keep(session, conversation_id, found, named)
            if row is not None:
                value = {"conversation_id": row.id, "title": named}
                self.tell(session, Person(org_id, row.user_id), "titled", value)

    def _sum_up(self, lease: Lease, org_id: UUID, conversation_id: UUID) -> None:
        with self.db.transaction(org_id) as session:
            found = summaries.unsummed(session, conversation_id)
        if found is None:
            return
        payer = Payer(org_id, conversation_id, found.turn_id, lease.lane, aside=True)
        asked = summary.request(self.model, found.turns, found.before)
        said = self._ask(payer, "summary", asked, summary.TIMEOUT_S)
        text = summary.summary_of(said) if said else None
        if text is None:
            return
        with self.db.transaction(org_id) as session:
            lease.guard(session)
            kept = summaries.keep(session, conversation_id, found, text)
        _log.info("summed_up", conversation=str(conversation_id), until=found.until, kept=kept)

    def _ask(self, payer: Payer, kind: CallKind, request: Json, timeout_s: float) -> str | None:
        """The words of a whole answer; None for any other, and where none could be had."""
        dear = step(self.model)
        if dear is not None and most_tokens(request) > dear:
            return None
        brief = self.client().with_options(timeout=timeout_s)
        try:
            gathered = Priced(brief, Marked(self.purse(payer), kind), WALL.clock).ask(request)
            texts = [one["text"] for one in gathered.blocks() if one["type"] == "text"]
        except NoRoom as none:
            _log.info("aside_unpaid", kind=kind, reason=none.ended.reason)
            return None
        except VendorFault as fault:
            _log.warning("aside_failed", kind=kind, fault=describe(fault))
            return None
        return "\n".join(texts) if gathered.stop_reason in _WHOLE else None
