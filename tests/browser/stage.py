"""The dashboard as it is served: real database, real Redis, and a scripted model."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from threading import Thread
from typing import Any
from uuid import UUID

from flask import Blueprint, Flask
from sqlalchemy import text
from sqlalchemy.orm import Session
from werkzeug.serving import make_server

from app.core.actor import Actor, Role
from app.core.db import Database
from app.core.ids import new_id
from app.people import queries as people
from app.people.service import NewUser, add_staff, create_user
from app.studio import queries as studio
from app.studio.service import NewOrg, create_org
from app.web.ports import Ports
from app.web.shell import create_app
from bot.channels.web.chat import Chat
from bot.channels.web.open_protocol import open_protocol
from bot.channels.web.routes import chat_routes
from bot.conversation import accept, delivery, ledger
from bot.conversation.models import Surface, Turn
from bot.conversation.opening import plain_opening
from bot.conversation.queue import NAME_CONVERSATION, RUN_CONVERSATION
from bot.conversation.run import Mind, Parts, Setting, run_conversation
from bot.conversation.standing import standing
from bot.dashboard.filling import filling
from bot.dashboard.pages import DemoPerson, Desk, dashboard
from bot.stream import Patience, Person, Publisher, publish_person
from bot.turn.events import Asked, Event
from bot.wiring import Wiring
from tests.browser.gym import fill
from tests.browser.script import ScriptedModel, ScriptedRunner
from tools.kit import questions
from tools.kit.calls import Call
from tools.kit.cards import Undone
from tools.kit.values import Name


class StageChat(Chat):
    """Undoes what the script did, which no table knows."""

    def undo(self, actor: Actor, call_id: UUID) -> dict[str, Any]:
        card = Undone(of="class_sessions.create", values={"class": Name(text="Open gym")})
        with self.db.transaction(actor.org_id) as session:
            session.execute(text("UPDATE class_session SET status = 'scheduled'"))
            return {"view": self.views(session, actor).card(card), "ok": True, "call": str(call_id)}


@dataclass
class Stage:
    """One gym, three people of three languages, and whatever the test asks of them."""

    wiring: Wiring
    model: ScriptedModel = field(default_factory=ScriptedModel)
    people: dict[str, Actor] = field(default_factory=dict)
    question_life: timedelta = timedelta(minutes=15)
    staff: list[Actor] = field(default_factory=list)
    turns: list[Thread] = field(default_factory=list)
    org: UUID = field(default_factory=new_id)

    @property
    def db(self) -> Database:
        return self.wiring.db

    def build(self) -> "Stage":
        org = self.org
        with self.db.transaction(org) as session:
            create_org(session, org, NewOrg(name="CrossFit Yarkon", slug=f"gym-{org.hex[-12:]}"))
        for language, name in (("en", "Noa Levi"), ("he", "נועה לוי"), ("ru", "Анна Штерн")):
            self.people[language] = self.hire(name, language)
        with self.db.transaction(org) as session:
            fill(session, self.people["en"])
        return self

    def hire(self, name: str, language: str) -> Actor:
        with self.db.platform() as session:
            user = create_user(session, NewUser(name=name, language=language))
        with self.db.transaction(self.org) as session:
            add_staff(session, self.org, user, name=name, role=Role.OWNER)
        actor = self._find(self.org, user)
        assert actor is not None
        self.staff.append(actor)
        return actor

    @cached_property
    def parts(self) -> Parts:
        return Parts(
            db=self.db,
            mind_for=lambda setting, *_: Mind(self.model, plain_opening(self.db, setting.zone)),
            runner_for=lambda setting, _: ScriptedRunner(
                self.wiring.clock.now(), lambda: self.cancel(setting.actor.org_id)
            ),
            actor_of=lambda session, row: _person(session, row.org_id, row.user_id),
            publisher_for=lambda turn: Publisher(self.wiring.redis, turn.id),
            kept=self._kept,
            debounce=timedelta(0),
        )

    def _kept(self, session: Session, setting: Setting, turn: Turn, event: Event) -> None:
        if isinstance(event, Asked):
            events = ledger.history(session, turn.id)
            delivery.keep_question(
                session, turn, setting.actor, events, event, ttl=self.question_life
            )

    def ask_on_phone(self, who: Actor) -> UUID:
        """A question as a turn on WhatsApp would leave it."""
        card = ScriptedRunner(self.wiring.clock.now(), lambda: None).question(
            Call(id="phone", name="class_sessions__cancel", input={"n": 0})
        )
        assert card is not None
        with self.db.transaction(who.org_id) as session:
            row = accept.open_conversation(session, who, Surface.WHATSAPP)
            pending = questions.Pending(
                call=Call(id="phone", name="class_sessions__cancel", input={}), target="same"
            )
            opened = questions.open_question(
                session,
                who,
                card=card.card,
                calls=[pending],
                expires_at=self.wiring.clock.now() + self.question_life,
                conversation_id=row.id,
            )
            return opened.id

    def cancel(self, org: UUID) -> None:
        with self.db.transaction(org) as session:
            session.execute(
                text(
                    "UPDATE class_session SET status = 'cancelled' WHERE local_start = '13:00' "
                    "AND local_date = (SELECT max(local_date) - 5 FROM class_session)"
                )
            )

    def enqueue(self, job: str, *args: str) -> None:
        if job == NAME_CONVERSATION:
            return  # there is no small model here
        assert job == RUN_CONVERSATION
        turn = Thread(target=run_conversation, args=(self.parts, *map(UUID, args)), daemon=True)
        self.turns.append(turn)
        turn.start()

    def close(self) -> None:
        for turn in self.turns:
            turn.join(20)
        _await_requests(0.5)
        self.db.close()
        self.wiring.redis.close()

    def tell(self, who: Actor, name: str, value: dict[str, Any]) -> None:
        publish_person(self.wiring.redis, Person(who.org_id, who.user_id), name, value)

    @cached_property
    def chat(self) -> Chat:
        return StageChat(
            db=self.db,
            redis=self.wiring.redis,
            enqueue=self.enqueue,
            registry=self.wiring.registry,
            standing=standing,
            zone_of=lambda session, org: studio.org(session, org).timezone,
            patience=Patience(heartbeat=0.2, look=0.1, lifetime=60),
        )

    def app(self, *more: Blueprint, first_use: Callable[[str], bool] = lambda _: True) -> Flask:
        desk = Desk(
            db=self.db,
            settings=self.wiring.settings,
            find_person=self._find,
            first_use=first_use,
            gym_of=_gym,
            demo=lambda: [
                DemoPerson(one.org_id, one.user_id, one.name, one.role.value, "CrossFit Yarkon")
                for one in self.staff
            ],
        )
        pages = [dashboard(desk), filling(desk), *more]
        blueprints = [chat_routes(self.chat), open_protocol(self.chat), *pages]
        ports = Ports(
            find_person=self._find, words=lambda code, _values, language: f"{language}: {code}"
        )
        return create_app(self.wiring.settings, blueprints, ports)

    def _find(self, org: UUID, user: UUID) -> Actor | None:
        with self.db.transaction(org) as session:
            return people.actor(session, org, user)


def _gym(session: Session, org: UUID) -> tuple[str, str]:
    row = studio.org(session, org)
    return row.name, row.timezone


def _person(session: Session, org: UUID, user: UUID) -> Actor:
    actor = people.actor(session, org, user)
    assert actor is not None
    return actor


def _await_requests(longest_s: float) -> None:
    """A stream notices at its next beat that its page is gone."""
    until = time.monotonic() + longest_s
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(max(0.0, until - time.monotonic()))


@contextmanager
def served(app: Flask, port: int = 0) -> Iterator[str]:
    """The address of the app, served by threads."""
    server = make_server("127.0.0.1", port, app, threaded=True)
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
