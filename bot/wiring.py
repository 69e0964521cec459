"""The composition root.

Settings become a database, a model, channels and the parts that use them.
"""

import gc
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING
from uuid import UUID

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from sqlalchemy.orm import Session

from app.core.actor import Actor, Via
from app.core.clock import Clock
from app.core.db import Database, after_commit, now_of
from app.core.errors import StudioError
from app.core.sealed import Sealer
from app.core.settings import Settings
from app.people import queries as people
from app.search.embedders import meanings
from app.studio import queries as studio
from bot.channels.arbox.access import outside
from bot.channels.email.sending import Mailer
from bot.channels.twilio.client import twilio_client
from bot.channels.twilio.contents import Contents
from bot.channels.twilio.fetching import Fetcher
from bot.channels.twilio.inbound import Intake
from bot.channels.twilio.reconcile import Reconciler
from bot.channels.twilio.sending import Sender, undelivered
from bot.channels.twilio.templates import Approvals
from bot.channels.voice.transcription import transcriber
from bot.channels.web.agui import settled
from bot.channels.web.chat import closed_by
from bot.channels.web.tasks import task_value
from bot.channels.web.views import PersonViews
from bot.conversation import delivery, doings, ledger, looking, renewing, summaries, titles
from bot.conversation.budgets import Budgets
from bot.conversation.fallback import Fallback
from bot.conversation.farewells import farewells
from bot.conversation.forms import FormLinks
from bot.conversation.hearing import Hearing
from bot.conversation.inbound import Inbound
from bot.conversation.invitations import Invitations
from bot.conversation.letters import Letters, MemberLines
from bot.conversation.link_letters import LinkLetters
from bot.conversation.models import Conversation, OutboundMessage, Surface, Turn
from bot.conversation.notices import Notices
from bot.conversation.phone import Phone
from bot.conversation.pulse import Pulse
from bot.conversation.queue import Enqueue, redis_queue
from bot.conversation.relay import Act
from bot.conversation.routing import route
from bot.conversation.run import Guard, Mind, Parts, Setting
from bot.conversation.standing import actor_of, standing
from bot.conversation.tasks import Tasks
from bot.conversation.team import Team
from bot.conversation.threads import Threads
from bot.conversation.viewing import Viewer
from bot.render.reader import Reader
from bot.stream.entries import Person
from bot.stream.publish import Publisher, publish_person
from bot.turn.events import Asked, Ended, Event
from i18n import Language
from tools import finding, meaning
from tools.kit import failures, undo
from tools.kit.calls import CallRunner, Outcome
from tools.kit.models import BackgroundTask, Question
from tools.kit.registry import Registry, discover
from tools.kit.runner import Runner
from tools.kit.undo import Where
from tools.kit.values import Value

if TYPE_CHECKING:
    import anthropic
    from twilio.rest import Client

    from bot.conversation.asides import Asides
    from bot.conversation.minds import Minds

_ONCE = Retry(NoBackoff(), 1)
"""A connection that has died is opened again at once; a server that is away is not waited for."""

