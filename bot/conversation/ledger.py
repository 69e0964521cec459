"""Writing and reading the events of turns: the stored history is the whole state."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from bot.conversation.models import Turn, TurnEvent, TurnState
from bot.turn.events import Answered, Asked, Ended, Event, event_json


def append(session: Session, turn: Turn, event: Event) -> TurnEvent:
    """Store one event and move the turn's state with it; its version refuses a second writer."""
    row = TurnEvent(
        org_id=turn.org_id,
        turn_id=turn.id,
        seq=turn.events,
        type=event.type,
        body=event.model_dump(mode="json", exclude_defaults=False),
    )
    session.add(row)
    turn.events, turn.tries = turn.events + 1, 0
    match event:
        case Asked():
            turn.state = TurnState.ASKED
        case Answered():
            turn.state = TurnState.RUNNING
        case Ended(reason=reason):
            turn.state, turn.reason, turn.ended_at = TurnState.ENDED, reason, session.info["now"]
        case _:
            pass
    session.flush()
    return row


def history(session: Session, turn_id: UUID) -> list[Event]:
    rows = session.scalars(
        select(TurnEvent).where(TurnEvent.turn_id == turn_id).order_by(TurnEvent.seq)
    )
    return [event_json.validate_python(row.body) for row in rows]


REMEMBERED = 40
STRIDE = 20
"""Where no summary stands for them, the model is sent the last 21 to 40 turns. The window moves in
strides: each move costs the prompt cache once and drops older thinking, which is bound to what
stood before it."""


def first_remembered(number: int) -> int:
    """The number of the oldest turn that the model is sent beside the turn of this number."""
    return max(0, (number - 1) // STRIDE * STRIDE - (REMEMBERED - STRIDE))


def turns(session: Session, conversation_id: UUID, first: int, last: int) -> list[Sequence[Event]]:
    """The events of a conversation's turns, from one number to another, in order."""
    rows = session.execute(
        select(TurnEvent.turn_id, TurnEvent.body)
        .join(Turn, Turn.id == TurnEvent.turn_id)
        .where(
            Turn.conversation_id == conversation_id,
            Turn.number.between(first, last),
        )
        .order_by(Turn.number, TurnEvent.seq)
    )
    found: dict[UUID, list[Event]] = {}
    for turn_id, body in rows:
        found.setdefault(turn_id, []).append(event_json.validate_python(body))
    return list(found.values())


def lock_turn(session: Session, turn_id: UUID) -> Turn | None:
    """The turn as it is now, locked to the end of the transaction."""
    locked = select(Turn).where(Turn.id == turn_id).with_for_update()
    return session.scalar(locked.execution_options(populate_existing=True))
