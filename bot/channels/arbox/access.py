"""One gym's access to Arbox: its key, opened for the client alone, and what goes wrong noted."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from app.arbox import service as arbox
from app.arbox.errors import ArboxAway, ArboxRefused, KeyRefused
from app.arbox.port import ArboxApi, Raw
from app.core.db import Database, now_of
from app.core.settings import Settings
from bot.channels.arbox.client import LIVE, ArboxClient

Client = Callable[[str], ArboxApi]
"""A client for a key."""


def client_at(settings: Settings) -> Client:
    """Clients of Arbox itself, or of what stands in for it."""
    url, pace = settings.arbox_api_url or LIVE, settings.arbox_pace_s
    return lambda key: ArboxClient(key, url, pace)


def outside(db: Database, settings: Settings, org_id: UUID, name: str) -> ArboxApi:
    """What the steps of tasks reach other services by: there is one."""
    if name != "arbox":
        raise LookupError(name)
    return Access(db, org_id, client_at(settings))


@dataclass(frozen=True, slots=True)
class Access:
    db: Database
    org_id: UUID
    client: Client

    def rows(self, path: str, query: Mapping[str, str]) -> Iterator[Raw]:
        """As the port has it; raises NotConnected too. No transaction is open meanwhile."""
        with self.db.transaction(self.org_id) as session:
            key = arbox.key_of(session)
        try:
            yield from self.client(key).rows(path, query)
        except (KeyRefused, ArboxAway, ArboxRefused) as error:
            with self.db.transaction(self.org_id) as session:
                arbox.went_wrong(session, error.code, now=now_of(session))
            raise
