"""The control endpoint's orders: faults, a script, the pace; only a stand-in has such a thing."""

from collections.abc import Mapping
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, ConfigDict, Field

from bot.playground.model_api.errors import invalid
from bot.playground.model_api.faults import Fault, FaultKind
from bot.playground.model_api.received import Pace, Received
from bot.playground.model_api.script import ScriptBrain
from bot.playground.model_api.service import Service

Seconds = Annotated[float, Field(ge=0)]


class Order(BaseModel):
    """POST /_control. `forget` comes first: it drops faults still to come and the record."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    forget: bool = False
    faults: tuple[Fault | FaultKind, ...] = ()
    script: Any = None
    first_byte: Seconds | None = None
    delta: Seconds | None = None


class Standin(Protocol):
    """What is shared by all connections of a running stand-in."""

    service: Service
    pace: Pace
    api_key: str | None

    @property
    def requests(self) -> tuple[Received, ...]: ...

    def receive(self, received: Received) -> None: ...

    def forget(self) -> None: ...


def obey(standin: Standin, order: Order) -> None:
    """Raises Refused where a script is given to a brain that plays none."""
    if order.forget:
        standin.forget()
    if order.script is not None:
        brain = standin.service.brain
        if not isinstance(brain, ScriptBrain):
            raise invalid("script: this stand-in's brain plays no script")
        brain.load(order.script)
    standin.service.strikes.ask(
        tuple(each if isinstance(each, Fault) else Fault(kind=each) for each in order.faults)
    )
    standin.pace = Pace(
        first_byte=standin.pace.first_byte if order.first_byte is None else order.first_byte,
        delta=standin.pace.delta if order.delta is None else order.delta,
    )


def state(standin: Standin) -> Mapping[str, Any]:
    """GET /_control: what was asked of the stand-in, oldest first."""
    return {"requests": [received.shown() for received in standin.requests]}
