"""The composition root.

Settings become a database, a model, channels and the parts that use them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import UUID

from redis import Redis
from sqlalchemy.orm import Session

from app.core.actor import Actor, Via
from app.core.clock import Clock
from app.core.db import Database
from app.core.errors import NotAllowed, StudioError
from app.core.settings import Settings
from app.people import queries as people
from app.studio import queries as studio
from bot.channels.twilio.client import twilio_client
from bot.channels.twilio.inbound import Intake
from bot.channels.twilio.sending import Sender
from bot.conversation import delivery, gym, ledger, usage
from bot.conversation.fallback import Fallback
from bot.conversation.inbound import Inbound
from bot.conversation.models import Conversation, Surface, Turn
from bot.conversation.phone import Phone
from bot.conversation.pulse import Pulse
from bot.conversation.queue import Enqueue, redis_queue
from bot.conversation.relay import Act
from bot.conversation.routing import route
from bot.conversation.run import Parts, Setting
from bot.stream.publish import Publisher
from bot.turn.events import Asked, Ended, Event
from bot.turn.port import Model
from tools.kit import failures, schema, undo
from tools.kit.calls import CallRunner, Outcome
from tools.kit.models import Question
from tools.kit.registry import Registry, discover
from tools.kit.runner import Runner
from tools.kit.undo import Where
from tools.kit.values import Value

if TYPE_CHECKING:
    import anthropic

ORIGIN = "turn"
REDIS_CONNECTIONS = 10_000
"""Each open stream and each worker's thread waits on one; at the library's own 100, webhooks went
without their job and streams without their events."""


@dataclass(frozen=True)
class Wiring:
    """Built once a process; each part is made when it is first asked for."""

    settings: Settings

    @cached_property
    def clock(self) -> Clock:
        return Clock(timedelta(seconds=self.settings.clock_offset_s))

    @cached_property
    def db(self) -> Database:
        url = self.settings.database_url.get_secret_value()
        return Database(url, self.clock, pool=max(10, self.settings.turn_threads // 2))

    @cached_property
    def redis(self) -> Redis:
        url = self.settings.redis_url.get_secret_value()
        return Redis.from_url(
            url,
            socket_connect_timeout=1,
            health_check_interval=30,
            max_connections=REDIS_CONNECTIONS,
        )

    @cached_property
    def enqueue(self) -> Enqueue:
        return redis_queue(self.redis)

    @cached_property
    def registry(self) -> Registry:
        return discover("tools.catalog")

    @cached_property
    def phone(self) -> Phone:
        return Phone(
            enqueue=self.enqueue,
            actor_of=people.actor,
            zone_of=lambda session, org_id: studio.org(session, org_id).timezone,
            gym_of=lambda session, org_id: studio.org(session, org_id).name,
            link_to=self._link,
            values_of=_values_of,
            undo=lambda actor, call_id: self.undo(actor, call_id, "word"),
            sms_chat=self.settings.sms_chat,
        )

    @cached_property
    def fallback(self) -> Fallback:
        after = timedelta(seconds=self.settings.fallback_after_s)
        return Fallback(self.phone, self.settings.twilio_staff_sms, after)

    @cached_property
    def intake(self) -> Intake:
        def take(session: Session, inbound: Inbound) -> None:
            route(session, self.phone, inbound)

        return Intake(self.db, take, self.fallback.refused)

    @cached_property
    def sender(self) -> Sender:
        settings = self.settings
        token = settings.twilio_auth_token.get_secret_value()
        client = twilio_client(settings.twilio_account_sid, token, api_url=settings.twilio_api_url)
        status_url = f"{settings.public_base_url.rstrip('/')}/hooks/twilio/status"
        return Sender(self.db, client, status_url, self.fallback.refused)

    @cached_property
    def claude(self) -> "anthropic.Anthropic":
        from bot.model.client import connect  # noqa: PLC0415 - 2 s and 85 MB that only workers need

        key = self.settings.anthropic_api_key.get_secret_value()
        return connect(key, self.settings.anthropic_base_url)

    @cached_property
    def parts(self) -> Parts:
        return Parts(
            db=self.db,
            model_for=self.model_for,
            runner_for=self.runner_for,
            actor_of=_conversation_actor,
            publisher_for=lambda turn: Publisher(self.redis, turn.id),
            kept=self.kept,
            debounce=timedelta(milliseconds=self.settings.debounce_ms),
        )

    @cached_property
    def pulse(self) -> Pulse:
        return Pulse(self.db, self.enqueue, self.acts, self.fallback.watch)

    @property
    def acts(self) -> Mapping[str, Act]:
        return {}

    def model_for(self, setting: Setting) -> Model:
        from bot.model.adapter import ClaudeModel  # noqa: PLC0415 - as above
        from bot.model.prompt import prefix  # noqa: PLC0415 - as above
        from bot.model.settings import ModelSettings  # noqa: PLC0415 - as above

        with self.db.transaction(setting.turn.org_id) as session:
            conversation = session.get_one(Conversation, setting.conversation.id)
            facts = gym.facts(session, conversation, setting.actor)
            earlier = ledger.earlier_turns(session, setting.turn)
        settings = ModelSettings(
            self.settings.model_main,
            max_tokens=self.settings.model_max_tokens,
            effort=self.settings.model_effort,
        )
        return ClaudeModel(
            self.claude,
            settings,
            prefix(schema.definitions(self.registry, setting.actor.role), facts),
            earlier=earlier,
            record=lambda used: usage.keep(self.db, setting.turn, used),
        )

    def runner_for(self, setting: Setting, guard: Callable[[Session], None]) -> CallRunner:
        return Runner(
            self.db,
            self.registry,
            setting.actor.acting(Via.AGENT),
            ORIGIN,
            guard=guard,
            standing=standing,
            conversation_id=setting.conversation.id,
            turn_id=setting.turn.id,
            zone=setting.zone,
        )

    def undo(self, actor: Actor, call_id: UUID, where: Where) -> Outcome:
        return undo.undo(self.db, self.registry, actor, call_id, where=where, standing=standing)

    def kept(self, session: Session, setting: Setting, turn: Turn, event: Event) -> None:
        """In the transaction that keeps an Asked or Ended.

        The question's row, and what a phone is sent.
        """
        question: Question | None = None
        events = ledger.history(session, turn.id)
        conversation = session.get_one(Conversation, turn.conversation_id)
        if isinstance(event, Asked):
            ttl = timedelta(minutes=self._minutes(conversation.surface))
            question = delivery.keep_question(session, turn, setting.actor, events, event, ttl)
        if isinstance(event, Asked | Ended):
            delivery.deliver(session, self.phone, conversation, turn, events, question)

    def _minutes(self, surface: Surface) -> int:
        web = surface is Surface.WEB
        return self.settings.question_minutes_web if web else self.settings.question_minutes_phone

    def _link(self, question: Question | None) -> str:
        base = self.settings.public_base_url.rstrip("/")
        return f"{base}/" if question is None else f"{base}/q/{question.token}"


def _conversation_actor(session: Session, conversation: Conversation) -> Actor:
    """The conversation's person as they are today. Raises NotAllowed where they have left."""
    actor = people.actor(session, conversation.org_id, conversation.user_id)
    if actor is None:
        raise NotAllowed
    return actor


def standing(session: Session, actor: Actor) -> Actor:
    """The actor as they are in this transaction. Raises NotAllowed where they have left."""
    now = people.actor(session, actor.org_id, actor.user_id)
    if now is None:
        raise NotAllowed
    return now.acting(actor.via)


def _values_of(error: StudioError) -> Mapping[str, Value]:
    return failures.failed(error).values
