"""A gym within a stage: its people's phones, what the model is to say, and work done on demand."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from time import monotonic, sleep
from typing import Any
from uuid import UUID, uuid4

import requests
from sqlalchemy import or_, select
from twilio.request_validator import RequestValidator

from app.core.actor import Actor, Role
from app.core.clock import Clock
from app.core.db import Base, Database
from app.core.outbox import Outbox, OutboxState
from app.core.settings import Settings
from bot.channels.twilio.inbound import take_all
from bot.channels.twilio.sending import send_lane
from bot.cli.stage import STAFF_SMS, STAFF_WHATSAPP, Stage, stage
from bot.conversation import identity, ledger
from bot.conversation.models import (
    Conversation,
    InboundEvent,
    InboundState,
    OutboundMessage,
    OutboundState,
    Turn,
    TurnState,
)
from bot.conversation.relay import relay_due
from bot.conversation.run import run_conversation
from bot.playground.model_api.script import ScriptBrain
from bot.playground.twilio_api.phone import PhoneSend
from bot.turn.events import Event, Ran
from tests.studio import NOW, SEALING, Studio, open_studio
from tools.kit import background
from tools.kit.cards import ToolsFound
from tools.kit.models import BackgroundTask, Question, QuestionState, TaskState, ToolCall

Scene = tuple[str, Sequence[dict[str, Any]]]
"""Words that begin it, and the model's steps from there."""

_numbers = count(int(uuid4().hex[:5], 16))
_UNSENT = (OutboundState.QUEUED, OutboundState.SENDING, OutboundState.UNKNOWN)


def bare_settings() -> Settings:
    """Nothing of the machine's environment: tests talk to the stand-ins alone."""
    return Settings.of({})


@contextmanager
def floor_stage(
    database_url: str,
    redis_url: str,
    brain: ScriptBrain,
    **changes: Any,  # noqa: ANN401 - settings
) -> Iterator[Stage]:
    """A stage that lives on the studio's Monday, at ten."""
    given = {
        "clock_offset_s": (NOW - Clock().now()).total_seconds(),
        "debounce_ms": 0,
        "sealing_keys": SEALING,
        "arbox_pace_s": 0.0,
        "quick_route": False,
        **changes,
    }
    with stage(database_url, redis_url, brain=brain, settings=bare_settings(), **given) as opened:
        yield opened


@dataclass
class Phone:
    """One number on one channel, and what it was sent since it last looked."""

    gym: "Gym"
    channel: str = "whatsapp"
    number: str = field(default_factory=lambda: f"+97254{next(_numbers) % 10**7:07d}")
    scoped_id: str = ""
    _seen: int = -1

    @property
    def address(self) -> str:
        return f"whatsapp:{self.number}" if self.channel == "whatsapp" else self.number

    @property
    def lane(self) -> str:
        ours = STAFF_WHATSAPP if self.channel == "whatsapp" else STAFF_SMS
        return f"{self.channel}|{ours}|{self.address}"

    def on(self, channel: str) -> "Phone":
        """The same number on another channel."""
        return Phone(self.gym, channel, self.number)

    def link(self, user_id: UUID | None = None, org_id: UUID | None = None) -> list[str]:
        with self.gym.db.platform() as session:
            org, user = org_id or self.gym.org_id, user_id or self.gym.owner.user_id
            code = identity.new_code(session, org, user)
        return self.says(code)

    def says(self, text: str, **more: Any) -> list[str]:  # noqa: ANN401 - as PhoneSend
        """Write, let everything be done, and give what came back."""
        self.writes(text, **more)
        self.gym.settle()
        return self.got()

    def writes(self, text: str, **more: Any) -> dict[str, Any]:  # noqa: ANN401 - as PhoneSend
        sent = {"channel": self.channel, "from": self.number, "body": text, **more}
        if self.scoped_id:
            sent["scoped_id"] = self.scoped_id
        twilio = self.gym.stage.twilio
        assert twilio is not None
        return twilio.service.phone_sends(PhoneSend.model_validate(sent))

    def posts(self, **fields: str) -> int:
        """A form straight to the webhook, signed; for what the stand-in's phones can't do."""
        settings = self.gym.stage.wiring.settings
        prefix, ours = (
            ("whatsapp:", STAFF_WHATSAPP) if self.channel == "whatsapp" else ("", STAFF_SMS)
        )
        form = {
            "MessageSid": f"SM{uuid4().hex}",
            "AccountSid": settings.twilio_account_sid,
            "From": prefix + self.number,
            "To": ours,
            "NumMedia": "0",
            **fields,
        }
        url = f"{self.gym.stage.base_url}/hooks/twilio/inbound"
        validator = RequestValidator(settings.twilio_auth_token.get_secret_value())
        headers = {"X-Twilio-Signature": validator.compute_signature(url, form)}
        return requests.post(url, data=form, headers=headers, timeout=20).status_code

    def got(self) -> list[str]:
        """What is new, whatever became of it on the way."""
        rows = [row for row in self.rows() if row.position > self._seen]
        if rows:
            self._seen = rows[-1].position
        return [row.body for row in rows]

    def rows(self) -> list[OutboundMessage]:
        with self.gym.db.platform() as session:
            mine = select(OutboundMessage).where(OutboundMessage.lane == self.lane)
            return list(session.scalars(mine.order_by(OutboundMessage.position)))


