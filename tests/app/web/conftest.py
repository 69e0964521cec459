"""A shell over two small views, with people in a list."""

import logging
from collections.abc import Mapping
from uuid import UUID

import pytest
from flask import Blueprint, Flask, jsonify, request
from flask.testing import FlaskClient
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, SecretStr

from app.core.actor import Actor, Role
from app.core.errors import NotFound
from app.core.ids import new_id
from app.core.settings import Settings
from app.web import identity
from app.web.identity import current_actor, public, sign_in
from app.web.ports import Ports
from app.web.shell import create_app

COACH = Actor(org_id=new_id(), user_id=new_id(), role=Role.COACH, name="Noa", language="he")
MEMBER = Actor(org_id=COACH.org_id, user_id=new_id(), role=Role.MEMBER)


class People:
    """Who works here today."""

    def __init__(self) -> None:
        self.all = {one.user_id: one for one in (COACH, MEMBER)}

    def find(self, org_id: UUID, user_id: UUID) -> Actor | None:
        person = self.all.get(user_id)
        return person if person and person.org_id == org_id else None


class Shape(BaseModel):
    n: int


def words(code: str, values: Mapping[str, object], language: str) -> str:
    return f"{language}:{code}:{sorted(values)}"


def views() -> Blueprint:
    pages = Blueprint("views", __name__)

    @pages.get("/api/v1/me")
    def me() -> ResponseReturnValue:
        actor = current_actor()
        return jsonify(name=actor.name, role=actor.role, via=actor.via)

    @pages.post("/api/v1/change")
    def change() -> ResponseReturnValue:
        request.get_data()
        return jsonify(changed=True)

    @pages.post("/api/v1/shape")
    def shape() -> ResponseReturnValue:
        return jsonify(n=Shape.model_validate(request.get_json()).n)

    @pages.get("/api/v1/missing")
    def missing() -> ResponseReturnValue:
        raise NotFound(what="class")

    @pages.get("/api/v1/broken")
    def broken() -> ResponseReturnValue:
        raise RuntimeError

    _doors(pages)
    return pages


def _doors(pages: Blueprint) -> None:
    @pages.get("/page")
    def page() -> ResponseReturnValue:
        return "page"

    @pages.post("/webhook")
    @public
    def webhook() -> ResponseReturnValue:
        return jsonify(taken=True)

    @pages.post("/enter/<uuid:who>")
    @public
    def enter(who: UUID) -> ResponseReturnValue:
        sign_in(COACH if who == COACH.user_id else MEMBER)
        return jsonify(csrf=identity.csrf_token())


@pytest.fixture
def settings() -> Settings:
    return Settings(secret_key=SecretStr("k" * 40), public_base_url="https://gym.example")


@pytest.fixture
def people() -> People:
    return People()


@pytest.fixture
def app(settings: Settings, people: People) -> Flask:
    logging.getLogger("app.web.errors").setLevel(logging.CRITICAL)
    return create_app(settings, [views()], Ports(find_person=people.find, words=words))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
