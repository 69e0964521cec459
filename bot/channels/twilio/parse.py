"""Twilio's webhook forms as values: a message from a phone, a report on one we sent."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, get_args

from werkzeug.datastructures import MultiDict

PhoneChannel = Literal["whatsapp", "sms"]
IdentityKind = Literal["phone", "bsuid", "parent_bsuid"]
OptOutType = Literal["STOP", "START", "HELP"]
MessageStatus = Literal[
    "accepted",
    "scheduled",
    "queued",
    "sending",
    "sent",
    "delivered",
    "read",
    "partially_delivered",
    "undelivered",
    "failed",
    "canceled",
]
Form = MultiDict[str, str]

_PREFIX: Final = "whatsapp:"
_MAX_MEDIA: Final = 10
_MIN_PHONE_DIGITS, _MAX_PHONE_DIGITS = 5, 15
_MAX_BSUID: Final = 128
_MAX_JSON: Final = 16_384
# Where a tap has been seen to carry its id, the documented place first. What a list-picker sends
# is not documented by Twilio; the nested names are those of WhatsApp itself. A bare 'id' counts
# inside a reply only: in a context it names the quoted message.
_TAP_FIELDS: Final = ("ButtonPayload", "ListId")
_TAP_DOCUMENTS: Final = ("InteractiveData", "ChannelMetadata")
_REPLIES: Final = ("list_reply", "button_reply")
_BRANCHES: Final = (*_REPLIES, "interactive", "data", "context")
_MAX_DEPTH: Final = 4
_FORWARDED: Final = ("Forwarded", "FrequentlyForwarded")


@dataclass(frozen=True, slots=True)
class Identity:
    """Who writes: a phone in E.164, or WhatsApp's business-scoped id, never made into a phone."""

    kind: IdentityKind
    value: str


@dataclass(frozen=True, slots=True)
class Media:
    url: str
    content_type: str


@dataclass(frozen=True, slots=True)
class PhoneMessage:
    """One message or tap of a person, unverified words in it included."""

    sid: str
    channel: PhoneChannel
    sender: Identity
    """The phone where it is visible, else the business-scoped id."""
    identities: tuple[Identity, ...]
    """Everything the sender is known by, `sender` first."""
    to: str
    """Our number, without the channel's prefix."""
    body: str
    button_payload: str | None = None
    quoted_sid: str | None = None
    media_count: int = 0
    media: tuple[Media, ...] = ()
    profile_name: str = ""
    """Chosen by the sender: shown, never trusted."""
    opt_out_type: OptOutType | None = None
    kind: str = ""
    """What WhatsApp calls it where Twilio passes that on: text, image, sticker ..."""
    forwarded: bool = False
    """Somebody else's words, which the sender only passes on."""
    place: bool = False
    """A location."""


@dataclass(frozen=True, slots=True)
class StatusReport:
    """How far one of our messages has come; reports arrive in any order."""

    sid: str
    status: MessageStatus
    error_code: int | None = None


def parse_message(form: Form) -> PhoneMessage | None:
    """Read an inbound form; None when it isn't a message of a phone that could be answered."""
    sid = _first(form, "MessageSid", "SmsSid", "SmsMessageSid")
    channel, address = _address(_text(form, "From"))
    to_channel, to = _address(_text(form, "To"))
    sender = _identity(address)
    if not sid or not to or sender is None or channel != to_channel:
        return None
    return PhoneMessage(
        sid=sid,
        channel=channel,
        sender=sender,
        identities=_identities(form, sender),
        to=to,
        body=_text(form, "Body"),
        button_payload=_tap(form),
        quoted_sid=_text(form, "OriginalRepliedMessageSid") or None,
        media_count=_media_count(form),
        media=tuple(_media(form)),
        profile_name=_text(form, "ProfileName"),
        opt_out_type=_opt_out_type(form),
        kind=_text(form, "MessageType"),
        forwarded="true" in {_text(form, name) for name in _FORWARDED},
        place=bool(_text(form, "Latitude") and _text(form, "Longitude")),
    )


def parse_status(form: Form) -> StatusReport | None:
    """Read a status callback; None when it reports nothing we know."""
    sid = _first(form, "MessageSid", "SmsSid")
    status = _status(_first(form, "MessageStatus", "SmsStatus"))
    if not sid or status is None:
        return None
    return StatusReport(sid, status, _number(_text(form, "ErrorCode")) or None)


def _text(form: Form, name: str) -> str:
    # PostgreSQL's text holds anything but this one character.
    return form.get(name, "").replace("\x00", "")


def _first(form: Form, *names: str) -> str:
    return next((value for name in names if (value := _text(form, name))), "")


def _number(text: str) -> int:
    """Read a short count or code; anything else counts as none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= len("99999") else 0


def _address(text: str) -> tuple[PhoneChannel, str]:
    if text.startswith(_PREFIX):
        return "whatsapp", text.removeprefix(_PREFIX)
    return "sms", text


def _identity(address: str) -> Identity | None:
    digits = address.removeprefix("+")
    if address != digits and digits.isascii() and digits.isdigit():
        fits = _MIN_PHONE_DIGITS <= len(digits) <= _MAX_PHONE_DIGITS
        return Identity("phone", address) if fits else None
    return _business_scoped(address)


def _business_scoped(address: str) -> Identity | None:
    """Read 'IL.13491208655302741918', or a parent 'US.ENT.1349...'."""
    country, _, rest = address.partition(".")
    kind: IdentityKind = "parent_bsuid" if rest.startswith("ENT.") else "bsuid"
    number = rest.removeprefix("ENT.")
    is_country = len(country) == len("IL") and country.isascii() and country.isalpha()
    is_number = number.isascii() and number.isalnum() and len(number) <= _MAX_BSUID
    return Identity(kind, address) if is_country and is_number else None


def _identities(form: Form, sender: Identity) -> tuple[Identity, ...]:
    named = (_text(form, name) for name in ("ExternalUserId", "ParentExternalUserId"))
    others = (_business_scoped(_address(text)[1]) for text in named)
    return tuple(dict.fromkeys([sender, *(other for other in others if other)]))


def _tap(form: Form) -> str | None:
    named = _first(form, *_TAP_FIELDS)
    if named:
        return named
    found = (_tap_in(_document(_text(form, name))) for name in _TAP_DOCUMENTS)
    return next((payload for payload in found if payload), None)


def _document(text: str) -> object:
    if not text or len(text) > _MAX_JSON:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _tap_in(node: object, names: tuple[str, ...] = _TAP_FIELDS, depth: int = 0) -> str | None:
    if not isinstance(node, dict) or depth > _MAX_DEPTH:
        return None
    for branch in _BRANCHES:
        inner = ("id", *_TAP_FIELDS) if branch in _REPLIES else _TAP_FIELDS
        if found := _tap_in(node.get(branch), inner, depth + 1):
            return found
    named = (node.get(name) for name in names)
    return next((value.replace("\x00", "") for value in named if isinstance(value, str)), None)


def _media_count(form: Form) -> int:
    return min(_number(_text(form, "NumMedia")), _MAX_MEDIA)


def _media(form: Form) -> Iterator[Media]:
    for index in range(_media_count(form)):
        if url := _text(form, f"MediaUrl{index}"):
            yield Media(url, _text(form, f"MediaContentType{index}"))


def _opt_out_type(form: Form) -> OptOutType | None:
    named = _text(form, "OptOutType")
    return next((kind for kind in get_args(OptOutType) if kind == named), None)


def _status(named: str) -> MessageStatus | None:
    return next((status for status in get_args(MessageStatus) if status == named), None)
