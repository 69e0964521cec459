"""What people outside write to the numbers for members: the gym's inbox, and opting out."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from app.core.db import as_org
from app.inbox import service as inbox
from app.inbox.service import Wish
from app.inbox.terms import ThreadChannel
from app.leads import queries as leads
from app.people import queries as people
from app.people.terms import Channel
from app.studio import queries as studio
from bot.conversation import outbound
from bot.conversation.inbound import Inbound
from bot.conversation.letters import MemberLines
from bot.conversation.queue import Enqueue
from i18n import Language, language_of_text, opened, phrase
from i18n.answers import OptIn, OptOut

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Hearing:
    """Never a turn, and no answer but one: that nothing more will come."""

    lines: MemberLines
    enqueue: Enqueue

    def hear(self, session: Session, inbound: Inbound) -> None:
        """Put it into the inbox of the gym it is for; in a platform transaction.

        A wish to hear nothing more is one against the number, so every gym that writes from it
        and knows the sender heeds it. Of whom nobody knows, nothing but the webhook is kept.
        """
        carrier = _by_carrier(inbound)
        wish = inbox.wish_in(ThreadChannel(inbound.surface), inbound.text, carrier=carrier)
        gyms = self._gyms(session, inbound, everybody=wish is not None)
        if not gyms:
            _log.info("nobody_knows_the_sender", inbound=str(inbound.event_id))
        for org_id in gyms:
            with as_org(session, org_id):
                _keep(session, org_id, inbound, carrier)
        if gyms and isinstance(wish, OptOut):
            outbound.forgo(session, inbound.lane)
        if gyms and isinstance(wish, OptOut) and inbound.surface == "whatsapp":
            with as_org(session, gyms[0]):
                self._confirm(session, gyms[0], inbound)

    def _gyms(self, session: Session, inbound: Inbound, *, everybody: bool) -> list[UUID]:
        """Whom it is for: whose message it answers, else who wrote last, else all who may be."""
        handle = _handle(inbound)
        lines = (self.lines.to(one, handle) for one in (Channel.WHATSAPP, Channel.SMS))
        wrote = outbound.gyms_on(session, [inbound.lane, *(one.lane for one in lines if one)])
        if wrote and not everybody:
            return [_answered(session, inbound) or wrote[0]]
        known = people.gyms_with(session, handle) | leads.gyms_with(session, handle)
        return _each(wrote, sorted(known))

    def _confirm(self, session: Session, org_id: UUID, inbound: Inbound) -> None:
        """On WhatsApp nobody else says that it was heard; by SMS the carrier has."""
        line = outbound.Line(inbound.surface, inbound.recipient, inbound.sender)
        known = people.members_at(session, _handle(inbound))
        usual = known[0].language if known else studio.org(session, org_id).language
        language = language_of_text(inbound.text) or Language.of(usual)
        text = opened(phrase("opted_out", language, variant="chat"), language)
        key = f"{inbound.event_id}:opted_out"
        outbound.post(session, line, (text,), key=key, enqueue=self.enqueue, org_id=org_id)


def _keep(session: Session, org_id: UUID, inbound: Inbound, carrier: Wish | None) -> None:
    body = inbound.text
    if inbound.attachments:
        unseen = phrase("inbox.media", Language.of(studio.org(session, org_id).language))
        body = f"{body}\n{unseen}".strip()
    channel, handle = ThreadChannel(inbound.surface), _handle(inbound)
    inbox.receive(session, org_id, channel, handle, body, at=inbound.at, carrier=carrier)


def _handle(inbound: Inbound) -> str:
    return inbound.sender.removeprefix("whatsapp:")


def _answered(session: Session, inbound: Inbound) -> UUID | None:
    """Whose message it quotes."""
    quoted = outbound.by_sid(session, inbound.quoted) if inbound.quoted else None
    return quoted.org_id if quoted is not None and quoted.lane == inbound.lane else None


def _by_carrier(inbound: Inbound) -> Wish | None:
    match inbound.carrier_did:
        case "STOP":
            return OptOut()
        case "START":
            return OptIn()
        case _:
            return None


def _each(*gyms: Iterable[UUID]) -> list[UUID]:
    return list(dict.fromkeys(one for some in gyms for one in some))
