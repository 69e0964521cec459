"""The web process: the shell, and what it is given to serve."""

from collections.abc import Mapping
from uuid import UUID

from flask import Blueprint, Flask
from sqlalchemy import text

from app.core.actor import Actor
from app.people import queries as people
from app.web.ports import Ports
from app.web.shell import create_app
from bot.channels.twilio import webhooks
from bot.channels.twilio.signature import SignatureConfig
from bot.wiring import Wiring


def create_web(wiring: Wiring) -> Flask:
    """The WSGI application of everything that is served."""
    return create_app(wiring.settings, _blueprints(wiring), _ports(wiring))


def _blueprints(wiring: Wiring) -> list[Blueprint]:
    return [twilio(wiring)]


def _ports(wiring: Wiring) -> Ports:
    def person(org_id: UUID, user_id: UUID) -> Actor | None:
        with wiring.db.transaction(org_id) as session:
            return people.actor(session, org_id, user_id)

    return Ports(
        find_person=person,
        words=_words,
        pings={"postgres": lambda: _ping(wiring), "redis": wiring.redis.ping},
    )


def _ping(wiring: Wiring) -> None:
    with wiring.db.platform() as session:
        session.execute(text("SELECT 1"))


def _words(code: str, values: Mapping[str, object], language: str) -> str:
    return code


def twilio(wiring: Wiring) -> Blueprint:
    settings = wiring.settings
    keys = {key: secret.get_secret_value() for key, secret in settings.twilio_webhook_keys.items()}
    signatures = SignatureConfig(
        settings.twilio_account_sid, settings.twilio_auth_token.get_secret_value(), keys
    )
    hooks = webhooks.Webhooks(
        wiring.db, wiring.enqueue, settings.public_base_url, signatures, lambda _: True
    )
    return webhooks.blueprint(hooks)
