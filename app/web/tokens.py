"""Proofs of who somebody is: bearer tokens of API clients, and sign-in links that open once.

Both live in real time, whatever day the demo is on: other people's clocks read them.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Literal
from uuid import UUID

import jwt
from itsdangerous import BadData, URLSafeTimedSerializer
from pydantic import BaseModel, ConfigDict, ValidationError

from app.core.actor import Actor, Role, Via
from app.core.ids import new_token
from app.core.settings import Settings

AUDIENCE = "spotter"
LINK_LIFE = timedelta(minutes=15)
_SHARED, _PUBLISHED = ("HS256",), ("RS256", "ES256", "EdDSA")
_REQUIRED = ["aud", "exp", "sub", "org", "role"]


class BadToken(Exception):
    """A token or a link that proves nothing: forged, late, for somebody else, or incomplete."""


class Claims(BaseModel):
    """What a bearer token says; `via` is what holds it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    org: UUID
    sub: UUID
    role: Role
    via: Literal["person", "machine"] = "person"


@dataclass(frozen=True, slots=True)
class Link:
    """Whom a sign-in link lets in, and the id that makes it count once."""

    org_id: UUID
    user_id: UUID
    id: str


def issue_token(
    settings: Settings, actor: Actor, *, now: datetime, life: timedelta = timedelta(minutes=10)
) -> str:
    """A token as the operator's own product would make it, signed with the shared key."""
    via = Via.MACHINE if actor.via is Via.MACHINE else Via.PERSON
    claims = {"org": str(actor.org_id), "sub": str(actor.user_id), "role": actor.role.value}
    times = {"iat": now, "exp": now + life}
    return jwt.encode(
        {**claims, **times, "via": via.value, "aud": AUDIENCE},
        settings.secret_key.get_secret_value(),
        algorithm="HS256",
    )


def read_token(settings: Settings, token: str) -> Claims:
    """Check signature, audience, expiry and claims. Raises BadToken.

    The shared key verifies HS256 only and published keys never do, so that the header can't
    choose a weaker check.
    """
    try:
        shared = jwt.get_unverified_header(token).get("alg") in _SHARED
        key = _shared_key(settings) if shared else _published_key(settings, token)
        algorithms = _SHARED if shared else _PUBLISHED
        decoded: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=list(algorithms),
            audience=AUDIENCE,
            leeway=10,
            options={"require": _REQUIRED},
        )
        return Claims.model_validate(decoded)
    except (jwt.PyJWTError, ValidationError) as error:
        raise BadToken from error


def _shared_key(settings: Settings) -> str:
    if not (key := settings.secret_key.get_secret_value()):
        raise BadToken
    return key


def _published_key(settings: Settings, token: str) -> Any:  # noqa: ANN401 - a key of the library's
    if not settings.jwks_url:
        raise BadToken
    return _published_keys(settings.jwks_url).get_signing_key_from_jwt(token).key


@lru_cache(maxsize=4)
def _published_keys(url: str) -> jwt.PyJWKClient:
    return jwt.PyJWKClient(url, cache_keys=True, lifespan=300, timeout=3)


def sign_in_link(settings: Settings, org_id: UUID, user_id: UUID) -> str:
    """An address that signs this person in, once, within LINK_LIFE."""
    word = _links(settings).dumps([str(org_id), str(user_id), new_token()])
    return f"{settings.public_base_url.rstrip('/')}/sign-in/{word}"


def read_link(settings: Settings, word: str) -> Link:
    """Raises BadToken. Whether it was used before is the caller's to ask."""
    try:
        org, user, link_id = _links(settings).loads(word, max_age=LINK_LIFE.seconds)
        return Link(UUID(org), UUID(user), link_id)
    except (BadData, ValueError, TypeError) as error:
        raise BadToken from error


def _links(settings: Settings) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(_shared_key(settings), salt="sign-in-link")
