"""Signed requests to our webhooks, retried and given up as Twilio does it."""

import secrets
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urldefrag

import requests
from twilio.request_validator import HMAC_SHA1, HMAC_SHA256, RequestValidator

from bot.playground.twilio_api.config import TwilioConfig

_MOST_RETRIES = 5
_TWIML_TYPES = ("text/xml", "application/xml", "text/html")
_CONNECT_FAILED, _READ_FAILED, _HTTP_FAILED, _WRONG_TYPE = 11210, 11205, 11200, 12300


@dataclass(frozen=True, slots=True)
class Overrides:
    """Connection overrides of a webhook URL's fragment; times in seconds."""

    connect: float = 5.0
    read: float = 15.0
    total: float = 15.0
    retries: int = 1
    policy: frozenset[str] = frozenset({"ct"})

    def allow(self, attempt: "Attempt") -> bool:
        return bool(attempt.failures & self.policy) or ("all" in self.policy and not attempt.ok)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request: the answer's status, or none; `error` is Twilio's code of what went wrong."""

    url: str
    status: int | None
    error: int | None = None

    @property
    def ok(self) -> bool:
        return self.error in {None, _WRONG_TYPE}

    @property
    def failures(self) -> frozenset[str]:
        """Names of the retry policies that this failure falls under."""
        if self.ok:
            return frozenset()
        if self.status is not None:
            return frozenset({f"{self.status // 100}xx"})
        return frozenset({"ct" if self.error == _CONNECT_FAILED else "rt"})

    def on_wire(self) -> dict[str, Any]:
        return {"url": self.url, "status": self.status, "error": self.error}


def overrides_of(url: str) -> tuple[str, Overrides]:
    """Split a webhook URL into what is requested and signed, and how."""
    target, fragment = urldefrag(url)
    given = {name: values[-1] for name, values in parse_qs(fragment).items()}
    return target, Overrides(
        connect=int(given.get("ct", 5000)) / 1000,
        read=int(given.get("rt", 15000)) / 1000,
        total=int(given.get("tt", 15000)) / 1000,
        retries=min(int(given.get("rc", 1)), _MOST_RETRIES),
        policy=frozenset(given.get("rp", "ct").split(",")),
    )


def signature_headers(config: TwilioConfig, url: str, form: Mapping[str, str]) -> dict[str, str]:
    """Sign as the account does: by its token, or by a shared key where one is configured."""
    if config.shared_key is None:
        signature = RequestValidator(config.auth_token).compute_signature(url, form, HMAC_SHA1)
        return {"X-Twilio-Signature": signature}
    key, secret = config.shared_key
    return {
        "X-Twilio-Signature": RequestValidator(secret).compute_signature(url, form, HMAC_SHA256),
        "X-Twilio-Webhooks-Signature-Settings": f"key={key},algorithm={HMAC_SHA256}",
    }


def deliver(config: TwilioConfig, url: str, form: Mapping[str, str]) -> list[Attempt]:
    """Post a form until it is taken or the retries and the total time are used up."""
    target, overrides = overrides_of(url)
    headers = signature_headers(config, target, form)
    headers["I-Twilio-Idempotency-Token"] = secrets.token_hex(16)
    return list(_attempts(target, overrides, form, headers))


def _attempts(
    url: str, overrides: Overrides, form: Mapping[str, str], headers: Mapping[str, str]
) -> Iterator[Attempt]:
    deadline = time.monotonic() + overrides.total
    for _ in range(1 + overrides.retries):
        left = deadline - time.monotonic()
        if left <= 0:
            return
        limits = (min(overrides.connect, left), min(overrides.read, left))
        attempt = _attempt(url, form, headers, limits)
        yield attempt
        if not overrides.allow(attempt):
            return


def _attempt(
    url: str, form: Mapping[str, str], headers: Mapping[str, str], limits: tuple[float, float]
) -> Attempt:
    try:
        response = requests.post(url, data=form, headers=headers, timeout=limits)
    except requests.exceptions.ReadTimeout:
        return Attempt(url, None, _READ_FAILED)
    except requests.exceptions.RequestException:
        return Attempt(url, None, _CONNECT_FAILED)
    return Attempt(url, response.status_code, _error_of(response))


def _error_of(response: requests.Response) -> int | None:
    if not response.ok:
        return _HTTP_FAILED
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip()
    return _WRONG_TYPE if response.content and kind not in _TWIML_TYPES else None
