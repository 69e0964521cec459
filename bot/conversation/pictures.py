"""Photos as rows: kept with the words they came with, shown to the model, forgotten in time."""

import base64
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.orm import Session, undefer

from bot.conversation.attachments import Shot
from bot.conversation.models import Picture, Words
from bot.model.slimming import window
from bot.turn.events import Event, Heard, Shown

KEPT: Final = timedelta(days=90)


def keep(session: Session, words: Words, shots: Sequence[Shot]) -> None:
    for position, shot in enumerate(shots):
        session.add(
            Picture(
                org_id=words.org_id,
                words_id=words.id,
                position=position,
                content_type=shot.content_type,
                width=shot.width,
                height=shot.height,
                body=shot.body,
            )
        )


def of(session: Session, words: Sequence[Words]) -> tuple[Shown, ...]:
    """What came with these words, in their order."""
    query = (
        select(Picture)
        .join(Words, Words.id == Picture.words_id)
        .where(Picture.words_id.in_([one.id for one in words]))
        .order_by(Words.position, Picture.position)
    )
    return tuple(
        Shown(id=one.id, content_type=one.content_type, width=one.width, height=one.height)
        for one in session.scalars(query)
    )


def contents(session: Session, turns: Sequence[Sequence[Event]]) -> Mapping[UUID, str]:
    """In base64, of those that the model is still shown while the last of the turns is answered."""
    ids = [one.id for turn in turns[window(len(turns) - 1) :] for one in _heard(turn)]
    if not ids:
        return {}
    rows = session.scalars(
        select(Picture).where(Picture.id.in_(ids)).options(undefer(Picture.body))
    )
    return {row.id: base64.b64encode(row.body).decode() for row in rows}


def forget_old(session: Session, now: datetime) -> None:
    session.execute(delete(Picture).where(Picture.created_at < now - KEPT))


def forget(session: Session, words_ids: Collection[UUID]) -> None:
    session.execute(delete(Picture).where(Picture.words_id.in_(words_ids)))


def _heard(turn: Sequence[Event]) -> list[Shown]:
    return [one for event in turn if isinstance(event, Heard) for one in event.pictures]
