"""A message's media, brought here: from Twilio's own hosts and from nowhere else."""

import ipaddress
import re
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Self
from urllib.parse import SplitResult, urljoin, urlsplit

import certifi
from pydantic import SecretStr
from urllib3 import HTTPSConnectionPool, PoolManager, Timeout, make_headers
from urllib3.connection import HTTPSConnection
from urllib3.exceptions import HTTPError
from urllib3.response import BaseHTTPResponse

from app.core.settings import Settings
from bot.channels.twilio.client import at_address
from bot.conversation.attachments import UnfetchedError

LIMIT_S: Final = 8.0
"""From the first byte sent to the last received: a message behind it waits so long at most."""
_WAIT = Timeout(connect=3.0, read=4.0)
_HOST: Final = "api.twilio.com"
_STORES: Final = ".twiliocdn.com"
_HOPS: Final = 4
_PIECE: Final = 65_536
_MOVED: Final = frozenset({301, 302, 303, 307, 308})
_GONE: Final = frozenset({404, 410})
_OK: Final = 200


class PublicConnection(HTTPSConnection):
    """Hangs up on a private address before a byte is sent, whatever name led there."""

    def _new_conn(self) -> socket.socket:
        connected = super()._new_conn()
        address = ipaddress.ip_address(connected.getpeername()[0].partition("%")[0])
        if not (getattr(address, "ipv4_mapped", None) or address).is_global:
            connected.close()
            raise UnfetchedError("gone")
        return connected


class PublicPool(HTTPSConnectionPool):
    ConnectionCls = PublicConnection


def _public() -> PoolManager:
    pools = PoolManager(ca_certs=certifi.where(), retries=False)
    pools.pool_classes_by_scheme = {"https": PublicPool}
    return pools


@dataclass(frozen=True, slots=True)
class Fetcher:
    """`address` stands in for every host of Twilio's, as for the rest of its API."""

    account: str
    token: SecretStr
    address: str | None = None
    limit_s: float = LIMIT_S
    _pools: PoolManager = field(default_factory=_public)
    _near: PoolManager = field(default_factory=lambda: PoolManager(retries=False))

    @classmethod
    def of(cls, settings: Settings) -> Self:
        account, token = settings.twilio_account_sid, settings.twilio_auth_token
        return cls(account, token, settings.twilio_api_url)

    def fetch(self, url: str, most: int) -> bytes:
        """The bytes, at most so many. Raises UnfetchedError.

        Our credentials go to the first host alone, and only where it asks for media of ours.
        """
        until = time.monotonic() + self.limit_s
        headers = make_headers(basic_auth=f"{self.account}:{self.token.get_secret_value()}")
        try:
            if not self._is_media(urlsplit(url)):
                raise UnfetchedError("gone")
            for _ in range(_HOPS):
                with self._get(url, headers) as answer:
                    if answer.status not in _MOVED:
                        return _body(answer, most, until)
                    url, headers = self._store(url, answer), {}
        except (HTTPError, OSError, ValueError) as error:
            raise UnfetchedError("away") from error
        raise UnfetchedError("gone")

    def _get(self, url: str, headers: dict[str, str]) -> BaseHTTPResponse:
        pools, at = (self._pools, url) if self.address is None else (self._near, self._moved(url))
        return pools.request(
            "GET",
            at,
            headers={**headers, "Accept-Encoding": "identity"},
            redirect=False,
            preload_content=False,
            timeout=_WAIT,
        )

    def _moved(self, url: str) -> str:
        return url if self._is_ours(urlsplit(url)) else at_address(url, self.address or "")

    def _store(self, url: str, answer: BaseHTTPResponse) -> str:
        """Where it leads to, if that is one of Twilio's stores."""
        found = urljoin(url, answer.headers.get("Location", ""))
        parts = urlsplit(found)
        if not (self._is_ours(parts) or _is_plain(parts, _STORES)):
            raise UnfetchedError("gone")
        return found

    def _is_media(self, parts: SplitResult) -> bool:
        path = rf".*/2010-04-01/Accounts/{re.escape(self.account)}/Messages/\w+/Media/\w+"
        host = self._is_ours(parts) or _is_plain(parts, _HOST)
        return host and not parts.query and re.fullmatch(path, parts.path, re.ASCII) is not None

    def _is_ours(self, parts: SplitResult) -> bool:
        """At the address that stands in for all."""
        base = urlsplit(self.address or "")
        return bool(base.netloc) and (parts.scheme, parts.netloc) == (base.scheme, base.netloc)


def _is_plain(parts: SplitResult, host: str) -> bool:
    """On that host, or on one under it where it begins with a dot; no port, no name or password."""
    named = parts.netloc.lower()
    fits = named.endswith(host) if host.startswith(".") else named == host
    return parts.scheme == "https" and fits and re.fullmatch(r"[a-z0-9.-]+", named) is not None


def _body(answer: BaseHTTPResponse, most: int, until: float) -> bytes:
    if answer.status != _OK:
        raise UnfetchedError("gone" if answer.status in _GONE else "away")
    told = answer.headers.get("Content-Length", "")
    if told.isdecimal() and int(told) > most:
        raise UnfetchedError("too_large")
    body = bytearray()
    for piece in _pieces(answer):
        body += piece
        if len(body) > most:
            raise UnfetchedError("too_large")
        if time.monotonic() > until:
            raise UnfetchedError("away")
    return bytes(body)


def _pieces(answer: BaseHTTPResponse) -> Iterator[bytes]:
    """As they come in: waiting for a whole piece could take for ever, a byte at a time."""
    while piece := answer.read1(_PIECE, decode_content=False):
        yield piece