@dataclass
class Gym:
    """An org of its own for one test."""

    stage: Stage
    brain: ScriptBrain
    studio: Studio
    working: bool = False
    """Whether the stage has workers: then all that is left is to wait for them."""

    @property
    def db(self) -> Database:
        return self.stage.wiring.db

    @property
    def org_id(self) -> UUID:
        return self.studio.org_id

    @property
    def owner(self) -> Actor:
        return self.studio.owner

    def phone(self, channel: str = "whatsapp", scoped_id: str = "") -> Phone:
        return Phone(self, channel, scoped_id=scoped_id)

    def linked(self, channel: str = "whatsapp", role: Role = Role.OWNER) -> Phone:
        phone = self.phone(channel)
        phone.link(self.studio.actors[role].user_id)
        return phone

    def says(self, *scenes: Scene) -> None:
        """What the model does: for each scene the words that begin it, and its steps."""
        self.brain.load([{"when": when, "steps": list(steps)} for when, steps in scenes])

    def cancels(self, when: str = "cancel it", then: Sequence[Scene] = ()) -> UUID:
        """A class with one booking that the model wants to cancel when it hears that."""
        session_id = self.studio.session()
        self.studio.booking(self.studio.member(), session_id)
        asked = call("class_sessions.cancel", class_session_id=session_id)
        self.says((when, [asked, {"say": "All set."}]), *then)
        return session_id

    def settle(self, limit: float = 30.0) -> None:
        """Do all that is due, or wait until the workers have; nothing moves afterwards."""
        until = monotonic() + limit
        while self.busy():
            assert monotonic() < until, "it doesn't come to rest"
            if self.working:
                sleep(0.05)
            else:
                self.work()

    def work(self) -> None:
        """One round of what jobs do, in their order."""
        wiring = self.stage.wiring
        self.work_inbound()
        for conversation_id in self._conversations():
            run_conversation(wiring.parts, self.org_id, conversation_id)
        for task_id in self.tasks_under_way():
            wiring.tasks.run(self.org_id, task_id)
        if self._ends():
            relay_due(self.db, wiring.tasks.acts(), self.org_id)
        for lane in self._lanes():
            send_lane(wiring.sender, lane)

    def work_inbound(self) -> None:
        """Only route what has come in."""
        for sender in self._senders():
            take_all(self.stage.wiring.intake, sender)

    def busy(self) -> bool:
        talk = self._senders() or self._conversations() or self._lanes()
        return bool(talk or self.tasks_under_way() or self._ends())

    def tasks_under_way(self) -> list[UUID]:
        with self.db.transaction(self.org_id) as session:
            moving = BackgroundTask.state.in_((TaskState.QUEUED, TaskState.RUNNING))
            return list(session.scalars(select(BackgroundTask.id).where(moving)))

    def _ends(self) -> list[UUID]:
        """Ends of tasks that nobody has told yet."""
        with self.db.transaction(self.org_id) as session:
            waiting = Outbox.state == OutboxState.WAITING
            ends = select(Outbox.id).where(Outbox.topic == background.ENDED, waiting)
            return list(session.scalars(ends))

    def _senders(self) -> list[str]:
        with self.db.platform() as session:
            stored = select(InboundEvent.sender).where(
                InboundEvent.state == InboundState.STORED, InboundEvent.kind == "message"
            )
            return list(session.scalars(stored.distinct()))

    def _conversations(self) -> list[UUID]:
        with self.db.transaction(self.org_id) as session:
            asked = select(Turn.conversation_id).where(Turn.state == TurnState.ASKED)
            moving = select(Turn.conversation_id).where(
                Turn.state.in_((TurnState.WAITING, TurnState.RUNNING)),
                Turn.conversation_id.not_in(asked),
            )
            return list(session.scalars(moving.distinct()))

    def _lanes(self) -> list[str]:
        with self.db.platform() as session:
            due = select(OutboundMessage.lane).where(
                OutboundMessage.state.in_(_UNSENT),
                OutboundMessage.due_at <= session.info["now"],
                or_(OutboundMessage.org_id == self.org_id, OutboundMessage.org_id.is_(None)),
            )
            return list(session.scalars(due.distinct()))

    def questions(self, state: QuestionState | None = None) -> list[Question]:
        with self.db.transaction(self.org_id) as session:
            query = select(Question).order_by(Question.created_at)
            rows = session.scalars(query if state is None else query.where(Question.state == state))
            return list(rows)

    def turns(self) -> list[Turn]:
        with self.db.transaction(self.org_id) as session:
            return list(session.scalars(select(Turn).order_by(Turn.created_at, Turn.number)))

    def events(self) -> list[list[Event]]:
        """Of each turn."""
        with self.db.transaction(self.org_id) as session:
            return [ledger.history(session, turn.id) for turn in self.turns()]

    def calls(self) -> list[ToolCall]:
        """The writes that there were, in order."""
        with self.db.transaction(self.org_id) as session:
            return list(session.scalars(select(ToolCall).order_by(ToolCall.created_at)))

    def conversations(self) -> list[Conversation]:
        with self.db.transaction(self.org_id) as session:
            return list(session.scalars(select(Conversation).order_by(Conversation.created_at)))

    def inbound(self, phone: Phone) -> list[InboundEvent]:
        with self.db.platform() as session:
            mine = select(InboundEvent).where(InboundEvent.sender == phone.address)
            return list(session.scalars(mine.order_by(InboundEvent.position)))

    def dismiss(self, role: Role) -> None:
        """They work here no more."""
        self._change_staff(role, active=False)

    def demote(self, role: Role, to: Role) -> None:
        self._change_staff(role, role=to)

    def _change_staff(self, whose: Role, **changes: object) -> None:
        with self.db.transaction(self.org_id) as session:
            staff = Base.metadata.tables["staff"]
            mine = staff.c.user_id == self.studio.actors[whose].user_id
            session.execute(staff.update().where(mine).values(**changes))

    def later(self, **span: float) -> None:
        """Let time pass, for the studio and for the conversation alike."""
        clock = self.stage.wiring.db.clock
        object.__setattr__(clock, "offset", clock.offset + timedelta(**span))


def open_gym(opened: Stage, brain: ScriptBrain, database_url: str, *, working: bool = False) -> Gym:
    return Gym(opened, brain, open_studio(database_url), working)


def call(tool: str, **given: object) -> dict[str, Any]:
    """A step of the model: one call."""
    plain = {name: str(one) if isinstance(one, UUID) else one for name, one in given.items()}
    return {"calls": [{"name": tool.replace(".", "__"), "input": plain}]}


def within(seconds: float, condition: Callable[[], Any]) -> Any:  # noqa: ANN401 - what it gives
    """Wait for a condition, and give what it came to."""
    until = monotonic() + seconds
    while not (found := condition()):
        assert monotonic() < until, f"not within {seconds} s"
        sleep(0.02)
    return found


def settled(events: Sequence[Event]) -> list[Ran]:
    """The calls that settled, without the look for tools that every turn begins with."""
    calls = (event for event in events if isinstance(event, Ran))
    return [event for event in calls if not isinstance(event.card, ToolsFound)]
