"""Whether a webhook request really comes from our Twilio account."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from twilio.request_validator import HMAC_SHA1, HMAC_SHA256, RequestValidator
from werkzeug.datastructures import MultiDict

SIGNATURE_HEADER: Final = "X-Twilio-Signature"
SETTINGS_HEADER: Final = "X-Twilio-Webhooks-Signature-Settings"


@dataclass(frozen=True, slots=True)
class SignatureConfig:
    """Our account and the secrets that may sign its webhooks; an empty secret signs nothing."""

    account_sid: str
    auth_token: str = field(repr=False)
    """The primary auth token: HMAC-SHA1, requests without a settings header."""
    shared_keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Secret by key id: HMAC-SHA256, requests whose settings header names that id."""

    def secret_for(self, settings_header: str | None) -> tuple[str, str] | None:
        """Give (secret, algorithm) of a pair we configured ourselves, whatever the header wants."""
        if settings_header is None:
            return (self.auth_token, HMAC_SHA1) if self.auth_token else None
        settings = _pairs(settings_header)
        secret = self.shared_keys.get(settings.get("key", ""))
        if secret and settings.get("algorithm") == HMAC_SHA256:
            return secret, HMAC_SHA256
        return None


def _pairs(header: str) -> dict[str, str]:
    parts = (part.partition("=") for part in header.split(","))
    return {name.strip(): value.strip() for name, _, value in parts}


def signed_url(public_base_url: str, raw_target: str) -> str:
    """Build the URL that Twilio signed: our configured address plus the raw path and query.

    `raw_target` is the request line's target, byte for byte (REQUEST_URI or RAW_URI), since a
    decoded and re-encoded query would no longer be what was signed.
    """
    return public_base_url.rstrip("/") + "/" + raw_target.removeprefix("/")


def is_genuine(
    url: str, form: MultiDict[str, str], headers: Mapping[str, str], config: SignatureConfig
) -> bool:
    """Tell whether the form was signed for this URL by a secret of ours, and is our account's."""
    signature = headers.get(SIGNATURE_HEADER)
    pair = config.secret_for(headers.get(SETTINGS_HEADER))
    if not signature or pair is None or not _is_ours(form, config.account_sid):
        return False
    return is_signed(url, form, signature, pair)


def _is_ours(form: MultiDict[str, str], account_sid: str) -> bool:
    return bool(account_sid) and form.getlist("AccountSid") == [account_sid]


def is_signed(url: str, form: MultiDict[str, str], signature: str, pair: tuple[str, str]) -> bool:
    """Check one signature with one (secret, algorithm) by the vendor's own validator."""
    secret, algorithm = pair
    try:
        return bool(RequestValidator(secret).validate(url, form, signature, algorithm))
    except ValueError:
        # The validator parses the URL: a port out of range, a broken IPv6 host, a lone surrogate.
        return False
