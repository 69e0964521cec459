"""Whether Messages.json takes a form: Twilio's checks, in its order, with its codes."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.playground.twilio_api.config import TwilioConfig
from bot.playground.twilio_api.content import render, variables_of
from bot.playground.twilio_api.errors import ApiError
from bot.playground.twilio_api.records import Channel, Look, bare, channel_of
from bot.playground.twilio_api.store import Store
from bot.render.text.graphemes import utf16_units

_LIMIT = 1600
_MIN_DIGITS, _MAX_DIGITS = 7, 15
_OWN_NUMBER_CODES: Mapping[Channel, int] = {"sms": 21606, "whatsapp": 63007}


@dataclass(frozen=True, slots=True)
class Draft:
    """A send request that may go out; `failure` is what the channel will say of it later."""

    sender: str
    to: str
    look: Look
    callback: str
    content_sid: str
    failure: int | None = None

    @property
    def channel(self) -> Channel:
        return channel_of(self.to)


def accept(form: Mapping[str, str], config: TwilioConfig, store: Store) -> Draft:
    """Check one form; raises `ApiError`."""
    to, sender = form.get("To", "").strip(), form.get("From", "").strip()
    _check_addresses(to, sender, config)
    if (bare(sender), bare(to)) in store.opted_out and channel_of(to) == "sms":
        raise ApiError(21610)
    callback = form.get("StatusCallback", "")
    if callback and not _is_web_address(callback):
        raise ApiError(21609)
    content_sid = form.get("ContentSid", "")
    look = _content_look(form, store, channel_of(to)) if content_sid else _body_look(form)
    return Draft(
        sender=sender,
        to=to,
        look=look or Look(""),
        callback=callback,
        content_sid=content_sid,
        failure=None if look else 63005,
    )


def _check_addresses(to: str, sender: str, config: TwilioConfig) -> None:
    if not to:
        raise ApiError(21604)
    if not sender:
        raise ApiError(21603)
    if channel_of(to) != channel_of(sender):
        raise ApiError(21910)
    if not _is_address(to):
        raise ApiError(21211)
    if bare(sender) not in _own_numbers(channel_of(sender), config):
        raise ApiError(_OWN_NUMBER_CODES[channel_of(sender)])
    if to == sender:
        raise ApiError(21266)


def _own_numbers(channel: Channel, config: TwilioConfig) -> tuple[str, ...]:
    return config.whatsapp_numbers if channel == "whatsapp" else config.sms_numbers


def _is_address(to: str) -> bool:
    number = bare(to)
    digits = number.removeprefix("+")
    if number != digits:
        fits = _MIN_DIGITS <= len(digits) <= _MAX_DIGITS
        return fits and digits.isascii() and digits.isdigit() and digits[0] != "0"
    country, _, scoped = number.partition(".")
    is_scoped = len(country) == len("IL") and country.isalpha() and bool(scoped)
    return channel_of(to) == "whatsapp" and is_scoped


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    host = parts.hostname or ""
    return parts.scheme in {"http", "https"} and bool(host) and "_" not in host


def _body_look(form: Mapping[str, str]) -> Look:
    body = form.get("Body", "")
    if not body.strip() and not form.get("MediaUrl"):
        raise ApiError(21619)
    if utf16_units(body) > _LIMIT:
        raise ApiError(21617)
    return Look(body)


def _content_look(form: Mapping[str, str], store: Store, channel: Channel) -> Look | None:
    content = store.content(form["ContentSid"])
    if content is None:
        raise ApiError(21655)
    return render(content, variables_of(form.get("ContentVariables", "")), channel)
