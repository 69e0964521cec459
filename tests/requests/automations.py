"""What happens by itself, as owners ask for it."""

from typing import Any
from uuid import UUID

from app.automations import queries, service
from app.automations.shapes import Shape
from app.core.actor import Role
from app.studio import service as gym
from app.studio.terms import Tier
from tests.reachable import reachable
from tests.requests.request import Request
from tests.studio import Studio

GREETING = {"en": "Happy birthday, {name}", "he": "יום הולדת שמח, {name}"}
ACTIONS = [
    {"kind": "send_message", "channel": "sms", "body": GREETING},
    {"kind": "create_task", "title": "Call {name}"},
]


def kept(studio: Studio) -> UUID:
    """One for birthdays, in a gym whose plan has all of them; and somebody's birthday today."""
    reachable(studio, birth_date=studio.day(0).replace(year=1990))
    shape = Shape.model_validate(
        {"trigger": {"kind": "birthday"}, "actions": ACTIONS, "cap_days": 30}
    )
    with studio.act() as session:
        gym.set_tier(session, studio.org_id, Tier.ELITE)
        name = f"Birthdays {len(queries.automations(session, studio.org_id))}"
        return service.create(session, studio.owner, name, shape).id


def switched_on(studio: Studio) -> UUID:
    made = kept(studio)
    with studio.act() as session:
        service.enable(session, studio.owner, made, now=studio.now)
    return made


def previewed(studio: Studio) -> dict[str, Any]:
    made = kept(studio)
    with studio.act() as session:
        found = queries.reach(session, studio.org_id, made, studio.now)
    return {"automation_id": made, "audience_hash": found.audience_hash}


def new(studio: Studio) -> dict[str, Any]:
    kept(studio)
    with studio.act() as session:
        number = len(queries.automations(session, studio.org_id))
    return {
        "name": f"We miss you {number}",
        "trigger": {"kind": "absent_n_days", "count": 14},
        "conditions": [{"kind": "languages", "any": ["he", "en"]}],
        "actions": [ACTIONS[1]],
        "delay_min": 60,
    }


REQUESTS = [
    Request(
        "automations.list",
        "which automations do we have?",
        lambda studio: (kept(studio), {})[1],
        ("Birthdays", "off"),
        role=Role.ADMIN,
    ),
    Request(
        "automations.get",
        "what does the birthday one say?",
        lambda studio: {"automation_id": kept(studio)},
        ("Happy birthday",),
        role=Role.ADMIN,
    ),
    Request(
        "automations.list_runs",
        "кому ушло поздравление?",
        lambda studio: {"automation_id": switched_on(studio), "status": ["seen"]},
        ("Dana Levi",),
    ),
    Request(
        "automations.preview_audience",
        "who would get it now?",
        lambda studio: {"automation_id": kept(studio)},
        ("Dana Levi", "Recipients"),
        replays=False,
    ),
    Request(
        "automations.create",
        "make one that has me call whoever was away for two weeks",
        new,
        ("Automation added, switched off", "We miss you", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "automations.update",
        "not more than once in two months",
        lambda studio: {"automation_id": kept(studio), "cap_days": 60},
        ("Automation changed", "UNDO"),
    ),
    Request(
        "automations.enable",
        "תדליק את האוטומציה של ימי הולדת",
        lambda studio: {"automation_id": kept(studio)},
        ("האוטומציה פועלת מעכשיו", "להחזיר"),
    ),
    Request(
        "automations.disable",
        "switch the birthdays off",
        lambda studio: {"automation_id": switched_on(studio)},
        ("Switched off", "UNDO"),
    ),
    Request(
        "automations.run_now",
        "run the birthday one now for everybody",
        previewed,
        ("Done",),
    ),
    Request(
        "automations.delete",
        "удали эту автоматизацию",
        lambda studio: {"automation_id": kept(studio)},
        ("Автоматизация удалена", "вернуть"),
    ),
]
