"""/api/operator/v1: gyms, tiers, staff and usage for the operator's own systems, by one token."""

import secrets
from dataclasses import asdict
from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from app.core.actor import Role
from app.people.service import NewUser
from app.people.views import StaffView
from app.studio.service import NewOrg
from app.studio.terms import Tier
from app.web.errors import SignInNeeded
from app.web.identity import public
from bot.conversation.tallies import By
from bot.operations.provisioning import Gym, Provisioning, storage_json

PREFIX = "/api/operator/v1"
AtWork = Literal[Role.COACH, Role.ADMIN, Role.OWNER]
Named = Annotated[str, Field(min_length=1, max_length=120)]
Tongue = Literal["en", "he", "ru"]


class _Body(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)


class OrgBody(_Body):
    name: Named
    slug: str = Field(pattern=r"^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$")
    tier: Tier = Tier.LITE
    timezone: str = Field(default="Asia/Jerusalem", max_length=60)
    language: Tongue = "he"


class TierBody(_Body):
    tier: Tier


class StaffBody(_Body):
    name: Named
    role: AtWork = Role.COACH
    email: str | None = Field(default=None, max_length=120, pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$")
    language: Tongue = "he"


class StaffChanges(_Body):
    role: AtWork | None = None
    active: bool | None = None


class UsageQuery(_Body):
    by: By = "day"
    day: date | None = None


def operator_api(of: Provisioning, token: SecretStr) -> Blueprint:
    """All of it, behind the token, which must not be empty."""
    pages = Blueprint("operator", __name__, url_prefix=PREFIX)
    pages.before_request(lambda: _check(token.get_secret_value()))
    _orgs(pages, of)
    _staff(pages, of)
    _usage(pages, of)
    _storage(pages, of)
    return pages


def _check(token: str) -> None:
    """Raises SignInNeeded; the time that it takes says nothing of how much was right."""
    scheme, _, sent = request.headers.get("Authorization", "").partition(" ")
    same = secrets.compare_digest(sent.strip().encode(), token.encode())
    if not token or scheme.lower() != "bearer" or not same:
        raise SignInNeeded


def _orgs(pages: Blueprint, of: Provisioning) -> None:
    @pages.get("/orgs")
    @public
    def list_orgs() -> Response:
        return jsonify(orgs=[_gym(one) for one in of.gyms()])

    @pages.post("/orgs")
    @public
    def add_org() -> ResponseReturnValue:
        body = OrgBody.model_validate(request.get_json())
        return jsonify(_gym(of.add_gym(NewOrg(**body.model_dump())))), 201

    @pages.get("/orgs/<org>")
    @public
    def show_org(org: str) -> Response:
        return jsonify(_gym(of.gym(org)))

    @pages.put("/orgs/<org>/tier")
    @public
    def change_tier(org: str) -> Response:
        moved = of.change_tier(org, TierBody.model_validate(request.get_json()).tier)
        return jsonify(
            tier=moved.tier, tier_before=moved.before, automations_off=moved.automations_off
        )


def _staff(pages: Blueprint, of: Provisioning) -> None:
    @pages.get("/orgs/<org>/staff")
    @public
    def list_staff(org: str) -> Response:
        return jsonify(staff=[_person(one) for one in of.staff(org)])

    @pages.post("/orgs/<org>/staff")
    @public
    def add_staff(org: str) -> ResponseReturnValue:
        body = StaffBody.model_validate(request.get_json())
        new = NewUser(name=body.name, email=body.email, language=body.language)
        return jsonify(_person(of.add_staff(org, new, body.role))), 201

    @pages.patch("/orgs/<org>/staff/<uuid:user_id>")
    @public
    def change_staff(org: str, user_id: UUID) -> Response:
        body = StaffChanges.model_validate(request.get_json())
        changed = of.change_staff(org, user_id, role=body.role, active=body.active)
        return jsonify(_person(changed))


def _usage(pages: Blueprint, of: Provisioning) -> None:
    @pages.get("/orgs/<org>/usage")
    @public
    def show_usage(org: str) -> Response:
        asked = UsageQuery.model_validate(request.args.to_dict())
        found = of.usage(org, asked.by, asked.day)
        return jsonify(usage=[{**asdict(one), "hit_ratio": one.hit_ratio} for one in found])


def _storage(pages: Blueprint, of: Provisioning) -> None:
    @pages.get("/orgs/<org>/storage")
    @public
    def show_storage(org: str) -> Response:
        found = of.storage(of.gym(org).id)
        return jsonify(storage=None if found is None else storage_json(found))


def _gym(one: Gym) -> dict[str, Any]:
    return {
        "id": str(one.id),
        "slug": one.slug,
        "name": one.name,
        "tier": one.tier.value,
        "timezone": one.timezone,
        "language": one.language,
    }


def _person(one: StaffView) -> dict[str, Any]:
    return {
        "user_id": str(one.user_id),
        "name": one.name,
        "role": one.role.value,
        "active": one.active,
    }
