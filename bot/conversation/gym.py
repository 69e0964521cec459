"""What the model is told of the gym and its caller, frozen for an epoch of a conversation."""

from calendar import day_name
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import now_of
from app.people import queries as people
from app.schedule import queries as schedule
from app.studio import queries as studio
from bot.conversation.almanac import almanac
from bot.conversation.models import Conversation
from bot.model.prompt import Item, OrgFacts

EPOCH = timedelta(hours=24)
"""Facts this old are told anew: older thinking is dropped, which costs a prefix, not a mistake."""


def facts(session: Session, conversation: Conversation, actor: Actor) -> OrgFacts:
    """The stored facts while they hold; new ones after a day, or for another role."""
    kept = conversation.facts
    fresh = conversation.facts_at is not None and conversation.facts_at > now_of(session) - EPOCH
    if kept is not None and fresh and kept["role"] == actor.role:
        return _read(kept)
    now = _look(session, actor)
    conversation.facts, conversation.facts_at = asdict(now), now_of(session)
    session.flush()
    return now


def _look(session: Session, actor: Actor) -> OrgFacts:
    org = studio.org(session, actor.org_id)
    types = schedule.list_class_types(session, actor.org_id, language=actor.language)
    staff = people.list_staff(session)
    today = studio.today(session, org.id, now_of(session))
    return OrgFacts(
        gym=org.name,
        zone=org.timezone,
        caller=actor.name,
        caller_id=str(actor.user_id),
        role=actor.role.value,
        language=actor.language,
        week_start=day_name[(org.week_start - 1) % 7],
        units=org.weight_unit,
        currency=org.currency,
        tier=org.tier.value,
        class_types=tuple(Item(one.name, str(one.id)) for one in types),
        staff=tuple(Item(one.name, str(one.id), one.role.value) for one in staff),
        calendar=almanac(today) if org.phone_region == "IL" else (),
    )


def _read(kept: dict[str, Any]) -> OrgFacts:
    lists = {
        key: tuple(Item(**one) for one in kept[key])
        for key in ("locations", "class_types", "staff")
    }
    return OrgFacts(**{**kept, **lists, "calendar": tuple(kept.get("calendar", ()))})
