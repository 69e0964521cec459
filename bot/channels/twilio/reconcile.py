"""Bringing in what Twilio has and we don't: messages whose webhook never found us."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from twilio.rest import Client

from app.core.db import Database
from app.core.ids import new_id
from bot.channels.twilio.webhooks import PROVIDER
from bot.conversation.models import InboundEvent, InboundState
from bot.conversation.queue import ROUTE_SENDER, Enqueue

SETTLED: Final = timedelta(minutes=2)
"""Until then a webhook may still come, with more in it (a tap's payload, a quoted card)."""
_MOST: Final = 5_000

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Reconciler:
    db: Database
    client: Client
    account: str
    numbers: Sequence[str]
    """Ours, in the vendor's own forms."""
    enqueue: Enqueue

    def run(self, back: timedelta, *, settled: timedelta = SETTLED) -> int:
        """List what came to our numbers since `back` and store what is missing; how many that was.

        Raises what the client raises while the vendor is away.
        """
        offset = self.db.clock.offset
        today = self.db.clock.now() - offset
        missing = 0
        for number in self.numbers:
            for one in self._listed(number, today - back, today - settled):
                missing += self._store(one, one.date_sent + offset)
        if missing:
            _log.warning("messages_brought_in", count=missing)
        return missing

    def _listed(self, number: str, since: datetime, until: datetime) -> Iterator[Any]:
        """The oldest first, so that they are routed in the order in which they were written.

        The vendor lists the newest first, and its dates tell no parts of a second.
        """
        found = self.client.messages.list(to=number, date_sent_after=since, limit=_MOST)
        came = [one for one in reversed(found) if one.direction == "inbound" and one.date_sent]
        return iter(sorted((one for one in came if one.date_sent <= until), key=_when))

    def _store(self, message: Any, at: datetime) -> int:  # noqa: ANN401 - the library is untyped
        with self.db.platform() as session:
            known = select(InboundEvent.id).where(
                InboundEvent.provider == PROVIDER,
                InboundEvent.account == self.account,
                InboundEvent.key == message.sid,
            )
            if session.scalar(known) is not None:
                return 0
            row = insert(InboundEvent).values(
                id=new_id(),
                created_at=at,
                updated_at=session.info["now"],
                provider=PROVIDER,
                account=self.account,
                key=message.sid,
                kind="message",
                sender=message.from_,
                form=_form(message, self.account),
                state=InboundState.STORED,
            )
            session.execute(
                row.on_conflict_do_nothing(index_elements=["provider", "account", "key"])
            )
        self.enqueue(ROUTE_SENDER, message.from_)
        return 1


def _when(message: Any) -> datetime:  # noqa: ANN401 - as above
    at: datetime = message.date_sent
    return at


def _form(message: Any, account: str) -> dict[str, list[str]]:  # noqa: ANN401 - as above
    """What the webhook would have brought, as far as the vendor's list tells it."""
    return {
        "MessageSid": [message.sid],
        "AccountSid": [account],
        "From": [message.from_],
        "To": [message.to],
        "Body": [message.body or ""],
        "NumMedia": [str(message.num_media or 0)],
    }
