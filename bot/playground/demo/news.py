"""What the demo gym writes to its people: templates, news, and two automations."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy.orm import Session

from app.automations import service as automations
from app.automations.shapes import Shape
from app.core.actor import Actor
from app.messages import service as messages
from app.messages.service import News, NewTemplate, Publishing
from app.people import service as people
from app.people.terms import Category, Channel

_ASKED: Final = 3
"""Of so many people all but one agreed to offers."""
MISS_YOU: Final = {
    "en": "Hi {name}, we miss you at {gym}. Come on Sunday, it is on us.",
    "he": "היי {name}, כאן {gym}. מתגעגעים, מחכים לך ביום ראשון, עלינו.",
    "ru": "{name}, скучаем! Ждём в воскресенье в {gym}, бесплатно.",
}
BIRTHDAY: Final = {
    "en": "Happy birthday, {name}, from all of us at {gym}.",
    "he": "יום הולדת שמח, {name}, מכל צוות {gym}.",
    "ru": "С днём рождения, {name}! Команда {gym}.",
}
SAUNA: Final = News(
    titles={"en": "The sauna is back", "he": "הסאונה חזרה", "ru": "Сауна снова работает"},
    bodies={
        "en": "Repaired and warm, every day from 07:00.",
        "he": "תוקנה וחמה, כל יום מ-07:00.",
        "ru": "Отремонтирована, каждый день с 07:00.",
    },
)
BIRTHDAYS: Final[dict[str, Any]] = {
    "trigger": {"kind": "birthday"},
    "actions": [
        {
            "kind": "send_message",
            "channel": "sms",
            "body": BIRTHDAY,
            "category": "utility",
        }
    ],
}
AWAY: Final[dict[str, Any]] = {
    "trigger": {"kind": "absent_n_days", "count": 14},
    "actions": [{"kind": "create_task", "title": "{fullname}: 14+"}],
    "cap_days": 30,
}
NAMES: Final = {
    "en": ("Birthdays", "Two weeks away"),
    "he": ("ימי הולדת", "שבועיים בלי ביקור"),
    "ru": ("Дни рождения", "Две недели без визитов"),
}


def furnish(session: Session, actor: Actor, members: Sequence[UUID], *, now: datetime) -> None:
    """Birthdays are made and left off; who was away for two weeks becomes a task."""
    for number, member_id in enumerate(members):
        if number % _ASKED:
            people.consent(session, member_id, now=now)
    for channel in (Channel.SMS, Channel.WHATSAPP):
        for language, body in MISS_YOU.items():
            new = NewTemplate("we miss you", channel, language, body, Category.MARKETING)
            messages.create_template(session, actor, new)
    sauna = messages.create_draft(session, actor, SAUNA, now=now)
    messages.publish(session, actor, sauna.id, Publishing(), now=now)
    birthdays, away = NAMES[actor.language]
    automations.create(session, actor, birthdays, Shape.model_validate(BIRTHDAYS))
    kept = automations.create(session, actor, away, Shape.model_validate(AWAY))
    automations.enable(session, actor, kept.id, now=now)
