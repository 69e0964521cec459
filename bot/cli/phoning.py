"""A phone at the command line.

It writes to our webhooks as Twilio would, and reads what it was sent.
"""

import base64
import mimetypes
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import requests
from sqlalchemy import select
from twilio.request_validator import RequestValidator

from app.core.db import now_of
from bot.cli.stage import Stage
from bot.conversation import identity
from bot.conversation.models import (
    Conversation,
    InboundEvent,
    InboundState,
    OutboundMessage,
    OutboundState,
    Turn,
    TurnState,
)
from bot.playground.twilio_api.phone import PhoneMedia, PhoneSend
from bot.playground.twilio_api.records import bare

SETTLED = timedelta(seconds=0.4)
LIMIT_S = 60.0
_MOVING = (OutboundState.QUEUED, OutboundState.SENDING, OutboundState.UNKNOWN)


class PhoneError(RuntimeError):
    """The phone got no answer in time, or the webhook refused what it wrote."""


@dataclass
class Phone:
    """One person's phone on one channel, against a running stage."""

    stage: Stage
    org_id: UUID
    user_id: UUID
    channel: str
    number: str = "+972541234567"
    patience_s: float = LIMIT_S
    _seen: int = -1
    _notes: list[str] = field(default_factory=list)

    @property
    def _prefix(self) -> str:
        return "whatsapp:" if self.channel == "whatsapp" else ""

    @property
    def _ours(self) -> str:
        settings = self.stage.wiring.settings
        on_whatsapp = self.channel == "whatsapp"
        return settings.twilio_staff_whatsapp if on_whatsapp else settings.twilio_staff_sms

    @property
    def me(self) -> str:
        return self._prefix + self.number

    def link(self) -> None:
        """Link this phone to its person with a code, as the dashboard shows one."""
        with self.stage.wiring.db.platform() as session:
            code = identity.new_code(session, self.org_id, self.user_id)
        self.write(code)
        self.read()

    def write(self, text: str) -> None:
        """Send one message: by the stand-in's phone, or signed by ourselves where there is none."""
        if self.stage.twilio is None:
            self._post(text)
        else:
            self._sent(self.stage.twilio.service.phone_sends(self._sending(text)))

    def send(self, text: str, files: Sequence[Path]) -> None:
        """Send files: only a provider can keep them, here or where its stand-in runs."""
        send = self._sending(text, tuple(map(_medium, files)))
        if self.stage.twilio is not None:
            self._sent(self.stage.twilio.service.phone_sends(send))
            return
        url = (self.stage.wiring.settings.twilio_api_url or "").rstrip("/")
        body = send.model_dump(mode="json", by_alias=True)
        answer = requests.post(f"{url}/_phone/send", json=body, timeout=30) if url else None
        if answer is None or not answer.ok:
            raise PhoneError("there is no stand-in for Twilio here that takes a file")
        self._sent(answer.json())

    def _sending(self, text: str, media: tuple[PhoneMedia, ...] = ()) -> PhoneSend:
        send = {"channel": self.channel, "from": self.number, "to": bare(self._ours), "body": text}
        return PhoneSend.model_validate({**send, "media": media})

    def _sent(self, told: Mapping[str, Any]) -> None:
        if not told["accepted"]:
            raise PhoneError(f"webhook answered {told['attempts']}")

    def _post(self, text: str) -> None:
        settings = self.stage.wiring.settings
        url = f"{self.stage.base_url}/hooks/twilio/inbound"
        form = {
            "MessageSid": f"SM{uuid4().hex}",
            "AccountSid": settings.twilio_account_sid,
            "From": self.me,
            "To": self._ours,
            "Body": text,
            "NumMedia": "0",
        }
        validator = RequestValidator(settings.twilio_auth_token.get_secret_value())
        signature = validator.compute_signature(url, form)
        answer = requests.post(
            url, data=form, headers={"X-Twilio-Signature": signature}, timeout=10
        )
        if answer.status_code != requests.codes.ok:
            raise PhoneError(f"webhook answered {answer.status_code}")

    def read(self) -> list[str]:
        """Wait until all is quiet, and give what has come since the last look."""
        until = time.monotonic() + self.patience_s
        quiet_since: float | None = None
        while time.monotonic() < until:
            if self._busy():
                quiet_since = None
            elif quiet_since is None:
                quiet_since = time.monotonic()
            elif time.monotonic() - quiet_since > SETTLED.total_seconds():
                return self._new()
            time.sleep(0.05)
        raise PhoneError("no answer in time")

    def _busy(self) -> bool:
        db = self.stage.wiring.db
        with db.platform() as session:
            stored = select(InboundEvent.id).where(
                InboundEvent.sender == self.me, InboundEvent.state == InboundState.STORED
            )
            moving = select(OutboundMessage.id).where(
                OutboundMessage.recipient == self.me,
                OutboundMessage.state.in_(_MOVING),
                OutboundMessage.due_at <= now_of(session) + timedelta(seconds=5),
            )
            if session.scalar(stored.limit(1)) or session.scalar(moving.limit(1)):
                return True
        with db.transaction(self.org_id) as session:
            live = (
                select(Turn.id)
                .join(Conversation, Conversation.id == Turn.conversation_id)
                .where(
                    Conversation.user_id == self.user_id,
                    Turn.state.in_((TurnState.WAITING, TurnState.RUNNING)),
                )
            )
            return session.scalar(live.limit(1)) is not None

    def _new(self) -> list[str]:
        with self.stage.wiring.db.platform() as session:
            rows = session.scalars(
                select(OutboundMessage)
                .where(OutboundMessage.recipient == self.me, OutboundMessage.position > self._seen)
                .order_by(OutboundMessage.position)
            ).all()
        if rows:
            self._seen = rows[-1].position
        return [
            row.body
            if row.state is not OutboundState.REJECTED
            else f"[{row.error_code}] {row.body}"
            for row in rows
        ]


def _medium(file: Path) -> PhoneMedia:
    """With the type that its name suggests, as a phone would say."""
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return PhoneMedia(content_type=kind, base64=base64.b64encode(file.read_bytes()).decode())
