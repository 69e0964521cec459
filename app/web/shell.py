"""The web process's frame: an app made of the blueprints it is given."""

import math
from collections.abc import Iterable

from flask import Blueprint, Flask, g

from app.core.clock import Clock
from app.core.settings import Settings
from app.web import errors, identity, security
from app.web.bodies import Bodies
from app.web.health import health
from app.web.ports import Ports


def create_app(settings: Settings, blueprints: Iterable[Blueprint], ports: Ports) -> Flask:
    """Serve these blueprints behind identity, limits, one shape of errors, and strict headers.

    A view needs a signed-in staff member unless it is marked `@public`.
    """
    app = Flask("app.web")
    app.json = Bodies(app)
    security.install(app, settings)
    errors.install(app, ports)
    identity.install(app, settings, ports)
    app.before_request(lambda: _limit(ports))
    for blueprint in (health(ports), *blueprints):
        app.register_blueprint(blueprint)
    return app


def _limit(ports: Ports) -> None:
    """After the identity, so that strangers can't use up a person's share."""
    if g.actor is None:
        return
    wait = ports.limiter.wait(f"{g.actor.org_id}:{g.actor.user_id}", Clock().now())
    if wait > 0:
        raise errors.TooMany(seconds=math.ceil(wait))
