"""The web process: the shell, and what it is given to serve."""

from collections.abc import Sequence
from uuid import UUID

from flask import Blueprint, Flask
from redis.exceptions import RedisError
from sqlalchemy import text
from sqlalchemy.orm import Session

from app.core.actor import Actor, Role
from app.core.db import as_org
from app.people import queries as people
from app.people.views import StaffView
from app.studio import queries as studio
from app.web.ports import Ports
from app.web.shell import create_app
from bot.channels.arbox.access import client_at
from bot.channels.twilio import webhooks
from bot.channels.twilio.signature import SignatureConfig
from bot.channels.web.chat import Chat
from bot.channels.web.limits import RedisLimiter
from bot.channels.web.open_protocol import open_protocol
from bot.channels.web.routes import chat_routes
from bot.conversation.standing import standing
from bot.dashboard.arbox import ArboxForm, arbox_form
from bot.dashboard.filling import filling
from bot.dashboard.joining import joining
from bot.dashboard.pages import DemoPerson, Desk, dashboard
from bot.operations import saying
from bot.operations.operator_api import operator_api
from bot.operations.provisioning import Provisioning
from bot.playground.phone import Playground, playground
from bot.wiring import Wiring
from tools import http

PER_SENDER_S, SENDER_BURST = 1.0, 60
"""What one phone may write before it is kept without being acted on."""
LINK_USED_S = 3600


def create_web(wiring: Wiring) -> Flask:
    """The WSGI application of everything that is served."""
    ports = _ports(wiring)
    return create_app(wiring.settings, _blueprints(wiring, ports), ports)


def _blueprints(wiring: Wiring, ports: Ports) -> list[Blueprint]:
    chat = Chat(
        db=wiring.db,
        redis=wiring.redis,
        enqueue=wiring.enqueue,
        registry=wiring.registry,
        standing=standing,
        zone_of=lambda session, org_id: studio.org(session, org_id).timezone,
    )
    desk = Desk(
        db=wiring.db,
        settings=wiring.settings,
        find_person=ports.find_person,
        first_use=ports.first_use,
        gym_of=_gym_of,
        home="/playground" if wiring.settings.playground else "/",
        demo=lambda: _demo(wiring),
    )
    phones = playground(Playground(wiring.db, wiring.settings))
    form = ArboxForm(
        db=wiring.db,
        client=client_at(wiring.settings),
        actor_of=people.actor,
        say=lambda error, language: saying.of_error(error.code, error.values, language),
    )
    doors = [dashboard(desk), joining(desk), filling(desk), arbox_form(form)]
    pages = [chat_routes(chat), open_protocol(chat), *doors, phones]
    return [_twilio(wiring), *pages, _api(wiring), *_operator(wiring)]


def _operator(wiring: Wiring) -> list[Blueprint]:
    token = wiring.settings.operator_token
    return [operator_api(Provisioning(wiring.db), token)] if token.get_secret_value() else []


def _api(wiring: Wiring) -> Blueprint:
    def zone_of(org_id: UUID) -> str:
        with wiring.db.transaction(org_id) as session:
            return studio.org(session, org_id).timezone

    api = http.Api(
        db=wiring.db,
        registry=wiring.registry,
        say=saying.of_card,
        standing=standing,
        zone_of=zone_of,
    )
    return http.blueprint(api)


def _ports(wiring: Wiring) -> Ports:
    def person(org_id: UUID, user_id: UUID) -> Actor | None:
        with wiring.db.transaction(org_id) as session:
            return people.actor(session, org_id, user_id)

    def first_use(word: str) -> bool:
        """A sign-in link counts once; nobody can tell while Redis is away, so then none does."""
        try:
            return bool(wiring.brisk_redis.set(f"link-used:{word}", 1, nx=True, ex=LINK_USED_S))
        except RedisError:
            return False

    return Ports(
        find_person=person,
        words=saying.of_error,
        limiter=RedisLimiter(wiring.brisk_redis),
        first_use=first_use,
        pings={"postgres": lambda: _ping(wiring), "redis": wiring.brisk_redis.ping},
    )


def _ping(wiring: Wiring) -> None:
    with wiring.db.platform() as session:
        session.execute(text("SELECT 1"))


def _gym_of(session: Session, org_id: UUID) -> tuple[str, str]:
    org = studio.org(session, org_id)
    return org.name, org.timezone


def _demo(wiring: Wiring) -> Sequence[DemoPerson]:
    """Everybody who works in any gym here, to be chosen from; nobody outside of the playground."""
    if not wiring.settings.playground:
        return ()
    with wiring.db.platform() as session:
        found: list[DemoPerson] = []
        for org in studio.all_orgs(session):
            with as_org(session, org.id):
                found += [
                    DemoPerson(org.id, one.user_id, one.name, one.role.value, org.name)
                    for one in sorted(people.list_staff(session), key=_rank)
                ]
        return found


def _rank(one: StaffView) -> tuple[int, str]:
    """The owner first: who tries Spotter out wants to see all of it."""
    return -list(Role).index(one.role), one.name


def _twilio(wiring: Wiring) -> Blueprint:
    settings = wiring.settings
    keys = {key: secret.get_secret_value() for key, secret in settings.twilio_webhook_keys.items()}
    token = settings.twilio_auth_token.get_secret_value()
    limiter = RedisLimiter(wiring.brisk_redis, PER_SENDER_S, SENDER_BURST)

    def allow(sender: str) -> bool:
        return limiter.wait(f"sender:{sender}", wiring.clock.now()) == 0

    return webhooks.blueprint(
        webhooks.Webhooks(
            wiring.db,
            wiring.enqueue,
            settings.public_base_url,
            SignatureConfig(settings.twilio_account_sid, token, keys),
            allow,
        )
    )
