"""When a plan may be frozen: whether at all, how short, how long, how often (rule 28)."""

from pydantic import BaseModel, ConfigDict, Field


class FreezePolicy(BaseModel):
    """The platform's defaults; a plan stores what differs. A medical freeze passes by all of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    allowed: bool = True
    min_days: int = Field(default=7, ge=1, le=366)
    max_days: int = Field(default=60, ge=1, le=366)
    max_times: int | None = Field(default=2, ge=1, le=12)
    """That begin within any twelve months; null: as often as they like."""
