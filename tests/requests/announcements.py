"""The gym's news, as owners ask for it."""

from typing import Any
from uuid import UUID

from app.core.actor import Role
from app.messages import service
from app.messages.service import News, Publishing
from tests.reachable import reachable
from tests.requests.request import Request
from tests.studio import Studio

SHOWERS = {
    "en": "The showers are closed on Thu 3 Dec.",
    "he": "ביום ה׳ 3.12 המקלחות סגורות.",
}


def draft(studio: Studio) -> UUID:
    reachable(studio)
    news = News({"en": "Showers", "he": "מקלחות"}, SHOWERS)
    with studio.act() as session:
        return service.create_draft(session, studio.owner, news, now=studio.now).id


def published(studio: Studio) -> UUID:
    made = draft(studio)
    with studio.act() as session:
        service.publish(session, studio.owner, made, Publishing(), now=studio.now)
    return made


def written(studio: Studio) -> dict[str, Any]:
    reachable(studio)
    return {"title": "Showers", "body": SHOWERS["en"], "pin_until": "2026-12-04"}


REQUESTS = [
    Request(
        "announcements.list",
        "what is on the feed?",
        lambda studio: (published(studio), {})[1],
        ("Showers", "published"),
        role=Role.COACH,
    ),
    Request(
        "announcements.create_draft",
        "post: showers closed thurs 3/12, pin till fri",
        written,
        ("Draft written", "Showers", "UNDO"),
        role=Role.COACH,
    ),
    Request(
        "announcements.update",
        "כתוב במודעה שגם הסאונה סגורה",
        lambda studio: {
            "announcement_id": draft(studio),
            "body": "ביום ה׳ 3.12 המקלחות והסאונה סגורות.",
        },
        ("המודעה עודכנה", "להחזיר"),
        role=Role.COACH,
    ),
    Request(
        "announcements.publish",
        "кинь объяву: душ не работает",
        lambda studio: {"announcement_id": draft(studio), "push": "sms"},
        ("Опубликовано", "вернуть"),
    ),
    Request(
        "announcements.unpublish",
        "take the showers off the feed",
        lambda studio: {"announcement_id": published(studio)},
        ("Off the feed", "UNDO"),
        role=Role.ADMIN,
    ),
    Request(
        "announcements.delete",
        "delete the news about the showers",
        lambda studio: {"announcement_id": published(studio)},
        ("Announcement deleted", "UNDO"),
    ),
]
