"""What is told of the Arbox import: frozen, for cards."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from app.arbox.terms import Act, ConnectionState, Entity, Kind, MappingKind, MappingState


@dataclass(frozen=True, slots=True)
class BatchView:
    id: UUID
    at: datetime
    made: int
    changed: int
    rolled_back: bool


@dataclass(frozen=True, slots=True)
class StatusView:
    """`state` None: there is no connection."""

    state: ConnectionState | None
    last4: str | None
    connected_at: datetime | None
    last_read_at: datetime | None
    last_error: str | None
    records: dict[Kind, int] = field(default_factory=dict)
    unmapped: int = 0
    last_batch: BatchView | None = None


@dataclass(frozen=True, slots=True)
class MappingView:
    id: UUID
    kind: MappingKind
    arbox_id: str
    arbox_name: str
    local_id: UUID | None
    local_name: str | None
    stage: str | None
    state: MappingState
    version: int


@dataclass(frozen=True, slots=True)
class Planned:
    """What an import would do with one record; `why` is a code, of conflicts and what is left."""

    record_id: UUID
    kind: Kind
    name: str
    act: Act
    why: str | None = None
    local_id: UUID | None = None
    """What of ours it is, or may be."""
    fields: tuple[str, ...] = ()
    """Of ours that would be written over."""


@dataclass(frozen=True, slots=True)
class Preview:
    id: UUID
    read_at: datetime
    entities: frozenset[Entity]
    planned: tuple[Planned, ...]

    def count(self, entity: Entity, act: Act) -> int:
        return self.counts.get((entity, act), 0)

    @property
    def counts(self) -> dict[tuple[Entity, Act], int]:
        found: dict[tuple[Entity, Act], int] = {}
        for one in self.planned:
            key = ENTITY_OF[one.kind], one.act
            found[key] = found.get(key, 0) + 1
        return found

    def of(self, *acts: Act) -> list[Planned]:
        return [one for one in self.planned if one.act in acts]


ENTITY_OF = {
    Kind.CLASS_TYPE: Entity.CLASS_TYPES,
    Kind.PLAN: Entity.PLANS,
    Kind.MEMBER: Entity.MEMBERS,
    Kind.MEMBERSHIP: Entity.MEMBERSHIPS,
    Kind.FREEZE: Entity.MEMBERSHIPS,
    Kind.PAYMENT: Entity.PAYMENTS,
    Kind.LEAD: Entity.LEADS,
}
