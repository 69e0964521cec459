"""Writing to members, as owners and coaches ask for it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from app.core.actor import Role
from app.messages import queries, service
from app.messages.filters import AudienceFilter
from app.messages.service import NewTemplate, Said
from app.messages.terms import ProviderStatus
from app.messages.views import Audience
from app.people.terms import Category, Channel
from app.studio.paging import Cut
from tests.reachable import reachable
from tests.requests.request import Request
from tests.studio import Studio

HELLO = "Hi {name}, we miss you. Come on Sunday."


def to_one(studio: Studio) -> dict[str, Any]:
    return {
        "member_id": reachable(studio),
        "channel": "sms",
        "body": "Your shoes are at the desk.",
    }


def written_to(studio: Studio) -> dict[str, Any]:
    asked = to_one(studio)
    said = Said(Channel.SMS, {"en": asked["body"]}, category=Category.UTILITY)
    with studio.act() as session:
        service.send_to_member(session, studio.owner, asked["member_id"], said, now=studio.now)
    return {"member_id": asked["member_id"]}


def to_many(studio: Studio) -> dict[str, Any]:
    """Two who get it, one in Hebrew, and one who never agreed to offers."""
    ids = [
        reachable(studio),
        reachable(studio, "נועה כהן", language="he"),
        studio.person("Max Klein", phone="+972549999999", language="ru"),
    ]
    texts = {"en": HELLO, "he": "היי {name}, מתגעגעים. מחכים לך ביום ראשון."}
    return {"member_ids": [str(one) for one in ids], "channel": "sms", "body": texts}


def previewed(studio: Studio) -> dict[str, Any]:
    asked = to_many(studio)
    audience = Audience(AudienceFilter(), None, tuple(map(UUID, asked["member_ids"])))
    said = Said(Channel.SMS, asked["body"])
    with studio.act() as session:
        found = service.plan(session, studio.owner, audience, said, now=studio.now)
    return {**asked, "audience_hash": found.audience_hash}


def later(studio: Studio) -> dict[str, Any]:
    return {**to_many(studio), "send_at": "2026-12-02T10:00"}


def scheduled(studio: Studio) -> dict[str, Any]:
    audience = Audience(AudienceFilter(), None, (reachable(studio),))
    said = Said(Channel.SMS, {"en": HELLO})
    with studio.act() as session:
        found = service.plan_later(
            session,
            studio.owner,
            audience,
            said,
            send_at=studio.now + timedelta(days=2),
            now=studio.now,
        )
        made = service.schedule(session, studio.owner, found, now=studio.now)
    return {"broadcast_id": made.id}


def template(studio: Studio, name: str = "we miss you") -> UUID:
    """An approved one for WhatsApp."""
    with studio.act() as session:
        new = NewTemplate(name, Channel.WHATSAPP, "en", HELLO, Category.MARKETING)
        made = service.create_template(session, studio.owner, new)
        service.set_provider_status(session, made.id, ProviderStatus.APPROVED, "HX" + "1" * 32)
    return made.id


def fresh_template(studio: Studio) -> UUID:
    return template(studio, f"template {kept(studio)}")


def kept(studio: Studio) -> int:
    """How many templates there are: a name that isn't taken."""
    with studio.act() as session:
        return queries.list_templates(session, cut=Cut()).total


REQUESTS = [
    Request(
        "messages.list_sent",
        "did Dana get the message?",
        written_to,
        ("shoes", "SMS"),
        role=Role.COACH,
    ),
    Request(
        "messages.list_templates",
        "which templates do we have on WhatsApp?",
        lambda studio: (fresh_template(studio), {"channel": "whatsapp"})[1],
        ("template", "approved"),
        role=Role.COACH,
    ),
    Request(
        "messages.preview_broadcast",
        "кому уйдёт «скучаем, ждём в воскресенье»?",
        to_many,
        ("Max Klein", "Dana"),
        role=Role.COACH,
        replays=False,
    ),
    Request(
        "messages.send_to_member",
        "write Dana that her shoes are at the desk",
        to_one,
        ("On its way", "Dana Levi"),
        role=Role.COACH,
    ),
    Request(
        "messages.send_broadcast",
        "text all of them: we miss you, come on Sunday",
        previewed,
        ("On the way: 2 messages",),
    ),
    Request(
        "messages.schedule_broadcast",
        "תשלח להם את זה ביום רביעי בעשר",
        later,
        ("הדיוור תוזמן", "להחזיר"),
        role=Role.ADMIN,
    ),
    Request(
        "messages.cancel_scheduled",
        "don't send Wednesday's broadcast",
        scheduled,
        ("Cancelled", "UNDO"),
    ),
    Request(
        "messages.create_template",
        "save this as a template called welcome",
        lambda studio: {
            "name": f"welcome {kept(studio)}",
            "channel": "sms",
            "body": "Welcome, {name}.",
            "language": "en",
        },
        ("Template added", "UNDO"),
    ),
    Request(
        "messages.delete_template",
        "удали шаблон «we miss you»",
        lambda studio: {"message_template_id": fresh_template(studio)},
        ("Шаблон удалён", "вернуть"),
    ),
]
