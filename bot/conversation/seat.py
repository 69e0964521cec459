"""Who writes from a phone, for which gym, in which conversation of theirs."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from app.core.actor import Actor
from app.core.db import as_org
from bot.conversation.accept import locked_conversation, open_conversation
from bot.conversation.inbound import Inbound
from bot.conversation.models import ChannelIdentity, Conversation, Surface
from bot.conversation.phone import Phone
from tools.kit.cards import Notice
from tools.kit.values import Line, Name


@dataclass(frozen=True, slots=True)
class Place:
    """A gym that the sender works in, under the identity that links them."""

    identity: ChannelIdentity
    actor: Actor
    gym: str


@dataclass(frozen=True, slots=True)
class Seat:
    actor: Actor
    conversation: Conversation
    inbound: Inbound
    places: tuple[Place, ...]

    @property
    def key(self) -> str:
        """What is said in answer to this message is said once."""
        return str(self.inbound.event_id)


def places_of(
    session: Session, phone: Phone, identities: list[ChannelIdentity]
) -> tuple[Place, ...]:
    """The gyms of a sender, in the order given; those they have left are none."""
    found: list[Place] = []
    for row in identities:
        org_id, user_id = row.org_id, row.user_id
        with as_org(session, org_id):
            actor = phone.actor_of(session, org_id, user_id)
            if actor is not None:
                found.append(Place(row, actor, phone.gym_of(session, org_id)))
    return tuple(found)


def take_seat(session: Session, places: tuple[Place, ...], inbound: Inbound) -> Seat:
    """The conversation that rolls on, else a new one, locked; in the transaction of the org.

    Its address follows the person's newest number.
    """
    actor = places[0].actor
    surface = Surface(inbound.surface)
    address = {"channel": inbound.surface, "sender": inbound.recipient, "recipient": inbound.sender}
    found = session.scalar(
        select(Conversation.id)
        .where(
            Conversation.user_id == actor.user_id,
            Conversation.surface == surface,
            Conversation.closed_at.is_(None),
        )
        .order_by(Conversation.created_at.desc())
        .limit(1)
    )
    if found is None:
        row = open_conversation(session, actor, surface, address=address)
    else:
        row = locked_conversation(session, actor, found)
        row.address = address
    return Seat(actor, row, inbound, places)


def notice(session: Session, phone: Phone, seat: Seat, key: str) -> None:
    """A line of the catalogues, sent as the answer to this message."""
    gym = Name(text=seat.places[0].gym)
    card = Notice(lines=(Line(key=key, values={"gym": gym}),))
    phone.tell(session, seat.conversation, card, key=f"{seat.key}:{key}")
