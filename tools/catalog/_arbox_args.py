"""Arguments of the tools for Arbox."""

from datetime import date
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator

from app.arbox.terms import Entity, MappingKind, Policy
from app.leads.terms import LeadStage
from tools.catalog._args import Listed, Version
from tools.kit.declare import Args

Entities = Annotated[
    tuple[Entity, ...],
    Field(min_length=1, max_length=6, description="What is meant; all of it if left out."),
]
Since = Annotated[
    date | None,
    Field(
        ge=date(2000, 1, 2),
        description="Only payments and leads from this day on, and memberships still on then.",
    ),
]


class NoArgs(Args):
    pass


class Chosen(Args):
    entities: Entities = ()
    since: Since = None

    @property
    def wanted(self) -> frozenset[Entity]:
        return frozenset(self.entities or Entity)


class Mappings(Listed):
    kind: MappingKind | None = Field(default=None, description="Only of this kind.")
    unmapped_only: bool = Field(default=False, description="Only what still stands for nothing.")


class NewMapping(Args):
    mapping_id: UUID = Field(description="From arbox.list_mappings.")
    local_id: UUID | None = Field(
        default=None, description="Our location, class type, plan or team member it stands for."
    )
    stage: LeadStage | None = Field(
        default=None, description="Of a status: the open stage of our leads it stands for."
    )
    ignore: bool = Field(default=False, description="true: it stands for nothing, on purpose.")
    expected_version: Version = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = [self.local_id is not None, self.stage is not None, self.ignore]
        if sum(given) != 1:
            raise ValueError("give local_id, stage or ignore")
        return self


class Disconnect(Args):
    keep_mappings: bool = Field(default=True, description="false: forget the mappings too.")


class RunImport(Args):
    preview_id: UUID = Field(description="From arbox.preview_import.")
    conflict_policy: Policy = Field(
        default=Policy.SKIP,
        description=(
            "Conflicts: skip leaves them for later; keep_ours takes them as the same and changes "
            "nothing; take_theirs writes over ours."
        ),
    )


class OneBatch(Args):
    batch_id: UUID = Field(description="The import, from arbox.get_status or its own result.")
