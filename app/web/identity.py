"""Who is calling: a page's session or a bearer token, made an Actor before any view runs."""

import secrets
from collections.abc import Callable
from typing import Any, TypeVar
from uuid import UUID

from flask import Flask, g, request, session

from app.core.actor import Actor, Role, Via
from app.core.settings import Settings
from app.web.errors import BadCsrf, MembersRefused, SignInNeeded
from app.web.ports import Ports
from app.web.tokens import BadToken, Claims, read_token

CSRF_HEADER, CSRF_FIELD = "X-CSRF-Token", "csrf_token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_View = TypeVar("_View", bound=Callable[..., Any])


def public(view: _View) -> _View:
    """Let anybody call this view: webhooks that check a signature of their own, sign-in, health."""
    view.public = True  # type: ignore[attr-defined]  # a mark on the function, read by _guard
    return view


def current_actor() -> Actor:
    """The person this request is for. Raises SignInNeeded."""
    actor: Actor | None = g.get("actor")
    if actor is None:
        raise SignInNeeded
    return actor


def sign_in(actor: Actor) -> None:
    """Begin a session. What was in it goes, so that nobody can prepare one for somebody else."""
    session.clear()
    session.update(org=str(actor.org_id), sub=str(actor.user_id), csrf=secrets.token_urlsafe(24))
    session.permanent = True


def sign_out() -> None:
    session.clear()


def csrf_token() -> str:
    """The word that a form or a script of our own page sends back."""
    token: str = session.setdefault("csrf", secrets.token_urlsafe(24))
    return token


def check_csrf() -> None:
    """Raises BadCsrf unless the request carries its session's word; without one nothing fits."""
    sent = request.headers.get(CSRF_HEADER) or request.form.get(CSRF_FIELD, "")
    word: str = session.get("csrf", "")
    if not word or not secrets.compare_digest(sent.encode(), word.encode()):
        raise BadCsrf


def install(app: Flask, settings: Settings, ports: Ports) -> None:
    """Put the guard before every view, and the form word into every template."""
    app.before_request(lambda: _guard(app, settings, ports))
    app.jinja_env.globals["csrf_token"] = csrf_token


def _guard(app: Flask, settings: Settings, ports: Ports) -> None:
    g.actor = None
    view = app.view_functions.get(request.endpoint or "")
    if view is None or request.endpoint == "static" or (request.endpoint or "").endswith(".static"):
        return
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and not getattr(view, "public", False):
        g.actor = _by_token(settings, ports, token.strip())
    else:
        g.actor = _by_session(ports)
    if getattr(view, "public", False):
        return
    _require(g.actor)
    if scheme.lower() != "bearer" and request.method not in _SAFE:
        check_csrf()


def _require(actor: Actor | None) -> None:
    if actor is None:
        raise SignInNeeded
    if not actor.role.at_least(Role.COACH):
        raise MembersRefused


def _by_session(ports: Ports) -> Actor | None:
    try:
        return ports.find_person(UUID(session["org"]), UUID(session["sub"]))
    except (KeyError, ValueError):
        return None


def _by_token(settings: Settings, ports: Ports, token: str) -> Actor:
    try:
        claims = read_token(settings, token)
    except BadToken as error:
        raise SignInNeeded from error
    person = ports.find_person(claims.org, claims.sub)
    if person is None:
        raise SignInNeeded
    return _narrowed(person, claims)


def _narrowed(person: Actor, claims: Claims) -> Actor:
    """The lower of the token's role and today's: a role taken away is gone at once."""
    return person.at_most(claims.role).acting(Via(claims.via))
