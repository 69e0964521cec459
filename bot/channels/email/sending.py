"""Handing one letter to an SMTP server, and telling what is known of it then."""

import smtplib
import ssl
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import make_msgid
from enum import Enum
from typing import Final
from urllib.parse import unquote, urlsplit

import structlog

TIMEOUT_S: Final = 10.0
_PERMANENT: Final = 500
_SUBJECT: Final = 78

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Letter:
    """`key` makes the Message-ID, so that a letter sent again is known as the same one."""

    key: str
    sender: str
    recipient: str
    body: str

    @property
    def subject(self) -> str:
        """Its first line, as far as a subject goes."""
        first = " ".join(self.body.strip().partition("\n")[0].split())
        cut = first[: _SUBJECT - 1]
        return first if len(first) <= _SUBJECT else f"{cut}\N{HORIZONTAL ELLIPSIS}"


class Posted(Enum):
    TAKEN = "taken"
    REFUSED = "refused"
    """It will never go there."""
    BUSY = "busy"
    """It surely hasn't gone; it may be tried again later."""
    UNKNOWN = "unknown"
    """The connection broke when it may have been taken already."""


@dataclass(frozen=True, slots=True)
class Mailer:
    url: str = field(repr=False)
    """smtp://user:password@host:587 (STARTTLS where it is offered), or smtps://...:465."""

    def send(self, letter: Letter) -> Posted:
        try:
            with self._connected() as server:
                return self._post(server, letter)
        except (smtplib.SMTPException, OSError) as error:
            _log.warning("mail_server_away", error=type(error).__name__)
            return Posted.BUSY

    def _connected(self) -> AbstractContextManager[smtplib.SMTP]:
        parts = urlsplit(self.url)
        host, port = parts.hostname or "localhost", parts.port or 0
        if parts.scheme == "smtps":
            context = ssl.create_default_context()
            server: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=TIMEOUT_S, context=context)
        else:
            server = smtplib.SMTP(host, port, timeout=TIMEOUT_S)
            server.ehlo()
            if server.has_extn("starttls"):
                server.starttls(context=ssl.create_default_context())
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
        return server

    def _post(self, server: smtplib.SMTP, letter: Letter) -> Posted:
        try:
            server.send_message(_written(letter))
        except smtplib.SMTPRecipientsRefused as error:
            codes = [code for code, _ in error.recipients.values()]
            return _of_code(min(codes, default=_PERMANENT))
        except smtplib.SMTPResponseException as error:
            return _of_code(error.smtp_code)
        except (smtplib.SMTPServerDisconnected, OSError):
            return Posted.UNKNOWN
        return Posted.TAKEN


def _of_code(code: int) -> Posted:
    return Posted.REFUSED if code >= _PERMANENT else Posted.BUSY


def _written(letter: Letter) -> EmailMessage:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = letter.sender, letter.recipient, letter.subject
    domain = letter.sender.rpartition("@")[2].rstrip(">") or None
    made["Message-ID"] = f"<{letter.key}@{domain}>" if domain else make_msgid(letter.key)
    made.set_content(letter.body, cte="base64")  # whatever the server takes
    return made
