"""Arbox, as owners and admins ask for it."""

from contextlib import suppress
from datetime import timedelta
from typing import Any

from sqlalchemy import func, select

from app.arbox import service as arbox
from app.arbox.errors import NotConnected
from app.arbox.models import ArboxRecord
from app.arbox.terms import Entity, Kind, MappingKind
from app.core.actor import Role
from bot.playground.arbox_api.gym import small_gym
from bot.playground.arbox_api.server import DEMO_KEY
from tests.arbox import connected, imported, mapping, preview, read
from tests.requests.request import Request
from tests.studio import Studio
from tools.kit import background

MEMBERS = frozenset({Entity.MEMBERS})


def unconnected(studio: Studio) -> dict[str, Any]:
    with studio.act() as session, suppress(NotConnected):
        arbox.disconnect(session, keep_mappings=True)
    return {}


def with_key(studio: Studio) -> dict[str, Any]:
    connected(studio)
    return {}


def newly_read(studio: Studio) -> dict[str, Any]:
    """Two clients whom nobody here knows yet, and what else a small gym has."""
    with studio.act() as session:
        known = select(func.count()).where(ArboxRecord.kind == Kind.MEMBER)
        first = session.scalar(known) or 0
    read(studio, small_gym(studio.day(0), key=DEMO_KEY, people=2, first=first))
    return {}


def one_type(studio: Studio) -> dict[str, Any]:
    newly_read(studio)
    theirs = mapping(studio, MappingKind.CLASS_TYPE, 12)
    return {"mapping_id": theirs.id, "local_id": studio.class_type_id}


def previewed(studio: Studio) -> dict[str, Any]:
    newly_read(studio)
    return {"preview_id": preview(studio, MEMBERS).id}


def batch(studio: Studio) -> dict[str, Any]:
    newly_read(studio)
    return {"batch_id": imported(studio, entities=MEMBERS)[0]}


def idle(studio: Studio) -> dict[str, Any]:
    """With the key, and no sync of before under way."""
    connected(studio)
    with studio.act() as session:
        for task_id in background.live(session, studio.owner):
            background.cancel(session, studio.owner, task_id)
    since = studio.day(0) - timedelta(days=20)
    return {"entities": ["members", "memberships"], "since": since.isoformat()}


REQUESTS = [
    Request(
        "arbox.get_status",
        "is arbox connected?",
        newly_read,
        ("connected", DEMO_KEY[-4:]),
        role=Role.ADMIN,
    ),
    Request(
        "arbox.connect",
        "תחבר אותנו לארבוקס",
        unconnected,
        ("/connect/arbox/",),
        replays=False,
    ),
    Request("arbox.disconnect", "отключи арбокс, мы переехали", with_key, ("Arbox",)),
    Request(
        "arbox.list_mappings",
        "what is what in arbox?",
        newly_read,
        ("10 sessions", "Open Gym"),
        role=Role.ADMIN,
    ),
    Request(
        "arbox.update_mapping",
        "Open Gym בארבוקס זה ה-WOD אצלנו",
        one_type,
        ("Open Gym", "WOD"),
        role=Role.ADMIN,
    ),
    Request(
        "arbox.preview_import",
        "что будет, если импортировать из арбокса?",
        newly_read,
        ("Arbox",),
        role=Role.ADMIN,
    ),
    Request("arbox.run_import", "ok, import the members", previewed, ("UNDO",)),
    Request("arbox.rollback_import", "תבטל את הייבוא מארבוקס", batch, ("הייבוא בוטל",)),
    Request("arbox.sync_now", "sync arbox", idle, ("records",), role=Role.ADMIN, replays=False),
]