_log = structlog.get_logger()

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
        sealer = Sealer.of(self.settings.sealing_keys, self.settings.secret_key)
        pool = max(20, self.settings.turn_threads)
        return Database(url, self.clock, pool=pool, sealer=sealer, meanings=meanings(self.settings))

    @cached_property
    def redis(self) -> Redis:
        """For those who wait on it: workers for jobs, pages for events."""
        url = self.settings.redis_url.get_secret_value()
        return Redis.from_url(
            url,
            socket_connect_timeout=1,
            health_check_interval=30,
            max_connections=REDIS_CONNECTIONS,
            retry=_ONCE,
        )

    @cached_property
    def brisk_redis(self) -> Redis:
        """For those who must not wait: a webhook, a turn that tells what it does."""
        url = self.settings.redis_url.get_secret_value()
        return Redis.from_url(
            url,
            socket_connect_timeout=1,
            socket_timeout=1,
            max_connections=REDIS_CONNECTIONS,
            retry=_ONCE,
        )

    @cached_property
    def enqueue(self) -> Enqueue:
        return redis_queue(self.brisk_redis)

    @cached_property
    def registry(self) -> Registry:
        return discover("tools.catalog")

    @cached_property
    def phone(self) -> Phone:
        return Phone(
            enqueue=self.enqueue,
            registry=self.registry,
            actor_of=people.actor,
            zone_of=lambda session, org_id: studio.org(session, org_id).timezone,
            gym_of=lambda session, org_id: studio.org(session, org_id).name,
            link_to=self._link,
            values_of=_values_of,
            undo=self._undo_by_word,
            stop_tasks=self._stop_tasks,
            settled=self._settled,
            sms_number=self.settings.twilio_staff_sms,
            sms_chat=self.settings.sms_chat,
        )

    @cached_property
    def fallback(self) -> Fallback:
        after = timedelta(seconds=self.settings.fallback_after_s)
        return Fallback(self.phone, after)

    @cached_property
    def intake(self) -> Intake:
        staff = {self.settings.twilio_staff_whatsapp, self.settings.twilio_staff_sms}
        members = {*self.members.numbers} - staff
        hearing = Hearing(self.members, self.enqueue)

        def take(session: Session, inbound: Inbound) -> None:
            if inbound.recipient in members:
                hearing.hear(session, inbound)
            else:
                route(session, self.phone, inbound)

        def lost(session: Session, message: OutboundMessage) -> None:
            undelivered(self.sender, session, message)

        viewer = Viewer(Fetcher.of(self.settings).fetch, transcriber(self.settings))
        return Intake(self.db, take, lost, viewer.view)

    @cached_property
    def twilio(self) -> "Client":
        settings = self.settings
        token = settings.twilio_auth_token.get_secret_value()
        return twilio_client(settings.twilio_account_sid, token, api_url=settings.twilio_api_url)

    @cached_property
    def sender(self) -> Sender:
        status_url = f"{self.settings.public_base_url.rstrip('/')}/hooks/twilio/status"
        lost, mailer = self.fallback.refused, self.mailer
        contents = Contents(self.db, self.twilio, self.settings.twilio_account_sid)
        return Sender(self.db, self.twilio, status_url, self.enqueue, lost, contents, mailer=mailer)

    @cached_property
    def approvals(self) -> Approvals:
        return Approvals(self.db, self.twilio)

    @cached_property
    def mailer(self) -> Mailer | None:
        url = self.settings.smtp_url.get_secret_value()
        return Mailer(url) if url else None

    @property
    def members(self) -> MemberLines:
        """By what members are reached."""
        settings = self.settings
        email = settings.mail_from if settings.smtp_url.get_secret_value() else ""
        whatsapp, sms = settings.twilio_members_whatsapp, settings.twilio_members_sms
        return MemberLines(whatsapp=whatsapp, sms=sms, email=email)

    @cached_property
    def reconciler(self) -> Reconciler:
        settings = self.settings
        staff = settings.twilio_staff_whatsapp, settings.twilio_staff_sms
        members = settings.twilio_members_whatsapp, settings.twilio_members_sms
        numbers = tuple(dict.fromkeys(number for number in (*staff, *members) if number))
        account = settings.twilio_account_sid
        return Reconciler(self.db, self.twilio, account, numbers, self.enqueue)

    @cached_property
    def claude(self) -> "anthropic.Anthropic":
        from bot.model.client import connect  # noqa: PLC0415 - 2 s and 85 MB that only workers need

        key = self.settings.anthropic_api_key.get_secret_value()
        return connect(key, self.settings.anthropic_base_url)

    @cached_property
    def budgets(self) -> Budgets:
        return Budgets.of(self.db, self.settings, self._tell)

    @cached_property
    def parts(self) -> Parts:
        return Parts(
            db=self.db,
            mind_for=self.mind_for,
            runner_for=self.runner_for,
            actor_of=actor_of,
            publisher_for=lambda turn: Publisher(self.brisk_redis, turn.id),
            kept=self.kept,
            ending=self.budgets.ending,
            debounce=timedelta(milliseconds=self.settings.debounce_ms),
        )

    @cached_property
    def tasks(self) -> Tasks:
        return Tasks(
            db=self.db,
            registry=self.registry,
            phone=self.phone,
            enqueue=self.enqueue,
            standing=standing,
            moved=self._task_moved,
            outside=partial(outside, self.db, self.settings),
            draining=self.parts.draining,
        )

    @cached_property
    def pulse(self) -> Pulse:
        return Pulse(self.db, self.enqueue, self.acts, self.fallback.watch, self.budgets.sweep)

    @property
    def acts(self) -> Mapping[str, Act]:
        notices = Notices(self.enqueue, self.settings.twilio_members_whatsapp)
        letters = Letters(self.enqueue, self.members)
        links = LinkLetters(self.enqueue, self.members, self.settings.public_base_url)
        return {
            **notices.acts(),
            **letters.acts(),
            **Invitations(links).acts(),
            **Threads(self.enqueue, self.members).acts(),
            **FormLinks(links).acts(),
            **farewells(self.enqueue, self.brisk_redis),
            **looking.acts(),
            **renewing.acts(self.enqueue),
            **Team(self.phone).acts(),
            **self.tasks.acts(),
        }

    def warm(self) -> None:
        """Import and build what a turn needs, so that the first one doesn't wait for it."""
        minds = self.minds
        _ = self.registry, self.claude, self.parts, self.sender, self.intake, finding.index()
        meaning.warm(self.db.meanings)
        gc.collect()
        gc.freeze()  # what is loaded now stays: no turn looks through it for garbage
        _log.debug("warm", routed=minds.settings.quick_route)

    def close(self) -> None:
        """Close the connections of whatever was made."""
        made = vars(self)
        if "db" in made:
            self.db.close()
        for name in ("redis", "brisk_redis", "claude"):
            if name in made:
                made[name].close()

    @cached_property
    def minds(self) -> "Minds":
        from bot.conversation.minds import Minds  # noqa: PLC0415 - as above

        purse = self.budgets.purse
        return Minds(self.db, self.settings, self.registry, lambda: self.claude, purse)

    @cached_property
    def asides(self) -> "Asides":
        from bot.conversation.asides import Asides  # noqa: PLC0415 - as above

        small, purse = self.settings.model_small, self.budgets.aside
        return Asides(self.db, small, lambda: self.claude, purse, self._tell)

    def mind_for(self, setting: Setting, runner: CallRunner, guard: Guard) -> Mind:
        return self.minds.of(setting, runner, guard)

    def runner_for(self, setting: Setting, guard: Guard) -> CallRunner:
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

    def _undo_by_word(self, session: Session, actor: Actor, call_id: UUID) -> Outcome:
        registry = self.registry
        return undo.undo_in(session, registry, actor, call_id, where="word", standing=standing)

    def _stop_tasks(self, session: Session, actor: Actor, conversation_id: UUID) -> bool:
        return self.tasks.stop_here(session, actor, conversation_id)

    def _tell(
        self, session: Session, person: Person, name: str, value: Mapping[str, object]
    ) -> None:
        """Tell all pages of a person, wherever it happened, once it is committed."""
        after_commit(session, partial(publish_person, self.brisk_redis, person, name, value))

    def _settled(self, session: Session, question: Question) -> None:
        """Answered on a phone: the person's pages show it at once."""
        person = Person(question.org_id, question.user_id)
        value = settled(closed_by(question), question.kind, self._views(session, person))
        self._tell(session, person, "card_settled", value)

    def _task_moved(self, session: Session, task: BackgroundTask) -> None:
        person = Person(task.org_id, task.user_id)
        value = task_value(session, task, self._views(session, person))
        self._tell(session, person, "task_progress", value)

    def _views(self, session: Session, person: Person) -> PersonViews:
        actor = people.actor(session, person.org_id, person.user_id)
        zone = studio.org(session, person.org_id).timezone
        reader = Reader(Language.of(actor.language if actor else None), zone, now_of(session))
        return PersonViews(reader, self.registry)

    def kept(self, session: Session, setting: Setting, turn: Turn, event: Event) -> None:
        """In the transaction that keeps an Asked or Ended.

        The question's row, and what a phone is sent.
        """
        question: Question | None = None
        events = ledger.history(session, turn.id)
        conversation = session.get_one(Conversation, turn.conversation_id)
        person = Person(conversation.org_id, conversation.user_id)
        if isinstance(event, Asked):
            ttl = timedelta(minutes=self._minutes(conversation.surface))
            question = delivery.keep_question(session, turn, setting.actor, events, event, ttl=ttl)
            opened = {"question_id": question.id, "conversation_id": conversation.id}
            self._tell(session, person, "question_opened", opened)
        else:
            if isinstance(event, Ended):
                doings.tell(session, conversation, turn, events, event)
                summaries.sum_up_later(session, self.enqueue, turn)
                titles.name_later(session, self.enqueue, conversation)
            ended = {"turn_id": turn.id, "conversation_id": conversation.id}
            self._tell(session, person, "turn_ended", ended)
        if isinstance(event, Asked | Ended):
            delivery.deliver(session, self.phone, conversation, turn, events, question=question)

    def _minutes(self, surface: Surface) -> int:
        web = surface is Surface.WEB
        return self.settings.question_minutes_web if web else self.settings.question_minutes_phone

    def _link(self, question: Question | None) -> str:
        base = self.settings.public_base_url.rstrip("/")
        return f"{base}/" if question is None else f"{base}/q/{question.token}"


def _values_of(error: StudioError) -> Mapping[str, Value]:
    return failures.failed(error).values
