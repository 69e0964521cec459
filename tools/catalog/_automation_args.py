"""Arguments of the tools for automations."""

from datetime import date
from typing import Annotated
from uuid import UUID

from pydantic import Field

from app.automations.shapes import Action, Clock, Condition, Kind, Shape, Trigger
from app.automations.terms import RunStatus
from tools.catalog._args import Listed, OneLine, Version
from tools.catalog._when import LocalTime
from tools.kit.declare import Args

AutomationId = Annotated[UUID, Field(description="The automation, by id from automations.list.")]
Conditions = Annotated[tuple[Condition, ...], Field(max_length=6, description="All must be met.")]
Actions = Annotated[
    tuple[Action, ...],
    Field(
        min_length=1,
        max_length=5,
        description="Texts may have {name} {fullname} {gym}, and of the trigger {class} {when} "
        "{plan} {until} {credits} {days}.",
    ),
]
QuietClock = Annotated[
    Clock | None, Field(description="Local HH:MM; adds to the gym's own quiet hours.")
]
Cap = Annotated[
    int | None, Field(ge=0, le=365, description="Reach nobody twice in so many days; 0: no cap.")
]
Delay = Annotated[int | None, Field(ge=0, le=43_200)]
"""Minutes to wait after it is so."""
Name = Annotated[OneLine, Field(min_length=2, max_length=80)]


class Automations(Args):
    enabled: bool | None = Field(default=None, description="Only those on, or off.")
    trigger: Kind | None = Field(default=None, description="Only with this trigger.")


class OneAutomation(Args):
    automation_id: AutomationId


class Runs(Listed):
    automation_id: AutomationId
    status: tuple[RunStatus, ...] = Field(
        default=(), max_length=6, description="Only these; empty: all but seen."
    )
    from_date: date | None = Field(default=None, description="First local day.")
    to_date: date | None = Field(default=None, description="Last local day, included.")


class Preview(OneAutomation):
    as_of: LocalTime | None = Field(default=None, description="Else now. Local time ahead.")


class NewAutomation(Args):
    name: Name
    trigger: Trigger
    conditions: Conditions = ()
    actions: Actions
    delay_min: Delay = None
    quiet_from: QuietClock = None
    quiet_to: Clock | None = None
    cap_days: Cap = None

    @property
    def shape(self) -> Shape:
        return Shape(
            trigger=self.trigger,
            conditions=self.conditions,
            actions=self.actions,
            delay_min=self.delay_min or 0,
            quiet_from=self.quiet_from,
            quiet_to=self.quiet_to,
            cap_days=self.cap_days or None,
        )


class AutomationChanges(OneAutomation):
    name: Name | None = None
    trigger: Trigger | None = None
    conditions: Conditions | None = None
    actions: Actions | None = None
    delay_min: Delay = None
    quiet_from: QuietClock = None
    quiet_to: Clock | None = None
    cap_days: Cap = None
    expected_version: Version = None

    def over(self, shape: Shape) -> Shape:
        """The shape with what is said changed in it."""
        said = {name: getattr(self, name) for name in Shape.model_fields}
        changed = {name: value for name, value in said.items() if value is not None}
        if changed.get("cap_days") == 0:
            changed["cap_days"] = None
        return shape.model_copy(update=changed)


class RunNow(OneAutomation):
    audience_hash: str = Field(
        min_length=3,
        max_length=60,
        description="From automations.preview_audience; refused if the audience changed since.",
    )
