"""A week of classes for the pages to show."""

from datetime import time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import update
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import now_of
from app.people.queries import list_staff
from app.schedule.models import ClassSession
from app.schedule.service import NewClassType, NewSession, create, create_class_type

TYPES = {
    "gym": NewClassType("Open gym", 12, name_he="אופן ג׳ים", name_ru="Опен джим"),
    "cross": NewClassType("CrossFit", 14),
    "lift": NewClassType("Weightlifting", 8, name_he="הנפות", name_ru="Тяжёлая атлетика"),
    "yoga": NewClassType("Yoga", 10, name_he="יוגה", name_ru="Йога"),
}
DAY = {7: "cross", 13: "gym", 18: "lift", 19: "yoga"}


def fill(session: Session, actor: Actor) -> None:
    kinds = {key: create_class_type(session, actor.org_id, new) for key, new in TYPES.items()}
    coaches = [one.id for one in list_staff(session)]
    now = now_of(session)
    today = now.astimezone(ZoneInfo("Asia/Jerusalem")).date()
    for offset in range(1, 7):
        for place, (hour, kind) in enumerate(DAY.items()):
            if (offset + place) % 5 == 0:
                continue
            new = NewSession(
                class_type_id=kinds[kind],
                date=today + timedelta(days=offset),
                start=time(hour),
                coach_id=coaches[(offset + place) % len(coaches)],
            )
            create(session, actor, new, now=now)
    session.execute(
        update(ClassSession)
        .where(
            ClassSession.local_start == time(19), ClassSession.local_date == today + timedelta(3)
        )
        .values(status="cancelled")
    )
