"""The official Twilio client, with a time limit and every host moved to one configured address."""

from typing import Final
from urllib.parse import urlsplit

from twilio.http.http_client import TwilioHttpClient
from twilio.rest import Client

TIMEOUT_SECONDS: Final = 10.0


def at_address(url: str, address: str) -> str:
    """Move a URL to another scheme, host and port; path and query stay."""
    target, base = urlsplit(url), urlsplit(address)
    path = base.path.rstrip("/") + target.path
    return target._replace(scheme=base.scheme, netloc=base.netloc, path=path).geturl()


class _OneAddress:
    """Sends what the library would send to api., content. or messaging.twilio.com to `address`."""

    def __init__(self, address: str, http: TwilioHttpClient) -> None:
        self._address = address
        self._http = http

    def request(self, method: str, url: str, **rest: object) -> object:
        return self._http.request(method, at_address(url, self._address), **rest)


def twilio_client(
    account_sid: str,
    auth_token: str,
    *,
    api_url: str | None = None,
    timeout: float = TIMEOUT_SECONDS,
) -> Client:
    """Build a client that gives up after `timeout` seconds and never repeats a request by itself.

    The library has no limit by default, and a repeated `messages.create` may send twice.
    """
    http = TwilioHttpClient(timeout=timeout)
    return Client(
        account_sid, auth_token, http_client=_OneAddress(api_url, http) if api_url else http
    )
