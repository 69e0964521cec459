"""What the operator sets up, by command and by API: gyms, their tier, and who works there."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient
from pydantic import SecretStr

from app.automations import queries as automations
from app.core.actor import Role
from app.core.errors import StudioError
from app.core.settings import Settings
from app.people import queries as people
from app.web.ports import Ports
from app.web.shell import create_app
from bot.cli.main import main
from bot.operations import saying
from bot.operations.operator_api import PREFIX, operator_api
from bot.operations.provisioning import Provisioning
from bot.operations.serving import create_web
from bot.wiring import Wiring
from tests.requests.automations import switched_on
from tests.studio import Studio, open_studio

TOKEN = "operator-token"


@pytest.fixture
def studio(database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("REDIS_URL", redis_url)
    studio = open_studio(database_url)
    yield studio
    studio.db.close()


class Operator:
    """A client of the API with a token."""

    def __init__(self, studio: Studio, token: str = TOKEN) -> None:
        settings = Settings(secret_key=SecretStr("k" * 40))
        ports = Ports(find_person=lambda *_: None, words=saying.of_error)
        pages = operator_api(Provisioning(studio.db), SecretStr(TOKEN))
        self.client: FlaskClient = create_app(settings, [pages], ports).test_client()
        self.headers = {"Authorization": f"Bearer {token}"}

    def __call__(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        url = f"/api/operator/v1{path}"
        answer = self.client.open(url, method=method, json=body, headers=self.headers)
        if answer.status_code >= 400:
            assert answer.mimetype == "application/problem+json"
            return answer.status_code, answer.get_json()["code"]
        return answer.status_code, answer.get_json()


def spotter(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(one) for one in arguments])


def test_a_gym_is_added_shown_and_put_on_another_tier_by_api(studio: Studio) -> None:
    operator, slug = Operator(studio), f"gym-{uuid4().hex[:8]}"

    status, made = operator("POST", "/orgs", {"name": "Fit", "slug": slug, "tier": "elite"})

    assert (status, made["tier"], made["timezone"]) == (201, "elite", "Asia/Jerusalem")
    assert operator("GET", f"/orgs/{slug}") == (200, made)
    assert made in operator("GET", "/orgs")[1]["orgs"]
    assert operator("POST", "/orgs", {"name": "Fit", "slug": slug}) == (409, "slug_taken")
    moved = {"tier": "lite", "tier_before": "elite", "automations_off": 0}
    assert operator("PUT", f"/orgs/{made['id']}/tier", {"tier": "lite"}) == (200, moved)


def test_what_a_lower_tier_has_no_more_is_switched_off(studio: Studio) -> None:
    automation_id = switched_on(studio)
    with studio.act() as session:
        slug = Provisioning(studio.db).gym(str(studio.org_id)).slug

    told = spotter("org", "tier", slug, "lite")

    assert told.output.splitlines() == ["elite -> lite", "automations switched off: 1"]
    with studio.act() as session:
        found = automations.automation(session, studio.org_id, automation_id)
    assert (found.enabled, found.off_reason) == (False, "tier")


def test_staff_come_change_and_go_by_api(studio: Studio) -> None:
    operator, path = Operator(studio), f"/orgs/{studio.org_id}/staff"
    new = {"name": "Gal", "email": f"{uuid4().hex}@example.com", "role": "admin"}

    status, made = operator("POST", path, new)

    assert (status, made["role"], made["active"]) == (201, "admin", True)
    assert operator("POST", path, new) == (409, "already_staff")
    one = f"{path}/{made['user_id']}"
    assert operator("PATCH", one, {"role": "coach"})[1]["role"] == "coach"
    assert operator("PATCH", one, {"active": False})[1]["active"] is False
    assert made["user_id"] in {row["user_id"] for row in operator("GET", path)[1]["staff"]}
    with studio.act() as session:
        assert people.actor(session, studio.org_id, UUID(made["user_id"])) is None


def test_one_login_works_in_two_gyms(studio: Studio) -> None:
    of, email = Provisioning(studio.db), f"{uuid4().hex}@example.com"
    other = spotter("org", "add", "Other", "--slug", f"gym-{uuid4().hex[:8]}").output.strip()
    here = spotter("staff", "add", studio.org_id, "Gal", "--email", email).output.strip()
    there = spotter("staff", "add", other, "Gal", "--email", email, "--role", "owner")
    assert here == there.output.strip()
    assert [one.role for one in of.staff(other)] == [Role.OWNER]


def test_the_last_owner_stays(studio: Studio) -> None:
    owner = studio.owner.user_id
    operator, path = Operator(studio), f"/orgs/{studio.org_id}/staff/{owner}"
    assert operator("PATCH", path, {"active": False}) == (409, "last_owner")
    assert operator("PATCH", path, {"role": "admin"}) == (409, "last_owner")

    refused = spotter("staff", "deactivate", studio.org_id, owner)
    assert refused.exit_code == 1
    assert "only owner" in refused.output
    spotter("staff", "role", studio.org_id, studio.admin.user_id, "owner")
    assert "left" in spotter("staff", "deactivate", studio.org_id, owner).output
    assert "left" not in spotter("staff", "activate", studio.org_id, owner).output


def test_two_owners_cannot_let_each_other_go(studio: Studio) -> None:
    of, gym = Provisioning(studio.db), str(studio.org_id)
    of.change_staff(gym, studio.admin.user_id, role=Role.OWNER)

    def let_go(user_id: UUID) -> bool:
        try:
            of.change_staff(gym, user_id, active=False)
        except StudioError:
            return False
        return True

    with ThreadPoolExecutor(2) as both:
        went = list(both.map(let_go, (studio.owner.user_id, studio.admin.user_id)))
    assert sorted(went) == [False, True]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/orgs", {"name": "Fit", "slug": "Not a slug"}),
        ("POST", "/orgs", {"name": "", "slug": "fit"}),
        ("POST", "/orgs", {"name": "Fit", "slug": f"gym-{uuid4().hex[:8]}", "timezone": "Mars"}),
        ("POST", "/orgs", {"name": "Fit", "slug": "fit", "tier": "gold"}),
        ("POST", "/orgs", {"name": "Fit", "slug": "fit", "more": 1}),
        ("PUT", "/orgs/{org}/tier", {}),
        ("POST", "/orgs/{org}/staff", {"name": "Gal", "role": "member"}),
        ("POST", "/orgs/{org}/staff", {"name": "Gal", "email": "nobody"}),
    ],
)
def test_what_does_not_fit_is_refused(studio: Studio, method: str, path: str, body: object) -> None:
    assert Operator(studio)(method, path.format(org=studio.org_id), body) == (422, "bad_input")


def test_who_has_not_the_token_gets_nothing(studio: Studio) -> None:
    for wrong in ("", "operator", TOKEN + "x", "\u05d0"):
        operator = Operator(studio, wrong.encode().decode("latin-1"))
        assert operator("GET", "/orgs") == (401, "sign_in_needed")
        assert operator("PUT", f"/orgs/{studio.org_id}/tier", {"tier": "pro"})[0] == 401


def test_what_is_not_there_is_not_found(studio: Studio) -> None:
    operator = Operator(studio)
    assert operator("GET", "/orgs/none-such") == (404, "not_found")
    assert operator("GET", f"/orgs/{uuid4()}/staff") == (404, "not_found")
    path = f"/orgs/{studio.org_id}/staff/{uuid4()}"
    assert operator("PATCH", path, {"active": False}) == (404, "not_found")
    assert spotter("org", "tier", "none-such", "pro").exit_code == 1


def test_gyms_are_listed_for_programs(studio: Studio) -> None:
    listed = json.loads(spotter("org", "list", "--json").stdout)
    assert str(studio.org_id) in {one["id"] for one in listed}


@pytest.mark.parametrize("token", ["", TOKEN])
def test_without_a_token_there_is_no_such_api(
    database_url: str, redis_url: str, token: str
) -> None:
    given = {"DATABASE_URL": database_url, "REDIS_URL": redis_url, "SECRET_KEY": "k" * 40}
    wiring = Wiring(Settings.of({**given, "OPERATOR_TOKEN": token}))
    served = {rule.rule for rule in create_web(wiring).url_map.iter_rules()}
    wiring.close()
    assert any(rule.startswith(PREFIX) for rule in served) is bool(token)
