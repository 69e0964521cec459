"""Letters of the gym with a link in them, made as they are written and known to their reader."""

from dataclasses import dataclass

from sqlalchemy.orm import Session

from app.core.db import now_of
from app.core.outbox import UNDONE, Outbox
from app.people.terms import Channel
from app.studio import queries as studio
from bot.conversation import outbound
from bot.conversation.letters import MemberLines
from bot.conversation.outbound import Carried, Line
from bot.conversation.queue import Enqueue
from bot.render.reader import Look, Reader
from bot.render.speech import Speech
from i18n import Language
from tools.kit.values import Code, Name, Value


@dataclass(frozen=True, slots=True)
class Letter:
    """`notice` has the words; `about` is whose fate the delivery reports tell: `form:<id>`."""

    notice: str
    language: str
    about: str
    values: dict[str, Value]


@dataclass(frozen=True, slots=True)
class LinkLetters:
    enqueue: Enqueue
    lines: MemberLines
    base_url: str
    """Where the browser reaches us: what a link begins with."""

    def line(self, channel: Channel, address: str) -> Line | None:
        """Where WhatsApp has no number of ours, an SMS does."""
        if channel is Channel.WHATSAPP and not self.lines.whatsapp:
            return self.lines.to(Channel.SMS, address)
        return self.lines.to(channel, address)

    def link(self, page: str, slug: str, token: str) -> Code:
        return Code(text=f"{self.base_url.rstrip('/')}/{page}/{slug}/{token}")

    def post(self, session: Session, row: Outbox, line: Line, letter: Letter) -> None:
        """Write what was asked for, or that it was taken back; the row's id keeps it single."""
        org = studio.org(session, row.org_id)
        reader = Reader(Language.of(letter.language), org.timezone, now_of(session))
        look = Look.SMS if line.channel == "sms" else Look.CHAT
        undone = row.topic.endswith(UNDONE)
        values: dict[str, Value] = {"gym": Name(text=org.name), **letter.values}
        text = Speech(reader, look).member_notice(letter.notice, values, undone=undone)
        outbound.post(
            session,
            line,
            (text,),
            key=f"{letter.notice}:{row.id}",
            enqueue=self.enqueue,
            org_id=row.org_id,
            carried=None if undone else Carried(letter.about),
        )
